// Whether a filter can hold for what an endpoint subscribes to: a misspelt name would otherwise silently keep everything away.

import { InvalidInput, type InvalidParam } from "../../../shared/errors";
import type { EventTypes } from "../../../shared/event-type";
import { type Condition, ENTITY, type Filter, matchesType, TYPE } from "../../../shared/webhook-filter";

const refusal = (path: string, reason: string): InvalidParam => ({ path, reason, sub_code: "NOT_ALLOWED" });

/**
 * Throws `InvalidInput` that names every condition that can hold for no event of these types.
 *
 * @param nearest which of the names is meant most likely
 */
export function checkConditions(
	eventTypes: EventTypes,
	{ events, filter }: { events: readonly string[]; filter: Filter | null },
	nearest: (sent: string, names: readonly string[]) => string | undefined,
): void {
	const members = new Set(events.flatMap((type) => Object.keys(eventTypes.get(type)?.data.shape ?? {})));
	const suggesting = (reason: string, meant: string | undefined) => (meant === undefined ? reason : `${reason}. Did you mean ${meant}?`);
	const refusalsOf = ({ member, in: values = [] }: Condition, index: number): InvalidParam[] => {
		const at = `filter[${index}]`;
		if (member === TYPE)
			return values.flatMap((value, place) =>
				events.some((type) => matchesType(String(value), type))
					? []
					: [
							refusal(
								`${at}.in[${place}]`,
								suggesting("matches no event type that the endpoint subscribes to", nearest(String(value), events)),
							),
						],
			);
		if (member === ENTITY || members.has(member)) return [];
		const meant = nearest(member, [...members, TYPE, ENTITY]);
		return [refusal(`${at}.member`, suggesting("is a member of no event that the endpoint subscribes to", meant))];
	};
	const refused = (filter ?? []).flatMap(refusalsOf);
	if (refused.length > 0) throw new InvalidInput(refused);
}
