// What must hold of the packages that this project is made of, read from package.json and package-lock.json alone:
// exact versions, a hash for every package, no source but the registry, and licences that we may deploy under.

import * as z from "zod";

/** Licences that ask for no more than their text to be kept. */
const ALLOWED_LICENCES = new Set([
	"0BSD",
	"Apache-2.0",
	"BlueOak-1.0.0",
	"BSD-2-Clause",
	"BSD-3-Clause",
	"CC0-1.0",
	"ISC",
	"MIT",
	"MIT-0",
	"Unlicense",
	"Zlib",
]);

const versions = z.record(z.string(), z.string()).default({});

export const Manifest = z.object({ license: z.string().optional(), dependencies: versions, devDependencies: versions });

export const LockFile = z.object({
	packages: z.record(
		z.string(),
		z.object({
			version: z.string().optional(),
			license: z.string().optional(),
			integrity: z.string().optional(),
			resolved: z.string().optional(),
			link: z.boolean().default(false),
			dev: z.boolean().default(false),
		}),
	),
});

export type Manifest = z.output<typeof Manifest>;
export type LockFile = z.output<typeof LockFile>;

const EXACT = /^\d+\.\d+\.\d+(-[\w.-]+)?$/;
const HASH = /^sha512-[A-Za-z0-9+/]{86}==$/;

/** `(MIT OR GPL-2.0)` is allowed, because MIT may be chosen; `MIT AND GPL-2.0` is not. */
export function isAllowed(licence: string): boolean {
	const choices = licence.replaceAll(/[()]/g, "").split(" OR ");
	return choices.some((choice) => choice.split(" AND ").every((one) => ALLOWED_LICENCES.has(one.trim())));
}

/** What is deployed, or may be installed where the service is: everything that is not for development alone. */
export function productionPackages({ packages }: LockFile): { name: string; version: string; licence: string }[] {
	return Object.entries(packages)
		.filter(([path, { dev }]) => path !== "" && !dev)
		.map(([path, { version = "no version", license = "no licence" }]) => ({ name: nameOf(path), version, licence: license }));
}

/** What is wrong, one sentence for each; nothing when all is well. */
export function complaintsAbout(manifest: Manifest, lock: LockFile): string[] {
	const complaints: string[] = [];
	for (const [name, version] of Object.entries({ ...manifest.dependencies, ...manifest.devDependencies })) {
		if (!EXACT.test(version)) complaints.push(`package.json asks for ${name} ${version}, which is not one exact version`);
		const locked = lock.packages[`node_modules/${name}`]?.version;
		if (locked !== version) complaints.push(`package-lock.json has ${name} ${locked ?? "not at all"}, package.json ${version}`);
	}
	for (const [path, { integrity, resolved, link }] of Object.entries(lock.packages)) {
		if (path === "") continue;
		if (link) complaints.push(`${path} is a link to another folder`);
		if (!integrity || !HASH.test(integrity)) complaints.push(`${path} has no SHA-512 integrity`);
		// The registry that npm is configured with serves every package; an address would name another source or a host.
		if (resolved !== undefined) complaints.push(`${path} names the address it comes from`);
	}
	for (const { name, version, licence } of productionPackages(lock)) {
		if (!isAllowed(licence)) complaints.push(`${name} ${version} is under ${licence}, which is not on the list of allowed licences`);
	}
	return complaints;
}

const nameOf = (path: string): string => path.split("node_modules/").at(-1) ?? path;
