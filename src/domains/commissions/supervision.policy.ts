// Who supervises an agent, and from when to when. An agent's intervals follow each other without gaps; at no instant is there a cycle
// or a chain of more than five supervisors.

/** `from` is inclusive, `to` exclusive. Without a supervisor it is null. */
export type Supervision = { agent: string; supervisor: string | null; from: number; to: number };

/** The end of an interval that nothing has ended. */
export const FOREVER = Number.MAX_SAFE_INTEGER;
/** The most levels of supervisors above an agent. */
export const MAX_LEVELS = 5;

export type Change = { agent: string; supervisor: string | null; from: number };

export type Verdict =
	/** `ends`: the interval that the new one ends. */
	| { accepted: true; ends: Supervision | undefined }
	/** The agent has this supervisor from this instant on already. */
	| { accepted: true; unchanged: true }
	| { accepted: false; reason: "CYCLE" | "TOO_DEEP" | "BEFORE_LAST" | "CONFLICT" };

/** `known`: the intervals of the agent, of everybody below the agent and of everybody above the supervisor, from the change on. */
export function supervise(known: readonly Supervision[], change: Change): Verdict {
	const { agent, supervisor, from } = change;
	if (agent === supervisor) return { accepted: false, reason: "CYCLE" };
	const last = known.find((one) => one.agent === agent && one.to === FOREVER);
	if (last && from < last.from) return { accepted: false, reason: "BEFORE_LAST" };
	if (last && from === last.from) {
		return last.supervisor === supervisor ? { accepted: true, unchanged: true } : { accepted: false, reason: "CONFLICT" };
	}
	if (supervisor !== null) {
		const others = known.filter((one) => one.agent !== agent);
		const instants = new Set([from, ...others.flatMap((one) => [one.from, one.to]).filter((at) => at > from && at < FOREVER)]);
		for (const at of instants) {
			const fault = faultAt(others, { agent, supervisor, at });
			if (fault) return { accepted: false, reason: fault };
		}
	}
	return { accepted: true, ends: last };
}

function faultAt(others: readonly Supervision[], { agent, supervisor, at }: { agent: string; supervisor: string; at: number }) {
	const present = others.filter((one) => one.from <= at && at < one.to && one.supervisor !== null);
	const above = new Map(present.map((one) => [one.agent, one.supervisor]));
	let levels = 1;
	for (let upper: string | null | undefined = supervisor; ; levels++) {
		upper = above.get(upper);
		if (upper === agent) return "CYCLE";
		if (upper == null) break;
		if (levels > MAX_LEVELS) return "TOO_DEEP";
	}
	return levels + depthBelow(present, agent, MAX_LEVELS + 1) > MAX_LEVELS ? "TOO_DEEP" : undefined;
}

/** How many levels of supervised agents are below an agent; counts up to `most`. */
function depthBelow(present: readonly Supervision[], agent: string, most: number): number {
	let depth = 0;
	for (let level = new Set([agent]); depth < most; depth++) {
		level = new Set(present.filter((one) => one.supervisor !== null && level.has(one.supervisor)).map((one) => one.agent));
		if (level.size === 0) break;
	}
	return depth;
}
