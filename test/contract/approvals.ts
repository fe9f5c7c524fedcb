// Requests for approval that wait, by kind: each type of approval, and each operation whose call an operator's second must decide. They are
// read from the types and the operations, so a new one is among them.

import { requestLedgerClosing } from "../../src/domains/approvals/closing.operations";
import { requestLedgerMapping } from "../../src/domains/approvals/mapping.operations";
import { decideApproval, requestApproval } from "../../src/domains/approvals/operations";
import { requestProvisioningRules } from "../../src/domains/approvals/provisioning.operations";
import { requestRecovery } from "../../src/domains/approvals/recovery.operations";
import { APPROVAL_TYPES, type ApprovalType } from "../../src/domains/approvals/table";
import { requestProviderTariff } from "../../src/domains/approvals/tariff.operations";
import { requestTreasuryRecord } from "../../src/domains/approvals/treasury.operations";
import type { AnyOperation } from "../../src/http/operation";
import { call, expectOk, send } from "../support/client";
import { operations } from "../support/domains";
import { naming } from "../support/doors";
import { operatorToken } from "../support/factories";
import type { ValidRequest } from "../support/valid-request";
import { type Parties, VALID_REQUESTS } from "./valid-requests";

const PAIRS = { OPERATOR_PAIRS: "on" };

/** The valid request of the operation that does the same without approval. */
async function sameAs(id: string, parties: Parties) {
	const { path = {}, body = {} } = (await VALID_REQUESTS[id]?.(parties)) ?? {};
	return { path, body: body as { readonly [member: string]: unknown } };
}

type Asked = {
	readonly entity_type: "USER" | "TRANSACTION" | "ACCOUNT" | "ORGANIZATION";
	readonly entity_id: string;
	readonly payload?: object;
};

/** Those that are asked for by operations of their own. */
type Apart =
	| "OPERATION"
	| "NUMBER_RECOVERY"
	| "LEDGER_CLOSING"
	| "PROVISIONING_RULES"
	| "TREASURY_RECORD"
	| "PROVIDER_TARIFF"
	| "LEDGER_MAPPING";

/** What is asked for, by type. */
const ASKED: { readonly [T in Exclude<ApprovalType, Apart>]: (parties: Parties) => Promise<Asked> } = {
	BLOCK_CHANGE: async ({ user }) => ({ entity_type: "USER", entity_id: user.id, payload: { blocked: true } }),
	REPAYMENT_REVERSAL: async (parties) => {
		const { path } = await sameAs("reverseRepayment", parties);
		return { entity_type: "TRANSACTION", entity_id: path.id ?? "" };
	},
	REPAYMENT_RESTORATION: async (parties) => {
		const { path, body } = await sameAs("restoreRepayment", parties);
		return { entity_type: "TRANSACTION", entity_id: path.id ?? "", payload: { reversal_id: body.reversal_id } };
	},
	REPAYMENT_MOVE: async (parties) => {
		const { path, body } = await sameAs("moveRepayment", parties);
		return { entity_type: "TRANSACTION", entity_id: path.id ?? "", payload: { account_id: body.account_id } };
	},
	TRANSACTION_REVERSAL: async (parties) => {
		const { path } = await sameAs("reverseTransaction", parties);
		return { entity_type: "TRANSACTION", entity_id: path.transactionId ?? "" };
	},
	WRITE_OFF: async (parties) => {
		const { path } = await sameAs("settleAccount", parties);
		return { entity_type: "ACCOUNT", entity_id: path.accountId ?? "" };
	},
	SETTLEMENT: async (parties) => {
		const { path, body } = await sameAs("settleAccount", parties);
		return { entity_type: "ACCOUNT", entity_id: path.accountId ?? "", payload: { amount: body.amount, valid_until: body.valid_until } };
	},
	RESCHEDULE: async (parties) => {
		const { path, body } = await sameAs("rescheduleAccount", parties);
		const { kind, installments } = body;
		return { entity_type: "ACCOUNT", entity_id: path.accountId ?? "", payload: { kind, installments } };
	},
	ACCOUNT_CLOSURE: async (parties) => {
		const { path } = await sameAs("closeAccount", parties);
		return { entity_type: "ACCOUNT", entity_id: path.accountId ?? "" };
	},
	FREEZE_CHANGE: async (parties) => {
		const { path } = await sameAs("freezeAccount", parties);
		return { entity_type: "ACCOUNT", entity_id: path.accountId ?? "", payload: { frozen: true } };
	},
	WAIVER: async (parties) => {
		const { path, body } = await sameAs("waive", parties);
		const payload = { installment_id: body.installment_id, amount: body.amount };
		return { entity_type: "ACCOUNT", entity_id: path.accountId ?? "", payload };
	},
	OVERPAYMENT_REFUND: async (parties) => {
		const { path } = await sameAs("refundOverpayment", parties);
		return { entity_type: "ACCOUNT", entity_id: path.accountId ?? "", payload: { amount: 1_000 } };
	},
	LIMIT_CHANGE: async ({ user }) => ({ entity_type: "USER", entity_id: user.id, payload: { limit: 5_000 } }),
	ISSUER_REGISTRATION: async (parties) => {
		const { body } = await sameAs("createIssuer", parties);
		return { entity_type: "ORGANIZATION", entity_id: parties.organization.id, payload: body };
	},
};

