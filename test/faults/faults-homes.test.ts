// The same with a directory and two databases of homes.

import "../support/node/three-databases";
import "./faults.test";
