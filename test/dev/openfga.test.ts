// `npm run openfga` against a server that keeps stores and models as OpenFGA does.

import { execFile } from "node:child_process";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { repository } from "../../src/dev/service.ts";
import { authorizationModel, type Model } from "../../tools/openfga/model.ts";

const models = new Map<string, unknown>();
const tokens: unknown[] = [];

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

const run = (command: string, variables: Record<string, string> = {}) =>
	new Promise<{ code: unknown; stdout: string; stderr: string }>((resolve) => {
		const OPENFGA_URL = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
		const env = { ...process.env, OPENFGA_URL, OPENFGA_TOKEN: "fga-secret", ...variables };
		execFile(process.execPath, [path.join(repository, "tools/openfga.ts"), command], { env }, (error, stdout, stderr) =>
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
