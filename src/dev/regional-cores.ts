// The cores of further regions: the same build under another name, placed in that region. Cron, queues and objects stay with the first core, whose
// objects they use.

import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

type Configured = {
	readonly name?: string | undefined;
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
	const regions = regionsIn(places);
	for (const { name, region } of regionalCoresOf(edge)) {
		if (!regions.includes(region)) yield `CORE_${region.toUpperCase()} is for no region of PLACES`;
		else if (PLACEMENTS[region] === undefined) yield `CORE_${region.toUpperCase()} is for a region in which D1 has no databases`;
		if (name === core.name) yield `CORE_${region.toUpperCase()} names the core of CORE: each region has one of its own`;
	}
}

function regionsIn(places: unknown): string[] {
	try {
		return (JSON.parse(String(places)) as { region: string }[]).map(({ region }) => region);
	} catch {
		return [];
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
