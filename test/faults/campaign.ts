// All plans of an operation, each judged by the same calls without faults.

import { forgetAll } from "../../src/shared/cache";
import { MINUTE_MS } from "../../src/shared/time";
import { answerOutbound, bindOutbound, outbound } from "../support/outbound";
import { requestsEnded } from "../support/serve";
import { broken } from "./laws";
import { isFlicker, type Kind, kindsAt, type Point } from "./life";
import { Outside } from "./outside";
import { misfits, type Plan, type PlannedFault, textOf } from "./plan";
import { platform } from "./platform";
import { type Answered, Run, type Seen, STAGES } from "./run";
import { changedBytes, differences, type State, Verdict } from "./verdict";
import { givenSending, givenWorld, type Sending } from "./world";

const START = Date.parse("2026-06-03T06:00:00Z");
/** Later than all that the parties have done, because time never goes back. */
const AFTER_PARTIES = START + MINUTE_MS;

/** What a plan came to. */
export type Outcome = {
	readonly problems: readonly string[];
	readonly misfits: readonly string[];
	readonly points: ReadonlyMap<string, readonly Point[]>;
};

/** What a sequence of calls without faults leaves: after the calls, and after each sweep. */
type Reference = {
	readonly answer: string;
	readonly ok: boolean;
	readonly states: readonly State[];
	readonly points: ReadonlyMap<string, readonly Point[]>;
	readonly broken: readonly string[];
};

type Setting = Pick<Plan, "op" | "homes" | "outside" | "between">;

/** A plan must be compared with calls that have not been made. */
class Wanting extends Error {
	readonly calls: string;
	readonly stages: number;
	constructor(calls: string, stages: number) {
		super(calls);
		this.calls = calls;
		this.stages = stages;
	}
}

/** A new isolate at this time, with providers that answer. */
function begin(at: number): void {
	answerOutbound(new Outside(platform(), {}, at).fetch);
	// An object that is laid down may answer by itself, such as a stand-in.
	bindOutbound(outbound);
	forgetAll();
}

/** A world that is laid down, in which any number of plans run. */
export class Laid {
	readonly #verdict = new Verdict();
	readonly #setting: Setting;
	readonly #sending: Sending;
	readonly #other: Sending | undefined;
	readonly #vars: object;
	readonly #at: number;
	readonly #references = new Map<string, Reference>();
	/**
	 * How plans differed from the calls without faults before they came to the same. A statement that differs in the same way comes to it
	 * as well.
	 */
	readonly #sound = new Set<string>();

	private constructor(setting: Setting, { sending, other, sabotage }: { sending: Sending; other: Sending | undefined; sabotage: object }) {
		this.#setting = setting;
		this.#sending = sending;
		this.#other = other;
		this.#vars = { ...sending.vars, ...other?.vars, ...sabotage };
		this.#at = Date.now();
	}

	/** Lays a world down, uses it, and takes it back. `sabotage`: bindings of a service that is broken on purpose. */
	static async in<T>(setting: Setting, use: (laid: Laid) => Promise<T>, sabotage: object = {}): Promise<T> {
		const parties = await givenWorld(() => begin(START));
		return platform().takenBack(async () => {
			begin(AFTER_PARTIES);
			const sending = await givenSending(setting.op, parties, setting.outside);
			const other = setting.between === undefined ? undefined : await givenSending(setting.between, parties, setting.outside);
			// What continues after their answers, which the first plan would see otherwise.
			await requestsEnded();
			const laid = new Laid(setting, { sending, other, sabotage });
			await laid.#verdict.begin();
			return use(laid);
		});
	}

