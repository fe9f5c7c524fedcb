// What may happen in the world: each step is one process, drawn at random. Some calls are repeated, some codes are wrong, some clocks
// are behind, and some processes die.

import { cancelClosure, confirmClosure, startClosure } from "../../src/domains/current-accounts/closures/operations";
import { decide } from "../../src/domains/current-accounts/custodian-reports/decisions.operations";
import { recordMovement } from "../../src/domains/current-accounts/custodian-reports/movements.operations";
import { payDueInterest } from "../../src/domains/current-accounts/ledger/job";
import { blockPayee, unblockPayee } from "../../src/domains/payees/operations";
import { workOnTransfers } from "../../src/domains/transfers/job";
import { confirmTransfer, orderTransfer } from "../../src/domains/transfers/operations";
import { reportTransfer } from "../../src/domains/transfers/result.operations";
import type { JobServices } from "../../src/runtime/services";
import type { Json } from "../../src/shared/json";
import { addDays, DAY_MS, HOUR_MS, localDate, MINUTE_MS } from "../../src/shared/time";
import type { Random } from "./random";
import type { Fate } from "./schedule";
import { CUSTODIAN, DAILY_LIMIT, OTP_ABOVE, type Person, PROVIDER, TIME_ZONE, userOf, type World } from "./world";

const WEIGHTS = {
	credit: 6,
	debit: 3,
	order: 9,
	spree: 2,
	confirm: 4,
	report: 4,
	sweep: 4,
	pay: 2,
	block: 1,
	leave: 3,
	confirmClosure: 1,
	cancelClosure: 0.3,
	decide: 1,
	open: 2,
} as const;

type Step = keyof typeof WEIGHTS;
type Work = (services: JobServices) => Promise<unknown>;
type CallOf = [op: Parameters<World["call"]>[1], input: Parameters<World["call"]>[2]];
/** The additional step of a broken design. */
export type Meddling = (services: JobServices) => Promise<unknown>;

const payEverywhere: Work = (services) => Promise.all(services.everywhere().map((here) => payDueInterest(here)));

/** What the payout provider decided about an instruction; it answers the same each time. */
type Report = { transfer_id: string; status: string; reference: string | null; failure_reason: string | null; occurred_at: string };

type Account = { id: string; available: number };
type Id = { id: string };

export class Life {
	readonly #world: World;
	readonly #random: Random;
	readonly #meddling: Meddling | undefined;
	/** Calls that can be made again, with the same key and body. */
	readonly #repeatable: Work[] = [];
	readonly #reports = new Map<string, Report>();
	#calls = 0;

	constructor(world: World, meddling?: Meddling) {
		this.#world = world;
		this.#random = world.random;
		this.#meddling = meddling;
	}

