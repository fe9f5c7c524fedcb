// Every statement of tokens and sessions searches by an index.

import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { Database, type Statement } from "../../../src/db/database";
import { byIdAlone, keyset } from "../../../src/db/keyset";
import { idOfName } from "../../../src/db/names";
import { statementsOf } from "../../../src/db/reads";
import { expiredMessages } from "../../../src/domains/messages/store";
import { messages } from "../../../src/domains/messages/table";
import { expiredOtp, findSends } from "../../../src/domains/otp/store";
import { expiredTokens } from "../../../src/domains/tokens/exchange/store";
import { endAllSessions } from "../../../src/domains/tokens/sessions/plan";
import { findRefresh } from "../../../src/domains/tokens/sessions/store";
import { trustedIssuers } from "../../../src/domains/tokens/table";
import { findUser } from "../../../src/domains/users/model/store";
import { callerLookup } from "../../../src/wiring/caller-lookup";
import { db } from "../../support/factories";
import { servicesFor } from "../../support/outbound";
import { plansOf } from "../../support/plans";

const services = () => servicesFor({ env, ctx: { waitUntil() {} } });
const { orm } = new Database(env.DB, "first-primary");
const page = { size: 20 } as const;
const newest = (select: never, table: { createdAt: never; id: never }, where?: never) =>
	keyset(() => select, { at: table.createdAt, id: table.id, of: () => [0, ""], order: "newest" }, page, where).statement as Statement;

const STATEMENTS: [string, () => Promise<readonly Statement[]> | readonly Statement[]][] = [
	["the caps on sends", () => statementsOf(findSends(orm, { recipient: "+254712345678", client: "x", now: 1 }))],
	["the purge of one-time passwords", () => expiredOtp(orm, 1).flatMap((portion) => portion(1_000))],
	["the purge of tokens and sessions", () => expiredTokens(orm, 1).flatMap((portion) => portion(1_000))],
	["the purge of messages", () => expiredMessages(orm, 1)(1_000)],
	["the end of all sessions", () => endAllSessions(orm, "u", 1)],
	["a refresh", () => statementsOf(findRefresh(orm, "h"))],
	["an identity", () => [findUser(orm, idOfName("IDENTITY", "x"))]],
	[
		"an account state",
		async () => {
			const found = await callerLookup.accountState(await services(), { kind: "user", userId: "u", sessionId: null, issuedAt: 0 });
			return found ? [found.lookup.statement] : [];
		},
	],
	["the list of issuers", () => [newest(db.select().from(trustedIssuers).$dynamic() as never, trustedIssuers as never)]],
	[
		"the list of messages",
		() => [
			keyset(() => db.select().from(messages).$dynamic() as never, byIdAlone(messages) as never, page, eq(messages.withheld, false))
				.statement as Statement,
		],
	],
	[
		"a number's messages",
		() => [newest(db.select().from(messages).$dynamic() as never, messages as never, eq(messages.recipient, "+1") as never)],
	],
];

describe("queries and purges", () => {
	it.each(STATEMENTS)("use indexes: %s", async (_, build) => {
		const plan = await plansOf(...(await build()));
		// Reading a page in index order is not a table scan.
		const scans = plan.filter((step) => /TEMP B-TREE/.test(step) || (/^SCAN/.test(step) && !/USING (COVERING )?INDEX/.test(step)));
		expect(scans).toEqual([]);
	});
});
