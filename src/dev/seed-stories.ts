// What one organization and one user of each kind leave in the database: the seed plays it once through the real service, and copies
// the rows.

import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { loanProduct } from "./loan-product.ts";
import { type Caller, type Client, clientOf, type Fields, operatorOf, startOwnService, textOf } from "./own-service.ts";
import { startReceiver } from "./receiver.ts";

export type Value = string | number | bigint | Uint8Array | null;
export type Row = { readonly table: string; readonly columns: readonly string[]; readonly values: readonly Value[] };
/** What all rows of an organization name: its id, and those of what belongs to it. */
export type Organization = { readonly id: string; readonly product: string; readonly webhook: string };
/** The rows of one user, and how many of a hundred users are like them. */
export type Story = { readonly share: number; readonly rows: readonly Row[] };

/** An organization with a loan product of three installments, and an endpoint that gets every event. */
export async function makeOrganization(call: Client, operator: Caller, slug: string, url: string): Promise<Organization> {
	const id = textOf(await call("POST", "/v1/platform/organizations", operator, { name: slug, slug }), "id");
	const product = {
		...loanProduct(id),
		name: "Three installments",
		tenure: { duration: 90, unit: "DAYS" },
		rate_schedule: [{ min_days: 1, max_days: 90, interest_rate: { basis_points: 500, period_value: 30, period_unit: "DAYS" } }],
	};
	const made = await call("POST", "/v1/platform/loan-products", operator, product);
	const manager = { ...operator, organization: id };
	const types = (await call("GET", "/v1/webhooks/events/types", manager)) as unknown as Fields[];
	const events = types.map((type) => textOf(type, "event"));
	const webhook = await call("POST", "/v1/webhooks", manager, { name: "All events", url, events });
	return { id, product: textOf(made, "id"), webhook: textOf(webhook, "id") };
}

/** The only database in the data: `npm run seed` fills one. */
export function databaseFile(statePath: string): string {
	const directory = path.join(statePath, "v3", "d1", "miniflare-D1DatabaseObject");
	const [file, another] = readdirSync(directory).filter((name) => name.endsWith(".sqlite") && name !== "metadata.sqlite");
	if (file === undefined || another !== undefined) throw new Error(`${directory} is not the data of one database`);
	return path.join(directory, file);
}

/** Plays the stories on a service of its own, whose data is deleted afterwards. */
export async function playStories(): Promise<{ organization: Organization; stories: readonly Story[] }> {
	const statePath = mkdtempSync(path.join(tmpdir(), "seed-"));
	const service = await startOwnService(statePath, { onLog: () => {} });
	const receiver = await startReceiver();
	try {
		const call = clientOf(service);
		const operator = await operatorOf(call);
		const slug = "story";
		const organization = await makeOrganization(call, operator, slug, receiver.url);
		const database = new DatabaseSync(databaseFile(statePath), { readOnly: true });
		try {
			const stories: Story[] = [];
			for (const [index, { share, play }] of STORIES.entries()) {
				const before = keysOf(database);
				const partner_token = textOf(
					await call("POST", "/v1/sandbox/tokens", {}, { kind: "partner", subject: `user-${index}`, organization: slug }),
					"token",
				);
				const token = textOf(await call("POST", "/v1/auth/exchange", {}, { partner_token }), "access_token");
				await play({ call, operator, user: { token }, product: organization.product });
				await delivered(database);
				stories.push({ share, rows: rowsSince(database, before) });
			}
			return { organization, stories };
		} finally {
			database.close();
		}
	} finally {
		await service.stop();
		await receiver.close();
		rmSync(statePath, { recursive: true, force: true });
	}
}

type Scene = { call: Client; operator: Caller; user: Caller; product: string };

const admit = async ({ call, operator, user }: Scene): Promise<void> => {
	const me = await call("GET", "/v1/me", user);
	if (me.status === "WAITING_LIST") await call("POST", `/v1/platform/users/${textOf(me, "id")}/admit`, operator);
};

