// Erasures over two databases: each works off its own, and a restored one learns of them from the other.

import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { beforeEach, expect, it } from "vitest";
import { currentAccounts } from "../../../src/domains/current-accounts/table";
import { eraseAgain } from "../../../src/domains/people/again.job";
import { eraseUser, getErasure } from "../../../src/domains/people/erasure.operations";
import { workOnErasures } from "../../../src/domains/people/job";
import { erasures } from "../../../src/domains/people/table";
import { users } from "../../../src/domains/users/model/table";
import { updateMe } from "../../../src/domains/users/profile.operations";
import { atInstant } from "../../../src/runtime/making-services";
import type { JobServices } from "../../../src/runtime/services";
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
