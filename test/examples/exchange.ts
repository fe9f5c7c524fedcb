// One request and its answer, as the tests report them (`test/support/recording.ts`), and the example that is made of them.

import type { Examples } from "../../src/http/reference/openapi.examples.ts";
import type { Exchange } from "../support/recording.ts";
import { Stable } from "./stable.ts";

export type Recorded = Exchange & { readonly key: string; readonly members: number };
/** What the document knows of an operation's parameters. */
export type Parameters = readonly { readonly name: string; readonly in: string; readonly schema: { readonly type?: string } }[];
type Sent = Examples["operations"][string]["request"];

/** The example: what was sent, and the body that was answered. */
export function exampleOf({ path, url, sent, answer, now }: Recorded, parameters: Parameters): { request: Sent; answer: unknown } {
	const { pathname, searchParams } = new URL(url);
	const segments = pathname.split("/");
	const inPath = path.split("/").flatMap((segment, index) => {
		const [, name] = /^{(\w+)}$/.exec(segment) ?? [];
		return name === undefined ? [] : [[name, decodeURIComponent(segments[index] ?? "")] as const];
	});
	const inQuery = [...new Set(searchParams.keys())].map((name) => [name, typed(searchParams.getAll(name), name, parameters)] as const);
	const stable = new Stable(now);
	return {
		request: {
			...(inPath.length > 0 && { path: stable.of(Object.fromEntries(inPath)) as never }),
			...(inQuery.length > 0 && { query: stable.of(Object.fromEntries(inQuery) as never) as never }),
			...(sent !== "" && { body: stable.of(bodyOf(sent)) }),
		},
		answer: answer === "" ? undefined : stable.of(JSON.parse(answer, answer.length > LONG ? shortened : undefined)),
	};
}

/** In characters. Of longer answers, lists have their first two items. */
const LONG = 6_000;
const shortened = (_: string, value: unknown) => (Array.isArray(value) ? value.slice(0, 2) : value);

/** A list's items may be sent one a line, and a provider's report is a form. */
function bodyOf(sent: string) {
	try {
		return JSON.parse(sent);
	} catch {
		if (!sent.startsWith("{")) return Object.fromEntries(new URLSearchParams(sent));
		return sent
			.trim()
			.split("\n")
			.map((line) => JSON.parse(line));
	}
}

function typed(values: readonly string[], name: string, parameters: Parameters): unknown {
	const type = parameters.find((parameter) => parameter.in === "query" && parameter.name === name)?.schema.type;
	const [first = ""] = values;
	if (type === "integer" || type === "number") return Number(first);
	if (type === "boolean") return first === "true";
	return type === "array" ? values : first;
}
