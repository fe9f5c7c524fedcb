// Every operation and every event type of the service, loaded once for all tests of a runtime.

import { allEventTypes, allOperations } from "../../src/wiring/domains";

export const operations = await allOperations();
export const eventTypes = await allEventTypes();
