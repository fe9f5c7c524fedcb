// A lost number: two operators give its user another one, after a wait in which nothing leaves the account and the user gets a message each day.
// @module-tag thorough

import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { getApproval } from "../../../src/domains/approvals/operations";
import { freezeAccount } from "../../../src/domains/current-accounts/accounts/freezing.operations";
import { sendDueCustodianInstructions } from "../../../src/domains/current-accounts/custodian/procedure";
import { cancelNumberChange } from "../../../src/domains/mobile-number-changes/operations";
import { mintToken } from "../../../src/domains/tokens/model/service-token.crypto";
import { users } from "../../../src/domains/users/model/table";
import { getMe } from "../../../src/domains/users/profile.operations";
import { configuration } from "../../../src/runtime/config";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../src/shared/time";
import { call, expectOk } from "../../support/client";
import { moveClock } from "../../support/clock";
import { operatorToken } from "../../support/factories";
import { beforeTrip } from "../../support/loans";
import {
	approve,
	askRecovery,
	cancel,
	codeTo,
	confirm,
	freshNumber,
	givenAuthorized,
	givenRecovery,
	messagesTo,
	read,
	recovery,
	reservations,
	start,
	sweepChanges,
	userOf,
} from "../../support/number-changes";
import { answerOutbound } from "../../support/outbound";
import { payeeOf, transfer } from "../../support/transfers";
import { accountOf, givenPerson, HOMES, openSecond, type Person, SECOND, withServices } from "../../support/two-homes";

const CONFLICT = { status: 409, body: { code: "INVALID_STATE" } };
const OUTSIDE = { CUSTODIAN: "http", CUSTODIAN_URL: "https://custodian.example/instructions", CUSTODIAN_SECRET: "secret" };

const setUser = ({ id }: Person, columns: Partial<typeof users.$inferInsert>) =>
	withServices((services) => {
		const { db, commit } = services.at(id);
		return commit([db.orm.update(users).set(columns).where(eq(users.id, id))]);
	});
/** A session that begins after those that a recovery has ended, with the user's number at that time. */
const laterToken = async ({ id }: Person) =>
	mintToken(await configuration(env), {
		kind: "access",
		issuer: "http://localhost",
		subject: id,
		realNow: Date.now() + 1_000,
		lifetimeSeconds: 900,
		claims: { sid: crypto.randomUUID() },
	});
const isSignedIn = async (token: string) => (await call(getMe, { as: token, vars: SECOND })).status === 200;

beforeEach(openSecond);

