// The cores of further regions: the same build under another name, placed in that region. Cron, queues and objects stay with the first core, whose
// objects they use.

import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

type Configured = {
	readonly name?: string | undefined;
	readonly d1_databases?: readonly { readonly binding: string }[];
	readonly vars?: { readonly [name: string]: unknown };
	readonly services?: readonly { readonly binding: string; readonly service: string }[] | undefined;
};

/** A cloud's region next to where D1 keeps the databases of a region. */
const PLACEMENTS: Readonly<Record<string, string>> = {
	weur: "aws:eu-west-1",
	eeur: "aws:eu-central-1",
	apac: "aws:ap-southeast-1",
	enam: "aws:us-east-1",
	wnam: "aws:us-west-2",
	oc: "aws:ap-southeast-2",
};

export type RegionalCore = { readonly name: string; readonly region: string };

/** What an edge binds as CORE_APAC and so on. */
export const regionalCoresOf = ({ services = [] }: Configured): RegionalCore[] =>
	services.flatMap(({ binding, service }) => {
		const region = /^CORE_([A-Z]+)$/.exec(binding)?.[1]?.toLowerCase();
		return region === undefined ? [] : [{ name: service, region }];
	});

export function* regionalFaults(core: Configured, edge: Configured): Generator<string> {
	const places = core.vars?.PLACES;
	if (edge.vars?.PLACES !== places) yield `PLACES must be that of wrangler.toml: ${places ?? "it has none"}`;
	const regions = [...regionsOf(core).values()];
	for (const { name, region } of regionalCoresOf(edge)) {
		if (!regions.includes(region)) yield `CORE_${region.toUpperCase()} is for no region of PLACES`;
		else if (PLACEMENTS[region] === undefined) yield `CORE_${region.toUpperCase()} is for a region in which D1 has no databases`;
		if (name === core.name) yield `CORE_${region.toUpperCase()} names the core of CORE: each region has one of its own`;
	}
}

/** New organizations would get no home in a database without a region, and the object that sweeps it would be made anywhere, for good. */
export function* unplaced(core: Configured): Generator<string> {
	const regions = regionsOf(core);
	for (const { binding } of core.d1_databases ?? []) if (!regions.has(binding)) yield `PLACES does not say in which region ${binding} is`;
}

/** The regions that PLACES names, by the binding of the database. */
export function regionsOf({ vars }: Configured): ReadonlyMap<string, string> {
	try {
		const places = JSON.parse(String(vars?.PLACES)) as { binding: string; region: string }[];
		return new Map(places.map(({ binding, region }) => [binding, region]));
	} catch {
		return new Map();
	}
}

/** Writes the configuration next to that of the first core in the build, and returns its file. */
export function writeRegional(coreFile: string, { name, region }: RegionalCore): string {
	const core = JSON.parse(readFileSync(coreFile, "utf8")) as {
		name: string;
		durable_objects: { bindings: object[] };
		queues: { producers: object[] };
	};
	const regional = {
		...core,
		name,
		placement: { region: PLACEMENTS[region] },
		triggers: {},
		migrations: [],
		queues: { ...core.queues, consumers: [] },
		durable_objects: { bindings: core.durable_objects.bindings.map((binding) => ({ ...binding, script_name: core.name })) },
	};
	const file = path.join(path.dirname(coreFile), `wrangler.${region}.json`);
	writeFileSync(file, JSON.stringify(regional));
	return file;
}
