// Random statements with planted breaks, from seeds: each is found, and none is invented. What is recorded and the file are written side by
// side, so that which breaks there are is known without the code that looks for them.

import { describe, expect, it } from "vitest";
import { disbursements } from "../../../src/domains/disbursements/model/table";
import { paymentReturns } from "../../../src/domains/repayments/returns/table";
import { payments } from "../../../src/domains/repayments/table";
import { addDays } from "../../../src/shared/time";
import { Random } from "../../simulation/random";
import { db, newId } from "../../support/factories";
import {
	atMinute,
	compare,
	givenLenderWithStatements,
	type Lender,
	type Movement,
	rowsOf,
	SHORT_CODE,
	sendStatement,
	yesterday,
} from "./statement";

const SEEDS = Array.from({ length: 5 }, (_, index) => 1 + index);
const TURNS = 40;
/** Minutes between two turns, which fill two days. */
const APART = (2 * 24 * 60) / TURNS;
const first = addDays(yesterday, -1);

type Break = { readonly kind: string; readonly receipt: string; readonly difference: number };
type World = { readonly movements: Movement[]; readonly breaks: Break[]; readonly writes: (() => PromiseLike<unknown>)[]; counted: number };

const receiptOf = (random: Random, world: World): string =>
	`T${(world.counted++).toString(36).toUpperCase().padStart(4, "0")}${random.between(100, 999)}`;

type Moved = { readonly receipt: string; readonly amount: number; readonly at: number; readonly reference?: string };

const payment = (organizationId: string, { receipt, amount, at, reference = "" }: Moved, more: object = {}) => {
	const id = newId(organizationId);
	return {
		id,
		write: () =>
			db.insert(payments).values({
				...{
					id,
					organizationId,
					mobileMoneyTransactionId: receipt,
					fingerprint: receipt,
					status: "POSTED",
					amount,
					currency: "KES",
					feeAmount: 0,
				},
				...{
					accountId: newId(organizationId),
					accountNumber: reference,
					transactedAt: at,
					confirmedAt: at,
					postedAt: at,
					createdAt: at + 2_000,
				},
				details: { type: "PAY_BILL", paybill_number: SHORT_CODE, account_reference: reference || "-" },
				...more,
			}),
	};
};

const payout = (organizationId: string, { receipt, amount, at }: Moved, more: object = {}) => {
	const id = newId(organizationId);
	return () =>
		db.insert(disbursements).values({
			...{
				id,
				kind: "LOAN",
				accountId: newId(organizationId),
				organizationId,
				amount,
				currency: "KES",
				provider: "daraja",
				instruction: "{}",
			},
			...{ status: "SUCCEEDED", attempts: 1, nextAttemptAt: at, mobileMoneyTransactionId: receipt, occurredAt: at, createdAt: at - 60_000 },
			...more,
		});
};