describe.each([
	["of the directory", HOMES[0]],
	["of another database", HOMES[1]],
] as const)("the lost number of a user %s", (_, home) => {
	it("is replaced three days after a second operator has approved", async () => {
		const person = await givenPerson(home, 10_000);
		const email = `${person.id}@example.com`;
		await setUser(person, { email });
		const { accountId } = await payeeOf(person, { type: "BUY_GOODS", till_number: "123456" });
		const number = freshNumber();
		const asked = await askRecovery(person, number);
		expect(asked.status).toBe(202);
		const { id, payload } = expectOk(asked);
		expect(asked.headers.get("location")).toBe(`/v1/approvals/${id}`);
		expect(payload).toMatchObject({ number_ending: number.slice(-3) });
		expect(JSON.stringify(expectOk(await call(getApproval, { as: await operatorToken(), path: { id }, vars: SECOND })))).not.toContain(
			number.slice(1),
		);
		expect((await accountOf(person)).status).toBe("ACTIVE");
		expect(expectOk(await approve(id)).status).toBe("APPROVED");

		expect((await accountOf(person)).status).toBe("FROZEN");
		expect(await isSignedIn(person.token)).toBe(false);
		const thief = { token: await laterToken(person) };
		expect(await transfer(thief, accountId, 100)).toMatchObject(CONFLICT);
		expect(await start(thief, freshNumber())).toMatchObject(CONFLICT);
		expect((await read(thief, id)).authorization_channel).toBe("RECOVERY");
		const ended = await call(cancelNumberChange, { as: thief.token, path: { mobileNumberChangeId: id }, vars: SECOND });
		expect(ended).toMatchObject(CONFLICT);
		expect(await confirm(thief, id, "123456")).toMatchObject(CONFLICT);
		await expect(userOf(number)).rejects.toThrow("503");

		for (const day of [1, 2]) {
			await moveClock(DAY_MS);
			for (let sweep = 1; sweep <= 3; sweep++) await Promise.all([sweepChanges(), sweepChanges()]);
			for (const recipient of [person.number, email]) expect(await messagesTo(recipient)).toHaveLength(1 + day);
		}
		expect((await messagesTo(email))[0]?.text).toContain("another mobile number");
		await moveClock(DAY_MS - HOUR_MS);
		await sweepChanges();
		expect(await recovery(person, id)).toMatchObject({ status: "AUTHORIZED", user_id: person.id });
		await moveClock(HOUR_MS + MINUTE_MS);
		// Sessions end by the whole second.
		await scheduler.wait(2_000);
		await Promise.all([sweepChanges(), sweepChanges()]);

		expect((await recovery(person, id)).status).toBe("COMPLETED");
		expect(await userOf(number)).toBe(person.id);
		expect(await userOf(person.number)).not.toBe(person.id);
		expect(await accountOf(person)).toMatchObject({ status: "ACTIVE", frozenFor: null, balance: 10_000 });
		expect(await transfer(thief, accountId, 100)).toMatchObject({ status: 401 });
		expect((await messagesTo(email))[0]?.text).toContain("was changed");
		expect(await messagesTo(email)).toHaveLength(4);
		expect(await reservations()).toBe(0);
	});

	it("stays with the user when an operator cancels, and the account stays frozen", async () => {
		const person = await givenPerson(home);
		const { id, number } = await givenRecovery(person);
		await moveClock(DAY_MS);
		expect(expectOk(await cancel(person, id)).status).toBe("CANCELLED");
		expect(await cancel(person, id)).toMatchObject(CONFLICT);
		await moveClock(3 * DAY_MS);
		await sweepChanges();
		expect((await recovery(person, id)).status).toBe("CANCELLED");
		expect((await accountOf(person)).status).toBe("FROZEN");
		expect(await reservations()).toBe(0);
		expect(await userOf(person.number)).toBe(person.id);
		expect(await userOf(number)).not.toBe(person.id);
	});

	it("is cancelled or replaced, never both", async () => {
		for (const trip of [1, 2, 3, 4, 5, 6]) {
			const person = await givenPerson(home);
			const { id } = await givenRecovery(person);
			await moveClock(3 * DAY_MS + MINUTE_MS);
			await sweepChanges(beforeTrip(trip, async () => void (await cancel(person, id))));
			await sweepChanges();
			const { status } = await recovery(person, id);
			expect(["CANCELLED", "COMPLETED"]).toContain(status);
			expect(await userOf(person.number)).toSatisfy((holder: string) => (holder === person.id) === (status === "CANCELLED"));
			expect((await accountOf(person)).status).toBe(status === "CANCELLED" ? "FROZEN" : "ACTIVE");
		}
	});

	it("is not replaced by a number that another user has, got at any time", async () => {
		const [person, holder] = [await givenPerson(home), await givenPerson(HOMES[0])];
		expect(await askRecovery(person, holder.number)).toMatchObject({ status: 409, body: { code: "MOBILE_NUMBER_IN_USE" } });
		const number = freshNumber();
		const { id } = expectOk(await askRecovery(person, number));
		const newcomer = await userOf(number);
		expect(expectOk(await approve(id))).toMatchObject({ status: "FAILED", failure_reason: "NUMBER_IN_USE" });
		expect((await accountOf(person)).status).toBe("ACTIVE");
		expect(await userOf(number)).toBe(newcomer);

		const outcomes = new Set<string>();
		for (const trip of [1, 2, 3, 4]) {
			const wanted = freshNumber();
			const asked = expectOk(await askRecovery(person, wanted));
			let other: string | undefined;
			const racing = beforeTrip(trip, async () => {
				other ??= await userOf(wanted).catch(() => undefined);
			});
			const { status } = expectOk(await approve(asked.id, racing));
			expect(status).toBe(other === undefined ? "APPROVED" : "FAILED");
			outcomes.add(status);
			if (status === "APPROVED") expectOk(await cancel(person, asked.id));
		}
		expect(outcomes).toContain("FAILED");
	});

	it("ends the change that a thief has begun, also a change that is confirmed at the same time", async () => {
		const person = await givenPerson(home);
		const begun = await givenAuthorized(person);
		const asked = expectOk(await askRecovery(person, freshNumber()));
		let outcome: Promise<{ status: number }> | undefined;
		const racing = beforeTrip(2, async () => {
			outcome ??= confirm(person, begun.id, begun.code);
			await outcome;
		});
		expect(expectOk(await approve(asked.id, racing)).status).toBe("APPROVED");
		expect((await outcome)?.status).toBe(200);
		await moveClock(3 * DAY_MS + MINUTE_MS);
		await sweepChanges();
		expect((await recovery(person, asked.id)).status).toBe("COMPLETED");
		expect(await userOf(begun.number)).not.toBe(person.id);

		const other = await givenPerson(home);
		const second = await givenAuthorized(other);
		await givenRecovery(other);
		expect((await read({ token: await laterToken(other) }, second.id)).status).toBe("CANCELLED");
		expect(await userOf(second.number)).not.toBe(other.id);
	});

	it("takes caution for three days more: each transfer needs a code, and goes to known payees alone", async () => {
		const person = await givenPerson(home, 10_000);
		const { accountId } = await payeeOf(person, { type: "BUY_GOODS", till_number: "123456" });
		const { number } = await givenRecovery(person);
		await moveClock(3 * DAY_MS + MINUTE_MS);
		await sweepChanges();
		const owner = { token: await laterToken(person) };
		await moveClock(2 * DAY_MS);
		expect(await transfer(owner, accountId, 100)).toMatchObject(CONFLICT);
		expect(await start(owner, freshNumber())).toMatchObject(CONFLICT);
		await moveClock(DAY_MS);
		expect(expectOk(await transfer(owner, accountId, 100)).status).toBe("COMPLETED");
		expectOk(await start(owner, freshNumber()));
		expect(await codeTo(number)).toMatch(/^\d{6}$/);
	});

	it("is replaced once the custodian has taken the new one, and not if they refuse it", async () => {
		let status = 503;
		const told: string[] = [];
		answerOutbound(async (input, init) => {
			told.push((await new Request(input, init).json<{ instruction: string }>()).instruction);
			return new Response(null, { status });
		});
		const tellAgain = () =>
			withServices(async (services) => {
				for (const here of services.everywhere()) await sendDueCustodianInstructions(here);
			}, OUTSIDE);
		const person = await givenPerson(home);
		const { id } = await givenRecovery(person);
		expect(told).toEqual([]);
		await moveClock(3 * DAY_MS + MINUTE_MS);
		for (let sweep = 1; sweep <= 2; sweep++) {
			await sweepChanges(OUTSIDE);
			await moveClock(2 * MINUTE_MS);
		}
		expect((await recovery(person, id)).status).toBe("AUTHORIZED");
		status = 200;
		await tellAgain();
		await sweepChanges(OUTSIDE);
		expect((await recovery(person, id)).status).toBe("COMPLETED");
		expect(new Set(told)).toEqual(new Set(["NUMBER_COMMIT"]));

		const other = await givenPerson(home);
		const refused = await givenRecovery(other);
		status = 422;
		await moveClock(3 * DAY_MS + MINUTE_MS);
		await sweepChanges(OUTSIDE);
		expect(await recovery(other, refused.id)).toMatchObject({ status: "FAILED", failure_reason: "REFUSED_BY_PROVIDER" });
		expect((await messagesTo(other.number))[0]?.text).toContain("could not be moved");
		expect((await accountOf(other)).status).toBe("FROZEN");
		expect(await userOf(other.number)).toBe(other.id);
	});
});

