// Exports and erasures over two databases: an export reads both; each erases its own, and a restored one learns of erasures from the other.
// @module-tag thorough

import { env } from "cloudflare:workers";
import { eq, getTableColumns, getTableName } from "drizzle-orm";
import { beforeEach, expect, it } from "vitest";
import { agentEvents, agentSupervisions, agents } from "../../../src/domains/commissions/table";
import { currentAccounts } from "../../../src/domains/current-accounts/table";
import { messages } from "../../../src/domains/messages/table";
import { eraseAgain } from "../../../src/domains/people/again.job";
import { eraseUser, getErasure } from "../../../src/domains/people/erasure.operations";
import { exportUser } from "../../../src/domains/people/export.operations";
import { HELD } from "../../../src/domains/people/held.store";
import { workOnErasures } from "../../../src/domains/people/job";
import { erasures } from "../../../src/domains/people/table";
import { users } from "../../../src/domains/users/model/table";
import { updateMe } from "../../../src/domains/users/profile.operations";
import { atInstant } from "../../../src/runtime/making-services";
import type { JobServices } from "../../../src/runtime/services";
import { uuidv7 } from "../../../src/shared/ids";
import { HOUR_MS, MINUTE_MS } from "../../../src/shared/time";
import { call, expectOk } from "../../support/client";
import { moveClock } from "../../support/clock";
import { operatorToken } from "../../support/factories";
import { payeeFor, transfer } from "../../support/transfers";
import { givenPerson, HOMES, openSecond, type Person, SECOND, withServices } from "../../support/two-homes";
import { tablesWith } from "./searching";

const NAME = "Wanjiru Plantagenet";
const KEPT_FOR_NOTHING = { RETENTION_PERIODS: JSON.stringify({ current_accounts: { days: 0 } }) };
const DATABASES = [env.DB, Object.values(SECOND)[0] as unknown as D1Database];

beforeEach(openSecond);

const sweep = (work: (services: JobServices) => Promise<boolean>, after = 0) =>
	withServices(async (services) => {
		for (const there of services.everywhere()) while (await work(atInstant(there, services.now + after)));
	}, KEPT_FOR_NOTHING);

const close = ({ account }: Person) =>
	withServices((services) => {
		const there = services.at(account.id);
		return there.commit([there.db.orm.update(currentAccounts).set({ status: "CLOSED" }).where(eq(currentAccounts.id, account.id))]);
	});

/** Two people in two databases, of whom the second has paid the first, and is erased. */
async function givenErased(home: number, other: number) {
	const [payer, payee] = [await givenPerson(home, 1_000), await givenPerson(other)];
	expectOk(await call(updateMe, { as: payer.token, body: { display_name: NAME }, vars: SECOND }));
	const { accountId } = await payeeFor(payer, payee);
	await payeeFor(payee, payer);
	expectOk(await transfer(payer, accountId, 1_000, { note: `from ${NAME}` }));
	await close(payer);
	const vars = { ...SECOND, ...KEPT_FOR_NOTHING };
	expect(Object.keys(await tablesWith([NAME, payer.number], DATABASES)).sort()).toEqual([
		"incoming_transfers",
		"messages",
		"transfers",
		"users",
	]);
	expectOk(await call(eraseUser, { as: await operatorToken(), path: { userId: payer.id }, vars }));
	await moveClock(MINUTE_MS);
	return { payer, payee };
}

let hours = 0;

const named = async ({ number, tag }: Person) => tablesWith([NAME, number, number.slice(1), tag], DATABASES);

