// A month of a lender, in a service of its own that pays out by a stand-in for M-Pesa: who lends, who pays with which reference, and what the
// provider's statement will have.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type Api, createClient } from "../../../client/src/index.ts";
import { operatorOf } from "../../../src/dev/own-service.ts";
import { startService } from "../../../src/dev/service.ts";
import { DarajaStandIn } from "../../../src/dev/stand-ins/daraja.ts";
import { serve } from "../../../src/dev/stand-ins/serve.ts";
import type { Line } from "./month-file.ts";
import { ownerOf } from "./support.ts";
import { person, sixMonths } from "./world.ts";

export const SHORT_CODE = "600997";
const EAST_AFRICA_MS = 3 * 3_600_000;
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const PATIENCE_MS = 30_000;
/** What M-Pesa takes for each payout. */
export const CHARGE = 1_500;

const CONNECTION = {
	...{ environment: "sandbox" as const, short_code: SHORT_CODE, consumer_key: "key", consumer_secret: "secret" },
	...{ initiator_name: "testapi", security_credential: "c2VjcmV0", payouts: true },
};

export type Who = "payer" | "misdirected" | "writtenOff" | "returned" | "rescheduled";
const PEOPLE: Readonly<Record<Who, readonly [name: string, principal: number]>> = {
	payer: ["Akinyi Atieno", 1_200_000],
	misdirected: ["Baraka Mwangi", 1_000_000],
	writtenOff: ["Chebet Kiptoo", 800_000],
	returned: ["Daudi Hassan", 600_000],
	rescheduled: ["Esther Wambui", 900_000],
};

export interface Loan {
	readonly name: string;
	readonly accountId: string;
	readonly number: string;
	/** By which it was paid out. */
	readonly payoutId: string;
	readonly receipt: string;
}

export interface Month {
	readonly at: string;
	/** Such as 2026-12; and its first and last days. */
	readonly name: string;
	readonly first: string;
	readonly last: string;
	/** The first day of the month after. */
	readonly after: string;
	/** What the provider has moved so far. */
	readonly lines: Line[];
	/** An instant of the month. Days beyond its last one are of the next. */
	instant(day: number, hour: number): number;
	/** Moves the service's clock there, and does what has fallen due. */
	moveTo(day: number, hour: number): Promise<void>;
	/** Does what has fallen due. */
	work(): Promise<void>;
	/** Of tokens that are valid now. */
	operator(): Promise<Api>;
	owner(): Promise<Api>;
	readonly organizationId: string;
	/** Lends to all, and waits until they have their money. */
	lendToAll(): Promise<Readonly<Record<Who, Loan>>>;
	/** A payment that is reported to the lender. `moved`: the amount that the statement will have, by default the same; 0 for none. */
	pay(
		to: { readonly account_id: string } | { readonly account_number: string },
		value: number,
		receipt: string,
		moved?: number,
	): Promise<void>;
	/** A payment to somebody else. Returns its receipt. */
	payElsewhere(value: number): string;
	/** The provider sends what it has to say. */
	hear(): Promise<void>;
	end(): Promise<void>;
}