describe("a recovery", () => {
	it("needs a proof of the number, a second operator, and no other recovery", async () => {
		const person = await givenPerson(HOMES[0]);
		const number = freshNumber();
		expect(await askRecovery(person, number, undefined, "nonsense")).toMatchObject({ status: 400 });
		expect(await askRecovery(person, number, person.token)).toMatchObject({ status: 403 });
		expect(await askRecovery(person, person.number)).toMatchObject(CONFLICT);
		expect(await askRecovery({ id: crypto.randomUUID() }, number)).toMatchObject({ status: 404 });
		const { id } = expectOk(await askRecovery(person, number, await operatorToken("ben")));
		expect(await approve(id)).toMatchObject({ status: 403, body: { code: "SELF_APPROVAL" } });
		expect(await askRecovery(person, freshNumber())).toMatchObject({ status: 409, body: { code: "APPROVAL_PENDING" } });
		expect(await cancel(person, id)).toMatchObject({ status: 404 });
		await givenRecovery(await givenPerson(HOMES[1]));
	});

	it("leaves an account frozen that an operator froze for another reason", async () => {
		const person = await givenPerson(HOMES[0]);
		const as = await operatorToken();
		expectOk(await call(freezeAccount, { as, path: { accountId: person.account.id }, body: { reason: "a court order" } }));
		const { id } = await givenRecovery(person);
		expect(await askRecovery(person, freshNumber())).toMatchObject(CONFLICT);
		await moveClock(3 * DAY_MS + MINUTE_MS);
		await sweepChanges();
		expect((await recovery(person, id)).status).toBe("COMPLETED");
		expect((await accountOf(person)).status).toBe("FROZEN");
	});

	it("that waits for the custodian holds up no other", async () => {
		const stuck = await givenPerson(HOMES[0]);
		const first = await givenRecovery(stuck);
		await moveClock(3 * DAY_MS + MINUTE_MS);
		answerOutbound(async () => new Response(null, { status: 503 }));
		await sweepChanges(OUTSIDE);
		const other = await givenPerson(HOMES[0]);
		const second = await givenRecovery(other);
		await moveClock(3 * DAY_MS + MINUTE_MS);
		await sweepChanges();
		expect((await recovery(stuck, first.id)).status).toBe("AUTHORIZED");
		expect((await recovery(other, second.id)).status).toBe("COMPLETED");
		await moveClock(4 * DAY_MS);
		await sweepChanges();
		expect((await recovery(stuck, first.id)).status).toBe("EXPIRED");
		const ends = (await messagesTo(stuck.number)).filter(({ text }) => text?.includes("could not be moved"));
		expect(ends).toHaveLength(1);
		expect((await accountOf(stuck)).status).toBe("FROZEN");
	});
});
