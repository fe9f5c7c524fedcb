// The account of `account.ts` on this machine, with what else the real wrangler asks of it: who is signed in, and a D1 that keeps the
// scripts that it takes. A process of its own, because a deployment waits for wrangler without doing anything else. Prints its port.

import { createHash } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { API } from "../../src/dev/preflight.ts";
import { accountOf, answerOf, failed, ok, TOKEN } from "./account.ts";
import { filledIn } from "./filled-in.ts";

const config = filledIn().deployed.get("staging") ?? {};
const { account_id: account, d1_databases: [database] = [] } = config;
const own = `/accounts/${account}/d1/database/${database?.database_id}`;

const imported: string[] = [];
const recorded = (): string[] => imported.flatMap((script) => /d1_migrations \(name\) VALUES \('([^']+)'\)/.exec(script)?.[1] ?? []);
let uploaded = "";

function query(body: string) {
	const statements = (JSON.parse(body) as { sql: string }).sql.split(";").filter((one) => one.trim() !== "");
	const rows = (sql: string) => (/select name/i.test(sql) ? recorded().map((name) => ({ name })) : []);
	return ok(statements.map((sql) => ({ success: true, meta: { duration: 1 }, results: rows(sql) })));
}

function importing(body: string, host: string) {
	const { action, etag } = JSON.parse(body) as { action: string; etag: string };
	if (action === "init") return ok({ success: true, filename: etag, upload_url: `http://${host}/upload` });
	imported.push(uploaded);
	const meta = { duration: 1, rows_read: 1, rows_written: 1, size_after: 4_096, changes: 1 };
	const result = { final_bookmark: "00000002", num_queries: 3, meta };
	return ok({ success: true, type: "import", status: "complete", messages: [], at_bookmark: "00000001", result });
}

async function answer(pathname: string, search: string, body: string, host: string) {
	if (pathname === "/user") return ok({ id: "u", email: "ops@acme.test" });
	if (pathname === "/user/tokens/verify") return ok({ id: "t", status: "active" });
	if (pathname === "/accounts") return ok([{ id: account, name: "Acme" }]);
	if (pathname === "/memberships") return ok([{ id: "m", account: { id: account, name: "Acme" } }]);
	if (pathname === `${own}/time_travel/bookmark`) return ok({ bookmark: "00000001-00000002-00004c6d-8e61117bf38d7adb71b934ebbf891683" });
	if (pathname === `${own}/query`) return query(body);
	if (pathname === `${own}/import`) return importing(body, host);
	const prepared = answerOf(accountOf(config), config, `${API}${pathname}${search}`);
	return prepared
		? { status: prepared.status, body: (await prepared.json()) as object }
		: failed(404, 7003, `Could not route to ${pathname}`);
}

const server = createServer(async (request, response) => {
	const chunks: Buffer[] = [];
	for await (const chunk of request) chunks.push(chunk as Buffer);
	const body = Buffer.concat(chunks);
	const { pathname, search } = new URL(request.url ?? "", "http://account");
	if (pathname === "/upload") {
		uploaded = body.toString();
		response.writeHead(200, { etag: `"${createHash("md5").update(body).digest("hex")}"` }).end();
		return;
	}
	const isKnown = request.headers.authorization === `Bearer ${TOKEN}` || pathname === "/imported";
	const given = !isKnown
		? failed(401, 10000, "Authentication error")
		: pathname === "/imported"
			? ok(imported)
			: await answer(pathname.replace("/client/v4", ""), search, body.toString(), request.headers.host ?? "");
	response.writeHead(given.status, { "content-type": "application/json" }).end(JSON.stringify(given.body));
});
// The test waits for wrangler for seconds: a connection that it keeps must not close meanwhile.
server.keepAliveTimeout = 0;
server.listen(0, "127.0.0.1", () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`));
