// `npm run deploy -- --back <version>`: an earlier version serves again, unless secrets have changed since.

import { CannotStart } from "./cannot-start.ts";
import type { Edge } from "./edge.ts";
import type { EnvironmentConfig } from "./environments.ts";
import { signedIn } from "./preflight.ts";

type Binding = { readonly type: string; readonly name: string; readonly text?: string };
type Version = {
	readonly id: string;
	readonly metadata?: { readonly created_on: string };
	readonly annotations?: { readonly "workers/triggered_by"?: string };
	readonly resources?: { readonly bindings?: readonly Binding[] };
};

type Going = { readonly edge: Edge; readonly config: EnvironmentConfig; readonly env: string };

/** Returns the release that then serves. Throws `CannotStart` before anything is changed. */
export async function goBack({ edge, config, env }: Going, to: string): Promise<string> {
	const { api } = await signedIn({ edge, config, env });
	const script = `/workers/scripts/${config.name}`;
	const asked = async <T>(path: string): Promise<T> => {
		const { status, result, words } = await api(`${script}${path}`);
		if (status !== 200)
			throw new CannotStart(`Nothing was changed. ${path.slice(1)} of ${config.name} could not be read (${status}): ${words}`);
		return result as T;
	};
	const version = await asked<Version>(`/versions/${to}`);
	const bindings = version.resources?.bindings ?? [];
	const release = bindings.find(({ name }) => name === "RELEASE")?.text;
	if (release === undefined) throw new CannotStart(`Nothing was changed. ${to} is a draft without a RELEASE, and serves nobody.`);
	const now = (await asked<Binding[]>("/secrets")).map(({ name }) => name);
	const then = bindings.flatMap(({ type, name }) => (type === "secret_text" ? [name] : []));
	const { items } = await asked<{ items: Version[] }>("/versions?per_page=100");
	const since = items.flatMap(({ metadata, annotations }) =>
		annotations?.["workers/triggered_by"] === "secret" && metadata && metadata.created_on > (version.metadata?.created_on ?? "")
			? [metadata.created_on]
			: [],
	);
	const changes = [
		...now.filter((name) => !then.includes(name)).map((name) => `${name} is new since`),
		...then.filter((name) => !now.includes(name)).map((name) => `${name} is gone since`),
		...since.map((at) => `a secret was stored at ${at}`),
	];
	if (changes.length > 0)
		throw new CannotStart(
			[
				`Nothing was changed. The secrets are not those of ${to} (${release}):`,
				...changes.map((change) => `  ${change}`),
				"Cloudflare does not say which one was stored. Across a new MASTER_KEY an earlier version cannot open what was sealed since.",
				`Go forward instead, with the secrets of now: check the older commit out, and npm run deploy -- --env ${env}.`,
			].join("\n"),
		);
	const command = ["rollback", to, "--message", `back to ${release}`, "--env", env];
	edge.say(`wrangler ${command.join(" ")}`);
	if (edge.wrangler(command, "SHOWN").status !== 0) throw new CannotStart("wrangler could not go back. The version that served goes on.");
	return release;
}
