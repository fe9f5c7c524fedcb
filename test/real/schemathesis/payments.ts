// Prepared calls about payments by outside providers: what lenders do with their connections, and what the providers report.

import { randomUUID } from "node:crypto";
import type { Header } from "../../fuzz/draft.ts";
import type { Json } from "../../fuzz/values.ts";
import type { Told } from "./outside.ts";
import type { Lender, World } from "./world.ts";

/** `as`: who makes it, and all calls of the operation, where not the caller. */
export type Case = { readonly path?: { readonly [name: string]: string }; readonly body?: Json; readonly as?: Header };
export type Cases = { readonly [operation: string]: readonly Case[] };

const SHORT_CODE = "600997";
const CREDENTIALS = {
	environment: "sandbox",
	consumer_key: "a consumer key",
	consumer_secret: "a consumer secret",
	initiator_name: "testapi",
	security_credential: "RC6E9WDxXR4b9X2c6z3gp0oC5Th==",
	passkey: "a passkey",
	payouts: true,
};
const WALLET = {
	environment: "production",
	target_environment: "mtnuganda",
	api_key: "an API key",
	subscription_key: "a subscription key",
	payouts: true,
};

/** A lender with an account at a provider, and who may call for it. */
export async function connected(
	world: World,
	provider: "daraja" | "momo",
	account = SHORT_CODE,
): Promise<{ lender: Lender; at: string; path: { organizationId: string } }> {
	const lender = await world.lender(provider === "momo" ? "UG" : "KE");
	const at = `/v1/organizations/${lender.id}/connections/${provider}`;
	await world.call("PUT", at, connection(provider, account), world.secondOperator);
	return { lender, at, path: { organizationId: lender.id } };
}

const connection = (provider: "daraja" | "momo", account: string): Json =>
	provider === "momo" ? { ...WALLET, api_user: account } : { ...CREDENTIALS, short_code: account };

export async function ofConnections(world: World): Promise<Cases> {
	const daraja = async () => (await connected(world, "daraja")).path;
	const momo = async () => (await connected(world, "momo", randomUUID())).path;
	/** Another account waits to take the connection's place. */
	const replaced = async (provider: "daraja" | "momo") => {
		const [present, another] = provider === "momo" ? [randomUUID(), randomUUID()] : [SHORT_CODE, "600998"];
		const { at, path } = await connected(world, provider, present);
		await world.call("PUT", at, connection(provider, another), world.secondOperator);
		return { path, body: { account: another } };
	};
	return {
		checkDarajaConnection: [{ path: await daraja() }],
		registerDarajaConfirmations: [{ path: await daraja(), body: {} }],
		resumeDarajaConnection: [{ path: await daraja() }],
		resumeMomoConnection: [{ path: await momo() }],
		activateDarajaReplacement: [await replaced("daraja")],
		activateMomoReplacement: [await replaced("momo")],
		discardDarajaReplacement: [{ path: (await replaced("daraja")).path }],
		discardMomoReplacement: [{ path: (await replaced("momo")).path }],
	};
}

/** What providers report of payouts, prompts, confirmations, returns and checks. */
export async function ofProviders(world: World): Promise<Cases> {
	const { outside } = world;
	const { lender, at } = await connected(world, "daraja", String(600_000 + (Number(world.round) % 900)));
	const checked = await outside.keep(() => world.call("POST", `${at}/check`), 2);
	await world.call("POST", `${at}/confirmation-urls`, {});
	const borrower = await world.customer(lender);
	const { accountId } = await world.loan(lender, borrower);
	const another = await world.customer(lender);
	const paidOut = await outside.keep(() => world.loan(lender, another));
	const { account_number: account } = await world.call<{ account_number: string }>(
		"GET",
		`/v1/accounts/${accountId}`,
		undefined,
		borrower.as,
	);
	const confirmation = () => outside.keep(async () => outside.daraja.receive({ shillings: 10, account }));
	const confirmed = await confirmation();
	const validated = confirmed.map((one) => ({ ...one, path: one.path.replace(/confirmation$/, "validation") }));
	// A confirmation is believed once the provider, asked about it, has found the payment.
	const [second] = await confirmation();
	const verified = second ? await outside.keep(() => world.call("POST", second.path, second.body, null)) : [];
	const prompted = await outside.keep(() => prompt(world, accountId, borrower));
	const paid = async () => {
		const { accountId, borrower } = await world.loan(lender);
		const { id } = await prompt(world, accountId, borrower);
		let transaction: string | null = null;
		await outside.until(async () => {
			await outside.deliver();
			const path = `/v1/accounts/${accountId}/repayment-prompts/${id}`;
			transaction = (await world.call<{ transaction_id: string | null }>("GET", path, undefined, borrower.as)).transaction_id;
			return transaction !== null;
		});
		return String(transaction);
	};
	const giveBack = (id: string) =>
		outside.keep(() => world.call("POST", `/v1/repayments/${id}/reverse`, { reason: "paid by mistake", return_money: true }));
	const returned = await giveBack(await paid());
	const stuck = await paid();
	await giveBack(stuck);
	const wallet = await connected(world, "momo", randomUUID());
	// One is reported by POST, the other by PUT.
	const paidByMomo = await outside.keep(async () => {
		for (let n = 0; n < 2; n++) await world.loan(wallet.lender);
	}, 2);
	return {
		...told(world, [checked, paidOut, confirmed, validated, verified, prompted, returned, paidByMomo].flat()),
		giveUpReturn: [{ path: { id: stuck }, body: { reason: "paid back in cash" } }],
	};
}

export const prompt = (world: World, accountId: string, { as }: { readonly as: Header }) =>
	world.call("POST", `/v1/accounts/${accountId}/repayment-prompts`, { amount: 1_000 }, as);

/** The reports, as calls of the operations at whose addresses they arrive. */
export function told({ document }: World, all: readonly Told[]): Cases {
	const found = all.flatMap(({ method, path, body }) =>
		document.operations.flatMap((one) => {
			const names = [...one.path.matchAll(/{(\w+)}/g)].map(([, name = ""]) => name);
			const values = new RegExp(`^${one.path.replaceAll(/{\w+}/g, "([^/]+)")}$`).exec(path)?.slice(1);
			if (one.method !== method || !values) return [];
			return [{ operation: one.id, case: { path: Object.fromEntries(names.map((name, index) => [name, values[index] ?? ""])), body } }];
		}),
	);
	return Object.fromEntries([...Map.groupBy(found, ({ operation }) => operation)].map(([id, of]) => [id, of.map((one) => one.case)]));
}
