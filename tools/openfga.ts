// `npm run -s openfga -- model | load | check`: the authorization model that the service asks OpenFGA by.

import * as z from "zod";
import { misused, readCommandLine } from "../src/dev/command-line.ts";
import { authorizationModel, type Model, missingIn } from "./openfga/model.ts";

const usage = `npm run -s openfga -- <command>

  model   prints the authorization model, made of the service's roles and permissions
  load    makes a store with this model, and prints OPENFGA_STORE_ID and OPENFGA_MODEL_ID; with OPENFGA_STORE_ID set,
          only the model
  check   says which relations that the service asks for are missing in the model OPENFGA_MODEL_ID of the store

load and check call OPENFGA_URL, with OPENFGA_TOKEN if it is set.
`;

const TIMEOUT_MS = 10_000;

const { positionals } = readCommandLine(usage, { allowPositionals: true, options: {} });
const [command, ...more] = positionals;
if (more.length > 0) misused(usage, `Only one command can be run: ${more[0]}`);

const variable = (name: string): string => process.env[name] || misused(usage, `${name} is not set.`);

function fail(problem: string): never {
	process.stderr.write(`${problem}\n`);
	process.exit(1);
}

/** What OpenFGA answers at this path. Ends the process with what it says when it refuses. */
async function ask<T>(schema: z.ZodType<T>, path: string, body?: object): Promise<T> {
	const { OPENFGA_TOKEN } = process.env;
	const url = `${variable("OPENFGA_URL").replace(/\/+$/, "")}${path}`;
	const response = await fetch(url, {
		method: body ? "POST" : "GET",
		headers: { "Content-Type": "application/json", ...(OPENFGA_TOKEN && { Authorization: `Bearer ${OPENFGA_TOKEN}` }) },
		...(body && { body: JSON.stringify(body) }),
		redirect: "manual",
		signal: AbortSignal.timeout(TIMEOUT_MS),
	}).catch((error: unknown) => fail(`${url} does not answer: ${error instanceof Error ? error.message : error}`));
	const text = await response.text();
	if (!response.ok) fail(`${url} answers ${response.status}: ${text.slice(0, 1_000)}`);
	try {
		return schema.parse(JSON.parse(text));
	} catch {
		return fail(`${url} answers what OpenFGA would not: ${text.slice(0, 200)}`);
	}
}

const storePath = (id: string) => `/stores/${encodeURIComponent(id)}`;

async function load(): Promise<void> {
	const { OPENFGA_STORE_ID } = process.env;
	const store = OPENFGA_STORE_ID || (await ask(z.object({ id: z.string() }), "/stores", { name: "financial-account-service" })).id;
	const made = await ask(
		z.object({ authorization_model_id: z.string() }),
		`${storePath(store)}/authorization-models`,
		authorizationModel(),
	);
	process.stdout.write(`OPENFGA_STORE_ID=${store}\nOPENFGA_MODEL_ID=${made.authorization_model_id}\n`);
}

const Stored = z.object({
	authorization_model: z.object({
		type_definitions: z.array(z.looseObject({ type: z.string(), relations: z.record(z.string(), z.unknown()).nullish() })),
	}),
});

async function check(): Promise<void> {
	const [store, model] = [variable("OPENFGA_STORE_ID"), variable("OPENFGA_MODEL_ID")];
	const stored = await ask(Stored, `${storePath(store)}/authorization-models/${encodeURIComponent(model)}`);
	const missing = missingIn(stored.authorization_model as Pick<Model, "type_definitions">);
	if (missing.length > 0) fail(`The model lacks what the service asks for:\n${missing.join("\n")}`);
	process.stdout.write("The model has every relation that the service asks for.\n");
}

if (command === "model") process.stdout.write(`${JSON.stringify(authorizationModel(), null, "\t")}\n`);
else if (command === "load") await load();
else if (command === "check") await check();
else misused(usage, command === undefined ? "The command is missing." : `There is no such command: ${command}`);
