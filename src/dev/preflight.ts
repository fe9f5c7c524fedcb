// What the account must have before anything is built or touched: asked of wrangler, and of Cloudflare's API with wrangler's own token.
// Everything that is missing is said at once, each with the one step that helps.

import { stripVTControlCharacters } from "node:util";
import { CannotStart } from "./cannot-start.ts";
import { neededSecrets } from "./deployment.ts";
import type { Edge, Ran } from "./edge.ts";
import type { EnvironmentConfig } from "./environments.ts";
import { regionalCoresOf, regionsOf } from "./regional-cores.ts";

type Asking = { readonly edge: Edge; readonly config: EnvironmentConfig; readonly env: string };
type Answer = { readonly status: number; readonly result: unknown; readonly codes: readonly number[]; readonly words: string };
type Api = (path: string, query?: string) => Promise<Answer>;
type Account = { readonly id: string; readonly api: Api; readonly isSignIn: boolean };

export const API = "https://api.cloudflare.com/client/v4";
/** Neither is an error of the connection or of the token. */
const NO_WORKER = 10007;
const NO_SUBDOMAIN = 10007;

/** The versions that serve now, to go back to them; undefined before the first deployment. */
export type Earlier = { readonly core: string | undefined; readonly edge: string | undefined };

/** Throws `CannotStart`. */
export async function preflight(asking: Asking & { readonly edgeConfig?: EnvironmentConfig | undefined }): Promise<Earlier> {
	const account = await signedIn(asking);
	const faults = (
		await Promise.all([
			subdomain(account),
			metrics(account),
			queues(asking, account),
			databases(asking, account),
			buckets(asking, account),
			secrets(asking, account, asking.config.name, `--env ${asking.env}`),
			...regionalCoresOf(asking.edgeConfig ?? {}).map(({ name }) => secrets(asking, account, name, `--name ${name}`)),
			authorization(asking),
		])
	).flat();
	if (faults.length > 0)
		throw new CannotStart(["Nothing was deployed.", ...faults.map((fault) => `[env.${asking.env}] ${fault}`)].join("\n"));
	const [core, edge] = await Promise.all(
		[asking.config.name, asking.edgeConfig?.name].map((name) => (name ? earlier(name, account) : undefined)),
	);
	return { core, edge };
}

/** What wrangler said, and the one step that helps. */
const refused = (ran: Ran, about: string): CannotStart =>
	new CannotStart(["Nothing was deployed.", `${about}. wrangler says:`, wordsOf(ran), stepAfter(wordsOf(ran))].join("\n"));

