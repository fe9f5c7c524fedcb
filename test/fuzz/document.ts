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

const Response = z.object({ description: z.string(), content: Content });

const Document = z.object({
	paths: z.record(
		z.string(),
		z.record(
			z.string(),
			z.object({
				operationId: z.string(),
				parameters: z
					.array(z.object({ name: z.string(), in: z.enum(["path", "query", "header"]), required: z.boolean(), schema: z.looseObject({}) }))
					.default([]),
				requestBody: z.object({ content: Content }).optional(),
				responses: z.record(z.string(), z.union([z.object({ $ref: z.string() }), Response])),
			}),
		),
	),
	components: z.object({ schemas: z.record(z.string(), z.looseObject({})), responses: z.record(z.string(), Response) }),
});

const REFERENCE = "#/components/schemas/";
const RESPONSE = "#/components/responses/";

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
				parameters: operation.parameters,
				body: operation.requestBody?.content?.["application/json"].schema,
				answers: new Map(
					Object.entries(operation.responses).map(([status, response]) => {
						const named = "$ref" in response ? components.responses[response.$ref.slice(RESPONSE.length)] : response;
						const schema = named?.content?.["application/json"].schema;
						return [Number(status), { schema }];
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
