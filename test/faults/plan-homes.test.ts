// A design that is broken between two databases is noticed: the same with a directory and two databases of homes.

import "../support/node/three-databases";
import "./plan.test";
