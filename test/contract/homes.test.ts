// Every operation works in one home, and every id in an answer names the home of its row.

import { beforeEach, describe, expect, it } from "vitest";
import { isPublic } from "../../src/http/callers/access";
import { homeFor } from "../../src/http/operation";
import { homeOf, uuidv7 } from "../../src/shared/ids";
import { alone, recordingWrites } from "../support/databases";
import { operations } from "../support/domains";
import { title } from "../support/doors";
import { fakeWorld } from "../support/webhooks";
import { permitted, send } from "./senders";
import { givenParties, validRequest } from "./valid-requests";

describe("the home of an operation", () => {
	it.each(operations.map((op) => [op.id, op] as const))("is declared if it does not follow from the caller: %s", (_, op) => {
		const { operator, signature } = op.access;
		if (operator || signature || isPublic(op.access)) expect(op.home).toBeDefined();
	});

	it("is by default that of the acting organization, else that of the user", () => {
		const [userId, organizationId] = [uuidv7(1, 65), uuidv7(1, 130)];
		const op = { ...operations[0], home: undefined } as (typeof operations)[number];
		expect(homeFor(op, { caller: { kind: "user", userId, sessionId: null } }, 0)).toBe(homeOf(userId));
		expect(homeFor(op, { caller: { kind: "member", userId, organizationId } }, 0)).toBe(homeOf(organizationId));
		expect(homeFor(op, { caller: { kind: "key", keyId: "k", organizationId } }, 0)).toBe(homeOf(organizationId));
	});
});

const COUNTED = "a send that was counted although no code followed: one fewer is left";
/** Operations that write in several databases, each by a commit of its own, and what a crash between two of them leaves. */
const SEVERAL_PLACES: { readonly [id: string]: string } = {
	authorizeNumberChange: COUNTED,
	resendActivationCode: COUNTED,
	resendClosureCode: COUNTED,
	resendNumberChangeCode: COUNTED,
	startActivation: COUNTED,
	startClosure: COUNTED,
	startNumberChange: COUNTED,
	addMember: "a home message for the organization's copy",
	changeRole: "a home message for the other copy",
	confirmNumberChange: "a reserved name, which the sweep finishes",
	setMyPhone: "a reserved name, which the sweep finishes",
	cancelRecovery: "a reserved name, which the sweep sets free",
	createCommissionModel: "a home message for the copies",
	createLoanProduct: "a home message for the copies",
	createOrganization: "a home message for the copies",
	matchPayment: "a home message with the payment",
	linkIdentity: "a reserved name, which the same link can use",
	requestRecovery: "a home message for the event",
	removeMember: "a home message for the membership",
	reportDisbursement: "a reserved transaction, under which the same report is made",
	updateOrganization: "a home message for the copies",
	updateLoanProduct: "a home message for the copies",
	reportTransfer: "a reserved transaction, under which the same report is made",
};

describe.runIf(!alone)("the writes of an operation", () => {
	beforeEach(() => {
		fakeWorld();
	});
	const guarded = operations.filter((op) => op.method !== "GET" && !isPublic(op.access));
	it.each(guarded.map((op) => [title(op), op] as const))("are in one database, or listed with what completes them: %s", async (_, op) => {
		const parties = await givenParties();
		const request = await validRequest(op, parties);
		const { vars, written } = recordingWrites();
		const { status, body } = await send(op, request, await permitted(op, parties, request), vars);
		expect(status, JSON.stringify(body)).toBeLessThan(300);
		const most = op.id in SEVERAL_PLACES ? Number.POSITIVE_INFINITY : 1;
		expect(written().length, `writes in ${written()}`).toBeLessThanOrEqual(most);
	});
});
