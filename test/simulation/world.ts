// A world of people with current accounts in two databases, an outside payout provider and a custodian. Everything that happens in it
// goes through the operations and the due work of the service, in processes that run side by side and may die at any moment.

import { StaleWrite } from "../../src/db/database";
import { Databases } from "../../src/db/databases";
import { names } from "../../src/db/names.table";
import { DIRECTORY_HOME, placesOf } from "../../src/db/places";
import { openCurrentAccount } from "../../src/domains/current-accounts/accounts/operations";
import { confirmActivation, startActivation } from "../../src/domains/current-accounts/activations/operations";
import { findGuarded, guardsNothing } from "../../src/domains/current-accounts/caution.store";
import { readerOf } from "../../src/domains/organizations/texts/store";
import { createPayee } from "../../src/domains/payees/operations";
import { phoneName } from "../../src/domains/users/model/store";
import { users } from "../../src/domains/users/model/table";
import type { Caller, SignerCaller, UserCaller } from "../../src/http/callers/access";
import { execute } from "../../src/http/execution";
import { Replay, readKey, recordCheck } from "../../src/http/idempotency/idempotency";
import { type AnyOperation, homeFor } from "../../src/http/operation";
import { type Config, configuration } from "../../src/runtime/config";
import { Connections } from "../../src/runtime/connections";
import { jobServices } from "../../src/runtime/making-services";
import type { Payout, Providers } from "../../src/runtime/ports";
import type { JobServices } from "../../src/runtime/services";
import { ApiError, InvalidInput } from "../../src/shared/errors";
import { uuidv7 } from "../../src/shared/ids";
import type { Json } from "../../src/shared/json";
import { eventTypes } from "../support/domains";
import { workerVars } from "../support/vars";
import { type Gate, type Sabotage, Store } from "./database";
import type { Random } from "./random";
import { type Fate, Killed, Schedule } from "./schedule";

export const START = Date.parse("2026-03-04T06:00:00Z");
export const TIME_ZONE = "Africa/Nairobi";
export const DAILY_LIMIT = 40_000;
export const OTP_ABOVE = 15_000;
/** Annual basis points, by the day from which they apply: far above real rates, so that a single day makes a difference. */
export const RATES: Readonly<Record<string, number>> = { "2026-01-01": 3_650, "2026-03-20": 0, "2026-03-26": 9_999 };

const VARS = {
	...workerVars(),
	TRANSFER_OTP_ABOVE: String(OTP_ABOVE),
	CURRENT_ACCOUNTS: JSON.stringify({
		time_zone: TIME_ZONE,
		limits: { minimum_transfer_amount: 1, maximum_transfer_amount: DAILY_LIMIT, daily_transfer_limit: DAILY_LIMIT },
		interest_rates: Object.entries(RATES).map(([from, annual_rate_basis_points]) => ({ from, annual_rate_basis_points })),
	}),
};
let configured: Promise<Config> | undefined;

export type Person = { readonly id: string; readonly number: string; readonly tag: string; readonly home: number };

/** `refused`: the service decided against it. `lost`: the process died, and nobody knows what it did. */
export type Outcome = { kind: "done"; body: { readonly id?: string } } | { kind: "refused"; code: string } | { kind: "lost" };

type Call = { caller: Caller; path?: object; body?: Json; key?: string };

export const userOf = ({ id }: Person): UserCaller => ({ kind: "user", userId: id, sessionId: null });
export const CUSTODIAN: SignerCaller = { kind: "signer", secret: "CUSTODIAN_SECRET" };
export const PROVIDER: SignerCaller = { kind: "signer", secret: "DISBURSER_SECRET" };

/** The two databases, and a home in each. */
const BINDINGS = { DB: DIRECTORY_HOME, SHARD_0: 64 } as const;
type Binding = keyof typeof BINDINGS;
const PEOPLE = 4;

