// A plan: which call fails where, as one line of text that can be read, printed and run again.

import { type Fault, KINDS, type Kind, type Point } from "./life";

/** A fault at a point of a life: `call` is the first attempt of the client, `call2` the second, `sweep+1m` a sweep, `queue+1m` a batch. */
export type PlannedFault = Fault & { readonly life: string /** What the point is expected to be. */; readonly what?: string };

export type Plan = {
	/** The id of an operation, or `id@variant`. */
	readonly op: string;
	readonly homes: 1 | 3;
	readonly outside: boolean;
	/** The client never comes back. */
	readonly gone: boolean;
	/** Another operation that is called between the first fault and the repetition. */
	readonly between: string | undefined;
	readonly faults: readonly PlannedFault[];
};

export const faultless = (plan: Plan): Plan => ({ ...plan, gone: false, faults: [] });

export function textOf({ op, homes, outside, gone, between, faults }: Plan): string {
	const flags = [`homes=${homes}`, ...(outside ? ["outside"] : []), ...(between ? [`then=${between}`] : []), ...(gone ? ["gone"] : [])];
	return [op, ...flags, ...faults.map(({ life, at, kind, what }) => `${life}:${at}/${kind}${what ? `[${what}]` : ""}`)].join(" ");
}

const FAULT = /^([a-z]+\d*(?:\+\w+)?):(\d+)\/([a-z-]+)(?:\[(.*)\])?$/;

/** Throws for a text that is no plan. */
export function planOf(text: string): Plan {
	const [op = "", ...words] = text.trim().match(/(?:[^\s[]|\[[^\]]*\])+/g) ?? [];
	const plan = {
		op,
		homes: 1 as 1 | 3,
		outside: false,
		gone: false,
		between: undefined as string | undefined,
		faults: [] as PlannedFault[],
	};
	for (const word of words) {
		const fault = FAULT.exec(word);
		if (word === "outside") plan.outside = true;
		else if (word === "gone") plan.gone = true;
		else if (word === "homes=1" || word === "homes=3") plan.homes = word === "homes=3" ? 3 : 1;
		else if (word.startsWith("then=")) plan.between = word.slice("then=".length);
		else if (fault) plan.faults.push(faultOf(fault));
		else throw new Error(`"${word}" is no part of a plan`);
	}
	return plan;
}

function faultOf([, life = "", at, kind, what]: RegExpExecArray): PlannedFault {
	if (!KINDS.includes(kind as Kind)) throw new Error(`"${kind}" is no kind of fault: there are ${KINDS.join(", ")}`);
	return { life, at: Number(at), kind: kind as Kind, ...(what !== undefined && { what }) };
}

/** Why the plan no longer fits the code: a point that is another one now. */
export function misfits({ faults }: Plan, points: ReadonlyMap<string, readonly Point[]>): string[] {
	return faults.flatMap(({ life, at, what }) => {
		const found = points.get(life)?.[at - 1];
		if (!found) return [`${life}:${at} was not reached`];
		return what === undefined || found.what === what ? [] : [`${life}:${at} is ${found.what}, no longer ${what}`];
	});
}
