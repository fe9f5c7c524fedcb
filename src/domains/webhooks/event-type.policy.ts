// The event types that a request may name: as a filter any of the catalogue, for an endpoint those it can subscribe to.

import { InvalidInput, type InvalidParam } from "../../shared/errors";
import type { EventType, EventTypes } from "../../shared/event-type";
import { nearest } from "../../shared/nearest";

/** `known`: the names that may be meant. */
function unknown(path: string, name: string, known: Iterable<string>): InvalidParam {
	const meant = nearest(name, [...known]);
	return { path, reason: `is not an event type${meant === undefined ? "" : `; did you mean ${meant}?`}`, sub_code: "NOT_ALLOWED" };
}

/** The types, each once. Throws `InvalidInput` that names every type that an endpoint cannot subscribe to. */
export function subscriptionTo(eventTypes: EventTypes, names: readonly string[]): string[] {
	const known = [...eventTypes.values()].filter(({ subscribable }) => subscribable).map(({ type }) => type);
	const refused = names.flatMap((name, index) => (known.includes(name) ? [] : [unknown(`events[${index}]`, name, known)]));
	if (refused.length > 0) throw new InvalidInput(refused);
	return [...new Set(names)];
}

/** The type of this name. Throws `InvalidInput` for a name that is not in the catalogue. */
export function eventTypeOf(eventTypes: EventTypes, path: string, name: string): EventType {
	const eventType = eventTypes.get(name);
	if (!eventType) throw new InvalidInput([unknown(path, name, eventTypes.keys())]);
	return eventType;
}

/** Throws `InvalidInput` for a filter that names no event type. */
export function checkFilter(eventTypes: EventTypes, path: `query.${string}`, name: string | undefined): void {
	if (name !== undefined && !eventTypes.has(name)) throw new InvalidInput([unknown(path, name, eventTypes.keys())]);
}