	/** The points of the fault-free call, and of all that follows. */
	async points(): Promise<ReadonlyMap<string, readonly Point[]>> {
		return (await this.#compute("c", STAGES.length)).points;
	}

	/** The points of the fault-free call. `stages`: how many sweeps follow it, where plans will be compared with what they leave. */
	async called(stages = 0): Promise<readonly Point[]> {
		return (await this.#compute("c", stages)).points.get("call") ?? [];
	}

	/** What the call is answered without faults. */
	async answer(): Promise<string> {
		return (await this.#compute("c", 0)).answer;
	}

	/** Why the call itself fails without faults; undefined when it succeeds. */
	async fault(): Promise<string | undefined> {
		const { ok, answer } = await this.#compute("c", 0);
		return ok ? undefined : answer;
	}

	/** Where two runs without faults differ: that is chance. */
	async chance(): Promise<string[]> {
		const one = await this.#compute("c", STAGES.length);
		const other = await platform().takenBack(() => this.#live("c", STAGES.length));
		return one.states.flatMap((state, index) => differences(other.states[index] ?? {}, state));
	}

	/** What is wrong once all due work is done, without any fault. */
	async broken(): Promise<readonly string[]> {
		return (await this.#compute("c", STAGES.length)).broken;
	}

	/** Runs the plan; again if it must be compared with calls that have not been made yet, which need the world as it was. */
	async run(plan: Plan): Promise<Outcome> {
		for (;;) {
			try {
				return await platform().takenBack(() => this.#judged(plan));
			} catch (error) {
				if (!(error instanceof Wanting)) throw error;
				await this.#compute(error.calls, error.stages);
			}
		}
	}

	async #judged(plan: Plan): Promise<Outcome> {
		const outside = new Outside(platform(), this.#vars, this.#at);
		const run = new Run(plan, outside);
		const other = this.#other;
		const seen = await run.client(this.#sending, other && (() => run.meanwhile(other)));
		await run.landAll();
		const problems = [
			...this.#ofAnswers(plan, seen),
			...(await this.#ofStates(plan, run, { outside, candidates: this.#candidates(plan, seen) })),
		];
		return { problems: [...problems, ...changedBytes(outside.asked)], misfits: misfits(plan, run.points), points: run.points };
	}

	/** The sequences of calls that the plan may come to: `c` is a call of the operation, `o` the other one. */
	#candidates({ gone }: Plan, { answers }: Seen): string[] {
		const calls = this.#sending.keyed ? ["c"] : Array.from({ length: answers.length }, (_, index) => "c".repeat(index + 1));
		const all = gone ? ["", ...calls] : calls;
		if (!this.#other) return all;
		return [
			...new Set(all.flatMap((each) => Array.from({ length: each.length + 1 }, (_, at) => `${each.slice(0, at)}o${each.slice(at)}`))),
		];
	}

	/** The answer must be that of the first call; only what was called in between may have changed it. */
	#ofAnswers(plan: Plan, { answers, replay }: Seen): string[] {
		if (plan.gone) return [];
		const last = answers.at(-1);
		if (!last) return ["the client never got an answer"];
		const expected = (this.#other ? ["c", "oc"] : ["c"]).map((each) => this.#reference(each, 0));
		const [text, wanted] = [this.#verdict.answer(last), expected.map(({ answer }) => answer)];
		const problems = wanted.includes(text) ? [] : [`the answer is ${text}, not ${wanted.join(" or ")}`];
		// D1 is asked again within the call, but for a commit that nothing would stop a second time: the client repeats that one.
		if (plan.faults.every(({ kind }) => isFlicker(kind)))
			for (const each of answers.slice(0, -1)) if (each?.status !== 503) problems.push(`an answer before was ${each?.status ?? "lost"}`);
		if (replay && (replay.status !== last.status || replay.body !== last.body) && !this.#isRefusedSince(replay, last))
			problems.push(`the replay is ${replay.status} ${replay.body}, not ${last.body}`);
		return problems;
	}

	/** Whether the other call has taken the client's access, so that without faults the replay is refused in the same words. */
	#isRefusedSince(replay: Answered, last: Answered): boolean {
		if (!this.#other || replay.status === last.status) return false;
		return this.#verdict.answer(replay) === this.#reference("coc", 0).answer;
	}

	/** The differences to the candidate that is nearest, once all due work is done; none as soon as a stage equals that of one. */
	async #ofStates(plan: Plan, run: Run, { outside, candidates }: { outside: Outside; candidates: readonly string[] }): Promise<string[]> {
		const differed: string[] = [];
		for (let stage = 0; ; stage++) {
			const state = await this.#verdict.state(outside);
			const compared = candidates.map((each) => ({ each, lines: differences(state, this.#reference(each, stage).states[stage] ?? {}) }));
			const [nearest] = compared.sort((a, b) => a.lines.length - b.lines.length);
			if (plan.faults.every(({ life }) => !life.includes("+") || run.points.has(life))) {
				const difference = [stage, nearest?.each, ...(nearest?.lines ?? [])].join("\n");
				if (nearest?.lines.length === 0 || this.#sound.has(difference)) {
					for (const each of differed) this.#sound.add(each);
					return [];
				}
				differed.push(difference);
			}
			const next = STAGES[stage];
			if (!next) return [...(nearest?.lines ?? []), ...(await broken())];
			await run.stage(next);
		}
	}

	/** The run of these calls without faults, at least to the stage. */
	#reference(calls: string, stage: number): Reference {
		const known = this.#references.get(calls);
		// Most plans have come to the same after the first sweep.
		if (!known || known.states.length <= stage) throw new Wanting(calls, stage <= 1 ? 1 : STAGES.length);
		return known;
	}

	async #compute(calls: string, stages: number): Promise<Reference> {
		const known = this.#references.get(calls);
		if (known && known.states.length > stages) return known;
		const reference = await platform().takenBack(() => this.#live(calls, stages));
		this.#references.set(calls, reference);
		return reference;
	}

	async #live(calls: string, stages: number): Promise<Reference> {
		const { op, homes, outside: isOutside } = this.#setting;
		const outside = new Outside(platform(), this.#vars, this.#at);
		const run = new Run({ op, homes, outside: isOutside, between: undefined, gone: false, faults: [] }, outside);
		let seen: Seen | undefined;
		for (const each of calls) {
			if (each === "o" && this.#other) await run.meanwhile(this.#other);
			else seen = await run.client(this.#sending);
		}
		await run.landAll();
		const last = seen?.answers.at(-1);
		const states = [await this.#verdict.state(outside)];
		for (const stage of STAGES.slice(0, stages)) {
			await run.stage(stage);
			states.push(await this.#verdict.state(outside));
		}
		const answer = last ? this.#verdict.answer(last) : "";
		const laws = stages === STAGES.length ? await broken() : [];
		return { answer, ok: last !== undefined && last.status < 300, states, points: run.points, broken: laws };
	}
}

type Kinds = (point: Point) => readonly Kind[];

/** Every single fault of the points of a life. */
export const singles = (setting: Setting, life: string, points: readonly Point[], kinds: Kinds = kindsAt): Plan[] =>
	points.flatMap((point) => kinds(point).map((kind) => planWith(setting, [{ life, at: point.n, kind, what: point.what }])));

export const planWith = (setting: Setting, faults: readonly PlannedFault[], gone = false): Plan => ({ ...setting, gone, faults });

/** A plan that failed, with what is wrong, and how to run it again. */
export const told = (plan: Plan, { problems, misfits: other }: Outcome): string =>
	[`npm run simulate:faults -- --plan '${textOf(plan)}'`, ...[...problems, ...other].map((line) => `  ${line}`)].join("\n");