export async function makeMonth(): Promise<Month> {
	const statePath = mkdtempSync(path.join(tmpdir(), "month-"));
	let ahead = 0;
	const standIn = new DarajaStandIn({ now: () => Date.now() + ahead, plan: () => ({}), utility: 1_000_000 });
	const DARAJA_URL = await serve(standIn);
	const service = await startService({
		...{ port: 0, statePath, databases: 0 },
		onLog: ({ level, message }) => void (level === "error" && process.stderr.write(`${message}\n`)),
		variables: (port) => ({ RATE_LIMITS: "off", DISBURSER: "connections", BASE_URL: `http://127.0.0.1:${port}`, DARAJA_URL }),
	});
	const at = service.url;
	const operator = () => operatorOf(service);
	const owner = async () => (await ownerOf(at)).owner;
	const dayOf = (instant: number) => new Date(instant + EAST_AFRICA_MS).toISOString().slice(0, 10);
	const today = new Date(Date.now() + EAST_AFRICA_MS);
	/** The midnight with which the next month begins. */
	const begin = Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + 1, 1) - EAST_AFRICA_MS;
	const end = Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + 2, 1) - EAST_AFRICA_MS;
	const instant = (day: number, hour: number) => begin + (day - 1) * DAY_MS + hour * HOUR_MS;
	const advance = async (seconds: number) => {
		const { now } = await (await operator()).advanceClock({ body: { advance: `PT${seconds}S` } });
		ahead = Date.parse(now) - Date.now();
	};
	const moveTo = async (day: number, hour: number) => advance(Math.ceil((instant(day, hour) - Date.now() - ahead) / 1_000));
	await moveTo(1, 9);
	const { organizationId } = await ownerOf(at);
	await (await owner()).putDarajaConnection({ path: { organizationId }, body: CONNECTION });
	const { id: product } = await (await operator()).createLoanProduct({ body: sixMonths(organizationId) });
	const lines: Line[] = [];

	async function paidOut(by: Api, accountId: string): Promise<{ readonly id: string; readonly receipt: string }> {
		const until = Date.now() + PATIENCE_MS;
		for (let tried = 1; ; tried++) {
			await standIn.deliver();
			const [payout] = (await by.listDisbursements({ query: { account_id: accountId } })).data;
			if (payout?.status === "SUCCEEDED") return { id: payout.id, receipt: payout.mobile_money_transaction_id ?? "" };
			if (Date.now() > until) throw new Error(`the payout is ${payout?.status}`);
			await new Promise((resolve) => setTimeout(resolve, 100));
			// An attempt that failed is made again after a while.
			if (tried % 30 === 0) await advance(60);
		}
	}

	async function apply(who: Who, index: number) {
		const [name, principal] = PEOPLE[who];
		const { api } = await person(at, await operator(), name.toLowerCase().replace(" ", "."), name);
		const identity = { kind: "phone", subject: `+25471200020${index}` } as const;
		const { token } = await createClient({ baseUrl: at }).createSandboxToken({ body: identity });
		await api.setMyPhone({ body: { phone_verification_token: token } });
		const { id, account_id: accountId } = await api.createLoanApplication({ body: { loan_product_id: product } });
		return { who, name, principal, api, id, accountId };
	}

	async function lendTo({ name, principal, api, id, accountId }: Awaited<ReturnType<typeof apply>>): Promise<Loan> {
		await api.applyForLoan({ path: { application_id: id }, body: { loan_amount: principal } });
		const { id: payoutId, receipt } = await paidOut(await operator(), accountId);
		const { account_number: number } = await api.getAccount({ path: { accountId } });
		const paid = standIn.paid.find((one) => one.receipt === receipt);
		if (!paid) throw new Error("the payout is not the provider's");
		const moved = { receipt, at: paid.at };
		lines.push({ ...moved, amount: -paid.shillings * 100, reason: "Business Payment" });
		lines.push({ ...moved, amount: -CHARGE, reason: "Business Payment Charge" });
		return { name, accountId, number, payoutId, receipt };
	}

	return {
		at,
		name: dayOf(begin).slice(0, 7),
		first: dayOf(begin),
		last: dayOf(end - 1),
		after: dayOf(end),
		lines,
		instant,
		moveTo,
		work: () => advance(1),
		operator,
		owner,
		organizationId,
		async lendToAll() {
			const all = Object.keys(PEOPLE) as Who[];
			const applications = await Promise.all(all.map(apply));
			const loans: [Who, Loan][] = [];
			// One after the other: each new token of M-Pesa ends the one before.
			for (const application of applications) loans.push([application.who, await lendTo(application)]);
			return Object.fromEntries(loans) as Record<Who, Loan>;
		},
		async pay(to, value, receipt, moved = value) {
			const now = Date.now() + ahead;
			const reference = "account_number" in to ? to.account_number : "";
			const payment = {
				...{ amount: { value, currency: "KES" }, mobile_money_transaction_id: receipt, transacted_at: new Date(now).toISOString() },
				details: { type: "PAY_BILL" as const, paybill_number: SHORT_CODE, account_reference: reference || "LOAN" },
			};
			await (await operator()).recordRepayment({ organization: organizationId, body: { ...to, ...payment } });
			if (moved > 0) lines.push({ receipt, at: now, amount: moved, reason: "Pay Bill Online", reference });
		},
		payElsewhere: (value) => standIn.receive({ shillings: value / 100, account: "OTHER", shortCode: "600998" }),
		hear: async () => void (await standIn.deliver()),
		async end() {
			await service.stop();
			rmSync(statePath, { recursive: true, force: true });
		},
	};
}

/** From the first days to the last: what happens to the loans, but for what people do in the console. */
export const HAPPENS = {
	/** The money of a payout comes back, as M-Pesa reverses it. */
	async payoutReturns(month: Month, { payoutId, receipt }: Loan): Promise<void> {
		const { now } = await (await month.operator()).getClock();
		const back = "RET0000001";
		const body = { mobile_money_transaction_id: back, occurred_at: now };
		await (await month.operator()).recordPayoutReturned({ path: { id: payoutId }, body });
		const amount = -(month.lines.find((line) => line.receipt === receipt)?.amount ?? 0);
		month.lines.push({ receipt: back, at: Date.parse(now), amount, reason: "Business Payment Reversal", linked: receipt });
	},
	async reschedule(month: Month, { accountId }: Loan): Promise<void> {
		const body = { kind: "EXTEND", installments: 2, reason: "The harvest is late" } as const;
		await (await month.operator()).rescheduleAccount({ path: { accountId }, body });
	},
	/** A member asks, an operator decides. */
	async writeOff(month: Month, { accountId }: Loan): Promise<void> {
		const body = { approval_type: "WRITE_OFF", entity_type: "ACCOUNT", entity_id: accountId, reason: "Left the country" } as const;
		const { id } = await (await month.owner()).requestApproval({ body });
		await (await month.operator()).decideApproval({ path: { id }, body: { decision: "APPROVED" } });
	},
};
