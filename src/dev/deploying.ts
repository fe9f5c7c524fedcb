// One deployment, from what keeps it from being made to the proof that it serves. It ends at the first failure, so that no Worker is
// deployed before all its databases have its tables.

import { CannotStart } from "./cannot-start.ts";
import { commandsOf, type Release } from "./deployment.ts";
import type { Edge } from "./edge.ts";
import { bindingsOf, type EnvironmentConfig, type Environments, faultsOf, hostsOf } from "./environments.ts";
import { goBack } from "./going-back.ts";
import { preflight, questionsOf } from "./preflight.ts";
import { type Proving, prove } from "./proof.ts";
import { regionalCoresOf, writeRegional } from "./regional-cores.ts";
import { applyPending, pendingIn, remoteCommands } from "./remote-migrations.ts";

export type Deployment = {
	readonly env: string | undefined;
	readonly environments: Environments;
	readonly release: Release;
	/** How the proof signs in. */
	readonly operatorToken: string | undefined;
	/** How many of a hundred requests the new version gets; all by default. */
	readonly share?: number | undefined;
	/** Whether environments may share an account. */
	readonly sameAccount?: boolean;
	/** The folder of the migrations. */
	readonly migrations: string;
};

/** Says what a deployment would do, and what keeps it from being made. Touches nothing and asks nobody. Returns whether it may be made. */
export function rehearse({ env, environments, release, operatorToken, sameAccount }: Deployment, say: Edge["say"]): boolean {
	const config = environments.deployed.get(env ?? "");
	if (config) {
		const file = "<build>/worker/wrangler.json";
		const { deploy } = commandsOf(file, release);
		const edge = environments.edges.get(env ?? "");
		say(`The core ${config.name} of the environment ${env}, which has no address of its own:`);
		for (const line of described(config)) say(`  ${line}`);
		say(`The edge ${edge?.name} at ${edge ? hostsOf(edge).join(", ") : ""}`);
		say("Before anything is built or changed, it asks:");
		for (const question of questionsOf(config)) say(`  ${question}`);
		say("Then it builds:");
		say(`  CLOUDFLARE_ENV=${env} vite build`);
		say("Then, ending at the first failure, in every database before the Worker:");
		const databases = bindingsIn(config).map((binding) => remoteCommands(binding, ["--config", file]));
		for (const { bookmark, applied } of databases) {
			say(`  wrangler ${bookmark.join(" ")}`);
			say(`  wrangler ${shortened(applied).join(" ")}`);
		}
		for (const { apply } of databases) say(`  wrangler ${apply("<migration>").join(" ")}   for each that it lacks, with its record`);
		say(`  wrangler ${deploy.join(" ")}`);
		say("Then the proof, where an edge is deployed already:");
		for (const step of provenBy(config, release, operatorToken)) say(`  ${step}`);
		for (const { name, region } of regionalCoresOf(edge ?? {}))
			say(
				`Then the core ${name} of the region ${region}:\n  wrangler ${commandsOf(`<build>/worker/wrangler.${region}.json`, release).deploy.join(" ")}`,
			);
		say("Then the edge, and the proof through it:");
		say(`  wrangler ${commandsOf("<build>/edge/wrangler.json", release).deploy.join(" ")}`);
	}
	const faults = faultsOf(env, environments, sameAccount);
	if (faults.length > 0) say(["It would be refused:", ...faults.map((fault) => `  ${fault}`)].join("\n"));
	return faults.length === 0;
}

/** Throws `CannotStart` with what keeps it from being made, or with what failed and how to go back. */
export async function deploy(deployment: Deployment, edge: Edge): Promise<void> {
	const { env = "", environments, release, migrations } = deployment;
	const faults = faultsOf(deployment.env, environments, deployment.sameAccount);
	const config = environments.deployed.get(env);
	if (faults.length > 0 || !config) throw new CannotStart(["Nothing was deployed.", ...faults].join("\n"));
	const earlier = await preflight({ edge, config, env, edgeConfig: environments.edges.get(env) });
	if (deployment.share !== undefined && earlier.core === undefined)
		throw new CannotStart("Nothing was deployed. There is no release yet to share the requests with: deploy without --share.");
	const built = await edge.build(env);
	const by = ["--config", built.core];
	const pending = bindingsIn(config).map((binding) => pendingIn(edge, migrations, binding, by));
	for (const one of pending) applyPending(edge, migrations, one, by);
	if (deployment.share === undefined) shown(edge, commandsOf(built.core, release).deploy, NOT_DEPLOYED);
	else share(edge, commandsOf(built.core, release), { file: built.core, earlier: earlier.core, percent: deployment.share });
	const proving = provingOf(config, deployment);
	try {
		// Until there is an edge, nobody reaches the core.
		if (earlier.edge !== undefined) await prove(proving, edge);
		if (deployment.share !== undefined) return;
		for (const regional of regionalCoresOf(environments.edges.get(env) ?? {}))
			shown(edge, commandsOf(writeRegional(built.core, regional), release).deploy, NOT_DEPLOYED);
		shown(edge, commandsOf(built.edge, release).deploy, EDGE_NOT_DEPLOYED);
		await prove(earlier.edge === undefined ? proving : { ...proving, operatorToken: undefined }, edge);
	} catch (error) {
		if (!(error instanceof CannotStart)) throw error;
		throw new CannotStart(`${error.message}\n${wayBack(env, earlier.core)}`);
	}
}

/** Throws `CannotStart` when it fails. */
function shown(edge: Edge, command: readonly string[], otherwise: string): void {
	edge.say(`wrangler ${command.join(" ")}`);
	if (edge.wrangler(command, "SHOWN").status !== 0) throw new CannotStart(otherwise);
}