/** Everything that may happen to money, each with what it leaves on the file and here. */
const HAPPENS: Readonly<Record<string, (random: Random, world: World, organizationId: string, moved: Moved) => void>> = {
	paid(_, { movements, writes }, organizationId, moved) {
		movements.push(moved);
		writes.push(payment(organizationId, moved).write);
	},
	"paid and charged"(_, { movements, writes }, organizationId, moved) {
		movements.push(moved, { ...moved, amount: -50, reason: "Pay Bill Charge" });
		writes.push(payment(organizationId, moved).write);
	},
	"paid, and reversed here without giving it back"(_, { movements, writes }, organizationId, moved) {
		movements.push(moved);
		const reversed = { status: "REVERSED", reversedAmount: moved.amount, reversedById: newId(organizationId) };
		writes.push(payment(organizationId, moved, reversed).write);
	},
	"paid without an account"(_, { movements, writes }, organizationId, moved) {
		movements.push(moved);
		writes.push(payment(organizationId, moved, { status: "UNMATCHED", accountId: null, postedAt: null }).write);
	},
	"paid, and recorded with another receipt"(random, world, organizationId, moved) {
		const reference = `LOAN-${moved.receipt}`;
		world.movements.push({ ...moved, reference });
		world.writes.push(payment(organizationId, { ...moved, receipt: receiptOf(random, world), at: moved.at + 60_000, reference }).write);
	},
	"paid and given back"(random, world, organizationId, moved) {
		const back = receiptOf(random, world);
		const { id, write } = payment(organizationId, moved);
		world.movements.push(moved, { receipt: back, amount: -moved.amount, at: moved.at + 1_000, linked: moved.receipt, reason: "Reversal" });
		world.writes.push(write, () =>
			db.insert(paymentReturns).values({
				...{
					id,
					reversalId: newId(organizationId),
					organizationId,
					accountId: newId(organizationId),
					provider: "daraja",
					shortCode: SHORT_CODE,
				},
				...{ receipt: moved.receipt, amount: moved.amount, currency: "KES", status: "RETURNED", attempts: 1, harmlessAttempts: 0 },
				...{ transactionId: back, createdAt: moved.at, endedAt: moved.at },
			}),
		);
	},
	"paid out"(_, { movements, writes }, organizationId, moved) {
		movements.push({ ...moved, amount: -moved.amount, reason: "Business Payment" });
		writes.push(payout(organizationId, moved));
	},
	"paid out and come back"(random, world, organizationId, moved) {
		const back = receiptOf(random, world);
		world.movements.push({ ...moved, amount: -moved.amount, reason: "Business Payment" });
		world.movements.push({ receipt: back, amount: moved.amount, at: moved.at + 1_000, linked: moved.receipt, reason: "Reversal" });
		world.writes.push(payout(organizationId, moved, { status: "RETURNED", returnTransaction: back, returnedAt: moved.at + 1_000 }));
	},
	"failed at the provider"(_, { movements }, __, moved) {
		movements.push({ ...moved, status: "Failed" });
	},
	"planted: paid, and not recorded"(_, { movements, breaks }, __, moved) {
		movements.push(moved);
		breaks.push({ kind: "MISSING_HERE", receipt: moved.receipt, difference: moved.amount });
	},
	"planted: recorded, and not paid"(_, { breaks, writes }, organizationId, moved) {
		writes.push(payment(organizationId, moved).write);
		breaks.push({ kind: "MISSING_THERE", receipt: moved.receipt, difference: -moved.amount });
	},
	"planted: paid out, and not on the file"(_, { breaks, writes }, organizationId, moved) {
		writes.push(payout(organizationId, moved));
		breaks.push({ kind: "MISSING_THERE", receipt: moved.receipt, difference: moved.amount });
	},
	"planted: another amount"(random, { movements, breaks, writes }, organizationId, moved) {
		const more = random.between(1, 900);
		movements.push({ ...moved, amount: moved.amount + more });
		writes.push(payment(organizationId, moved).write);
		breaks.push({ kind: "AMOUNT_DIFFERS", receipt: moved.receipt, difference: more });
	},
	"planted: on the file twice"(_, { movements, breaks, writes }, organizationId, moved) {
		movements.push(moved, { ...moved, at: moved.at + 1_000 });
		writes.push(payment(organizationId, moved).write);
		breaks.push({ kind: "TWICE", receipt: moved.receipt, difference: moved.amount });
	},
	"planted: paid out twice"(random, world, organizationId, moved) {
		const second = receiptOf(random, world);
		world.movements.push({ ...moved, amount: -moved.amount }, { ...moved, receipt: second, amount: -moved.amount, at: moved.at + 5_000 });
		world.writes.push(
			payout(organizationId, moved, { secondReceipts: [{ transaction: second, at: moved.at }], secondReceiptAt: moved.at }),
		);
		world.breaks.push({ kind: "TWICE", receipt: second, difference: -moved.amount });
	},
};

function drawn(seed: number, { organization }: Lender): World {
	const random = new Random(seed);
	const world: World = { movements: [], breaks: [], writes: [], counted: 0 };
	const names = Object.keys(HAPPENS);
	// Everything happens once, then what is drawn.
	for (let turn = 0; turn < TURNS; turn++) {
		const name = names[turn] ?? random.pick(names) ?? "paid";
		const at = atMinute(turn * APART + random.below(APART - 15), first) + random.below(60) * 1_000;
		// Few amounts and references, so that many are alike but for the time.
		const moved = { receipt: receiptOf(random, world), amount: random.between(1, 5) * 1_000, at, reference: `ACC-${random.below(3)}` };
		HAPPENS[name]?.(random, world, organization.id, moved);
	}
	return world;
}

const sorted = (breaks: readonly Break[]) =>
	[...breaks].sort((one, other) => `${one.receipt}${one.kind}`.localeCompare(`${other.receipt}${other.kind}`));

describe("a random statement with planted breaks", () => {
	it.each(SEEDS)("has each found and none invented, and its days add up: seed %i", { tags: ["thorough"] }, async (seed) => {
		const lender = await givenLenderWithStatements();
		const { movements, breaks, writes } = drawn(seed, lender);
		for (const write of writes) await write();
		const opening = 1_000_000;
		const id = await sendStatement(lender, rowsOf(movements, opening), { from: first, to: yesterday }, 17);
		const found = await compare(lender, id);
		expect(sorted(found.breaks.map(({ kind, receipt, difference }) => ({ kind, receipt: receipt ?? "", difference })))).toEqual(
			sorted(breaks),
		);
		const moved = movements.filter(({ status }) => status !== "Failed").reduce((sum, { amount }) => sum + amount, 0);
		expect(found.days.map(({ difference }) => difference)).toEqual([0, 0]);
		expect([found.days[0]?.opening, found.days[1]?.closing]).toEqual([opening, opening + moved]);
		const unexplained = (of: readonly { readonly unexplained: number }[]) => of.reduce((sum, day) => sum + day.unexplained, 0);
		expect(unexplained(found.days)).toBe(breaks.reduce((sum, { difference }) => sum + difference, 0));
		// Compared again it finds the same.
		expect((await compare(lender, id)).breaks.map(({ id: of }) => of).sort()).toEqual(found.breaks.map(({ id: of }) => of).sort());
	});
});
