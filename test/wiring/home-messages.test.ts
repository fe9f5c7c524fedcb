// The sweep knows every kind of message between homes: an unknown kind would wait forever, after a crash of the request that owed it.

import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { homeMessages } from "../../src/db/home-messages.table";
import { DIRECTORY_HOME } from "../../src/db/places";
import { uuidv7 } from "../../src/shared/ids";
import { completeHomeMessages } from "../../src/wiring/home-messages";
import { db } from "../support/factories";
import { servicesFor } from "../support/outbound";

const sources = Object.values(import.meta.glob<string>("../../src/domains/**/*.ts", { eager: true, query: "?raw", import: "default" }));
const declared = sources.flatMap((text) => text.match(/= homeMessage\b/g) ?? []);
const kinds = sources.flatMap((text) => Array.from(text.matchAll(/= homeMessage\b[\s\S]*?\bkind: "([^"]+)"/g), ([, kind = ""]) => kind));

it("the sweep carries messages of every kind that a domain declares", async () => {
	expect(kinds.length).toBeGreaterThan(5);
	expect(new Set(kinds).size).toBe(declared.length);
	// The directory alone, so that there is nobody else to carry them to.
	const alone = { ...env, SHARD_0: undefined, SHARD_1: undefined } as unknown as Env;
	const row = { recipient: "everywhere", payload: {}, createdAt: 0 };
	await db.insert(homeMessages).values(kinds.map((kind) => ({ id: uuidv7(Date.now(), DIRECTORY_HOME), kind, ...row })));
	await completeHomeMessages(await servicesFor({ env: alone, ctx: createExecutionContext() }));
	expect(await db.select().from(homeMessages)).toEqual([]);
});
