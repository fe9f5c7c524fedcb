// What requests may say of an endpoint.

import * as z from "zod";
import { MAX_BATCH_SIZE } from "../../../events/batches";
import { bounded, list } from "../../../shared/bounded";
import type { SubCode } from "../../../shared/errors";
import { isShown, MUST_BE_SHOWN } from "../../../shared/shown-text";
import { ENDPOINT_STATES, ORDERINGS } from "../../../shared/webhook-states";
import { FilterCondition } from "../filter.wire";
import { DEFAULT_TIMEOUT, parseTimeout } from "../timeout.policy";
import { AUTO_RECOVER, BATCH, ORDERING } from "../wire";
import { type HeaderRefusal, MAX_HEADERS, MAX_NAME_LENGTH, MAX_VALUE_LENGTH, refusedHeaders, TOKEN } from "./headers.policy";

/** Counts Unicode characters, not UTF-16 units. */
const atMost = (length: number) => (text: string) => [...text].length <= length;
const tooLong = (length: number) => ({ error: `must have at most ${length} characters`, params: { sub_code: "TOO_LONG" } });

const Name = z.string().trim().min(1).refine(atMost(100), tooLong(100)).refine(isShown, MUST_BE_SHOWN).meta({ maxLength: 100 });
const Description = z.string().refine(atMost(255), tooLong(255)).nullable().meta({ maxLength: 255 });
const Url = z.string().min(1).max(2048).meta({ description: "HTTPS URL with a public address" });
/** Of at most thirty seconds. */
const durationFrom = (seconds: number) =>
	z
		.string()
		.max(100, { abort: true })
		.transform((text, ctx) => {
			const ms = parseTimeout(text, seconds * 1000);
			if (typeof ms === "number") return ms;
			ctx.addIssue({ code: "custom", message: `must be a duration from PT${seconds}S to PT30S`, params: { sub_code: ms } });
			return z.NEVER;
		});
const Timeout = durationFrom(1).meta({
	format: "duration",
	description: "ISO 8601 duration from PT1S to PT30S",
	examples: [DEFAULT_TIMEOUT],
});
export const Events = list(z.string(), { min: 1, max: 100 }).meta({
	description: "Event types to receive, the complete set; `GET /v1/webhooks/events/types` lists them",
});

export const MAX_CONDITIONS = 10;
/** Of all conditions together, because the commit of an event reads each of them for each endpoint. */
const MAX_VALUES = 50;
export const FilterBody = list(FilterCondition, { min: 1, max: MAX_CONDITIONS })
	.refine((filter) => filter.reduce((sum, condition) => sum + (condition.in?.length ?? 0), 0) <= MAX_VALUES, {
		error: `must have at most ${MAX_VALUES} values in all its conditions together`,
		params: { sub_code: "TOO_LONG" },
	})
	.nullable()
	.meta({
		description:
			"Conditions that must all hold for an event that the endpoint gets, at most 10 with 50 values together; null: no condition",
		examples: [
			[
				{ member: "type", in: ["repayment.*"] },
				{ member: "amount", min: 100_000 },
			],
		],
	});

const DEFAULT_MAX_IN_FLIGHT = 10;
const MaxInFlight = z.int().min(1).max(50).meta({ description: "How many attempts may be under way at the endpoint at once" });
const RateLimit = z.int().min(1).max(1_000).nullable().meta({ description: "Attempts a second; null: no limit" });

const Ordering = z.enum(ORDERINGS).meta({ description: `${ORDERING}. Applies to what happens from then on.` });

const Batch = z
	.strictObject({
		max_events: z.int().min(1).max(MAX_BATCH_SIZE).meta({ description: "How many deliveries one request carries at most" }),
		max_wait: durationFrom(0)
			.prefault("PT0S")
			.meta({
				format: "duration",
				description: "How long a new delivery waits for others: ISO 8601 duration from PT0S to PT30S",
				examples: ["PT5S"],
			}),
	})
	.nullable()
	.meta({ description: BATCH, examples: [{ max_events: 100, max_wait: "PT5S" }] });
/** The columns of an endpoint's batches. */
export const batchColumns = (batch: z.output<typeof Batch>) => ({
	batchSize: batch?.max_events ?? null,
	batchWaitMs: batch?.max_wait ?? 0,
});

const AutoRecover = z.boolean().meta({ description: AUTO_RECOVER });

const HEADER_REFUSALS: Record<HeaderRefusal, [reason: string, sub_code: SubCode]> = {
	NAME_MALFORMED: ["must be the name of an HTTP header", "INVALID_FORMAT"],
	NAME_TOO_LONG: [`must have a name of at most ${MAX_NAME_LENGTH} characters`, "TOO_LONG"],
	NAME_RESERVED: ["is set by the service or by the connection", "NOT_ALLOWED"],
	NAME_REPEATED: ["is there twice; upper and lower case are the same", "DUPLICATE"],
	VALUE_MALFORMED: ["must be printable ASCII, without spaces at its ends", "INVALID_FORMAT"],
	VALUE_TOO_LONG: [`must have at most ${MAX_VALUE_LENGTH} characters`, "TOO_LONG"],
};

const Headers = bounded(
	z.record(z.string(), z.string()).superRefine((headers, ctx) => {
		for (const { name, refusal } of refusedHeaders(headers)) {
			const [message, sub_code] = HEADER_REFUSALS[refusal];
			ctx.addIssue({ code: "custom", path: [name], message, params: { sub_code } });
		}
	}),
	MAX_HEADERS,
).meta({
	propertyNames: { pattern: TOKEN.source, maxLength: MAX_NAME_LENGTH },
	description: "Headers that every delivery to the endpoint carries, the complete set; at most 10. Reads show their values masked.",
	examples: [{ Authorization: "Bearer 5f1c7a90e3d24b68" }],
});

export const NewEndpoint = z.strictObject({
	name: Name,
	description: Description.optional(),
	url: Url,
	events: Events,
	filter: FilterBody.default(null),
	timeout: Timeout.prefault(DEFAULT_TIMEOUT),
	max_in_flight: MaxInFlight.default(DEFAULT_MAX_IN_FLIGHT),
	rate_limit: RateLimit.default(null),
	ordering: Ordering.default("NONE"),
	batch: Batch.default(null),
	auto_recover: AutoRecover.default(false),
	headers: Headers.default({}),
});

export const EndpointChanges = z
	.strictObject({
		description: Description,
		url: Url,
		status: z.enum(ENDPOINT_STATES),
		events: Events,
		filter: FilterBody,
		timeout: Timeout,
		max_in_flight: MaxInFlight,
		rate_limit: RateLimit,
		ordering: Ordering,
		batch: Batch,
		auto_recover: AutoRecover,
		headers: Headers,
	})
	.partial();
