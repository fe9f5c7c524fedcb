// How much a run of the engine does at once, how long it takes for what, and whose turn it is. The platform lets what a consumer has begun go on for 30 s after
// it has returned, and a queue may hand out its next batch only then.

/**
 * How long the consumer stays where all that it has begun can end in the background: longer where no message waited behind its own, because
 * those that come meanwhile share the round trips of the next batch.
 */
export const STAYS_MS = 250;
export const STAYS_WHILE_OTHERS_WAIT_MS = 100;

/** How long it, or what it has left in the background, continues with what is due next at its endpoints; then messages do. */
export const GOES_ON_MS = 1_000;

/** How long after its claim an attempt may begin; later, it would use keys and a URL that may have been changed, and its lease might end. */
export const BEGINS_WITHIN_MS = 3_000;

/** A receiver that takes longer than this to answer lingers: what is to be claimed does not wait for it. */
export const LINGERS_MS = 500;

/** For how long work may go on in the background, with time to record its end. */
const IN_BACKGROUND_MS = 28_000;

/** Whether an attempt that is claimed and begins late could not end in the background. */
export const outlastsBackground = (timeoutMs: number): boolean => GOES_ON_MS + BEGINS_WITHIN_MS + timeoutMs > IN_BACKGROUND_MS;

/** How long the consumer stays with such an attempt, so that its timeout ends while the platform still lets it go on. */
export const staysWithMs = (timeoutMs: number): number => Math.max(LINGERS_MS, timeoutMs - IN_BACKGROUND_MS);

/** Deliveries that a run holds claimed: as many as begin within three seconds where receivers answer in half a second. */
export const CLAIMED_AT_ONCE = 20;
export const CLAIMED_AT_ONCE_LOCALLY = 200;

/**
 * How long ends wait for others before they are recorded: a commit takes as long for twenty as for one, and nobody waits for an end, because
 * the receiver has answered. Where few attempts are made at once they end one by one, so it is longer there.
 */
export const GATHERED_MS = 200;
export const GATHERED_LOCALLY_MS = 15;
export const ENDS_ENOUGH = 10;

/** How long a verdict on a name is used: a claim in the commit of ends needs no look-up, and a name that leads elsewhere now is noticed. */
export const VERDICT_MS = 2_000;

type Waiting = { organizationId: string; webhookId: string };

/**
 * Organizations take turns, within one its endpoints, and an endpoint's own deliveries keep their order. So neither an organization with many
 * endpoints nor an endpoint with a long backlog is always first.
 */
export const inTurns = <T extends Waiting>(waiting: readonly T[]): T[] =>
	interleaved(
		grouped(waiting, ({ organizationId }) => organizationId).map((own) => interleaved(grouped(own, ({ webhookId }) => webhookId))),
	);

/** The first of those whose organization has the fewest under way, and fewer than its share. */
export function nextInTurn<T extends Pick<Waiting, "organizationId">>(
	ready: readonly T[],
	underWay: (organizationId: string) => number,
	share: number,
): T | undefined {
	let next: T | undefined;
	for (const one of ready) if (underWay(one.organizationId) < (next ? underWay(next.organizationId) : share)) next = one;
	return next;
}

const grouped = <T>(all: readonly T[], by: (one: T) => string): T[][] => [...Map.groupBy(all, by).values()];

function interleaved<T>(queues: readonly (readonly T[])[]): T[] {
	const turns = Math.max(0, ...queues.map(({ length }) => length));
	return Array.from({ length: turns }, (_, turn) => queues.flatMap((queue) => queue.slice(turn, turn + 1))).flat();
}