type Sharing = { readonly file: string; readonly earlier: string | undefined; readonly percent: number };

/** Gives the new version its share of the requests, and the running version the rest. */
function share(edge: Edge, { upload, triggers }: ReturnType<typeof commandsOf>, { file, earlier, percent }: Sharing): void {
	edge.say(`wrangler ${upload.join(" ")}`);
	const { status, stdout, stderr } = edge.wrangler(upload, "ASKED");
	const version = /Worker Version ID: ([0-9a-f-]{36})/.exec(stdout)?.[1];
	if (status !== 0 || version === undefined) throw new CannotStart([NOT_DEPLOYED, (stderr || stdout).trim()].join("\n"));
	shown(edge, ["versions", "deploy", `${version}@${percent}%`, `${earlier}@${100 - percent}%`, "--yes", "--config", file], NOT_DEPLOYED);
	shown(edge, triggers, NOT_DEPLOYED);
}

/** Lets an earlier version serve again, and waits until it does. */
export async function back(deployment: Deployment, to: string, edge: Edge): Promise<void> {
	const { env = "", environments } = deployment;
	const faults = faultsOf(deployment.env, environments, deployment.sameAccount);
	const config = environments.deployed.get(env);
	if (faults.length > 0 || !config) throw new CannotStart(["Nothing was changed.", ...faults].join("\n"));
	const name = await goBack({ edge, config, env }, to);
	// Its databases have the tables of later versions.
	await prove({ ...provingOf(config, deployment), release: { name, schema: undefined }, delivers: false }, edge);
}

function* described(config: EnvironmentConfig): Generator<string> {
	yield `at ${config.vars?.BASE_URL}, as ENVIRONMENT ${config.vars?.ENVIRONMENT}`;
	yield signInOf(config);
	for (const { binding, database_name, database_id } of config.d1_databases ?? [])
		yield `${binding}: database ${database_name} (${database_id})`;
	for (const { binding, queue } of config.queues?.producers ?? []) yield `${binding}: queue ${queue}`;
	yield `dead letters: queue ${config.vars?.DEAD_LETTER_QUEUE}`;
	for (const { name, namespace_id } of config.ratelimits ?? []) yield `${name}: rate-limit namespace ${namespace_id}`;
	const others = bindingsOf(config).filter(({ section }) => /^(durable_objects|analytics)/.test(section));
	yield others.map(({ name }) => name).join(", ");
}

/** As `src/runtime/console-sign-in.ts` has it. */
export const returnPathOf = (issuer: string): string =>
	`/console/signed-in/${issuer
		.replace(/^https?:\/\//, "")
		.replace(/\/+$/, "")
		.replaceAll(/[^\w.-]/g, "-")}`;

/** With whom people sign in to the console, and the address that the issuer must let them come back to. */
function signInOf({ vars = {} }: EnvironmentConfig): string {
	let issuers: { label?: string; issuer?: string; client_id?: string }[] = [];
	try {
		issuers = JSON.parse(String(vars.CONSOLE_SIGN_IN ?? "[]"));
	} catch {
		return "/console: CONSOLE_SIGN_IN is no JSON, so that the Worker would answer 503";
	}
	if (issuers.length === 0) return "/console: no CONSOLE_SIGN_IN, so that operators cannot sign in there";
	const at = String(vars.BASE_URL).replace(/\/+$/, "");
	const each = issuers.map(
		({ label, issuer, client_id }) => `${label} at ${issuer} as ${client_id}, who return to ${at}${returnPathOf(String(issuer))}`,
	);
	return `/console: ${each.join(", ")}`;
}

const provingOf = (config: EnvironmentConfig, { release, operatorToken }: Pick<Deployment, "release" | "operatorToken">): Proving => ({
	baseUrl: String(config.vars?.BASE_URL).replace(/\/+$/, ""),
	release,
	operatorToken,
	// Production serves no receiver of its own.
	delivers: config.vars?.ENVIRONMENT === "sandbox",
});

function provenBy(config: EnvironmentConfig, release: Release, operatorToken: string | undefined): string[] {
	const { baseUrl, delivers } = provingOf(config, { release, operatorToken });
	const signedIn = operatorToken === undefined ? "left out, because OPERATOR_TOKEN is not set: " : "";
	return [
		`GET ${baseUrl}/healthz says ${release.name}, with the schema ${release.schema}`,
		`${signedIn}GET ${baseUrl}/v1/me says that the token is an operator's`,
		...(delivers ? [`${signedIn}a webhook arrives, signed, at the receiver that the service itself has in the sandbox`] : []),
	];
}

const NOT_DEPLOYED =
	"wrangler could not deploy. The databases have their new tables, with which the Worker before goes on. If wrangler says that it uploaded, the new one may serve already, without its cron and consumers: correct it and deploy again.";
const EDGE_NOT_DEPLOYED =
	"wrangler could not deploy the edge. The core is deployed, and the edge before, if there is one, hands requests to it: correct it and deploy again.";

const bindingsIn = ({ d1_databases = [] }: EnvironmentConfig): string[] => d1_databases.map(({ binding }) => binding);

/** A statement takes several lines. */
const shortened = (command: readonly string[]): string[] => command.map((word) => (word.includes("\n") ? "<which it has>" : word));

const wayBack = (env: string, earlier: string | undefined): string =>
	earlier === undefined
		? `It was the first deployment, so there is none to go back to. npx wrangler tail --env ${env} shows its log.`
		: `To go back: npm run deploy -- --env ${env} --back ${earlier}. The databases keep their new tables, with which the Worker before goes on.`;
