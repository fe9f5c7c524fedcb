// Whose turn it is: organizations take turns, within one its endpoints, and an endpoint's own deliveries keep their order. So neither an
// organization with many endpoints nor an endpoint with a long backlog is always first.

type Waiting = { organizationId: string; webhookId: string };

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
