// The completion of a number change, with a crash at every place and with others who want the number.

import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { names } from "../../../src/db/names.table";
import { revokeSessions } from "../../../src/domains/tokens/sessions/operations";
import { users } from "../../../src/domains/users/model/table";
import { getMe } from "../../../src/domains/users/profile.operations";
import { homeOf } from "../../../src/shared/ids";
import { DAY_MS, MINUTE_MS } from "../../../src/shared/time";
import { call, expectOk } from "../../support/client";
import { moveClock } from "../../support/clock";
import { givenOrganization, operatorToken } from "../../support/factories";
import { eventsOf } from "../../support/loans";
import {
	authorize,
	codeTo,
	confirm,
	freshNumber,
	givenAuthorized,
	messagesTo,
	read,
	start,
	sweepChanges,
	userOf,
	wrong,
} from "../../support/number-changes";
import { payeeFor, transfer } from "../../support/transfers";
import { givenPerson, HOMES, openSecond, type Person, SECOND, sessionToken, withServices } from "../../support/two-homes";

const CONFLICT = { status: 409, body: { code: "INVALID_STATE" } };
const IN_USE = { status: 409, body: { code: "MOBILE_NUMBER_IN_USE" } };

const setUser = ({ id }: Person, columns: Partial<typeof users.$inferInsert>) =>
	withServices((services) => {
		const { db, commit } = services.at(id);
		return commit([db.orm.update(users).set(columns).where(eq(users.id, id))]);
	});
const namesOf = ({ id }: Person) =>
	withServices(async ({ databases: { directory } }) => {
		const rows = await directory.read(directory.orm.select().from(names));
		return rows.filter((row) => row.id === id && row.kind === "PHONE").map(({ reservedFor }) => reservedFor);
	});

beforeEach(openSecond);

