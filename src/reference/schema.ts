// Schemas as people read them: a list of members with their types, limits and meaning, and links to what they name.

import { html } from "hono/html";
import type { HtmlEscapedString } from "hono/utils/html";
import { nameIn, type Schema } from "./contents";

export type Html = HtmlEscapedString | Promise<HtmlEscapedString>;
/** The address of a model, from the page that is made. */
export type ModelLink = (name: string) => string;

const FORMATS: Readonly<Record<string, string>> = { "date-time": "instant", date: "date", uuid: "UUID", email: "mail address", uri: "URL" };

/** Text of the document: code between backticks. */
export const prose = (text: string): Html =>
	html`${text.split("`").map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))}`;

const choicesOf = (schema: Schema): readonly Schema[] | undefined => (schema.anyOf ?? schema.oneOf) as Schema[] | undefined;
const isNull = ({ type }: Schema): boolean => type === "null";

/** The choices without null, and whether null is one of them. */
function without(schema: Schema): { choices: readonly Schema[]; nullable: boolean } {
	const choices = choicesOf(schema) ?? [schema];
	const types = Array.isArray(schema.type) ? (schema.type as string[]) : undefined;
	return { choices: choices.filter((one) => !isNull(one)), nullable: choices.some(isNull) || types?.includes("null") === true };
}

function named(schema: Schema): string {
	if (schema.const !== undefined) return "constant";
	if (typeof schema.format === "string" && FORMATS[schema.format]) return FORMATS[schema.format] ?? "";
	const types = [schema.type].flat().filter((type): type is string => typeof type === "string" && type !== "null");
	if (types.length === 0) return Array.isArray(schema.enum) ? "string" : "any";
	return types.join(" or ");
}

function typeOf(schema: Schema, link: ModelLink): Html {
	const { choices, nullable } = without(schema);
	const parts = choices.map((one) => {
		if (typeof one.$ref === "string") return html`<a href="${link(nameIn(one.$ref))}">${nameIn(one.$ref)}</a>`;
		if (one.type === "array") return html`array of ${typeOf((one.items as Schema | undefined) ?? {}, link)}`;
		if (choicesOf(one)) return typeOf(one, link);
		return html`${named(one)}`;
	});
	const distinct = parts.filter((part, index) => parts.findIndex((other) => String(other) === String(part)) === index);
	return html`${distinct.map((part, index) => html`${index > 0 ? " or " : ""}${part}`)}${nullable ? " or null" : ""}`;
}

const range = (least: unknown, most: unknown, unit: string): string | undefined => {
	const of = unit ? ` ${unit}` : "";
	if (least !== undefined && most !== undefined) return least === most ? `exactly ${least}${of}` : `${least} to ${most}${of}`;
	if (least !== undefined) return `at least ${least}${of}`;
	return most === undefined ? undefined : `at most ${most}${of}`;
};

/** Patterns that a format already says, and those that are longer than their meaning. */
const told = ({ format, pattern, type }: Schema): string | undefined =>
	format === undefined && type === "string" && typeof pattern === "string" && pattern.length <= 60 ? `matches ${pattern}` : undefined;

function limitsOf(schema: Schema): string[] {
	const own = [
		range(schema.minLength, schema.maxLength, "characters"),
		range(schema.minItems, schema.maxItems, "items"),
		range(schema.minimum, schema.maximum, ""),
		schema.exclusiveMinimum === undefined ? undefined : `more than ${schema.exclusiveMinimum}`,
		told(schema),
		schema.default === undefined ? undefined : `default ${JSON.stringify(schema.default)}`,
	].filter((limit) => limit !== undefined);
	return [...own, ...(choicesOf(schema) ?? []).flatMap(limitsOf)];
}

/** The values of an enumeration, wherever in the type they stand. */
function valuesOf(schema: Schema): unknown[] {
	if (schema.const !== undefined) return [schema.const];
	if (Array.isArray(schema.enum)) return schema.enum.filter((value) => value !== null);
	if (schema.type === "array") return valuesOf((schema.items as Schema | undefined) ?? {});
	return (choicesOf(schema) ?? []).flatMap(valuesOf);
}

/** The objects within: of the type itself, of its items, of its choices. */
function objectsIn(schema: Schema): Schema[] {
	if (schema.properties) return [schema];
	if (schema.type === "array") return objectsIn((schema.items as Schema | undefined) ?? {});
	if (schema.type === "object" && typeof schema.additionalProperties === "object")
		return objectsIn((schema.additionalProperties as Schema | null) ?? {});
	return (choicesOf(schema) ?? []).flatMap(objectsIn);
}

type Row = {
	readonly name: string;
	readonly schema: Schema;
	readonly required?: boolean;
	readonly description?: string | undefined;
	readonly place?: string;
	readonly example?: unknown;
};

/** One member or parameter. `open`: what lies within is shown, and not folded. */
export function row({ name, schema, required, description, place, example }: Row, link: ModelLink): Html {
	const text = description ?? (schema.description as string | undefined);
	const values = valuesOf(schema);
	const within = objectsIn(schema);
	const limits = limitsOf(schema);
	return html`<li${place ? html` data-in="${place}" data-name="${name}"` : ""}${example === undefined ? "" : html` data-example="${String(example)}"`}><p><code>${name}</code> <span>${typeOf(schema, link)}${limits.length > 0 ? `, ${limits.join(", ")}` : ""}</span>${required ? html` <b>required</b>` : ""}</p>${text ? html`<p>${prose(text)}</p>` : ""}${values.length > 0 ? html`<p>${values.map((value, index) => html`${index > 0 ? " " : ""}<code>${String(value)}</code>`)}</p>` : ""}${within.map((one, index) => html`<details><summary>${within.length > 1 ? choiceName(one, index) : `Members of ${name}`}</summary>${members(one, link)}</details>`)}</li>`;
}

/** A choice is named by its constants: `type: CARD`. */
function choiceName({ properties }: Schema, index: number): string {
	const constants = Object.entries((properties ?? {}) as Record<string, Schema>).flatMap(([name, one]) => {
		const values = valuesOf(one);
		return one.const !== undefined || values.length === 1 ? [`${name} ${String(values[0])}`] : [];
	});
	return constants.length > 0 ? constants.slice(0, 2).join(", ") : `Choice ${index + 1}`;
}

/** The members of an object as a list. */
export function members(schema: Schema, link: ModelLink): Html {
	const required = new Set(schema.required as string[] | undefined);
	const properties = Object.entries((schema.properties as Record<string, Schema> | undefined) ?? {});
	if (properties.length === 0) return html`<p>${typeOf(schema, link)}</p>`;
	return html`<ul class="members">${properties.map(([name, one]) => row({ name, schema: one, required: required.has(name) }, link))}</ul>`;
}

/** A body: members of an object, or of each of its choices, or the name of a model. */
export function shape(schema: Schema, link: ModelLink): Html {
	if (typeof schema.$ref === "string") return html`<p>${typeOf(schema, link)}</p>`;
	const within = objectsIn(schema);
	if (schema.type !== "array" && within.length === 1 && within[0]) return members(within[0], link);
	if (within.length === 0) return html`<p>${typeOf(schema, link)}</p>`;
	return html`<p>${typeOf(schema, link)}</p>${within.map((one, index) => html`<details><summary>${within.length > 1 ? choiceName(one, index) : "Members of each"}</summary>${members(one, link)}</details>`)}`;
}
