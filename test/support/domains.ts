// Every operation and every event type of the service, loaded once for all tests of a runtime.

import { allEventTypes, operationsByTag } from "../../src/wiring/loading";

export const operations = [...(await operationsByTag()).values()].flatMap((group) => group.operations);
export const eventTypes = await allEventTypes();
