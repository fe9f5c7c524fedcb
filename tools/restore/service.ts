// The service as a process of its own, which the drill kills: backed up, and swept each second. Prints its address.

import { setTimeout as sleep } from "node:timers/promises";
import { startOwnService } from "../../src/dev/own-service.ts";

const [statePath = ""] = process.argv.slice(2);
const service = await startOwnService(statePath, { backup: true, sweptWhenAsked: true });
process.stdout.write(`${service.url}\n`);
for (;;) {
	await service.sweep();
	await sleep(1_000);
}
