// `npm run -s secrets`: fresh values for the secrets of a deployment, one to a line, kept nowhere.

import { freshMasterKey, freshServiceKeys } from "./local-variables.ts";

process.stdout.write(`SERVICE_KEYS=${freshServiceKeys()}\nMASTER_KEY=${freshMasterKey()}\n`);