/** What it said, each line once: it repeats itself where it fails to say why it failed, and then prints where in its own code that was. */
function wordsOf({ stdout, stderr }: Ran): string {
	const said = stripVTControlCharacters(stderr.trim() || stdout.trim()).split("\n");
	const words = said.filter((line) => line.trim() !== "" && !/^\s+at \S/.test(line) && !/^🪵|^\(error handler also failed/u.test(line));
	return [...new Set(words)].join("\n").slice(0, 2_000);
}

function stepAfter(words: string): string {
	if (/"loggedIn":\s*false|not logged in|not authenticated/i.test(words))
		return "Sign in: npx wrangler login. A pipeline has CLOUDFLARE_API_TOKEN instead.";
	if (/API hostname|ENOTFOUND|ECONNREFUSED|EAI_AGAIN|ETIMEDOUT|fetch failed|network connect/i.test(words))
		return "Cloudflare cannot be reached from here: correct the connection, and deploy again. Nothing is known of the account.";
	if (/invalid (access|api) token|expired|authentication (error|failed)|unable to authenticate|\b(10000|9109)\b/i.test(words))
		return "The token has expired or was revoked: npx wrangler login again, or roll CLOUDFLARE_API_TOKEN.";
	return "Correct what wrangler says, and deploy again.";
}

/** Throws `CannotStart` unless wrangler is signed in to the environment's own account. */
export async function signedIn({ edge, config, env }: Asking): Promise<Account> {
	const who = edge.wrangler(["whoami", "--json"], "ASKED");
	if (who.status !== 0) throw refused(who, "wrangler is not signed in");
	const { accounts = [] } = JSON.parse(who.stdout) as { accounts?: { id: string; name: string }[] };
	const id = config.account_id ?? "";
	if (!accounts.some((one) => one.id === id))
		throw new CannotStart(
			[
				"Nothing was deployed.",
				`[env.${env}] belongs to the account ${id}, and wrangler is signed in to ${accounts.map(({ name, id }) => `${name} (${id})`).join(", ") || "none"}.`,
				"Sign in as a member of that account (npx wrangler login), or correct account_id.",
			].join("\n"),
		);
	const asked = edge.wrangler(["auth", "token", "--json"], "ASKED");
	if (asked.status !== 0) throw refused(asked, "wrangler has no token");
	const { type, token } = JSON.parse(asked.stdout) as { type: string; token: string };
	return { id, api: apiOf(edge, `${API}/accounts/${id}`, token), isSignIn: type === "oauth" };
}

const apiOf =
	(edge: Edge, address: string, token: string): Api =>
	async (path, query) => {
		try {
			const response = await edge.fetch(`${address}${path}`, {
				method: query === undefined ? "GET" : "POST",
				headers: { authorization: `Bearer ${token}` },
				...(query !== undefined && { body: query }),
				signal: AbortSignal.timeout(30_000),
			});
			const text = await response.text();
			const { result, errors = [] } = (text.startsWith("{") ? JSON.parse(text) : {}) as {
				result?: unknown;
				errors?: { code: number; message: string }[];
			};
			const words = errors.map(({ code, message }) => `${message} [code: ${code}]`).join("; ");
			return { status: response.status, result, codes: errors.map(({ code }) => code), words: words || text.slice(0, 200) };
		} catch (error) {
			return { status: 0, result: undefined, codes: [], words: error instanceof Error ? error.message : String(error) };
		}
	};

const unknown = (what: string, { status, words }: Answer): string =>
	`${what} could not be asked for (${status === 0 ? "no answer" : status}): ${words}. ${stepAfter(words)}`;

async function subdomain({ id, api }: Account): Promise<string[]> {
	const answer = await api("/workers/subdomain");
	if (answer.status === 200) return [];
	if (!answer.codes.includes(NO_SUBDOMAIN)) return [unknown("the workers.dev subdomain", answer)];
	return [
		`the account has no workers.dev subdomain, without which no secret can be stored (10063): open https://dash.cloudflare.com/${id}/workers-and-pages once, which makes one`,
	];
}

/** A person's sign-in may not read analytics, so that 403 says nothing there. */
async function metrics({ id, api, isSignIn }: Account): Promise<string[]> {
	const answer = await api("/analytics_engine/sql", "SELECT 1");
	if (answer.status === 200 || (answer.status === 403 && isSignIn)) return [];
	if (answer.status !== 403) return [unknown("Analytics Engine", answer)];
	return [
		`Analytics Engine is not enabled, without which the Worker is refused (10089), or the token may not read Account Analytics: https://dash.cloudflare.com/${id}/workers/analytics-engine`,
	];
}

async function queues({ config }: Asking, { api }: Account): Promise<string[]> {
	const answer = await api("/queues?per_page=100");
	if (answer.status !== 200) return [unknown("the queues", answer)];
	const there = (answer.result as { queue_name: string }[]).map(({ queue_name }) => queue_name);
	const wanted = new Set([...(config.queues?.producers ?? []), ...(config.queues?.consumers ?? [])].flatMap(({ queue }) => queue ?? []));
	return [...wanted].filter((name) => !there.includes(name)).map((name) => `there is no queue ${name}: npx wrangler queues create ${name}`);
}

type Database = { readonly running_in_region?: string; readonly read_replication?: { readonly mode: string } };

async function databases({ edge, config }: Asking, { id: account, api }: Account): Promise<string[]> {
	const each = (config.d1_databases ?? []).map(async ({ binding, database_id: id, database_name: name }) => {
		const answer = await api(`/d1/database/${id}`);
		if (answer.status === 404)
			return [
				`${binding}: there is no database ${id} in the account: npx wrangler d1 create ${name} --location weur, and put its id into wrangler.toml`,
			];
		if (answer.status !== 200) return [unknown(`the database of ${binding}`, answer)];
		const { running_in_region: region, read_replication: replication } = answer.result as Database;
		edge.say(`${binding} runs in ${region ?? "a region that Cloudflare does not name"}.`);
		const named = regionsOf(config).get(binding);
		const misplaced =
			region === undefined || named === region.toLowerCase()
				? []
				: [`PLACES says that ${binding} is in ${named}, and it runs in ${region}: correct PLACES in both files, and placement`];
		if (replication?.mode === "auto") return misplaced;
		return [
			...misplaced,
			`${binding} has no read replicas: curl -X PUT ${API}/accounts/${account}/d1/database/${id} -H "authorization: Bearer $CLOUDFLARE_API_TOKEN" -H "content-type: application/json" -d '{"read_replication":{"mode":"auto"}}'`,
		];
	});
	return (await Promise.all(each)).flat();
}

async function buckets({ config }: Asking, { api }: Account): Promise<string[]> {
	const each = (config.r2_buckets ?? []).map(async ({ binding, bucket_name: name }) => {
		const answer = await api(`/r2/buckets/${name}`);
		if (answer.status === 200) return [];
		return [
			answer.status === 404
				? `${binding}: there is no bucket ${name}: npx wrangler r2 bucket create ${name}`
				: unknown(`the bucket of ${binding}`, answer),
		];
	});
	return (await Promise.all(each)).flat();
}

/** Without them a Worker would be deployed that answers 503 to everything. Fresh keys are only for a Worker that certainly is not there. */
async function secrets({ config }: Asking, { api }: Account, name: string | undefined, by: string): Promise<string[]> {
	const needed = neededSecrets(config);
	const answer = await api(`/workers/scripts/${name}/secrets`);
	const put = (names: readonly string[]) => names.map((one) => `\n  npx wrangler secret put ${one} ${by}`).join("");
	if (answer.status === 404 && answer.codes.includes(NO_WORKER)) {
		const from = name === config.name ? "npm run -s secrets prints fresh keys" : `They are those of ${config.name}`;
		return [`there is no Worker ${name} yet. ${from}. For each, which also makes the Worker:${put(needed)}`];
	}
	if (answer.status !== 200) return [unknown("the secrets", answer)];
	const has = (answer.result as { name: string }[]).map(({ name }) => name);
	const missing = needed.filter((name) => !has.includes(name));
	if (missing.length === 0) return [];
	return [
		`the Worker ${name} is there and has no ${missing.join(", ")}. Put the values that you keep; a fresh MASTER_KEY would make every known user a stranger:${put(missing)}`,
	];
}

/** A model that is older than the service would make the operations that ask for what it lacks answer 503. */
async function authorization({ edge, config }: Asking): Promise<string[]> {
	const { fault, unknown } = await edge.authorization(config.vars ?? {});
	if (unknown !== undefined) edge.say(unknown);
	return fault === undefined ? [] : [fault];
}

type Version = { readonly resources?: { readonly bindings?: readonly { readonly name: string }[] } };

/** A draft, which storing a secret makes, is no release and nothing to go back to. */
async function earlier(name: string, { api }: Account): Promise<string | undefined> {
	const script = `/workers/scripts/${name}`;
	const { result } = await api(`${script}/deployments`);
	const [latest] =
		(result as { deployments?: { versions: { version_id: string; percentage: number }[] }[] } | undefined)?.deployments ?? [];
	const serving = latest?.versions.toSorted((a, b) => b.percentage - a.percentage)[0]?.version_id;
	if (serving === undefined) return undefined;
	const version = (await api(`${script}/versions/${serving}`)).result as Version | undefined;
	return version?.resources?.bindings?.some(({ name }) => name === "RELEASE") ? serving : undefined;
}

/** What it asks, for a rehearsal. */
export const questionsOf = (config: EnvironmentConfig): string[] => [
	"wrangler whoami --json   the account must be yours",
	"the account's workers.dev subdomain, and Analytics Engine",
	...(config.d1_databases ?? []).map(
		({ binding }) => `${binding}: that the database is there, where it runs, and that it has read replicas`,
	),
	"each queue and bucket",
	...(config.vars?.AUTHORIZATION_PROVIDER === "openfga" ? ["OpenFGA: that its model has what the service asks for"] : []),
	`the secrets ${neededSecrets(config).join(", ")} of the Worker ${config.name}, and the versions that serve now`,
];
