// Lenders with a wallet at the stand-in for MTN MoMo, in Uganda.

import { expect, onTestFinished } from "vitest";
import { type Behaviour, MomoStandIn } from "../../src/dev/stand-ins/momo";
import { putMomoConnection } from "../../src/domains/connections/momo.operations";
import { call, expectOk } from "./client";
import { operatorToken } from "./factories";
import { answersBy, CONNECTED, givenLenderAt, givenOfferOf, type ProviderUnderTest } from "./payments";

export const WALLET = {
	environment: "production" as const,
	target_environment: "mtnuganda" as const,
	api_user: "8ecc7cf3-0db8-4013-9c7b-da4894460041",
	api_key: "an API key",
	subscription_key: "a subscription key",
	payouts: true,
};

/** Answers all requests to MTN MoMo by a stand-in. `receiverVars`: the variables of the Worker that hears a callback. */
export function momoStandsIn(
	plan: (number: string, nth: number) => Behaviour = () => ({}),
	receiverVars?: () => Partial<Env>,
	holds: { readonly wallet?: number; readonly callbackHost?: string } = {},
): MomoStandIn {
	const standIn = answersBy((given) => new MomoStandIn({ ...given, plan, ...holds }), receiverVars);
	// In every test: the service sends each field as MTN demands it.
	onTestFinished(() => expect(holds.callbackHost === undefined ? standIn.wrong : []).toEqual([]));
	return standIn;
}

let numbers = 0;
export const ugandanNumber = (): string => `+25677${String(1_000_000 + numbers++)}`;

const connect = async (as: string, organizationId: string, changes: object = {}) =>
	expectOk(await call(putMomoConnection, { as, path: { organizationId }, body: { ...WALLET, ...changes } }));

/** An organization with a wallet, its owner, and a product. */
export const givenWallet = (changes: object = {}, currency = "UGX") =>
	givenLenderAt({ currency, connect: (as, organizationId) => connect(as, organizationId, changes) });

const givenConnection = async (organizationId: string) => {
	await connect(await operatorToken(), organizationId);
	return { path: { organizationId } };
};

/** Another wallet waits to take the connection's place. */
const givenReplacement = async (organizationId: string) => {
	await connect(await operatorToken("asks"), organizationId);
	await connect(await operatorToken("asks"), organizationId, { api_user: ANOTHER });
	return { path: { organizationId } };
};
const ANOTHER = "0b2b5b7e-6a2d-4f4e-9a57-5a3c8f4a1d11";

async function givenResult() {
	const standIn = momoStandsIn();
	const { id, apply } = await givenOfferOf(await givenWallet(), ugandanNumber());
	expectOk(await apply());
	const code = standIn.asked[0]?.callback.slice(-32) ?? "";
	return { path: { id, code }, body: { status: "SUCCESSFUL", financialTransactionId: "363440463" }, vars: CONNECTED };
}

export const MOMO: ProviderUnderTest<Behaviour> = {
	provider: "momo",
	currency: "UGX",
	freshNumber: ugandanNumber,
	connect,
	standsIn(plan, receiverVars) {
		const standIn = momoStandsIn(plan, receiverVars);
		const paidOut = () =>
			standIn.paid.map(({ transfer, receipt }) => ({
				id: transfer.externalId,
				amount: Number(transfer.amount),
				receipt: `MTNUGANDA-${receipt}`,
			}));
		return Object.assign(standIn, { paidOut });
	},
	behaviours: [
		{},
		{ answer: "LOST" },
		{ answer: "LOST", callbacks: 0, silent: 1 },
		{ answer: "DOWN" },
		{ answer: "HTML" },
		{ answer: "BUSY" },
		{ answer: "INTERNAL" },
		{ answer: "TOKEN_EXPIRED" },
		{ answer: { code: "SERVICE_UNAVAILABLE" } },
		{ early: true },
		{ early: true, answer: "LOST", callbacks: 2, pending: 1 },
		{ callbacks: 0, pending: 2 },
		{ callbacks: 5, odd: true },
		{ callbacks: 2, lies: true },
		{ reason: "PAYEE_NOT_FOUND" },
		{ reason: "PAYEE_NOT_ALLOWED_TO_RECEIVE", odd: true, lies: true },
		{ reason: "INTERNAL_PROCESSING_ERROR", callbacks: 0, silent: 2 },
		{ reason: "NOT_ENOUGH_FUNDS", callbacks: 2 },
		{ answer: "LOST", reason: "PAYEE_NOT_FOUND", pending: 1 },
		{ failsFirst: "INTERNAL_PROCESSING_ERROR" },
		{ failsFirst: "PAYEE_NOT_FOUND", odd: true, pending: 1 },
	],
	requests: {
		deleteMomoConnection: givenConnection,
		getMomoConnection: givenConnection,
		putMomoConnection: async (organizationId) => ({ path: { organizationId }, body: WALLET }),
		resumeMomoConnection: givenConnection,
		activateMomoReplacement: async (organizationId) => ({ ...(await givenReplacement(organizationId)), body: { account: ANOTHER } }),
		discardMomoReplacement: givenReplacement,
		postMomoResult: givenResult,
		putMomoResult: givenResult,
	},
};