describe.each([
	["of the directory", HOMES[0]],
	["of another database", HOMES[1]],
] as const)("confirming the change of a user %s", (_, home) => {
	it("changes the number: the new one signs this user in, and the old one a new user", async () => {
		const person = await givenPerson(home);
		const { id, number, code } = await givenAuthorized(person);
		const change = expectOk(await confirm(person, id, code));
		expect(change.status).toBe("COMPLETED");
		expect(change.completed_at).not.toBeNull();
		expect(await namesOf(person)).toEqual([null]);
		expect(await userOf(number)).toBe(person.id);
		const newcomer = await userOf(person.number);
		expect(newcomer).not.toBe(person.id);
		expect(await userOf(person.number)).toBe(newcomer);
		expect(await confirm(person, id, code)).toMatchObject(CONFLICT);
	});

	it("sends notices to the old number and to the mail address", async () => {
		const person = await givenPerson(home);
		const email = `${person.id}@example.com`;
		await setUser(person, { email });
		const { id, number, code } = await givenAuthorized(person);
		expect(expectOk(await confirm(person, id, code)).status).toBe("COMPLETED");
		for (const recipient of [person.number, email]) {
			const [notice] = await messagesTo(recipient);
			expect(notice).toMatchObject({ purpose: "SECURITY", otp_code: null });
			expect(notice?.text).toContain("was changed");
		}
		expect(await messagesTo(number)).toHaveLength(1);
	});

	it("ends all sessions but the caller's", async () => {
		const person = await givenPerson(home);
		const other = await sessionToken(person.id);
		const me = async (as: string) => (await call(getMe, { as, vars: SECOND })).status;
		const { id, code } = await givenAuthorized(person);
		expect([await me(other), await me(person.token)]).toEqual([200, 200]);
		expectOk(await confirm(person, id, code));
		expect([await me(other), await me(person.token)]).toEqual([401, 200]);
		expectOk(await call(revokeSessions, { as: await operatorToken(), path: { userId: person.id }, vars: SECOND }));
		expect(await me(person.token)).toBe(401);
	});

	it("needs the code that was sent to the new number", async () => {
		const person = await givenPerson(home);
		const { id: first } = expectOk(await start(person, freshNumber()));
		const owner = await codeTo(person.number);
		expectOk(await authorize(person, first, owner));
		expect(await confirm(person, first, owner)).toMatchObject({ status: 400, body: { code: "BAD_REQUEST" } });
		await moveClock(MINUTE_MS);
		const { id, code } = await givenAuthorized(person);
		for (let tries = 1; tries <= 5; tries++) expect(await confirm(person, id, wrong(code))).toMatchObject({ status: 400 });
		expect(await confirm(person, id, code)).toMatchObject({ status: 429 });
		expect((await read(person, id)).status).toBe("AUTHORIZED");
	});

	it("completes once when the right code is sent concurrently", async () => {
		const person = await givenPerson(home);
		const { id, number, code } = await givenAuthorized(person);
		const answers = await Promise.all([0, 1, 2, 3].map(() => confirm(person, id, code)));
		expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
		for (const { status } of answers) expect([200, 400, 409]).toContain(status);
		expect(await userOf(number)).toBe(person.id);
	});

	it("reveals that the number is in use only to a caller who has proved that it is theirs", async () => {
		const [person, holder] = [await givenPerson(home), await givenPerson(HOMES[0])];
		const { id, code } = await givenAuthorized(person, holder.number);
		expect((await read(person, id)).status).toBe("AUTHORIZED");
		expect(await confirm(person, id, wrong(code))).toMatchObject({ status: 400 });
		expect(await confirm(person, id, code)).toMatchObject(IN_USE);
		expect((await read(person, id)).status).toBe("FAILED");
		expect([await userOf(holder.number), await userOf(person.number)]).toEqual([holder.id, person.id]);
		expect(await confirm(person, id, code)).toMatchObject(CONFLICT);
	});

	it("gives a number to only one of two users", async () => {
		const [one, two] = [await givenPerson(home), await givenPerson(HOMES[0])];
		const number = freshNumber();
		const first = await givenAuthorized(one, number);
		await moveClock(1_000);
		const second = await givenAuthorized(two, number);
		const answers = await Promise.all([confirm(one, first.id, first.code), confirm(two, second.id, second.code)]);
		expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
		for (const { status } of answers) expect([200, 409, 503]).toContain(status);
		const [winner, loser] = answers[0]?.ok ? [one, two] : [two, one];
		expect(await userOf(number)).toBe(winner.id);
		expect(await userOf(loser.number)).toBe(loser.id);
	});

	it("can take back the number that the user had before", async () => {
		const person = await givenPerson(home);
		const before = person.number;
		const away = await givenAuthorized(person);
		expectOk(await confirm(person, away.id, away.code));
		await moveClock(15 * MINUTE_MS);
		const { id } = expectOk(await start(person, before));
		expectOk(await authorize(person, id, await codeTo(away.number)));
		expectOk(await confirm(person, id, await codeTo(before)));
		await sweepChanges();
		expect(await userOf(before)).toBe(person.id);
		expect(await userOf(away.number)).not.toBe(person.id);
	});

	it("limits transfers for a day: each needs a code, and together they stay below the code's threshold", async () => {
		const person = await givenPerson(home, 10_000);
		const { accountId } = await payeeFor(person, await givenPerson(home));
		const vars = { TRANSFER_OTP_ABOVE: "500" };
		const { id, number, code } = await givenAuthorized(person);
		expect(expectOk(await transfer(person, accountId, 100, { vars })).status).toBe("COMPLETED");
		expectOk(await confirm(person, id, code));
		expect(expectOk(await transfer(person, accountId, 100, { vars })).status).toBe("AWAITING_OTP");
		expect(await messagesTo(number)).toHaveLength(2);
		expect(await transfer(person, accountId, 400, { vars })).toMatchObject(CONFLICT);
		await moveClock(DAY_MS);
		expect(expectOk(await transfer(person, accountId, 400, { vars })).status).toBe("COMPLETED");
	});
});

describe("the completion of a change", () => {
	it("raises user.mobile_number_changed, which contains no number", async () => {
		const { id: organizationId } = await givenOrganization();
		const person = await givenPerson(homeOf(organizationId));
		await setUser(person, { homeOrganizationId: organizationId });
		const { id, code } = await givenAuthorized(person);
		const { completed_at } = expectOk(await confirm(person, id, code));
		expect(await eventsOf(organizationId)).toEqual([
			{
				type: "user.mobile_number_changed",
				key: `user.mobile_number_changed:${id}`,
				data: { user_id: person.id, mobile_number_change_id: id, completed_at },
			},
		]);
	});
});
