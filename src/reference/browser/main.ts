// The only script of the reference. Pages are whole without it: it adds search, copying, trying out, and the mark of where one reads.

import { copying } from "./copying";
import { highlighting } from "./highlighting";
import { marking } from "./marking";
import { searching } from "./searching";
import { choosing } from "./tabs";
import { trying } from "./trying";

searching();
choosing();
copying();
trying();
marking();
highlighting();
