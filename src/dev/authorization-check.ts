// Whether the store of OpenFGA has every relation that the service asks for, as `npm run openfga -- check` says it.

import { execFile } from "node:child_process";
import path from "node:path";
import { CannotStart } from "./cannot-start.ts";

type Variables = Readonly<Record<string, unknown>>;

export interface AuthorizationCheck {
	/** What must be corrected before anything is served. */
	readonly fault?: string;
	/** What could not be found out. */
	readonly unknown?: string;
}

const NEEDED = ["OPENFGA_URL", "OPENFGA_STORE_ID", "OPENFGA_MODEL_ID"] as const;
/** What the command ends with when nothing answers: the Worker may reach what this machine does not. */
const UNREACHABLE = 3;

/** @param variables of the service; the process's own OPENFGA_TOKEN stands in for a secret that they do not hold */
export async function checkAuthorization(directory: string, variables: Variables): Promise<AuthorizationCheck> {
	if (variables.AUTHORIZATION_PROVIDER !== "openfga") return {};
	const secret = NEEDED.filter((name) => typeof variables[name] !== "string");
	if (secret.length > 0)
		return { unknown: `OpenFGA was not asked, because ${secret.join(", ")} is no variable: npm run -s openfga -- check asks it.` };
	const given = [...NEEDED, "OPENFGA_TOKEN"].flatMap((name) => (typeof variables[name] === "string" ? [[name, variables[name]]] : []));
	const env = { ...process.env, ...(Object.fromEntries(given) as Record<string, string>) };
	const { code, said } = await new Promise<{ code: unknown; said: string }>((resolve) => {
		execFile(process.execPath, [path.join(directory, "tools/openfga.ts"), "check"], { env }, (error, _, stderr) =>
			resolve({ code: error ? error.code : 0, said: stderr.trim() }),
		);
	});
	if (code === 0) return {};
	if (code === UNREACHABLE) return { unknown: `OpenFGA was not asked: ${said}` };
	return { fault: `OpenFGA: ${said}` };
}

/** The lines to print at the start. Throws `CannotStart` for what must be corrected. */
export async function saidOfAuthorization(directory: string, variables: Variables): Promise<string[]> {
	const { fault, unknown } = await checkAuthorization(directory, variables);
	if (fault !== undefined) throw new CannotStart(fault);
	return unknown === undefined ? [] : [unknown];
}