/** Its approval by another operator. */
const decisionOn = async (id: string, vars?: { readonly [name: string]: string }): Promise<ValidRequest> => ({
	path: { id },
	body: { decision: "APPROVED" },
	as: await operatorToken("who decides"),
	...(vars && { vars }),
});

async function ofType(type: ApprovalType, parties: Parties): Promise<ValidRequest> {
	const as = await operatorToken("who asks");
	if (type === "NUMBER_RECOVERY") {
		const { path, body } = await sameAs("requestRecovery", parties);
		return decisionOn(expectOk(await call(requestRecovery, { as, path: path as { userId: string }, body: body as never })).id);
	}
	if (type === "LEDGER_CLOSING") {
		const { body } = await sameAs("requestLedgerClosing", parties);
		const headers = { "x-organization-id": parties.organization.id };
		return decisionOn(expectOk(await call(requestLedgerClosing, { as, headers, body: body as never })).id);
	}
	if (type === "PROVISIONING_RULES") {
		const { body } = await sameAs("requestProvisioningRules", parties);
		const headers = { "x-organization-id": parties.organization.id };
		return decisionOn(expectOk(await call(requestProvisioningRules, { as, headers, body: body as never })).id);
	}
	if (type === "TREASURY_RECORD") {
		const { body } = await sameAs("requestTreasuryRecord", parties);
		const headers = { "x-organization-id": parties.organization.id };
		return decisionOn(expectOk(await call(requestTreasuryRecord, { as, headers, body: body as never })).id);
	}
	if (type === "PROVIDER_TARIFF") {
		const { body } = await sameAs("requestProviderTariff", parties);
		const headers = { "x-organization-id": parties.organization.id };
		return decisionOn(expectOk(await call(requestProviderTariff, { as, headers, body: body as never })).id);
	}
	if (type === "LEDGER_MAPPING") {
		const { body } = await sameAs("requestLedgerMapping", parties);
		const headers = { "x-organization-id": parties.organization.id };
		return decisionOn(expectOk(await call(requestLedgerMapping, { as, headers, body: body as never })).id);
	}
	if (type === "OPERATION") throw new Error("an operation is held by calling it");
	const body = { approval_type: type, ...(await ASKED[type](parties)) };
	return decisionOn(expectOk(await call(requestApproval, { as, body: body as never })).id);
}

/** The operation's valid request, or the one of `id@held` where that is one an operator may make alone. */
async function ofHeld(op: AnyOperation, parties: Parties): Promise<ValidRequest> {
	const valid = (await (VALID_REQUESTS[`${op.id}@held`] ?? VALID_REQUESTS[op.id])?.(parties)) ?? {};
	const body = valid.borrower ? { ...valid.body, ...valid.borrower } : valid.body;
	const { headers = {} } = naming(op, parties.organization.id);
	const answer = await send(op, {
		...valid,
		as: await operatorToken("who asks"),
		body,
		headers,
		vars: { ...PAIRS, ...valid.vars },
	} as never);
	const held = expectOk(answer) as { readonly id: string; readonly approval_type?: string };
	if (held.approval_type !== "OPERATION") throw new Error(`the call of ${op.id} was not held`);
	return decisionOn(held.id, { ...PAIRS, ...valid.vars });
}

/** Whether a call waits for a second operator, with any other members in its body that need none. */
const isHeld = ({ access: { operatorWrites } }: AnyOperation): boolean =>
	operatorWrites === "HELD" || (typeof operatorWrites === "function" && operatorWrites({ another: "member" }) === "HELD");

/** The decision on each kind of request, by `decideApproval@<type or operation>`. */
export const DECISIONS: { readonly [name: string]: (parties: Parties) => Promise<ValidRequest> } = Object.fromEntries([
	...APPROVAL_TYPES.filter((type) => type !== "OPERATION").map(
		(type) => [`${decideApproval.id}@${type}`, (parties: Parties) => ofType(type, parties)] as const,
	),
	...operations.filter(isHeld).map((op) => [`${decideApproval.id}@${op.id}`, (parties: Parties) => ofHeld(op, parties)] as const),
]);
