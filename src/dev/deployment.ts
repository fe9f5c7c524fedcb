// The wrangler commands of a deployment, in their order.

interface BoundDatabase {
	readonly binding: string;
	readonly database_id?: string | undefined;
}

/** The databases of wrangler.toml cannot hold what they are bound for; the message says why. */
export class MisboundDatabases extends Error {}

/**
 * Throws `MisboundDatabases`.
 * @param deploy the command that deploys the bundle
 */
export function deployment(databases: readonly BoundDatabase[], deploy: readonly string[], env?: string): string[][] {
	for (const [index, { binding, database_id }] of databases.entries()) {
		const other = databases.slice(0, index).find((earlier) => earlier.database_id === database_id);
		if (other && database_id !== undefined)
			throw new MisboundDatabases(`${other.binding} and ${binding} of wrangler.toml have the same database_id: each needs its own`);
	}
	const inEnv = env === undefined ? [] : ["--env", env];
	return [...databases.map(({ binding }) => ["d1", "migrations", "apply", binding, "--remote", ...inEnv]), [...deploy, ...inEnv]];
}