export class World {
	now = START;
	readonly random: Random;
	readonly stores: Readonly<Record<Binding, Store>>;
	readonly people: readonly Person[];
	/** What the payout provider was ordered to pay. */
	readonly instructed = new Set<string>();
	/** Failures of processes that were neither killed nor refused. */
	readonly faults: unknown[] = [];
	readonly #schedule: Schedule;
	#requests = 0;

	constructor(random: Random, sabotage: Sabotage) {
		this.random = random;
		this.#schedule = new Schedule(random);
		this.stores = { DB: new Store(sabotage), SHARD_0: new Store(sabotage) };
		this.people = Array.from({ length: PEOPLE }, (_, index) => {
			const home = index % 2 === 0 ? BINDINGS.DB : BINDINGS.SHARD_0;
			const id = uuidv7(START, home);
			return { id, home, number: `+25472200000${index}`, tag: `@person${index}` };
		});
	}

	close(): void {
		for (const store of Object.values(this.stores)) store.close();
	}

	/** Rows of both databases. */
	all<Row>(sql: string, ...values: string[]): Row[] {
		return Object.values(this.stores).flatMap((store) => store.all<Row>(sql, ...values));
	}

	get config(): Promise<Config> {
		configured ??= configuration(VARS as unknown as Env);
		return configured;
	}

