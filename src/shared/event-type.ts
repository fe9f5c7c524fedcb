// What an event type declares. Each domain declares its own in `events.ts`; `wiring/domains.ts` collects them all.

import * as z from "zod";

/** The resource an event happens to: a closed set. */
export const CATEGORIES = [
	"APPROVAL",
	"USER",
	"ORGANIZATION",
	"LOAN_APPLICATION",
	"CREDIT_ACCOUNT",
	"REPAYMENT",
	"CURRENT_ACCOUNT",
	"AGENT",
	"INVOICE",
	"WEBHOOK",
] as const;
export type Category = (typeof CATEGORIES)[number];

/** The `payload_version` of every payload. It stays, because schemas change only in ways that keep receivers working. */
export const PAYLOAD_VERSION = 1;

type Declaration<Data extends z.ZodObject> = {
	/** The name on the wire, as in `loan.disbursed`. */
	type: string;
	category: Category;
	description: string;
	/** The payload. A published schema only ever gains members: receivers rely on those it has. */
	data: Data;
	example: z.input<Data>;
	/** false: endpoints receive it without subscribing, and cannot subscribe to it. */
	subscribable?: boolean;
};

export type EventType<Data extends z.ZodObject = z.ZodObject> = Readonly<Required<Declaration<Data>>> & {
	/** JSON Schema of the payload, built once it is asked for. */
	jsonSchema(): JsonSchema;
};

type JsonSchema = { [member: string]: unknown };

/** Every event type, by its name. */
export type EventTypes = ReadonlyMap<string, EventType>;

export function eventType<Data extends z.ZodObject>(declaration: Declaration<Data>): EventType<Data> {
	let schema: JsonSchema | undefined;
	return {
		subscribable: true,
		...declaration,
		jsonSchema() {
			// The input form leaves objects open, so that a receiver who validates survives a member that is added later.
			schema ??= inOne(z.toJSONSchema(declaration.data, { io: "input" }) as JsonSchema);
			return schema;
		},
	};
}

/** The schema with the named schemas in the place of the references to them: a receiver has no document that holds those. */
function inOne({ $defs, ...schema }: JsonSchema): JsonSchema {
	const named = ($defs ?? {}) as Record<string, JsonSchema>;
	return JSON.parse(JSON.stringify(schema), (_, value) => {
		if (typeof value?.$ref !== "string") return value;
		const { $ref, ...own } = value;
		const { id: _id, ...there } = named[$ref.slice("#/$defs/".length)] ?? {};
		return { ...there, ...own };
	});
}
