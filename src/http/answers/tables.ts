// Lists as tables, for spreadsheets and ledgers: CSV (RFC 4180) with a column for each member of a row, or NDJSON. The neighbours of a
// page are in the `Link` header.

import type { $ZodType, $ZodTypes } from "zod/v4/core";
import type { Sheet } from "../sheet";

export const TABULAR_TYPES = ["text/csv", "application/x-ndjson"] as const;
export type TabularType = (typeof TABULAR_TYPES)[number];

/** A file that people print. */
export const PRINTED_TYPE = "application/pdf" as const;

/** The one of the types that the header prefers to JSON; undefined for JSON. Generated clients list all types of the document alike. */
export function preferred<Type extends string>(accept: string | undefined, types: readonly Type[]): Type | undefined {
	const ranges = (accept ?? "").split(",").map((range) => {
		const [type = "", ...parameters] = range.split(";").map((part) => part.trim().toLowerCase());
		const q = parameters.find((parameter) => parameter.startsWith("q="));
		return { type, quality: q === undefined ? 1 : Number(q.slice(2)) };
	});
	const qualityOf = (...types: string[]) => Math.max(0, ...ranges.flatMap(({ type, quality }) => (types.includes(type) ? quality : [])));
	const json = qualityOf("application/json");
	const any = qualityOf("application/*", "*/*");
	const [best] = types.map((type) => ({ type, quality: qualityOf(type) })).sort((a, b) => b.quality - a.quality);
	return best && best.quality > 0 && best.quality > json && best.quality >= any ? best.type : undefined;
}

/** The rows of the list in the body, which the schema describes. `as`: `data`, the list of this name, or CSV of a form of its own. */
export function tableOf(type: TabularType, schema: $ZodType, body: string, as: true | "entries" | Sheet = true): string {
	const list = as === "entries" ? as : "data";
	const data = (JSON.parse(body) as { [member: string]: readonly unknown[] })[list] ?? [];
	if (type === "application/x-ndjson") return data.map((row) => `${JSON.stringify(row)}\n`).join("");
	if (typeof as === "function") return as(data);
	const columns = columnsOf(rowOf(schema, list));
	const lines = [columns.map((path) => path.join(".")), ...data.map((row) => columns.map((path) => cellOf(valueAt(row, path))))];
	return lines.map((cells) => `${cells.join(",")}\r\n`).join("");
}

type Path = readonly (string | number)[];

/** The schema of the rows: what the array holds. */
function rowOf(schema: $ZodType, name: string): $ZodType {
	const { def } = (schema as $ZodTypes)._zod;
	const list = def.type === "object" ? (def.shape[name] as $ZodTypes | undefined) : undefined;
	if (list?._zod.def.type !== "array") throw new TypeError("only a list is a table");
	return list._zod.def.element;
}

/** A column for each value: members of members have names with a full stop, those of an array of fixed length their place. */
function columnsOf(schema: $ZodType, path: Path = []): Path[] {
	const { def } = (schema as $ZodTypes)._zod;
	switch (def.type) {
		case "object":
			return Object.entries(def.shape).flatMap(([name, member]) => columnsOf(member, [...path, name]));
		case "nullable":
		case "optional":
			return columnsOf(def.innerType, path);
		case "array": {
			const length = lengthOf(def);
			return Array.from({ length }, (_, index) => columnsOf(def.element, [...path, index])).flat();
		}
		default:
			return [path];
	}
}

function lengthOf({ checks }: { readonly checks?: readonly { readonly _zod: { readonly def: unknown } }[] | undefined }): number {
	for (const { _zod } of checks ?? []) {
		const { check, length } = _zod.def as { check?: string; length?: number };
		if (check === "length_equals" && length !== undefined) return length;
	}
	throw new TypeError("an array in a table has a fixed length");
}

const valueAt = (row: unknown, path: Path): unknown =>
	path.reduce<unknown>((value, step) => (value as Record<string | number, unknown> | null | undefined)?.[step], row);

/** Text that a spreadsheet would take for a formula begins with an apostrophe. */
export function cellOf(value: unknown): string {
	if (value === null || value === undefined) return "";
	if (typeof value !== "string" && typeof value !== "object") return String(value);
	// Programs of some languages part cells at semicolons, and take the wide forms of the signs too.
	const written = typeof value === "string" ? value : JSON.stringify(value);
	const text = /^[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/.test(written) ? `'${written}` : written;
	return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
