// What the rows of the audit trail say.

import { expect, it } from "vitest";
import { deedOf, nameOfDeed, OPERATIONS, operationOf } from "../../src/console/pages/organization/deeds.ts";
import type { AnyOperation } from "../../src/http/operation";
import { operationsByTag } from "../../src/wiring/loading";

const KES = { currency: "KES" };

it("a decision names what was decided, with its amount", () => {
	const approval = { approval_type: "WAIVER", entity_type: "ACCOUNT", entity_id: "a", payload: { amount: 9_253 } } as const;
	const row = { operation: "decideApproval", changes: { decision: "APPROVED" } };
	expect(deedOf(row, { approval, ...KES })).toBe("Approved: waive 92.53 KES");
	expect(deedOf({ ...row, changes: { decision: "REJECTED" } }, { approval, ...KES })).toBe("Rejected: waive 92.53 KES");
	expect(deedOf(row, {})).toBe("Approved a request");
	expect(deedOf({ operation: "waive", changes: { amount: 9_253, reason: "hmac:1f" } }, KES)).toBe("Waive 92.53 KES");
	expect(deedOf({ operation: "requestApproval", changes: {} }, { approval, ...KES })).toBe("Asked: waive 92.53 KES");
	expect(deedOf({ operation: "requestApproval", changes: {} }, {})).toBe("Asked for approval");
	const paid = { amount: { value: 75_000, currency: "hmac:1f" }, mobile_money_transaction_id: "hmac:2f" };
	expect(deedOf({ operation: "recordRepayment", changes: paid }, {})).toBe("Record a payment");
	expect(deedOf({ operation: "recordRepayment", changes: { ...paid, amount: { value: 75_000, currency: "KES" } } }, {})).toBe(
		"Record a payment of 750.00 KES",
	);
	const moved = { direction: "DEBIT", amount: 75_000, currency: "KES" };
	expect(deedOf({ operation: "recordMovement", changes: moved }, {})).toBe("Record that 750.00 KES left a current account");
	const payload = { kind: "BORROWED", amount: 9_253, currency: "KES" };
	const treasury = { approval_type: "TREASURY_RECORD", entity_type: "TREASURY_RECORD", entity_id: "a", payload } as const;
	const asked = { operation: "requestTreasuryRecord", changes: {} };
	expect(deedOf(asked, { approval: treasury })).toBe("Asked: record 92.53 KES: borrowed funds received");
	expect(deedOf(asked, {})).toBe("Ask to record borrowed funds, owners' money or a transfer");
	const reversal = { approval_type: "REPAYMENT_REVERSAL", entity_type: "TRANSACTION", entity_id: "a", payload: {} } as const;
	expect(deedOf(row, { approval: { ...reversal, subject: { transaction_amount: 9_253 } }, ...KES })).toBe(
		"Approved: reverse a payment of 92.53 KES",
	);
	expect(deedOf({ operation: "createInvitation", changes: { email: "hmac:1f", role: "organization-admin" } }, {})).toBe(
		"Invite somebody as admin",
	);
});

it("what is looked for in words leads to its operation", () => {
	expect(operationOf("waive")).toBe("waive");
	expect(operationOf("Make API key")).toBe("createApiKey");
	expect(nameOfDeed("putDarajaConnection")).toBe("Set M-Pesa connection");
	expect(operationOf("write-off")).toBeUndefined();
	expect(operationOf("delete api")).toBe("deleteApiKey");
});

/** These change nothing of the organization's, and leave no row. */
const CHANGE_NOTHING = ["quoteLoan", "testOwnReceiver", "tryIssuer", "tryWebhookFilter", "verifySignature"];

it("every change that staff can make has words of its own", async () => {
	const operations: AnyOperation[] = [...(await operationsByTag()).values()].flatMap((group) => group.operations);
	const isForStaff = ({ method, access: { operator, organization } }: AnyOperation) =>
		method !== "GET" && (operator === true || organization !== undefined);
	const recorded = operations.filter((one) => isForStaff(one) && one.access.operatorWrites !== undefined);
	expect(recorded.length).toBeGreaterThan(40);
	expect(recorded.map(({ id }) => id).filter((id) => !OPERATIONS.includes(id) && !CHANGE_NOTHING.includes(id))).toEqual([]);
	expect(OPERATIONS.map(nameOfDeed).filter((name) => /hmac|undefined|NaN/.test(name))).toEqual([]);
});
