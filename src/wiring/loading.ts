// Loads the operations and event types of the domains: of one part when one of its paths is first called, or of all for the documents.

import type { AnyOperation } from "../http/operation";
import type { Group } from "../http/reference/openapi";
import type { EventType, EventTypes } from "../shared/event-type";
import { parts } from "./domains";
import type { Part } from "./part";
import { TAGS } from "./tags";

/** Whether operations of the part may have this path. Every request asks this of the parts that are not loaded yet. */
export const serves = ({ paths }: Part, path: string): boolean =>
	paths.some((start) => (start.includes("{") ? beginsLike(start, path) : beginsWith(start, path)));

const beginsWith = (start: string, path: string): boolean =>
	path.startsWith(start) && (path.length === start.length || path[start.length] === "/");

function beginsLike(start: string, path: string): boolean {
	if (!path.startsWith(start.slice(0, start.indexOf("{")))) return false;
	const segments = path.split("/");
	return start.split("/").every((wanted, index) => wanted.startsWith("{") || wanted === segments[index]);
}

export const operationsOf = async (part: Part): Promise<readonly AnyOperation[]> =>
	exportsOf(await Promise.all(part.operations())).filter(isOperation);

/** The operations by the headings of the API reference, which are in alphabetical order. */
export async function operationsByTag(): Promise<ReadonlyMap<string, Group>> {
	const tagged = await Promise.all(parts.map(async (part) => ({ tag: part.tag, operations: await operationsOf(part) })));
	const groups = Map.groupBy(tagged, ({ tag }) => tag);
	return new Map(
		[...groups].sort().map(([tag, members]) => [tag, { about: TAGS[tag], operations: members.flatMap(({ operations }) => operations) }]),
	);
}

let loadedTypes: EventTypes | undefined;

export async function allEventTypes(): Promise<EventTypes> {
	if (loadedTypes) return loadedTypes;
	const files = await Promise.all(parts.flatMap(({ events }) => events?.() ?? []));
	loadedTypes = new Map(
		exportsOf(files)
			.filter(isEventType)
			.map((eventType) => [eventType.type, eventType]),
	);
	return loadedTypes;
}

const exportsOf = (files: readonly object[]): unknown[] => files.flatMap((file): unknown[] => Object.values(file));

function isOperation(value: unknown): value is AnyOperation {
	return typeof value === "object" && value !== null && "handle" in value && "access" in value;
}

function isEventType(value: unknown): value is EventType {
	return typeof value === "object" && value !== null && "category" in value && "data" in value;
}
