// `npm run bench:rows`: what delivered events with one endpoint keep in the database, by table and index. Events go through the
// real service, queue and receiver; then it reads the pages of the local database. It prints figures and asserts nothing.

import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { clientOf, operatorOf, startOwnService, textOf } from "../src/dev/own-service.ts";
import { startReceiver } from "../src/dev/receiver.ts";

const EVENTS = Number(process.argv[2] ?? 10_000);
const AT_ONCE = 20;

const statePath = mkdtempSync(path.join(tmpdir(), "rows-"));
const service = await startOwnService(statePath);
const receiver = await startReceiver();
try {
	const call = clientOf(service);
	const operator = await operatorOf(call);
	const organization = textOf(await call("POST", "/v1/platform/organizations", operator, { name: "Bench", slug: "bench" }), "id");
	const manager = { ...operator, organization };
	const id = textOf(await call("POST", "/v1/webhooks", manager, { name: "a", url: receiver.url, events: ["user.admitted"] }), "id");
	for (let sent = 0; sent < EVENTS; sent += AT_ONCE)
		await Promise.all(Array.from({ length: AT_ONCE }, () => call("POST", `/v1/webhooks/${id}/test`, manager)));
	while (receiver.deliveries.length < EVENTS) await sleep(500);
	await sleep(2_000);
} finally {
	await service.stop();
	await receiver.close();
}
for (const name of readdirSync(statePath, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".sqlite"))) {
	const database = new DatabaseSync(path.join(statePath, name));
	try {
		const pages = database
			.prepare(
				"select name, sum(pgsize) as bytes from dbstat where name like '%event%' or name like '%deliver%' or name like '%attempt%' group by name",
			)
			.all() as { name: string; bytes: number }[];
		if (!pages.some(({ name: table }) => table === "webhook_deliveries")) continue;
		console.table(pages.map(({ name: table, bytes }) => ({ table, "bytes an event": Math.round(bytes / EVENTS) })));
		console.log(`together: ${Math.round(pages.reduce((sum, { bytes }) => sum + bytes, 0) / EVENTS)} bytes a delivered event`);
	} finally {
		database.close();
	}
}
rmSync(statePath, { recursive: true, force: true });
process.exit(0);