	/** Some time passes, then one to four things happen at the same time. */
	async moment(): Promise<void> {
		const random = this.#random;
		const world = this.#world;
		const passed = random.weighted({ none: 4, minutes: 3, hours: 3, days: 2, payday: 2 });
		const span = { none: 0, minutes: 10 * MINUTE_MS, hours: 20 * HOUR_MS, days: 9 * DAY_MS, payday: 3 * HOUR_MS }[passed];
		if (passed === "payday") world.now = nextPayday(world.now);
		world.now += random.below(span + 1);
		if (passed === "payday" && random.chance(0.5)) await world.settle([world.process(payEverywhere)]);
		const count = random.between(1, 4);
		const works: Work[] = [];
		for (let index = 0; index < count; index++) {
			const drawn = await this.#draw(random.weighted(WEIGHTS));
			// Now and then the same calls a second time, at the same moment.
			works.push(...drawn, ...(random.chance(0.1) ? drawn : []));
		}
		if (this.#repeatable.length > 0 && random.chance(0.3)) works.push(random.pick(this.#repeatable) as Work);
		if (this.#meddling) works.push(this.#meddling);
		await world.settle(
			works.map((work) => world.process(work, { fate: this.#fate(), behindMs: this.#lag(passed === "payday" ? 0.4 : 0.1) })),
		);
	}

	#fate(): Fate {
		const random = this.#random;
		return random.chance(0.2) ? { batch: random.between(1, 8), when: random.chance(0.5) ? "before" : "after" } : undefined;
	}

	/** Most clocks agree. A process that was stalled has a clock that is hours behind. */
	#lag(chance: number): number {
		return this.#random.chance(chance) ? this.#random.below(30 * HOUR_MS) : 0;
	}

	async #draw(step: Step): Promise<readonly Work[]> {
		const random = this.#random;
		const person = random.pick(this.#world.people) as Person;
		const caller = userOf(person);
		switch (step) {
			case "credit":
				return this.#move(person, "CREDIT", random.between(1, random.chance(0.5) ? 50 : 80_000));
			case "debit":
				return this.#move(person, "DEBIT", random.between(1, 20_000));
			case "order":
				return this.#order(person, random.chance(0.8) ? random.between(1, OTP_ABOVE) : random.between(OTP_ABOVE, DAILY_LIMIT));
			case "spree":
				return [1, 2, 3].flatMap(() => this.#order(person, OTP_ABOVE));
			case "confirm": {
				const id = random.pick(this.#ids("select id from transfers where user_id = ? and status = 'AWAITING_OTP'", person.id));
				const otp_code = await this.#code(person, "TRANSFER");
				return id && otp_code ? this.#call(confirmTransfer, { caller, path: { transferId: id }, body: { otp_code } }) : [];
			}
			case "report":
				return this.#report();
			case "sweep":
				return [(services) => Promise.all(services.everywhere().map((here) => workOnTransfers(here)))];
			case "pay":
				return [payEverywhere];
			case "block": {
				const payeeId = random.pick(this.#ids("select id from payees where user_id = ?", person.id));
				if (!payeeId) return [];
				const path = { payeeId };
				return random.chance(0.5)
					? this.#call(blockPayee, { caller, path, body: { reasons: ["OTHER"] } })
					: this.#call(unblockPayee, { caller, path });
			}
			case "leave":
				return [(services) => this.#leave(services, person)];
			case "confirmClosure": {
				const otp_code = await this.#code(person, "CLOSURE");
				return otp_code ? this.#call(confirmClosure, { caller, body: { otp_code } }) : [];
			}
			case "cancelClosure":
				return this.#call(cancelClosure, { caller });
			case "decide":
				return this.#decisions(person).map((work) => this.#again(work));
			case "open":
				return this.#accountOf(person) ? [] : [(services) => this.#world.openAccount(services, person)];
		}
	}

	#call(...[op, input]: CallOf): Work[] {
		return [(services) => this.#world.call(services, op, input)];
	}

	/** Somebody takes everything out and closes the account, with anything that comes in meanwhile. */
	async #leave(services: JobServices, person: Person): Promise<void> {
		const caller = userOf(person);
		// The first attempt is paid the interest.
		for (let attempt = 1; attempt <= 2; attempt++) {
			const { available } = this.#accountOf(person) ?? { available: 0 };
			for (const work of available > 0 ? this.#move(person, "DEBIT", available) : []) await work(services);
			await this.#world.call(services, startClosure, { caller, body: { reasons: ["OTHER"] } });
		}
		const otp_code = await this.#world.codeFor(person, "CLOSURE");
		if (otp_code) await this.#world.call(services, confirmClosure, { caller, body: { otp_code } });
		for (const work of this.#decisions(person)) await work(services);
	}

	/** The custodian decides what waits for it. */
	#decisions(person: Person): Work[] {
		const waiting = this.#ids("select id from closures where user_id = ? and status = 'OTP_CONFIRMED'", person.id);
		return waiting.flatMap((subject_id) => {
			const decision = this.#random.chance(0.8) ? "APPROVED" : "REJECTED";
			const body = { decision_id: `decision ${this.#calls++}`, subject: "CLOSURE", subject_id, decision };
			return this.#call(decide, { caller: CUSTODIAN, body });
		});
	}

	#again(work: Work): Work {
		this.#repeatable.push(work);
		return work;
	}

	#ids(sql: string, ...values: string[]): string[] {
		return this.#world.all<Id>(`${sql} order by id`, ...values).map(({ id }) => id);
	}

	#accountOf({ id }: Person): Account | undefined {
		const sql = "select id, balance - held as available from current_accounts where user_id = ? and status <> 'CLOSED'";
		return this.#world.all<Account>(sql, id)[0];
	}

	async #code(person: Person, purpose: string): Promise<string | undefined> {
		const code = await this.#world.codeFor(person, purpose);
		return code !== undefined && this.#random.chance(0.15) ? (code === "000000" ? "000001" : "000000") : code;
	}

	#move(person: Person, direction: "CREDIT" | "DEBIT", amount: number): Work[] {
		const account = this.#accountOf(person);
		if (!account) return [];
		const body: Json = {
			movement_id: `movement ${this.#calls++}`,
			account_id: account.id,
			direction,
			amount,
			currency: "KES",
			occurred_at: new Date(this.#world.now - 2 * DAY_MS).toISOString(),
		};
		return this.#call(recordMovement, { caller: CUSTODIAN, body }).map((work) => this.#again(work));
	}

	#order(person: Person, amount: number): Work[] {
		const payee_account_id = this.#random.pick(this.#ids("select id from payee_accounts where user_id = ?", person.id));
		if (!payee_account_id) return [];
		const input = { caller: userOf(person), body: { payee_account_id, amount }, key: `order ${this.#calls++}` };
		return this.#call(orderTransfer, input).map((work) => this.#again(work));
	}

	/** The provider reports on something that it was ordered to pay; now and then the report contradicts an earlier one. */
	#report(transfer_id = this.#random.pick([...this.#world.instructed])): Work[] {
		if (transfer_id === undefined) return [];
		const told = this.#reports.get(transfer_id) ?? this.#reportOf(transfer_id, this.#random.chance(0.7));
		this.#reports.set(transfer_id, told);
		const hasArrived = this.#ids("select id from transfers where id = ? and completed_at is not null", transfer_id).length > 0;
		const contrary = hasArrived && this.#random.chance(0.2);
		const body = contrary ? this.#reportOf(transfer_id, told.status !== "SUCCEEDED") : told;
		return this.#call(reportTransfer, { caller: PROVIDER, path: { transfer_id }, body });
	}

	#reportOf(transfer_id: string, isPaid: boolean): Report {
		return {
			transfer_id,
			status: isPaid ? "SUCCEEDED" : "FAILED",
			reference: isPaid ? `payment of ${transfer_id}` : null,
			failure_reason: isPaid ? null : "NO_SUCH_TILL",
			occurred_at: new Date(this.#world.now - 2 * DAY_MS).toISOString(),
		};
	}

	/** What the provider paid, by its own book. */
	get paid(): ReadonlySet<string> {
		return new Set([...this.#reports.values()].flatMap(({ transfer_id, status }) => (status === "SUCCEEDED" ? [transfer_id] : [])));
	}

	/** Nobody orders anything more: time passes, due work is done, and the provider reports on everything. */
	async end(): Promise<void> {
		const world = this.#world;
		for (let round = 0; round < 4; round++) {
			world.now += 2 * HOUR_MS;
			const sweep: Work = async (services) => {
				for (const here of services.everywhere()) while (await workOnTransfers(here));
				for (const here of services.everywhere()) while (await payDueInterest(here));
			};
			await world.settle([world.process(sweep)]);
			for (const reference of world.instructed) await world.settle(this.#report(reference).map((work) => world.process(work)));
		}
	}
}

/** The first moment of the next Monday. */
function nextPayday(now: number): number {
	let day = localDate(now, TIME_ZONE);
	do day = addDays(day, 1);
	while (new Date(day).getUTCDay() !== 1);
	return Date.parse(`${day}T00:00:00+03:00`);
}
