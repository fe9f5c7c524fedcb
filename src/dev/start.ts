// `npm start`: runs the service on this machine until it is stopped, and prints its addresses.
// However it ends, it leaves no process behind.

import { spawnSync } from "node:child_process";
import path from "node:path";
import { CannotStart, reportOf } from "./cannot-start.ts";
import { readCommandLine } from "./command-line.ts";
import { readDatabases } from "./databases.ts";
import { defaultPort, repository, type Service, startService, type Variables } from "./service.ts";
import { STAND_INS, serve } from "./stand-ins/serve.ts";

const names = Object.keys(STAND_INS).join(", ");

const usage = `npm start -- [options]

  --port <number>       port to listen on (default: PORT, else ${defaultPort})
  --host <address>      address to listen on (default 127.0.0.1)
  --persist-to <dir>    directory of the data (default .wrangler/state)
  --databases <number>  databases that hold homes, in addition to the directory (default: as many as the data has)
  --with <provider>     pays out, or pushes, by a stand-in for the provider on loopback (${names}; docs/providers.md); may be repeated
  --var NAME:VALUE      overrides a variable of wrangler.toml and .dev.vars; may be repeated
`;

function readOptions() {
	const { values } = readCommandLine(usage, {
		options: {
			port: { type: "string" },
			host: { type: "string" },
			"persist-to": { type: "string" },
			databases: { type: "string" },
			with: { type: "string", multiple: true },
			var: { type: "string", multiple: true },
		},
	});
	const port = values.port ?? process.env.PORT;
	if (port !== undefined && !(/^\d{1,5}$/.test(port) && Number(port) <= 65_535)) throw new CannotStart(`Not a port: ${port}`);
	const unknown = values.with?.find((name) => !(name in STAND_INS));
	if (unknown !== undefined) throw new CannotStart(`Nothing stands in for ${unknown}: there is ${names}`);
	const databases = readDatabases(values.databases);
	const variables = (values.var ?? []).map((text) => {
		const colon = text.indexOf(":");
		if (colon < 1) throw new CannotStart(`Not NAME:VALUE: ${text}`);
		return [text.slice(0, colon), text.slice(colon + 1)];
	});
	return {
		variables: Object.fromEntries(variables) as Record<string, string>,
		standIns: values.with ?? [],
		...(port !== undefined && { port: Number(port) }),
		...(databases !== undefined && { databases }),
		...(values.host !== undefined && { host: values.host }),
		...(values["persist-to"] !== undefined && { statePath: path.resolve(values["persist-to"]) }),
	};
}

/** The address to print: sandbox tokens are issued on loopback addresses only, also when we listen on every address. */
function reachable(url: string): string {
	return url.replace("//0.0.0.0:", "//127.0.0.1:").replace("//[::]:", "//[::1]:");
}

function banner(service: Service): string {
	const url = reachable(service.url);
	const elsewhere = url === `http://127.0.0.1:${defaultPort}` ? "" : `BASE_URL=${url} `;
	const here = (file: string): string => path.relative(process.cwd(), file) || ".";
	const notes = [
		...(service.wroteVariables ? ["wrote .dev.vars with fresh secrets (git-ignored; keep it as long as the data)"] : []),
		...(service.databases > 0 ? [`${service.databases + 1} databases: the directory, and ${service.databases} that hold homes`] : []),
		...(service.migrated.length > 0 ? [`applied ${service.migrated.length} migration${service.migrated.length === 1 ? "" : "s"}`] : []),
	];
	return `
Financial Account Service  ${url}

  Console         ${url}/console
  API reference   ${url}/docs
  OpenAPI         ${url}/openapi.json
  Health          ${url}/healthz
  Data            ${here(service.statePath)}   Variables  .dev.vars
${notes.map((note) => `  ${note}\n`).join("")}
A first request, in another terminal: exchange a sandbox partner token for a service token, and read the user's profile.

PARTNER=$(curl -s ${url}/v1/sandbox/tokens -H 'content-type: application/json' -d '{"kind":"partner","subject":"alice"}' | sed 's/.*"token":"\\([^"]*\\)".*/\\1/')
TOKEN=$(curl -s ${url}/v1/auth/exchange -H 'content-type: application/json' -d "{\\"partner_token\\":\\"$PARTNER\\"}" | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')
curl -s ${url}/v1/me -H "authorization: Bearer $TOKEN"

The whole journey, with webhooks delivered to local receivers:  ${elsewhere}npm run demo
Stop with Ctrl-C.
`;
}

function endOnSignals(): void {
	// `exit` suffices: its listeners kill the runtime synchronously, so a second signal cannot interrupt the clean-up.
	for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.prependListener(signal, () => process.exit(0));
	for (const pid of launchedBy()) setInterval(() => isRunning(pid) || process.exit(0), 1_000).unref();
}

/**
 * npm and the shell in which npm runs scripts. A signal to npm alone ends that shell but does not reach us, and killing
 * npm outright ends neither. So we exit when the first of the two is gone.
 */
function launchedBy(): number[] {
	if (process.env.npm_lifecycle_event === undefined || process.platform === "win32") return [];
	const parent = process.ppid;
	const { stdout } = spawnSync("ps", ["-o", "ppid=,comm=", "-p", String(parent)], { encoding: "utf8" });
	const [, grandparent, command] = /^\s*(\d+)\s+(.*\S)/.exec(stdout ?? "") ?? [];
	// Some shells replace themselves by the last command: npm is then our parent, and its own parent must not be watched.
	return command && /sh$/.test(command) ? [parent, Number(grandparent)] : [parent];
}

function isRunning(pid: number): boolean {
	try {
		return process.kill(pid, 0);
	} catch (error) {
		return error instanceof Error && "code" in error && error.code === "EPERM";
	}
}

/** Of a service with stand-ins. Those by which its lenders pay out have to find the service. */
async function variablesBeside(standIns: readonly string[]): Promise<(port: number) => Variables> {
	const made = standIns.flatMap((name) => (STAND_INS[name] ? [{ name, standIn: STAND_INS[name]() }] : []));
	const named: Variables[] = await Promise.all(
		made.map(async ({ name, standIn }) => {
			const url = await serve(standIn);
			return standIn.variables ? standIn.variables(url) : { [variableOf(name)]: url };
		}),
	);
	const pays = made.some(({ standIn }) => !standIn.variables);
	return (port) => Object.assign(pays ? { DISBURSER: "connections", BASE_URL: `http://127.0.0.1:${port}` } : {}, ...named);
}

const variableOf = (provider: string) => `${provider.toUpperCase()}_URL`;

async function main(): Promise<void> {
	const { standIns, variables, ...options } = readOptions();
	endOnSignals();
	const beside = await variablesBeside(standIns);
	const service = await startService({
		...options,
		variables: (port) => ({ ...beside(port), ...variables }),
		directory: repository,
		receiver: true,
	});
	process.stdout.write(banner(service));
}

try {
	await main();
} catch (error) {
	process.stderr.write(`${reportOf(error)}\n`);
	process.exit(1);
}
