// The OpenAPI document of the running service as the fuzz reads it: what each operation takes and what it may answer.
// Nothing here knows an operation by name, so a new one is fuzzed as soon as the service publishes it.

import * as z from "zod";

export type Schema = { readonly [keyword: string]: unknown };

export interface Parameter {
	readonly name: string;
	readonly in: "path" | "query" | "header";
	readonly required: boolean;
	readonly schema: Schema;
}

export interface Declared {
	/** Undefined: the answer has no body. */
	readonly schema: Schema | undefined;
}

export interface Operation {
	readonly id: string;
	readonly method: string;
	readonly path: string;
	readonly parameters: readonly Parameter[];
	readonly body: Schema | undefined;
	readonly answers: ReadonlyMap<number, Declared>;
}

const Content = z.object({ "application/json": z.object({ schema: z.looseObject({}) }) }).optional();

const Reference = z.object({ $ref: z.string() });

const Parameter = z.object({
	name: z.string(),
	in: z.enum(["path", "query", "header"]),
	required: z.boolean().default(false),
	schema: z.looseObject({}),
});

const Response = z.object({ description: z.string(), content: Content });

const Document = z.object({
	paths: z.record(
		z.string(),
		z.record(
			z.string(),
			z.object({
				operationId: z.string(),
				parameters: z.array(z.union([Reference, Parameter])).default([]),
				requestBody: z.object({ content: Content }).optional(),
				responses: z.record(z.string(), z.union([Reference, Response])),
			}),
		),
	),
	components: z.object({
		schemas: z.record(z.string(), z.looseObject({})),
		parameters: z.record(z.string(), Parameter).default({}),
		responses: z.record(z.string(), Response),
	}),
});

const REFERENCE = "#/components/schemas/";

/** What stands at a place of the document, or what is named there. */
function resolved<T extends object>(value: T | z.infer<typeof Reference>, components: Readonly<Record<string, T>>): T {
	if (!("$ref" in value)) return value;
	const found = components[value.$ref.slice(value.$ref.lastIndexOf("/") + 1)];
	if (!found) throw new Error(`nothing is ${value.$ref}`);
	return found;
}

export class ServiceDocument {
	readonly operations: readonly Operation[];
	readonly #schemas: Readonly<Record<string, Schema>>;
	readonly #validators = new Map<string, z.ZodType>();

	constructor(json: unknown) {
		const { paths, components } = Document.parse(json);
		this.#schemas = components.schemas;
		this.operations = Object.entries(paths).flatMap(([path, methods]) =>
			Object.entries(methods).map(([method, operation]) => ({
				id: operation.operationId,
				method: method.toUpperCase(),
				path,
				parameters: operation.parameters.map((parameter) => resolved(parameter, components.parameters)),
				body: operation.requestBody?.content?.["application/json"].schema,
				answers: new Map(
					Object.entries(operation.responses).map(([status, response]) => {
						return [Number(status), { schema: resolved(response, components.responses).content?.["application/json"].schema }];
					}),
				),
			})),
		);
	}

	static async of(baseUrl: string): Promise<ServiceDocument> {
		return new ServiceDocument(await (await fetch(`${baseUrl}/openapi.json`)).json());
	}

	/** The schema itself where another is named by reference. */
	resolve(schema: Schema): Schema {
		const { $ref } = schema;
		const named = typeof $ref === "string" ? this.#schemas[$ref.slice(REFERENCE.length)] : undefined;
		return named ? this.resolve(named) : schema;
	}

	/** What is wrong with a value by its schema, and undefined when nothing is. */
	complaint(schema: Schema, value: unknown): string | undefined {
		const key = JSON.stringify(schema);
		let validator = this.#validators.get(key);
		if (!validator) {
			const local = (of: unknown) => JSON.parse(JSON.stringify(of).replaceAll(REFERENCE, "#/$defs/"));
			validator = z.fromJSONSchema({ ...local(schema), $defs: local(this.#schemas) });
			this.#validators.set(key, validator);
		}
		const result = validator.safeParse(value);
		return result.success ? undefined : z.prettifyError(result.error).slice(0, 500);
	}
}
