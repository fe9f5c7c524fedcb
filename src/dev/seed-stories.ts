// The stories of one organization and of one user of each kind: the seed plays them once through the real service, and copies the rows
// that they leave in the database.

import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { dateIn } from "./days.ts";
import { loanProduct } from "./loan-product.ts";
import { type Caller, type Client, clientOf, type Fields, operatorOf, startOwnService, textOf } from "./own-service.ts";
import { startReceiver } from "./receiver.ts";

export type Value = string | number | bigint | Uint8Array | null;
export type Row = { readonly table: string; readonly columns: readonly string[]; readonly values: readonly Value[] };
/** The ids that the rows of an organization name: its own, and those of what belongs to it. */
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
	const [file, another] = databaseFiles(statePath);
	if (file === undefined || another !== undefined) throw new Error(`${statePath} is not the data of one database`);
	return file;
}

/** The files of all databases of a service that has ended. */
export function databaseFiles(statePath: string): string[] {
	const directory = path.join(statePath, "v3", "d1", "miniflare-D1DatabaseObject");
	const names = readdirSync(directory).filter((name) => name.endsWith(".sqlite") && name !== "metadata.sqlite");
	return names.map((name) => path.join(directory, name));
}

/** Plays the stories on a separate service, whose data is deleted afterwards. */
export async function playStories(): Promise<{ organization: Organization; stories: readonly Story[] }> {
	const statePath = mkdtempSync(path.join(tmpdir(), "seed-"));
	const service = await startOwnService(statePath, { onLog: () => {} });
	const receiver = await startReceiver();
	try {
		const call = clientOf(service);
		const operator = await operatorOf(call);
		const secondOperator = await operatorOf(call, "seed-second");
		const slug = "story";
		const organization = await makeOrganization(call, operator, slug, receiver.url);
		const database = new DatabaseSync(databaseFile(statePath), { readOnly: true });
		try {
			const stories: Story[] = [];
			for (const [index, { share, play }] of STORIES.entries()) {
				const before = keysOf(database);
				const subject = `user-${index}`;
				const email = `${subject}@example.com`;
				const identity = { kind: "partner", subject, organization: slug, claims: { email, email_verified: true } };
				const partner_token = textOf(await call("POST", "/v1/sandbox/tokens", {}, identity), "token");
				const token = textOf(await call("POST", "/v1/auth/exchange", {}, { partner_token }), "access_token");
				await play({ call, operator, secondOperator, user: { token }, email, organization });
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

type Scene = {
	call: Client;
	operator: Caller;
	/** Nobody decides on what they have uploaded themselves. */
	secondOperator: Caller;
	user: Caller;
	email: string;
	organization: Organization;
};

const admit = async ({ call, operator, user }: Scene): Promise<void> => {
	const me = await call("GET", "/v1/me", user);
	if (me.status === "WAITING_LIST") await call("POST", `/v1/platform/users/${textOf(me, "id")}/admit`, operator);
};

async function offer(scene: Scene): Promise<Fields> {
	await admit(scene);
	return scene.call("POST", "/v1/accounts/loan/applications/partner", scene.user, { loan_product_id: scene.organization.product });
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

const CURRENT = "/v1/user/accounts/current";

/** An active current account with money, of which a part goes to a number outside. */
async function keepMoney(scene: Scene): Promise<void> {
	const { call, operator, user, email } = scene;
	await admit(scene);
	const account_id = textOf(await call("POST", CURRENT, user), "id");
	const activation = textOf(await call("POST", `${CURRENT}/activations`, user, { channel: "EMAIL" }), "id");
	const { data } = await call("GET", `/v1/sandbox/messages?recipient=${encodeURIComponent(email)}`, operator);
	const otp_code = (data as Fields[]).find((message) => message.otp_code !== null)?.otp_code;
	await call("POST", `${CURRENT}/activations/${activation}/confirm`, user, { otp_code });
	const movement = { movement_id: crypto.randomUUID(), account_id, direction: "CREDIT", amount: 500_000, currency: "KES" };
	await call("POST", "/v1/integrations/custodian/movements", operator, { ...movement, occurred_at: new Date().toISOString() });
	const payee = { label: "Rent", accounts: [{ type: "SEND_MONEY", mobile_number: "+254722000111" }] };
	const { accounts } = await call("POST", "/v1/user/payees", user, payee);
	const [account] = accounts as Fields[];
	await call("POST", "/v1/user/transfers", user, { payee_account_id: textOf(account ?? {}, "id"), amount: 120_000 });
}

/** An invoice of the user's organization that is financed and repaid in part. */
async function sellInvoice(scene: Scene): Promise<void> {
	await admit(scene);
	const { call, operator, secondOperator, organization } = scene;
	const buyer = { organization: organization.id };
	const invoice = {
		merchant_id: "merchant-1",
		invoice_number: crypto.randomUUID(),
		amount_minor_units: 90_000,
		currency: "KES",
		issued_date: dateIn(0),
		due_date: dateIn(60),
	};
	const path = `/v1/financing/invoices/${textOf(await call("POST", "/v1/financing/invoices", { ...operator, ...buyer }, invoice), "id")}`;
	await call("POST", `${path}/decision`, { ...secondOperator, ...buyer }, { decision: "APPROVED" });
	await call("POST", `${path}/finance`, operator, { fee: 900 });
	const repayment = {
		external_id: crypto.randomUUID(),
		amount: { value: 30_000, currency: "KES" },
		transacted_at: new Date().toISOString(),
	};
	await call("POST", `${path}/repayments`, operator, repayment);
}

const STORIES: readonly { share: number; play(scene: Scene): Promise<unknown> }[] = [
	{ share: 25, play: async () => {} },
	{ share: 35, play: admit },
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
	{ share: 6, play: keepMoney },
	{ share: 4, play: sellInvoice },
];

/** Tables without copies: rows that live for days at most, counters of other rows, and rows that only the service can make. */
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

/** Current accounts come before their entries, from which triggers compute their sums. */
const byDependence = (a: string, b: string): number => Number(a === "current_account_entries") - Number(b === "current_account_entries");

/** A row as it was inserted. */
const asInserted = (table: string, row: Record<string, Value>): Record<string, Value> =>
	table === "current_accounts"
		? { ...row, position: 0, balance: 0, held: 0, out_total: 0, uncoded: 0, uncoded_today: 0, uncoded_new: 0, weighted: 0 }
		: row;

const rowsSince = (database: DatabaseSync, before: Keys): Row[] =>
	tablesOf(database)
		.toSorted(byDependence)
		.flatMap((table) => {
			const key = keyOf(database, table);
			return (
				rowsOf(database, table)
					.filter((row) => !before.get(table)?.has(key(row)))
					// Phones and identities are keyed digests, which copies cannot have.
					.filter((row) => table !== "names" || row.kind === "TAG")
					.map((row) => asInserted(table, row))
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
	throw new Error("the deliveries do not end");
}
