// Lenders with an M-Pesa shortcode at the stand-in for Daraja.

import { expect, onTestFinished } from "vitest";
import { type Behaviours, DarajaStandIn } from "../../src/dev/stand-ins/daraja";
import type { Behaviour } from "../../src/dev/stand-ins/daraja.results";
import { getAccount } from "../../src/domains/accounts/operations";
import { putDarajaConnection, registerDarajaConfirmations } from "../../src/domains/connections/daraja.operations";
import { activateDarajaReplacement } from "../../src/domains/connections/replacement.operations";
import { call, expectOk } from "./client";
import { expectCredit } from "./credit";
import { freshNumber } from "./current-accounts";
import { givenMember, operatorToken } from "./factories";
import { answersBy, CONNECTED, givenLenderAt, givenOfferOf, type ProviderUnderTest, sweepPayouts, timePasses } from "./payments";

export { CONNECTED, givenOfferOf, sweepPayouts, timePasses };

export const CREDENTIALS = {
	environment: "sandbox" as const,
	short_code: "600997",
	consumer_key: "a consumer key",
	consumer_secret: "a consumer secret",
	initiator_name: "testapi",
	security_credential: "RC6E9WDxXR4b9X2c6z3gp0oC5Th==",
	payouts: true,
};

const AS_IT_SHOULD: Behaviours = { plan: () => ({}), prompts: () => ({}) };

/** Answers all requests to Daraja by a stand-in. `receiverVars`: the variables of the Worker that hears a result. */
export function darajaStandsIn(behaviours: Behaviours = {}, receiverVars?: () => Partial<Env>): DarajaStandIn {
	const standIn = answersBy((given) => new DarajaStandIn({ ...given, ...AS_IT_SHOULD, ...behaviours }), receiverVars);
	// In every test: the service sends each field as Daraja demands it.
	onTestFinished(() => expect(standIn.wrong).toEqual([]));
	return standIn;
}

/** Loses the reports that wait. */
export const lose = ({ reports }: DarajaStandIn): void => void (reports as unknown[]).splice(0);

type Changes = Partial<typeof CREDENTIALS> & { passkey?: string; nominated_number?: string };

const connect = async (as: string, organizationId: string, changes: Changes = {}) =>
	expectOk(await call(putDarajaConnection, { as, path: { organizationId }, body: { ...CREDENTIALS, ...changes } }));

/** An organization with a shortcode, its owner, and a product. */
export const givenLender = (changes: Changes = {}) =>
	givenLenderAt({ currency: "KES", connect: (as, organizationId) => connect(as, organizationId, changes) });

const givenConnection = async (organizationId: string) => {
	await connect(await operatorToken(), organizationId);
	return { path: { organizationId } };
};

/** Another shortcode waits to take the connection's place. */
const givenReplacement = async (organizationId: string) => {
	await connect(await operatorToken("asks"), organizationId);
	await connect(await operatorToken("asks"), organizationId, { short_code: ANOTHER });
	return { path: { organizationId } };
};
const ANOTHER = "600998";

/** Another shortcode takes the connection's place: one owner asks for it, and a second agrees. */
export async function replaceBy(
	{ owner, organization, path }: { owner: { token: string }; organization: { id: string }; path: { organizationId: string } },
	body: Changes & { short_code: string },
	vars: Partial<Env> = {},
) {
	expectOk(await call(putDarajaConnection, { as: owner.token, path, body: { ...CREDENTIALS, ...body } }));
	const second = await givenMember(organization.id, "organization-owner");
	return call(activateDarajaReplacement, { as: second.token, path, body: { account: body.short_code }, vars });
}

/** A running loan of a lender whose payments are confirmed here. */
export async function givenConnectedLoan(changes: object = {}, receiverVars: () => Partial<Env> = () => ({}), behaviours?: Behaviours) {
	const standIn = darajaStandsIn(behaviours, receiverVars);
	const lender = await givenLender(changes);
	const { borrower, accountId, apply } = await givenOfferOf(lender);
	expectOk(await apply(100_000));
	while ((await standIn.deliver()).some((status) => status !== 200)) await timePasses(1000);
	const as = lender.owner.token;
	const register = (renew = false) => call(registerDarajaConfirmations, { as, path: lender.path, body: { renew }, vars: CONNECTED });
	expect(expectOk(await register())).toEqual({ outcome: "REGISTERED" });
	const account = async () => expectCredit(await call(getAccount, { as: borrower.token, path: { accountId } }));
	const { account_number: number } = await account();
	return { standIn, lender, borrower, accountId, account, number, register };
}

export const DARAJA: ProviderUnderTest<Behaviour> = {
	provider: "daraja",
	currency: "KES",
	freshNumber,
	connect,
	standsIn(plan, receiverVars) {
		const standIn = darajaStandsIn({ plan }, receiverVars);
		const paidOut = () => standIn.paid.map(({ reference, shillings, receipt }) => ({ id: reference, amount: shillings * 100, receipt }));
		return Object.assign(standIn, { paidOut });
	},
	behaviours: [
		{},
		{ answer: "LOST" },
		{ answer: "LOST", results: 0 },
		{ answer: "DOWN" },
		{ answer: "HTML" },
		{ answer: "BUSY" },
		{ answer: "MAINTENANCE" },
		{ answer: "TOKEN_EXPIRED" },
		{ early: true },
		{ early: true, answer: "LOST", results: 2 },
		{ results: 0 },
		{ results: 5, odd: true },
		{ timeOut: true },
		{ timeOut: true, results: 0 },
		{ code: 2040 },
		{ code: "SFC_IC0003", odd: true },
		{ code: 9999 },
		{ code: 1, results: 2 },
		{ saysAmount: 1 },
		{ failsFirst: 2040 },
		{ failsFirst: 1, results: 0 },
		{ failsFirst: "SFC_IC0003", early: true, answer: "LOST" },
		{ saysReceipt: "that of another payment" },
	],
	requests: {
		deleteDarajaConnection: givenConnection,
		getDarajaConnection: givenConnection,
		putDarajaConnection: async (organizationId) => ({ path: { organizationId }, body: CREDENTIALS }),
		"putDarajaConnection@pull": async (organizationId) => ({
			path: { organizationId },
			body: { ...CREDENTIALS, nominated_number: "+254722000000" },
		}),
		resumeDarajaConnection: givenConnection,
		activateDarajaReplacement: async (organizationId) => ({ ...(await givenReplacement(organizationId)), body: { account: ANOTHER } }),
		discardDarajaReplacement: givenReplacement,
	},
};
