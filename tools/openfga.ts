// `npm run -s openfga -- model | load | check | sync`: the authorization model that the service asks OpenFGA by, and what the store must say.

import path from "node:path";
import * as z from "zod";
import { misused, readCommandLine } from "../src/dev/command-line.ts";
import { defaultStatePath } from "../src/dev/service.ts";
import { authorizationModel, type Model, missingIn } from "./openfga/model.ts";
import { ask, Failed, storePath } from "./openfga/server.ts";

const usage = `npm run -s openfga -- <command> [options]

  model   prints the authorization model, made of the service's roles and permissions
  load    makes a store with this model, and prints OPENFGA_STORE_ID and OPENFGA_MODEL_ID; with OPENFGA_STORE_ID set,
          only the model
  check   says which relations that the service asks for are missing in the model OPENFGA_MODEL_ID of the store
  sync    compares the tuples of the store with the members and grants of the service, and prints what differs; ends with 1 if
          anything does

  --write             sync writes what the store lacks, and removes what it has too much
  --env <name>        sync reads the databases of this environment of wrangler.toml, by wrangler
  --persist-to <dir>  sync reads the data of npm start in this directory (default .wrangler/state)

load, check and sync call OPENFGA_URL, with OPENFGA_TOKEN if it is set. When nothing answers there, they end with 3.
`;

const { positionals, values } = readCommandLine(usage, {
	allowPositionals: true,
	options: { write: { type: "boolean" }, env: { type: "string" }, "persist-to": { type: "string" } },
});
const [command, ...more] = positionals;
if (more.length > 0) misused(usage, `Only one command can be run: ${more[0]}`);

const variable = (name: string): string => process.env[name] || misused(usage, `${name} is not set.`);

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
	if (missing.length > 0) throw new Failed(`The model lacks what the service asks for:\n${missing.join("\n")}`);
	process.stdout.write("The model has every relation that the service asks for.\n");
}

async function sync(): Promise<void> {
	const [{ heldIn, localDatabases, remoteDatabases }, { sync }] = await Promise.all([
		import("./openfga/held.ts"),
		import("./openfga/sync.ts"),
	]);
	const { env, write = false, "persist-to": directory } = values;
	const of = { store: variable("OPENFGA_STORE_ID"), model: variable("OPENFGA_MODEL_ID"), write };
	const databases = env === undefined ? localDatabases(directory ? path.resolve(directory) : defaultStatePath) : await remoteDatabases(env);
	const differs = await sync(
		of,
		() => heldIn(databases),
		(line) => void process.stdout.write(`${line}\n`),
	);
	if (differs) process.exitCode = 1;
}

const commands: Readonly<Record<string, () => Promise<void> | void>> = {
	model: () => void process.stdout.write(`${JSON.stringify(authorizationModel(), null, "\t")}\n`),
	load,
	check,
	sync,
};
const run = command === undefined ? undefined : commands[command];
if (!run) misused(usage, command === undefined ? "The command is missing." : `There is no such command: ${command}`);
if (command !== "model") variable("OPENFGA_URL");
try {
	await run();
} catch (error) {
	if (!(error instanceof Failed)) throw error;
	process.stderr.write(`${error.message}\n`);
	process.exitCode = error.code;
}
