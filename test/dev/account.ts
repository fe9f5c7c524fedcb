// An account of Cloudflare as its API and wrangler answer about it, in the forms of their documentation and of wrangler's own source. A test
// changes single answers.

import type { Ran } from "../../src/dev/edge.ts";
import type { EnvironmentConfig } from "../../src/dev/environments.ts";
import { API } from "../../src/dev/preflight.ts";

type Reply = { readonly status: number; readonly body: object };

export const ok = (result: unknown): Reply => ({ status: 200, body: { result, success: true, errors: [], messages: [] } });
export const failed = (status: number, code: number, message: string): Reply => ({
	status,
	body: { result: null, success: false, errors: [{ code, message }], messages: [] },
});

/** What signs a program in. */
export const TOKEN = "token-of-the-account-0123456789";

export const SIGNED_IN = (id: string | undefined) => ({
	loggedIn: true,
	authType: "User API Token",
	accounts: [{ id, name: "Acme" }],
});

/** All that the environment needs, and a Worker that has been deployed. */
export function accountOf(config: EnvironmentConfig): Map<string, Reply> {
	const script = `/workers/scripts/${config.name}`;
	return new Map([
		["/workers/subdomain", ok({ subdomain: "acme" })],
		["/analytics_engine/sql", { status: 200, body: { meta: [{ name: "1", type: "UInt8" }], data: [{ "1": 1 }], rows: 1 } }],
		["/queues?per_page=100", ok((config.queues?.consumers ?? []).map(({ queue }) => ({ queue_id: queue, queue_name: queue })))],
		...(config.d1_databases ?? []).map(({ database_id: uuid, database_name: name }): [string, Reply] => [
			`/d1/database/${uuid}`,
			ok({ uuid, name, version: "production", running_in_region: "WEUR", read_replication: { mode: "auto" } }),
		]),
		...(config.r2_buckets ?? []).map(({ bucket_name: name }): [string, Reply] => [`/r2/buckets/${name}`, ok({ name, location: "WEUR" })]),
		[`${script}/secrets`, ok(["SERVICE_KEYS", "MASTER_KEY"].map((name) => ({ name, type: "secret_text" })))],
		[`${script}/deployments`, ok({ deployments: [{ id: "d", versions: [{ version_id: "earlier", percentage: 100 }] }] })],
		[
			`${script}/versions/earlier`,
			ok({ id: "earlier", resources: { bindings: [{ type: "plain_text", name: "RELEASE", text: "0.1.0" }] } }),
		],
	]);
}

/** What the account answers at this address of the API; undefined for another address. */
export function answerOf(
	replies: ReadonlyMap<string, Reply>,
	{ account_id: id }: EnvironmentConfig,
	address: string,
): Response | undefined {
	const own = `${API}/accounts/${id}`;
	if (!address.startsWith(own)) return undefined;
	const { status, body } = replies.get(address.slice(own.length)) ?? failed(404, 7003, "Could not route to the path");
	return Response.json(body, { status });
}

/** What wrangler prints about who is signed in; undefined for other commands. */
export function signedInBy({ account_id: id }: EnvironmentConfig, command: readonly string[]): Ran | undefined {
	if (command[0] === "whoami") return { status: 0, stdout: JSON.stringify(SIGNED_IN(id)), stderr: "" };
	if (command[0] === "auth") return { status: 0, stdout: JSON.stringify({ type: "api_token", token: "t0ken" }), stderr: "" };
	return undefined;
}
