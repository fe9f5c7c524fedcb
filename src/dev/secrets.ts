// `npm run -s secrets`: prints fresh values for the secrets of a deployment, one per line, and stores them nowhere.

import { freshMasterKey, freshServiceKeys } from "./local-variables.ts";

process.stdout.write(`SERVICE_KEYS=${freshServiceKeys()}\nMASTER_KEY=${freshMasterKey()}\n`);