/** What organizations of both homes hold about an agent. */
async function givenAgent(userId: string): Promise<void> {
	await withServices(async (services) => {
		for (const home of HOMES) {
			const there = services.at(home);
			const organizationId = uuidv7(there.now, home);
			const at = { createdAt: there.now };
			const event = {
				eventId: "e",
				agentUserId: userId,
				eventType: "PENALTY" as const,
				referenceId: "r",
				amount: 5,
				currency: "KES",
				reversed: 0,
			};
			await there.commit([
				there.db.orm.insert(agents).values({ organizationId, userId, currency: "KES", ...at }),
				there.db.orm.insert(agentEvents).values({ organizationId, ...event, description: "late", occurredAt: 1, fingerprint: "f", ...at }),
				there.db.orm.insert(agentSupervisions).values({ organizationId, agentUserId: userId, effectiveFrom: 1, ...at }),
			]);
		}
	});
}

/** The rows of each kind that have the person's id as their own, in both databases. */
async function rowsOf(userId: string): Promise<string[]> {
	const rows: string[] = [];
	for (const database of DATABASES) {
		for (const { table } of HELD) {
			const columns = getTableColumns(table);
			const owner = "agentUserId" in columns ? "agent_user_id" : "userId" in columns ? "user_id" : undefined;
			if (owner === undefined || table === messages) continue;
			const { results } = await database
				.prepare(`select * from "${getTableName(table)}" where ${owner} = ?`)
				.bind(userId)
				.all();
			rows.push(...results.map(() => getTableName(table)));
		}
	}
	return rows.sort();
}

it.each([[...HOMES], [...HOMES].reverse()])(
	"exports every record of a person, also what organizations of other homes hold, for a person at home in %i",
	async (home = 0, other = 0) => {
		const [payer, payee] = [await givenPerson(home, 1_000), await givenPerson(other)];
		const { accountId } = await payeeFor(payer, payee);
		await payeeFor(payee, payer);
		expectOk(await transfer(payer, accountId, 1_000));
		await givenAgent(payer.id);
		await givenAgent(payee.id);
		for (const { id } of [payer, payee]) {
			const told: { kind: string }[] = [];
			let after: string | null = null;
			do {
				const query: object = { size: "3", ...(after !== null && { after }) };
				const request = { as: await operatorToken(), path: { userId: id }, query: query as never, vars: SECOND };
				const page: { data: { kind: string }[]; links: { next: string | null } } = expectOk(await call(exportUser, request));
				told.push(...page.data);
				after = page.links.next;
			} while (after !== null);
			expect(new Set(told.map((one) => JSON.stringify(one))).size).toBe(told.length);
			const kinds = told.map(({ kind }) => kind);
			const rows = await rowsOf(id);
			expect(rows.filter((kind) => kind === "agent_events")).toHaveLength(2);
			expect(kinds.filter((kind) => rows.includes(kind)).sort()).toEqual(rows);
		}
	},
);

it.each([[...HOMES], [...HOMES].reverse()])("leaves nothing in either, for a person at home in %i", async (home = 0, other = 0) => {
	const { payer } = await givenErased(home, other);
	await sweep(workOnErasures);
	await sweep(workOnErasures);
	expect(await named(payer)).toEqual({});
	const state = await call(getErasure, { as: await operatorToken(), path: { userId: payer.id }, vars: SECOND });
	expect(expectOk(state)).toMatchObject({ status: "DONE" });
});

it.each([[...HOMES], [...HOMES].reverse()])(
	"is made again in a database that was restored, for a person at home in %i",
	async (home = 0, other = 0) => {
		const { payer } = await givenErased(home, other);
		await sweep(workOnErasures);
		await sweep(workOnErasures);
		for (const place of HOMES) {
			await withServices(async (services) => {
				const there = services.at(place);
				await there.commit([
					there.db.orm.delete(erasures).where(eq(erasures.userId, payer.id)),
					there.db.orm
						.update(users)
						.set({ displayName: NAME, mobileNumber: payer.number, tag: payer.tag, blockedAt: null })
						.where(eq(users.id, payer.id)),
				]);
			});
			// An isolate compares once an hour.
			hours += 2;
			await sweep(eraseAgain, hours * HOUR_MS);
			await sweep(workOnErasures, hours * HOUR_MS);
			expect(await named(payer)).toEqual({});
		}
	},
);
