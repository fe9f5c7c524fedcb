// How much a run of the engine does at once, how long each step may take, and whose turn it is. A queue may hand out its next batch only
// after the consumer has returned; the platform lets the consumer's work continue in the background for 30 s after that.

/**
 * How long the consumer stays if all its work can end in the background. It stays longer if no message waited behind its batch: messages
 * that come meanwhile then form one batch, and share its round trips.
 */
export const STAYS_MS = 250;
export const STAYS_WHILE_OTHERS_WAIT_MS = 100;

/** How long a run, also in the background, continues with deliveries that are due next; after that it leaves them to messages. */
export const GOES_ON_MS = 1_000;

/** How long after its claim an attempt may begin: later, its keys and URL may have changed, and the claim might expire too early. */
export const BEGINS_WITHIN_MS = 3_000;

/** A receiver that takes longer than this to answer lingers: further claims do not wait for it. */
export const LINGERS_MS = 500;

/** How long an attempt may take in the background: the rest of the 30 s is for recording its end. */
const IN_BACKGROUND_MS = 28_000;

/** Whether an attempt with this timeout might not end in the background, if it is claimed and begins as late as it may. */
export const outlastsBackground = (timeoutMs: number): boolean => GOES_ON_MS + BEGINS_WITHIN_MS + timeoutMs > IN_BACKGROUND_MS;

/** How long the consumer stays with such an attempt, so that the rest of its timeout fits into the background. */
export const staysWithMs = (timeoutMs: number): number => Math.max(LINGERS_MS, timeoutMs - IN_BACKGROUND_MS);

/** The most deliveries that a run holds claimed: as many as can begin within three seconds if receivers answer in half a second. */
export const CLAIMED_AT_ONCE = 20;
export const CLAIMED_AT_ONCE_LOCALLY = 200;

/**
 * How long an end waits for other ends before a commit records them together: the commit takes as long for twenty as for one, and the
 * receiver does not wait, because it has answered. A deployment makes few attempts at once, which end one by one, so its ends wait longer.
 */
export const GATHERED_MS = 200;
export const GATHERED_LOCALLY_MS = 15;
/** So many ends do not wait for others. */
export const ENDS_ENOUGH = 10;

/** How long a verdict on a host name is used: a claim in the commit of ends needs no look-up, and a changed address is noticed soon. */
export const VERDICT_MS = 2_000;

type Waiting = { organizationId: string; webhookId: string };

/**
 * Organizations take turns, each organization's endpoints take turns, and an endpoint's own deliveries keep their order. So neither an
 * organization with many endpoints nor an endpoint with a long backlog is always first.
 */
export const inTurns = <T extends Waiting>(waiting: readonly T[]): T[] =>
	interleaved(
		grouped(waiting, ({ organizationId }) => organizationId).map((own) => interleaved(grouped(own, ({ webhookId }) => webhookId))),
	);

/** The first item of the organization with the fewest items under way; undefined when every organization has its share under way. */
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
