// The table of hostile inputs: for each operation, sent by somebody it lets in, bodies and members that are nested,
// long or many, queries that are long or many, and many headers. Prints what the worst cost in time and in memory.

import fc from "fast-check";
import { type Cast, TEMPLATES } from "./cast.ts";
import type { Operation, ServiceDocument } from "./document.ts";
import { draftsOf, type Header, nameInPath } from "./draft.ts";
import type { Connection, Sent } from "./exchange.ts";
import { printTable } from "./ledger.ts";
import { outOfBounds } from "./verdict.ts";
import { Raw, slotsOf, textOf, treeOf, WRONG_BODIES, WRONG_VALUES } from "./wrong.ts";

interface Run {
	readonly connection: Connection;
	readonly document: ServiceDocument;
	assemble(round: string): Promise<Cast>;
	readonly likely: ReadonlyMap<string, readonly string[]>;
	readonly seed: number;
	readonly only: string | undefined;
}

type Input = Pick<Sent, "path" | "headers" | "body">;

const HEAVY = 5_000;
const heavyValues = Object.entries(WRONG_VALUES).filter(([, text]) => text.length > HEAVY);
const SAMPLES = 8;
/** After how many operations the run says how far it is. */
const PROGRESS = 20;

export async function hostile({ connection, document, assemble, likely, seed, only }: Run): Promise<boolean> {
	const rows: (string | number)[][] = [];
	const say = (line: string) => void process.stdout.write(`${line}\n`);
	let broken = 0;
	/** Says at once what is out of its bounds, because such a run takes minutes and may be ended before its table. */
	const fail = (what: string) => {
		broken++;
		say(`FAILED  ${what}`);
	};
	const operations = document.operations.filter(({ id }) => only === undefined || id === only);
	if (operations.length === 0) throw new Error(`no operation is called ${only}`);
	let sent = 0;
	say(`Seed ${seed}: hostile inputs to ${operations.length} operations`);
	for (const [round, operation] of operations.entries()) {
		// Fresh callers and things: the operation before may have signed out or deleted them.
		const cast = await assemble(String(round + 1));
		const admitted = likely.get(operation.id) ?? [];
		// Owners first: others get 404 before their input is checked.
		const wanted = ["user", "owner", "API key", "operator", "provider"].find((one) => admitted.includes(one));
		const caller = cast.callers.find((one) => one.name === wanted) ?? cast.callers[0];
		let worstMs = { ms: 0, input: "" };
		let worstMb = { mb: 0, input: "" };
		let inputs = 0;
		const statuses = new Set<number>();
		for (const [name, input] of inputsOf(document, operation, seed)) {
			const { things } = cast;
			const body = input.body?.includes("@@") ? Buffer.from(things.fill(input.body.toString(), (value) => value)) : input.body;
			const path = things.fill(input.path, encodeURIComponent);
			const headers: Header[] = [...(caller?.credentials(body) ?? []), ...input.headers, ["Content-Type", "application/json"]];
			inputs++;
			const answer = await connection.send({ method: operation.method, path, headers, body }).catch((error: unknown) => String(error));
			if (typeof answer === "string") {
				fail(`${operation.id}, ${name}: ${answer}`);
				continue;
			}
			statuses.add(answer.status);
			if (answer.ms > worstMs.ms) worstMs = { ms: answer.ms, input: name };
			if ((answer.grownMb ?? 0) > worstMb.mb) worstMb = { mb: answer.grownMb ?? 0, input: name };
			for (const what of outOfBounds(operation.id, answer)) fail(`${operation.id}, ${name}: ${what}`);
		}
		sent += inputs;
		if ((round + 1) % PROGRESS === 0) say(`${round + 1} of ${operations.length} operations, ${sent} inputs, ${broken} out of bounds`);
		rows.push([
			operation.id,
			[...statuses].sort().join(" "),
			inputs,
			worstMs.ms.toFixed(1),
			worstMb.mb.toFixed(1),
			worstMs.input,
			worstMb.input,
		]);
	}
	printTable(say, ["operation", "answers", "inputs", "max ms", "max MB", "slowest", "heaviest"], rows);
	say(connection.memory);
	say(
		broken === 0
			? `All ${sent} hostile inputs stayed within their bounds.`
			: `${broken} of ${sent} hostile inputs did not stay within their bounds.`,
	);
	return broken === 0;
}

function* inputsOf(document: ServiceDocument, operation: Operation, seed: number): Generator<[name: string, input: Input]> {
	const path = operation.path.replaceAll(/{(\w+)}/g, (_, name: string) => `@@${nameInPath(operation.path, name)}:0@@`);
	const query = operation.parameters.filter((one) => one.in === "query").map(({ name }) => name);
	const bodies = operation.body ? bodiesOf(document, operation, seed) : [];
	const [plain] = bodies;
	const body = plain ? Buffer.from(textOf(treeOf(plain))) : undefined;

	yield ["1,000 headers", { path, headers: Array.from({ length: 1_000 }, (_, i) => [`X-Fuzz-${i}`, "a"] as const), body }];
	yield ["headers of 100 KB", { path, headers: Array.from({ length: 10 }, (_, i) => [`X-Fuzz-${i}`, "a".repeat(10_000)] as const), body }];
	yield ["an organization header of 60 KB", { path, headers: [["X-Organization-Id", "a".repeat(60_000)]], body }];
	for (const name of [...query, "unknown"]) {
		yield [`${name} 5,000 times`, { path: `${path}?${`${name}=1&`.repeat(5_000)}`, headers: [], body }];
		yield [`${name} of 60 KB`, { path: `${path}?${name}=${"a".repeat(60_000)}`, headers: [], body }];
		yield [`${name} of 8,000 brackets`, { path: `${path}?${name}=${"[".repeat(8_000)}`, headers: [], body }];
	}
	if (operation.method === "GET") return;
	for (const [name, bytes] of Object.entries(WRONG_BODIES)) yield [name, { path, headers: [], body: bytes }];
	const seen = new Set<string>();
	for (const base of bodies) {
		const tree = treeOf(base);
		for (const { place, put, take } of slotsOf(tree)) {
			if (seen.has(place)) continue;
			seen.add(place);
			const before = take();
			for (const [name, text] of heavyValues) {
				put(new Raw(text));
				yield [`${place}: ${name}`, { path, headers: [], body: Buffer.from(textOf(tree)) }];
			}
			put(before);
		}
	}
}

/** Valid bodies, a known one first; together they have every member. */
function bodiesOf(document: ServiceDocument, operation: Operation, seed: number): unknown[] {
	const templates = TEMPLATES[operation.id] ?? [];
	const drafts = fc.sample(draftsOf(document, operation, []), { seed, numRuns: SAMPLES * 4 }).filter(({ wrong }) => wrong.length === 0);
	return [...templates, ...drafts.slice(0, SAMPLES).flatMap(({ body }) => (body ? [JSON.parse(body.toString())] : []))];
}
