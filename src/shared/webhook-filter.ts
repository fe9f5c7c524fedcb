// What a webhook endpoint's filter says.

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
