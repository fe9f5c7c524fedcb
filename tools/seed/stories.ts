// The stories of one organization and of one user of each kind: the seed plays them once through the real service, and copies the rows
// that they leave in the database.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import type { Api, LoanApplication } from "../../client/src/index.ts";
import { databaseFile } from "../../src/dev/databases.ts";
import { operatorOf, startOwnService, userOf } from "../../src/dev/own-service.ts";
import { startReceiver } from "../../src/dev/receiver.ts";
import { dateIn } from "../days.ts";
import { loanProduct } from "../loan-product.ts";

export type Value = string | number | bigint | Uint8Array | null;
export type Row = { readonly table: string; readonly columns: readonly string[]; readonly values: readonly Value[] };
/** The ids that the rows of an organization name: its own, and those of what belongs to it. */
export type Organization = { readonly id: string; readonly product: string; readonly webhook: string };
/** The rows of one user, and how many of a hundred users are like them. */
export type Story = { readonly share: number; readonly rows: readonly Row[] };

/** An organization with a loan product of three installments, and an endpoint that gets every event. */
export async function makeOrganization(operator: Api, slug: string, url: string): Promise<Organization> {
	const { id } = await operator.createOrganization({ body: { name: slug, slug } });
	const product = await operator.createLoanProduct({
		body: {
			...loanProduct(id),
			name: "Three installments",
			tenure: { duration: 90, unit: "DAYS" },
			rate_schedule: [{ min_days: 1, max_days: 90, interest_rate: { basis_points: 500, period_value: 30, period_unit: "DAYS" } }],
		},
	});
	const types = await operator.listEventTypes({ organization: id });
	const body = { name: "All events", url, events: types.map(({ event }) => event) };
	const webhook = await operator.createWebhook({ body, organization: id });
	return { id, product: product.id, webhook: webhook.id };
}

/** Plays the stories on a separate service, whose data is deleted afterwards. */
export async function playStories(): Promise<{ organization: Organization; stories: readonly Story[] }> {
	const statePath = mkdtempSync(path.join(tmpdir(), "seed-"));
	const service = await startOwnService(statePath, { onLog: () => {} });
	const receiver = await startReceiver();
	try {
		const operator = await operatorOf(service);
		const secondOperator = await operatorOf(service, "seed-second");
		const slug = "story";
		const organization = await makeOrganization(operator, slug, receiver.url);
		const database = new DatabaseSync(databaseFile(statePath), { readOnly: true });
		try {
			const stories: Story[] = [];
			for (const [index, { share, play }] of STORIES.entries()) {
				const before = keysOf(database);
				const subject = `user-${index}`;
				const email = `${subject}@example.com`;
				const user = await userOf(service, subject, slug, { email, email_verified: true });
				await play({ operator, secondOperator, user, email, organization });
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
	operator: Api;
	/** Nobody decides on what they have uploaded themselves. */
	secondOperator: Api;
	user: Api;
	email: string;
	organization: Organization;
};

const admit = async ({ operator, user }: Scene): Promise<void> => {
	const me = await user.getMe();
	if ("tag" in me && me.status === "WAITING_LIST") await operator.admitUser({ path: { userId: me.id } });
};

async function offer(scene: Scene): Promise<LoanApplication> {
	await admit(scene);
	return scene.user.createLoanApplication({ body: { loan_product_id: scene.organization.product } });
}

async function borrow(scene: Scene): Promise<string> {
	const application = await offer(scene);
	await scene.user.applyForLoan({ path: { application_id: application.id }, body: { loan_amount: 60_000 } });
	return application.account_id;
}

const repay = ({ operator }: Scene, account_id: string, amount: number) =>
	operator.recordRepayment({
		body: {
			account_id,
			amount: { value: amount, currency: "KES" },
			mobile_money_transaction_id: crypto.randomUUID(),
			transacted_at: new Date().toISOString(),
			details: { type: "BUY_GOODS", till_number: "12345" },
		},
	});

/** An active current account with money, of which a part goes to a number outside. */
async function keepMoney(scene: Scene): Promise<void> {
	const { operator, user, email } = scene;
	await admit(scene);
	const { id: account_id } = await user.openCurrentAccount();
	const { id: activationId } = await user.startActivation({ body: { channel: "EMAIL" } });
	const { data: messages } = await operator.listMessages({ query: { recipient: email } });
	const otp_code = messages.find((message) => message.otp_code !== null)?.otp_code ?? "";
	await user.confirmActivation({ path: { activationId }, body: { otp_code } });
	const movement = { movement_id: crypto.randomUUID(), account_id, direction: "CREDIT", amount: 500_000, currency: "KES" } as const;
	await operator.recordMovement({ body: { ...movement, occurred_at: new Date().toISOString() } });
	const payee = await user.createPayee({ body: { label: "Rent", accounts: [{ type: "SEND_MONEY", mobile_number: "+254722000111" }] } });
	await user.orderTransfer({ body: { payee_account_id: payee.accounts[0]?.id ?? "", amount: 120_000 } });
}

/** An invoice of the user's organization that is financed and repaid in part. */
async function sellInvoice(scene: Scene): Promise<void> {
	await admit(scene);
	const { operator, secondOperator, organization } = scene;
	const { id } = await operator.uploadInvoice({
		organization: organization.id,
		body: {
			merchant_id: "merchant-1",
			invoice_number: crypto.randomUUID(),
			amount_minor_units: 90_000,
			currency: "KES",
			issued_date: dateIn(0),
			due_date: dateIn(60),
		},
	});
	await secondOperator.decideInvoice({ path: { id }, organization: organization.id, body: { decision: "APPROVED" } });
	await operator.financeInvoice({ path: { id }, body: { fee: 900 } });
	const amount = { value: 30_000, currency: "KES" };
	await operator.repayInvoice({
		path: { id },
		body: { external_id: crypto.randomUUID(), amount, transacted_at: new Date().toISOString() },
	});
}

const STORIES: readonly { share: number; play(scene: Scene): Promise<unknown> }[] = [
	{ share: 25, play: async () => {} },
	{ share: 35, play: admit },
	{
		share: 5,
		play: async (scene) => {
			const { id } = await offer(scene);
			await scene.user.cancelLoanApplication({ path: { application_id: id } });
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
	/^(_cf_.*|sqlite_.*|d1_migrations|schema_version|sandbox_clock|event_purges|ledgers|audit_streams|audit_seals|identity_links|home_messages|idempotency_records|sealed_answers|rate_windows|sessions|spent_tokens|custom_tokens|refresh_tokens|otp_.*|inbox|messages|message_.*)$/;

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

/** What triggers read comes before what they are of: current accounts before their entries, invoices before their money. */
const LAST = ["invoice_advances", "invoice_repayments", "current_account_entries"];
const byDependence = (a: string, b: string): number => LAST.indexOf(a) - LAST.indexOf(b);

/** Triggers write these entries of the journal again, as soon as their source is copied. */
const OF_TRIGGERS: ReadonlySet<Value | undefined> = new Set(["RECEIPT", "PAYOUT", "WALLET", "INVOICE"]);

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
					.filter((row) => table !== "journal_entries" || !OF_TRIGGERS.has(row.source))
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
