// What a webhook endpoint's filter says, and whether an event passes it.

/** One condition. `member` is one of the payload, or `type` or `entity_id` of the event. */
export type Condition = {
	readonly member: string;
	/** Any of these. For `type` they are patterns, of which `*` at the end stands for any rest. */
	readonly in?: readonly (string | number | boolean)[] | undefined;
	readonly min?: number | undefined;
	readonly max?: number | undefined;
};

/** All of the conditions hold for what an endpoint gets. */
export type Filter = readonly Condition[];

export const TYPE = "type";
export const ENTITY = "entity_id";

/** Whether the pattern names the type: as it is, or with `*` at its end for any rest. */
export const matchesType = (pattern: string, type: string): boolean =>
	pattern.endsWith("*") ? type.startsWith(pattern.slice(0, -1)) : pattern === type;

type Event = { readonly type: string; readonly entityId: string | null; readonly data: Readonly<Record<string, unknown>> };

/** As SQLite has a member of JSON text: true and false are numbers, and what has members of its own is text. */
function inSqlite(value: unknown): unknown {
	if (typeof value === "boolean") return Number(value);
	return typeof value === "object" && value !== null ? JSON.stringify(value) : value;
}

function memberOf(member: string, { type, entityId, data }: Event): unknown {
	if (member === TYPE) return type;
	if (member === ENTITY) return entityId;
	return Object.hasOwn(data, member) ? inSqlite(data[member]) : null;
}

function holds({ member, in: values, min, max }: Condition, event: Event): boolean {
	const value = memberOf(member, event);
	if (values === undefined) return typeof value === "number" && value >= (min ?? value) && value <= (max ?? value);
	if (value === null) return false;
	return values.some((one) => inSqlite(one) === value || (member === TYPE && matchesType(String(one), event.type)));
}

/** Whether an event passes the filter. `passes` of `src/events/filter.ts` says the same in SQL. */
export const letsPass = (filter: Filter | null, event: Event): boolean => filter === null || filter.every((one) => holds(one, event));
