// A whole service in whose data a person is looked for before and after their erasure: in every file that it keeps (databases, the objects'
// storage, buckets), in what a restore makes of its backup, and in every line that it prints.

import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { gunzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { createClient } from "../../client/src/index.ts";
import { operatorOf, startOwnService } from "../../src/dev/own-service.ts";
import { startReceiver } from "../../src/dev/receiver.ts";
import { repository } from "../../src/dev/service.ts";
import { byDatabase, chainUntil } from "../../tools/restore/chain.ts";
import { makeDatabase } from "../../tools/restore/database.ts";
import { download } from "../../tools/restore/drill.ts";
import { inDirectory } from "../../tools/restore/files.ts";

const NAME = "Wanjiru Plantagenet";
const MAIL = "wanjiru.plantagenet@example.com";
const NUMBER = "711223344";
const PLANTED = ["711223344", "wanjiru", "plantagenet"];

/** What an SQLite file says in its rows. */
function textsOfDatabase(file: string): string {
	const database = new DatabaseSync(file);
	try {
		const tables = database.prepare("select name from sqlite_schema where type = 'table'").all();
		const rowsOf = (name: unknown) => {
			const statement = database.prepare(`select * from "${name}"`);
			statement.setReadBigInts(true);
			return statement.all();
		};
		return tables.map(({ name }) => `${name}: ${JSON.stringify(rowsOf(name), asText)}`).join("\n");
	} finally {
		database.close();
	}
}

const asText = (_: string, value: unknown): unknown =>
	value instanceof Uint8Array ? Buffer.from(value).toString("latin1") : typeof value === "bigint" ? String(value) : value;

function textOf(file: string): string {
	const bytes = readFileSync(file);
	if (bytes.subarray(0, 15).toString() === "SQLite format 3") return textsOfDatabase(file);
	return (bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes).toString("latin1");
}

const saidBy = (text: string): string[] => PLANTED.filter((one) => text.toLowerCase().includes(one));

/** Where it is said, by kind of storage: how tables, or lines, begin. */
function saidIn(directory: string): Record<string, string[]> {
	const files = readdirSync(directory, { recursive: true, withFileTypes: true });
	const found: Record<string, string[]> = {};
	for (const { name, parentPath } of files.filter((one) => one.isFile() && !/-(?:wal|shm)$/.test(one.name))) {
		const kind = path.relative(directory, parentPath).split(path.sep).slice(0, 2).join("/");
		const lines = textOf(path.join(parentPath, name))
			.split("\n")
			.filter((line) => saidBy(line).length > 0);
		if (lines.length > 0) found[kind] = [...(found[kind] ?? []), ...lines.map((line) => line.slice(0, 60))];
	}
	return found;
}

/** What a restore would make of each file until then. */
async function saidInRestored(bucket: string, directory: string): Promise<{ readonly said: readonly string[]; readonly of: number }> {
	const files = inDirectory(bucket);
	const all = byDatabase(await files.names()).get("DB") ?? [];
	const said = new Set<string>();
	let of = 0;
	for (const { at } of all) {
		const chain = await chainUntil(files, all, at).catch(() => undefined);
		if (!chain) continue;
		const file = path.join(directory, "restored.sqlite");
		await makeDatabase(files, chain, { file, migrations: path.join(repository, "migrations") });
		for (const one of saidBy(textsOfDatabase(file))) said.add(one);
		of++;
	}
	return { said: [...said].sort(), of };
}

it("says nothing of who was erased, wherever it is searched", { timeout: 300_000 }, async () => {
	const directory = mkdtempSync(path.join(tmpdir(), "erased-"));
	const statePath = path.join(directory, "state");
	const printed: string[] = [];
	const receiver = await startReceiver({ responseBody: JSON.stringify({ customer: NAME, phone: `+254${NUMBER}` }) });
	const options = {
		backup: true,
		sweptWhenAsked: true,
		variables: { RETENTION_PERIODS: JSON.stringify({ loans: { days: 0 }, current_accounts: { days: 0 } }) },
		onLog: (line: object) => void printed.push(JSON.stringify(line)),
	};
	try {
		let service = await startOwnService(statePath, options);
		const anyone = createClient({ baseUrl: service.url });
		const operator = await operatorOf(service, "amina.otieno");
		const { id: organizationId } = await operator.createOrganization({ body: { name: "Umoja Savings", slug: "umoja" } });
		const ofLender = await operatorOf(service, "amina.otieno", organizationId);
		const { signing_keys } = await ofLender.createWebhook({
			body: { name: "CRM", url: `${receiver.url}/hooks`, events: ["user.admitted"] },
		});
		receiver.behaviour.secrets = [signing_keys[0]?.secret ?? ""];

		// They sign in with their number, name themselves, and are refused something under a key that an object keeps.
		const { id: verification } = await anyone.startPhoneVerification({
			body: { mobile_country_code: "254", mobile_number: NUMBER, organization: "umoja" },
		});
		const messages = await operator.listMessages({ query: { recipient: `+254${NUMBER}` } });
		const otp_code = messages.data[0]?.otp_code ?? "";
		const { phone_verification_token } = await anyone.confirmPhoneVerification({ path: { id: verification }, body: { otp_code } });
		const { access_token: custom_token } = await anyone.exchangePhoneToken({ body: { phone_verification_token } });
		const { access_token: token } = await anyone.signIn({ body: { custom_token } });
		const person = createClient({ baseUrl: service.url, token });
		const { id: userId } = (await person.getMe()) as { id: string };
		await operator.admitUser({ path: { userId } });
		await person.updateMe({ body: { display_name: NAME } });
		const payee = { label: NAME, accounts: [{ type: "SEND_MONEY" as const, mobile_number: `+254${NUMBER}`, account_holder_name: NAME }] };
		await person.createPayee({ body: payee, idempotencyKey: "once" });
		const nobodys = { path: { payeeId: crypto.randomUUID() }, body: { label: NAME }, idempotencyKey: "refused" };
		await expect(person.updatePayee(nobodys)).rejects.toThrow();
		await operator.linkIdentity({ path: { userId }, body: { issuer: "https://identity.example", subject: MAIL } });
		await expect.poll(() => receiver.deliveries.length, { timeout: 30_000 }).toBeGreaterThan(0);
		for (let swept = 0; swept < 5; swept++) await service.sweep();
		await service.stop();

		expect(Object.keys(saidIn(statePath))).toContain("v3/d1");
		const bucket = path.join(directory, "before");
		await download(statePath, bucket);
		expect(
			saidBy(
				readdirSync(bucket, { recursive: true, encoding: "utf8" })
					.flatMap((name) => (name.endsWith(".ndjson.gz") ? [textOf(path.join(bucket, name))] : []))
					.join(),
			),
		).toEqual([]);
		expect((await saidInRestored(bucket, directory)).said).toEqual([...PLANTED].sort());

		service = await startOwnService(statePath, options);
		const again = await operatorOf(service, "amina.otieno");
		await again.eraseUser({ path: { userId } });
		await again.advanceClock({ body: { advance: "PT2M" } });
		await expect
			.poll(
				async () => {
					await service.sweep();
					return (await again.getErasure({ path: { userId } })).status;
				},
				{ timeout: 60_000 },
			)
			.toBe("DONE");
		await service.sweep();
		await service.stop();

		expect(saidIn(statePath)).toEqual({});
		const after = path.join(directory, "after");
		await download(statePath, after);
		const { said, of } = await saidInRestored(after, directory);
		expect(said).toEqual([]);
		expect(of).toBeGreaterThan(1);
		expect(saidBy(printed.join("\n"))).toEqual([]);
		expect(printed.length).toBeGreaterThan(0);
	} finally {
		await receiver.close();
		rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
	}
});
