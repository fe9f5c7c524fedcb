// `npm run openfga` against a server that keeps stores and models as OpenFGA does.

import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, expect, it } from "vitest";
import { checkAuthorization } from "../../src/dev/authorization-check.ts";
import { repository } from "../../src/dev/service.ts";
import { authorizationModel, type Model } from "../../tools/openfga/model.ts";

const models = new Map<string, unknown>();
const tokens: unknown[] = [];
/** Each as `user relation object`. */
let tuples: string[] = [];

type Key = { user: string; relation: string; object: string };
const textOf = ({ user, relation, object }: Key) => `${user} ${relation} ${object}`;
const keyOf = (text: string) => {
	const [user, relation, object] = text.split(" ");
	return { key: { user, relation, object } };
};

async function bodyOf(request: IncomingMessage): Promise<unknown> {
	let text = "";
	for await (const chunk of request) text += chunk;
	return JSON.parse(text);
}

const server = createServer(async (request, response) => {
	tokens.push(request.headers.authorization);
	const answer = (status: number, body: object) =>
		response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
	const [, stores, store, kind, id] = (request.url ?? "").split("/");
	if (request.method === "POST" && stores === "stores" && store === undefined) return answer(201, { id: "store-1", name: "any" });
	if (kind === "read") {
		const { continuation_token = "0" } = (await bodyOf(request)) as { continuation_token?: string };
		const from = Number(continuation_token);
		const to = from + 2;
		return answer(200, {
			tuples: tuples.slice(from, to).map(keyOf),
			continuation_token: to < tuples.length ? String(to) : "",
		});
	}
	if (kind === "write") {
		const { writes, deletes } = (await bodyOf(request)) as { writes?: { tuple_keys: Key[] }; deletes?: { tuple_keys: Key[] } };
		const gone = new Set(deletes?.tuple_keys.map(textOf));
		tuples = [...tuples.filter((tuple) => !gone.has(tuple)), ...(writes?.tuple_keys ?? []).map(textOf)];
		return answer(200, {});
	}
	if (store !== "store-1" || kind !== "authorization-models")
		return answer(404, { code: "store_id_not_found", message: "Store ID not found" });
	if (request.method === "POST") {
		models.set(`model-${models.size + 1}`, await bodyOf(request));
		return answer(201, { authorization_model_id: `model-${models.size}` });
	}
	if (!models.has(id ?? "")) return answer(400, { code: "latest_authorization_model_not_found", message: "not found" });
	return answer(200, { authorization_model: { id, ...(models.get(id ?? "") as object) } });
});

