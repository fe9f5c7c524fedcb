import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { Database, type Statement } from "../../../src/db/database";
import { keyset } from "../../../src/db/keyset";
import { expiredMessages } from "../../../src/domains/messages/store";
import { messages } from "../../../src/domains/messages/table";
import { expiredOtp, sendCaps } from "../../../src/domains/otp/store";
import { expiredTokens, linkedUser } from "../../../src/domains/tokens/exchange/store";
import { endAllSessions, findRefresh } from "../../../src/domains/tokens/sessions/store";
import { trustedIssuers } from "../../../src/domains/tokens/table";
import { callerLookup } from "../../../src/wiring/caller-lookup";
import { db } from "../../support/factories";
import { servicesFor } from "../../support/outbound";

const services = () => servicesFor({ env, ctx: { waitUntil() {} } });
const { orm } = new Database(env.DB, "first-primary");
const page = { size: 20 } as const;
const newest = (select: never, table: { createdAt: never; id: never }, where?: never) =>
	keyset(select, { at: table.createdAt, id: table.id, of: () => [0, ""], order: "newest" }, page, where).statement as Statement;

const STATEMENTS: [string, () => Promise<readonly Statement[]> | readonly Statement[]][] = [
	["the caps on sends", async () => (await sendCaps(await services(), "+254712345678")).statements],
	["the purge of one-time passwords", () => expiredOtp(orm, 1).flatMap((portion) => portion(1_000))],
	["the purge of tokens and sessions", () => expiredTokens(orm, 1).flatMap((portion) => portion(1_000))],
	["the purge of messages", () => expiredMessages(orm, 1)(1_000)],
	["the end of all sessions", () => endAllSessions(orm, "u", 1)],
	["a refresh", () => findRefresh(orm, "h")],
	["an identity", () => [linkedUser(orm, "i", "s")]],
	["an account state", () => [callerLookup.accountState(orm, { kind: "user", userId: "u", sessionId: null, issuedAt: 0 }).statement]],
	["the list of issuers", () => [newest(db.select().from(trustedIssuers).$dynamic() as never, trustedIssuers as never)]],
	["the list of messages", () => [newest(db.select().from(messages).$dynamic() as never, messages as never)]],
	[
		"a number's messages",
		() => [newest(db.select().from(messages).$dynamic() as never, messages as never, eq(messages.recipient, "+1") as never)],
	],
];

describe("queries and purges", () => {
	it.each(STATEMENTS)("use indexes: %s", async (_, build) => {
		for (const statement of await build()) {
			const { sql, params } = (statement as unknown as { toSQL(): { sql: string; params: unknown[] } }).toSQL();
			const { results } = await env.DB.prepare(`explain query plan ${sql}`)
				.bind(...params)
				.all<{ detail: string }>();
			// Reading a page in index order is not a table scan.
			const scans = results.filter(
				({ detail }) => /TEMP B-TREE/.test(detail) || (/^SCAN/.test(detail) && !/USING (COVERING )?INDEX/.test(detail)),
			);
			expect(scans).toEqual([]);
		}
	});
});
