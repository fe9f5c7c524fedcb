// An endpoint's settings while they are edited, pure.

import type { FilterCondition, WebhookEndpoint } from "../../typed.ts";

/** A condition as it is typed. */
export interface Condition {
	readonly member: string;
	readonly test: "in" | "min" | "max";
	readonly value: string;
}

export interface Draft {
	readonly name: string;
	readonly url: string;
	readonly description: string;
	readonly events: readonly string[];
	readonly filter: readonly Condition[];
	readonly timeout: string;
	readonly max_in_flight: string;
	readonly rate_limit: string;
	/** How many deliveries one request carries; empty: each has its own. */
	readonly batch: string;
	readonly batch_wait: string;
	readonly ordering: boolean;
	readonly auto_recover: boolean;
}

export const EMPTY: Draft = {
	name: "",
	url: "",
	description: "",
	events: [],
	filter: [],
	timeout: "5",
	max_in_flight: "10",
	rate_limit: "",
	batch: "",
	batch_wait: "0",
	ordering: false,
	auto_recover: false,
};

/** Of `PT5S`; other forms of so short a time are not written. */
const secondsOf = (duration: string): string => /^PT(\d+(?:\.\d+)?)S$/.exec(duration)?.[1] ?? "5";

export function draftOf(of: WebhookEndpoint): Draft {
	const { name, url, description, events, timeout, max_in_flight, rate_limit, ordering, batch, auto_recover, filter } = of;
	return {
		name,
		url,
		description: description ?? "",
		events,
		filter: (filter ?? []).flatMap(({ member, in: any, min, max }) => [
			...(any ? [{ member, test: "in" as const, value: any.join(", ") }] : []),
			...(min !== undefined ? [{ member, test: "min" as const, value: String(min) }] : []),
			...(max !== undefined ? [{ member, test: "max" as const, value: String(max) }] : []),
		]),
		timeout: secondsOf(timeout),
		max_in_flight: String(max_in_flight),
		rate_limit: rate_limit === null ? "" : String(rate_limit),
		batch: batch ? String(batch.max_events) : "",
		batch_wait: batch ? secondsOf(batch.max_wait) : "0",
		ordering: ordering === "ENTITY",
		auto_recover,
	};
}

/** A word that is a number or a truth value in JSON is one here. */
function scalar(text: string): string | number | boolean {
	if (text === "true" || text === "false") return text === "true";
	return /^-?(?:0|[1-9]\d{0,14})(?:\.\d+)?$/.test(text) ? Number(text) : text;
}

export function conditionsOf({ filter }: Pick<Draft, "filter">): FilterCondition[] | null {
	const conditions = filter
		.filter(({ member, value }) => member.trim() !== "" && value.trim() !== "")
		.map(({ member, test, value }): FilterCondition => {
			if (test !== "in") return { member: member.trim(), [test]: Number(value) };
			const any = value.split(",").map((each) => each.trim());
			return { member: member.trim(), in: any.filter((each) => each !== "").map(scalar) };
		});
	return conditions.length > 0 ? conditions : null;
}

/** What is sent: the whole set, so that what was taken out is taken out. */
export function settingsOf(draft: Draft) {
	const { url, description, events, timeout, max_in_flight, rate_limit, batch, batch_wait, ordering, auto_recover } = draft;
	return {
		url,
		description: description.trim() === "" ? null : description,
		events,
		filter: conditionsOf(draft),
		timeout: `PT${timeout}S`,
		max_in_flight: Number(max_in_flight),
		rate_limit: rate_limit === "" ? null : Number(rate_limit),
		batch: batch === "" ? null : { max_events: Number(batch), max_wait: `PT${batch_wait}S` },
		ordering: ordering ? ("ENTITY" as const) : ("NONE" as const),
		auto_recover,
	};
}