beforeAll(async () => {
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

const run = (command: string | readonly string[], variables: Record<string, string> = {}) =>
	new Promise<{ code: unknown; stdout: string; stderr: string }>((resolve) => {
		const OPENFGA_URL = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
		const env = { ...process.env, OPENFGA_URL, OPENFGA_TOKEN: "fga-secret", ...variables };
		execFile(process.execPath, [path.join(repository, "tools/openfga.ts"), ...[command].flat()], { env }, (error, stdout, stderr) =>
			resolve({ code: error ? error.code : 0, stdout, stderr }),
		);
	});

it("prints the model, loads it into a store, and finds nothing missing in it", async () => {
	const { stdout } = await run("model");
	expect(JSON.parse(stdout)).toEqual(authorizationModel());
	expect(await run("load")).toEqual({ code: 0, stdout: "OPENFGA_STORE_ID=store-1\nOPENFGA_MODEL_ID=model-1\n", stderr: "" });
	expect(models.get("model-1")).toEqual(authorizationModel());
	expect(new Set(tokens)).toEqual(new Set(["Bearer fga-secret"]));
	const ids = { OPENFGA_STORE_ID: "store-1", OPENFGA_MODEL_ID: "model-1" };
	expect(await run("check", ids)).toMatchObject({ code: 0, stdout: "The model has every relation that the service asks for.\n" });
});

it("names the relations that an older model lacks, and what the store refuses", async () => {
	const older = structuredClone(authorizationModel()) as Model;
	delete older.type_definitions[1]?.relations?.webhooks_write;
	models.set("older", older);
	const ids = { OPENFGA_STORE_ID: "store-1", OPENFGA_MODEL_ID: "older" };
	expect(await run("check", ids)).toMatchObject({ code: 1, stderr: expect.stringMatching(/\norganization#webhooks_write\n$/) });
	expect(await run("check", { ...ids, OPENFGA_MODEL_ID: "gone" })).toMatchObject({
		code: 1,
		stderr: expect.stringContaining("answers 400"),
	});
	expect(await run("check", { OPENFGA_STORE_ID: "" })).toMatchObject({
		code: 2,
		stderr: expect.stringMatching(/^OPENFGA_STORE_ID is not set\./),
	});
});

it("compares the store with the data of the service, and changes it only with --write", async () => {
	const data = mkdtempSync(path.join(tmpdir(), "openfga-"));
	const folder = path.join(data, "v3/d1/miniflare-D1DatabaseObject");
	mkdirSync(folder, { recursive: true });
	for (const [name, user, role] of [
		["one", "u-1", "organization-owner"],
		["two", "u-2", "organization-lending-admin"],
	]) {
		const database = new DatabaseSync(path.join(folder, `${name}.sqlite`));
		database.exec(`create table memberships (id, user_id, organization_id, role);
			create table merchant_grants (user_id, organization_id, merchant_id, permission);
			insert into memberships values ('m-${user}', '${user}', 'o', '${role}');
			insert into merchant_grants values ('${user}', 'o', 'it''s 1', 'org:financing.merchants:read')`);
		database.close();
	}
	const merchant = `merchant:o/${createHash("sha256").update("it's 1").digest("hex")}`;
	const others = ["user:u-1 audit_read organization:o", "group:g member folder:f"];
	tuples = [
		...others,
		"user:u-1 owner organization:o",
		"user:u-2 owner organization:o",
		"user:gone audit_read organization:o",
		`user:u-1 financing_invoices_write ${merchant}`,
		`user:u-1 financing_merchants_read ${merchant}`,
	];
	const before = [...tuples];
	const ids = { OPENFGA_STORE_ID: "store-1", OPENFGA_MODEL_ID: "model-1" };
	const dry = await run(["sync", "--persist-to", data], ids);
	expect(dry).toMatchObject({ code: 1, stderr: "" });
	expect(dry.stdout.split("\n")).toEqual([
		"+ user:u-2 lending_admin organization:o",
		`+ user:u-2 financing_merchants_read ${merchant}`,
		"- user:u-2 owner organization:o",
		"- user:gone audit_read organization:o",
		`- user:u-1 financing_invoices_write ${merchant}`,
		"= user:u-1 audit_read organization:o   in addition to the role, and stays",
		"2 to write, 3 to remove. Nothing was changed: sync --write does it.",
		"",
	]);
	expect(tuples).toEqual(before);
	expect(await run(["sync", "--write", "--persist-to", data], ids)).toMatchObject({
		code: 0,
		stdout: expect.stringContaining("2 written, 3 removed.\nThe store says what the service says.\n"),
	});
	expect([...tuples].sort()).toEqual(
		[
			...others,
			"user:u-1 owner organization:o",
			"user:u-2 lending_admin organization:o",
			...["u-1", "u-2"].map((user) => `user:${user} financing_merchants_read ${merchant}`),
		].sort(),
	);
	rmSync(data, { recursive: true });
});

it("says separately that nothing answers, and a deployment continues after that", async () => {
	const ids = { OPENFGA_STORE_ID: "store-1", OPENFGA_MODEL_ID: "model-1" };
	const nobody = { ...ids, AUTHORIZATION_PROVIDER: "openfga", OPENFGA_URL: "http://127.0.0.1:9/" };
	expect(await run("check", nobody)).toMatchObject({ code: 3 });
	expect(await checkAuthorization(repository, nobody)).toEqual({ unknown: expect.stringContaining("http://127.0.0.1:9") });
	const here = { ...nobody, OPENFGA_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
	expect(await checkAuthorization(repository, here)).toEqual({});
	expect(await checkAuthorization(repository, { ...here, OPENFGA_MODEL_ID: "older" })).toEqual({
		fault: expect.stringContaining("organization#webhooks_write"),
	});
	expect(await checkAuthorization(repository, { AUTHORIZATION_PROVIDER: "openfga" })).toEqual({
		unknown: expect.stringContaining("OPENFGA_URL, OPENFGA_STORE_ID, OPENFGA_MODEL_ID"),
	});
	expect(await checkAuthorization(repository, { AUTHORIZATION_PROVIDER: "embedded" })).toEqual({});
});