	/** Runs a process whose clock is behind by this much. Returns `undefined` when it died. */
	async process<T>(work: (services: JobServices) => Promise<T>, { fate, behindMs = 0 }: { fate?: Fate; behindMs?: number } = {}) {
		const config = await this.config;
		const beside: Promise<unknown>[] = [];
		return this.#schedule.start(fate, async (gate) => {
			try {
				return await work(this.#services(config, gate, this.now - behindMs, beside));
			} catch (error) {
				this.#note(error);
				return undefined;
			} finally {
				for (const each of beside) await each;
			}
		});
	}

	/** Lets every process run to its end. */
	async settle(processes: readonly Promise<unknown>[]): Promise<void> {
		// A process starts once the configuration is there.
		await this.config;
		await Promise.resolve();
		await this.#schedule.run();
		await Promise.all(processes);
	}

	#services(config: Config, gate: Gate, now: number, beside: Promise<unknown>[]): JobServices {
		const bindings = Object.fromEntries(Object.entries(this.stores).map(([name, store]) => [name, store.bindingBehind(gate)]));
		const env = { ...VARS, ...bindings } as unknown as Env;
		const providers: Partial<Providers> = {
			custodian: {
				kind: "embedded",
				name: "SANDBOX",
				open: (id) => ({ externalAccountId: id, externalAccountNumber: id }),
			},
			messageSender: { kind: "mailbox" },
			payout: this.#payout,
		};
		const services = {
			env,
			config,
			now,
			realNow: now,
			requestId: "simulation",
			url: "http://localhost",
			locale: "en" as const,
			clientAddress: `198.51.100.${this.#requests++ % 250}`,
			baseUrl: "http://localhost",
			issuer: "http://localhost",
			eventTypes: async () => eventTypes,
			heldOperation: async () => undefined,
			guarded: { find: findGuarded, hasNone: guardsNothing },
			lenders: { readerOf },
			providers: providers as Providers,
			connections: new Connections(config),
			queue: { poke: async () => {} },
			afterwards: (work: (job: JobServices) => Promise<unknown>) => {
				beside.push(work(made()).catch((error: unknown) => this.#note(error)));
			},
			log: { info: () => {}, error: (_: string, error: unknown) => this.#note(error) },
		};
		const made = () => jobServices(services, new Databases(placesOf(env)), DIRECTORY_HOME);
		return made();
	}

	/** Due work that loses a race, or whose clock is behind, is done again by a later sweep. */
	#note(error: unknown): void {
		if (error !== undefined && !(error instanceof Killed || error instanceof StaleWrite)) this.faults.push(error);
	}

	/** Takes every instruction, but its answer is often lost. */
	readonly #payout: Payout = {
		kind: "remote",
		instruct: async ({ reference }) => {
			this.instructed.add(reference);
			return this.random.chance(0.5) ? "ACCEPTED" : "UNKNOWN";
		},
	};

	/** Calls an operation as the HTTP layer does. */
	async call(services: JobServices, op: AnyOperation, { caller, path = {}, body, key }: Call): Promise<Outcome> {
		const input = {
			caller,
			ifMatch: undefined,
			path: (op.request.path?.parse(path) ?? {}) as Record<string, unknown>,
			body: op.request.body?.parse(body),
			query: op.request.query?.parse({}),
		};
		const home = homeFor(op, input, DIRECTORY_HOME);
		const here = services.at(home);
		const identity = caller && "userId" in caller ? `user:${caller.userId}` : "signer";
		const once = key === undefined ? undefined : await readKey(key, { op, caller, identity, home, path: input.path, body });
		if (once) here.db.deferCheck(recordCheck(once, services.realNow));
		try {
			const { answer } = await execute({ op, input, sent: body, identity, services: here, key: once, refusal: undefined });
			return { kind: "done", body: JSON.parse(answer.body ?? "{}") };
		} catch (error) {
			if (error instanceof Replay) return { kind: "done", body: JSON.parse(error.answer.body ?? "{}") };
			if (error instanceof ApiError) return { kind: "refused", code: error.code };
			if (error instanceof InvalidInput) return { kind: "refused", code: "INVALID_PARAMS" };
			if (error instanceof Killed) return { kind: "lost" };
			throw error;
		}
	}

	/** The newest code that was sent to the person for this purpose. */
	async codeFor({ number }: Person, purpose: string): Promise<string | undefined> {
		const sent = this.all<{ id: string; sealed: string }>(
			"select id, sealed from messages where recipient = ? and purpose = ? order by created_at desc, id desc limit 1",
			number,
			purpose,
		);
		const [message] = sent;
		const content = message && (await (await this.config).keyring.open("message", message.id, message.sealed));
		return content && (JSON.parse(content) as { otp_code: string }).otp_code;
	}

	/** Everybody joins, opens an account, and saves the others and a till as payees. */
	async begin(): Promise<void> {
		await this.settle(this.people.map((person) => this.process((services) => this.#join(services, person))));
		await this.settle(this.people.map((person) => this.process((services) => this.openAccount(services, person))));
		await this.settle(this.people.map((person) => this.process((services) => this.#savePayees(services, person))));
	}

	async #join(services: JobServices, { id, number, tag }: Person): Promise<void> {
		const directory = services.at(DIRECTORY_HOME);
		const there = services.at(id);
		const createdAt = services.now;
		await directory.commit([
			directory.db.orm.insert(names).values({ kind: "PHONE", value: (await phoneName(services, number)).value, id, createdAt }),
			directory.db.orm.insert(names).values({ kind: "TAG", value: tag, id, createdAt }),
		]);
		await there.commit([there.db.orm.insert(users).values({ id, status: "ACTIVE", tag, mobileNumber: number, createdAt })]);
	}

	/** Opens an account and activates it by a code. */
	async openAccount(services: JobServices, person: Person): Promise<void> {
		const caller = userOf(person);
		if ((await this.call(services, openCurrentAccount, { caller })).kind !== "done") return;
		const started = await this.call(services, startActivation, { caller, body: {} });
		if (started.kind !== "done") return;
		const otp_code = (await this.codeFor(person, "ACTIVATION")) ?? "";
		await this.call(services, confirmActivation, { caller, path: { activationId: started.body.id }, body: { otp_code } });
	}

	async #savePayees(services: JobServices, person: Person): Promise<void> {
		const caller = userOf(person);
		for (const other of this.people) {
			if (other === person) continue;
			await this.call(services, createPayee, { caller, body: { accounts: [{ type: "INTERNAL", user_tag: other.tag }] } });
		}
		await this.call(services, createPayee, { caller, body: { accounts: [{ type: "BUY_GOODS", till_number: "123456" }] } });
	}
}
