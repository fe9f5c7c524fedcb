// The event types that a request may name: as a filter any of the catalogue, for an endpoint those it can subscribe to.

import { InvalidInput, type InvalidParam } from "../../shared/errors";
import type { EventTypes } from "../../shared/event-type";

const unknown = (path: string): InvalidParam => ({ path, reason: "is not an event type", sub_code: "NOT_ALLOWED" });

/** The types, each once. Throws `InvalidInput` that names every one that an endpoint cannot subscribe to. */
export function subscriptionTo(eventTypes: EventTypes, names: readonly string[]): string[] {
	const refused = names.flatMap((name, index) => (eventTypes.get(name)?.subscribable ? [] : [unknown(`events[${index}]`)]));
	if (refused.length > 0) throw new InvalidInput(refused);
	return [...new Set(names)];
}

/** Throws `InvalidInput` for a filter that names no event type. */
export function checkFilter(eventTypes: EventTypes, path: `query.${string}`, name: string | undefined): void {
	if (name !== undefined && !eventTypes.has(name)) throw new InvalidInput([unknown(path)]);
}