async function offer(scene: Scene): Promise<Fields> {
	await admit(scene);
	return scene.call("POST", "/v1/accounts/loan/applications/partner", scene.user, { loan_product_id: scene.product });
}

async function borrow(scene: Scene): Promise<string> {
	const application = await offer(scene);
	const path = `/v1/accounts/loan/applications/partner/${textOf(application, "id")}/apply`;
	await scene.call("POST", path, scene.user, { loan_amount: 60_000 });
	return textOf(application, "account_id");
}

const repay = ({ call, operator }: Scene, account_id: string, amount: number) =>
	call("POST", "/v1/repayments", operator, {
		account_id,
		amount: { value: amount, currency: "KES" },
		mobile_money_transaction_id: crypto.randomUUID(),
		transacted_at: new Date().toISOString(),
		details: { type: "BUY_GOODS", till_number: "12345" },
	});

const STORIES: readonly { share: number; play(scene: Scene): Promise<unknown> }[] = [
	{ share: 25, play: async () => {} },
	{ share: 45, play: admit },
	{
		share: 5,
		play: async (scene) => {
			const { id } = (await offer(scene)) as { id: string };
			await scene.call("POST", `/v1/accounts/loan/applications/${id}/cancel`, scene.user);
		},
	},
	{ share: 10, play: borrow },
	{ share: 10, play: async (scene) => repay(scene, await borrow(scene), 25_000) },
	{ share: 5, play: async (scene) => repay(scene, await borrow(scene), 70_000) },
];

/** What lives for days at most, what other rows are counted by, and what only the service itself can make. */
const LEFT_OUT =
	/^(_cf_.*|sqlite_.*|d1_migrations|schema_version|sandbox_clock|event_purges|audit_streams|audit_seals|identity_links|home_messages|idempotency_records|rate_windows|sessions|spent_tokens|custom_tokens|refresh_tokens|otp_.*|messages|message_.*)$/;

type Keys = ReadonlyMap<string, ReadonlySet<string>>;

const tablesOf = (database: DatabaseSync): string[] =>
	database
		.prepare("select name from sqlite_schema where type = 'table'")
		.all()
		.map(({ name }) => String(name))
		.filter((name) => !LEFT_OUT.test(name));

const keyOf = (database: DatabaseSync, table: string) => {
	const columns = database.prepare(`pragma table_info("${table}")`).all() as { name: string; pk: number }[];
	const key = columns.filter(({ pk }) => pk > 0).map(({ name }) => name);
	return (row: Record<string, unknown>): string => JSON.stringify(key.map((name) => row[name]));
};

const rowsOf = (database: DatabaseSync, table: string) => database.prepare(`select * from "${table}"`).all() as Record<string, Value>[];

const keysOf = (database: DatabaseSync): Keys =>
	new Map(tablesOf(database).map((table) => [table, new Set(rowsOf(database, table).map(keyOf(database, table)))]));

const rowsSince = (database: DatabaseSync, before: Keys): Row[] =>
	tablesOf(database).flatMap((table) => {
		const key = keyOf(database, table);
		return (
			rowsOf(database, table)
				.filter((row) => !before.get(table)?.has(key(row)))
				// Phones and identities are keyed digests, which copies cannot have.
				.filter((row) => table !== "names" || row.kind === "TAG")
				.map((row) => ({ table, columns: Object.keys(row), values: Object.values(row) }))
		);
	});

/** Waits until every delivery has been answered. */
async function delivered(database: DatabaseSync): Promise<void> {
	const open = database.prepare("select count(*) as n from webhook_deliveries where status <> 'DELIVERED'");
	for (let waited = 0; waited < 20_000; waited += 100) {
		if (Number(open.get()?.n) === 0) return;
		await sleep(100);
	}
	throw new Error("the deliveries do not come to an end");
}
