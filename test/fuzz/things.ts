// What the service has answered, by name: the ids, cursors, codes and tokens that later requests refer to.

import type { ServiceDocument } from "./document.ts";
import { nameInPath } from "./draft.ts";
import { REFERENCE } from "./values.ts";

/** How many values of one name are kept: the first, which are the cast's own, and the newest of the others. */
const KEPT_FIRST = 20;
const KEPT = 60;

export class Things {
	readonly #known = new Map<string, string[]>();
	/** Members that requests have: only their values are remembered. */
	readonly #wanted = new Set<string>();
	/** What the ids of a collection are called elsewhere. */
	readonly #aliases = new Map<string, Set<string>>();
	/** Values with this text are not handed on: a stranger who sent one would find it in the answer, and that would prove nothing. */
	readonly #canary: string;

	constructor(document: ServiceDocument, canary: string) {
		this.#canary = canary;
		for (const operation of document.operations) {
			for (const { in: place, name } of operation.parameters) {
				if (place === "query") this.#wanted.add(name);
				if (place !== "path") continue;
				const collection = operation.path.slice(0, operation.path.indexOf(`/{${name}}`));
				const aliases = this.#aliases.get(collection) ?? new Set([collection]);
				this.#aliases.set(collection, aliases.add(nameInPath(operation.path, name)));
			}
			const collect = (schema: unknown, depth: number): void => {
				if (typeof schema !== "object" || schema === null || depth > 6) return;
				const { properties = {}, items } = document.resolve(schema as { [keyword: string]: unknown });
				for (const [name, one] of Object.entries(properties as object)) {
					this.#wanted.add(name);
					collect(one, depth + 1);
				}
				collect(items, depth + 1);
			};
			collect(operation.body, 0);
		}
		// Enumerations and flags have values of their own, and no request depends on names and texts.
		for (const name of ["id", "status", "name", "description", "role", "outcome", "kind", "size", "type"]) this.#wanted.delete(name);
	}

	learn(name: string, value: string): void {
		if (value.includes(this.#canary) || value.length > 8_192) return;
		const values = this.#known.get(name) ?? [];
		this.#known.set(name, values);
		if (values.push(value) > KEPT) values.splice(KEPT_FIRST, 1);
	}

	/** Remembers from an answer what later requests may refer to. */
	learnFrom(path: string, body: unknown): void {
		const rows = body !== null && typeof body === "object" && "data" in body && Array.isArray(body.data) ? body.data.slice(0, 5) : [body];
		for (const row of rows) {
			const id: unknown = row !== null && typeof row === "object" && "id" in row ? row.id : undefined;
			if (typeof id !== "string") continue;
			for (const alias of this.#aliases.get(path) ?? []) this.learn(alias, id);
		}
		const visit = (value: unknown, depth: number): void => {
			if (typeof value !== "object" || value === null || depth > 4) return;
			for (const [name, member] of Object.entries(value).slice(0, 50)) {
				if (typeof member === "string" && (this.#wanted.has(name) || name.endsWith("_id"))) this.learn(name, member);
				visit(member, depth + 1);
			}
		};
		for (const row of rows) visit(row, 0);
		if (body !== null && typeof body === "object" && "links" in body) {
			const { next, prev } = body.links as { next?: unknown; prev?: unknown };
			for (const cursor of [next, prev]) if (typeof cursor === "string") for (const name of ["after", "before"]) this.learn(name, cursor);
		}
	}

	/** Fills in the references of a text; `write` says how a value stands there. */
	fill(text: string, write: (value: string) => string): string {
		return text.replaceAll(REFERENCE, (_, name: string, pick: string) => {
			const values = this.#known.get(name) ?? [];
			const number = Number(pick);
			return write(values[number % Math.max(1, values.length)] ?? `00000000-0000-7000-8000-${number.toString(16).padStart(12, "0")}`);
		});
	}
}
