// The schemas of an OpenAPI document, by their place in it, as a validator of JSON Schema that knows nothing of the code reads them.

import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";

type Json = { [name: string]: unknown };

export class DocumentSchemas {
	readonly #document: Json;
	readonly #ajv = new Ajv2020({ validateSchema: false, strictTypes: false, code: { optimize: false } });

	constructor(document: object) {
		this.#document = document as Json;
		formats.default(this.#ajv);
		this.#ajv.addVocabulary(Object.keys(document));
		this.#ajv.addSchema(closed(document) as object, "document");
	}

	/** What is here, and where: another place, if this one only names it. */
	at(place: readonly string[]): { value: unknown; place: readonly string[] } {
		const value = place.reduce<unknown>((inner, name) => (inner as Json | undefined)?.[name], this.#document) as Json | undefined;
		if (typeof value?.$ref !== "string" || !value.$ref.startsWith("#/components/responses/")) return { value, place };
		return this.at(value.$ref.slice(2).split("/"));
	}

	/** What is wrong with the value by the schema at this place; undefined: nothing. */
	complaint(place: readonly string[], value: unknown): string | undefined {
		const validate = this.#ajv.getSchema(`document#${pointer(this.at(place).place)}`);
		if (!validate) return `there is no schema at ${pointer(place)}`;
		return validate(value) ? undefined : this.#ajv.errorsText(validate.errors);
	}
}

/** Of an object, about which another part of the document says what members it has. */
const PARTS = new Set(["allOf", "if", "then", "else", "not"]);

/** Clients must bear members that the document does not name, but there must be none. */
function closed(schema: unknown, part = false): unknown {
	if (Array.isArray(schema)) return schema.map((item) => closed(item, part));
	if (typeof schema !== "object" || schema === null) return schema;
	const members = Object.entries(schema).map(
		([name, value]) => [name, name === "example" ? value : closed(value, PARTS.has(name))] as const,
	);
	return { ...("properties" in schema && !part && { additionalProperties: false }), ...Object.fromEntries(members) };
}

const pointer = (place: readonly string[]) =>
	place.map((name) => `/${encodeURIComponent(name.replaceAll("~", "~0").replaceAll("/", "~1"))}`).join("");
