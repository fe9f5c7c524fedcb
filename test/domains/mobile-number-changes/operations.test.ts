// A number change from its start to its codes.

import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { authorizeNumberChange } from "../../../src/domains/mobile-number-changes/code.operations";
import { cancelNumberChange, resendNumberChangeCode, startNumberChange } from "../../../src/domains/mobile-number-changes/operations";
import { users } from "../../../src/domains/users/model/table";
import { MINUTE_MS } from "../../../src/shared/time";
import { call, expectOk, send } from "../../support/client";
import { moveClock } from "../../support/clock";
import { allowErrors } from "../../support/log";
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
	wrong,
} from "../../support/number-changes";
import { answerOutbound } from "../../support/outbound";
import { givenPerson, HOMES, openSecond, type Person, SECOND, withServices } from "../../support/two-homes";

const CONFLICT = { status: 409, body: { code: "INVALID_STATE" } };
const REFUSED = { status: 400, body: { code: "BAD_REQUEST", description: "Invalid input" } };
const [HOME] = HOMES;

const setUser = ({ id }: Person, columns: Partial<typeof users.$inferInsert>) =>
	withServices((services) => {
		const { db, commit } = services.at(id);
		return commit([db.orm.update(users).set(columns).where(eq(users.id, id))]);
	});
const cancel = ({ token }: Person, mobileNumberChangeId: string) =>
	call(cancelNumberChange, { as: token, path: { mobileNumberChangeId }, vars: SECOND });
const resend = ({ token }: Person, mobileNumberChangeId: string) =>
	call(resendNumberChangeCode, { as: token, path: { mobileNumberChangeId }, vars: SECOND });

beforeEach(openSecond);

describe("starting a change", () => {
	it("sends a code to the present number, and nothing to the new one", async () => {
		const person = await givenPerson(HOME);
		const number = freshNumber();
		const answer = await start(person, number);
		expect(answer.status).toBe(201);
		const change = expectOk(answer);
		const url = `http://localhost/v1/user/accounts/current/phone/changes/${change.id}`;
		expect(change).toEqual({
			id: change.id,
			resource_id: `mnc_${change.id.replaceAll("-", "")}`,
			url,
			status: "INITIALIZING",
			authorization_channel: "OLD_MOBILE",
			created_at: change.created_at,
			authorized_at: null,
			completed_at: null,
			authorize_url: `${url}/authorize`,
			confirm_url: `${url}/confirm`,
		});
		expect(await messagesTo(person.number)).toHaveLength(1);
		expect(await messagesTo(number)).toEqual([]);
		expect(await read(person, change.id)).toEqual(change);
	});

	it("sends the code to the verified mail address on request", async () => {
		const person = await givenPerson(HOME);
		expect(await start(person, freshNumber(), "EMAIL")).toMatchObject(REFUSED);
		await setUser(person, { email: "jane@example.com" });
		expect(expectOk(await start(person, freshNumber(), "EMAIL")).authorization_channel).toBe("EMAIL");
		expect(await messagesTo("jane@example.com")).toMatchObject([{ channel: "EMAIL" }]);
		expect(await messagesTo(person.number)).toEqual([]);
	});

	it("is refused for the present number, and over a channel that the user does not have", async () => {
		const person = await givenPerson(HOME);
		expect(await start(person, person.number)).toMatchObject(REFUSED);
		await setUser(person, { mobileNumber: null });
		expect(await start(person, freshNumber())).toMatchObject(REFUSED);
	});

	it.each([
		["a number of no served country", { new_mobile_country_code: "1", new_mobile_number: "2025550123" }],
		["a fixed line", { new_mobile_country_code: "254", new_mobile_number: "0202345678" }],
		["too few digits", { new_mobile_country_code: "254", new_mobile_number: "0712" }],
		["a numeric country code", { new_mobile_country_code: 254 }],
		["an unknown channel", { authorization_channel: "PIGEON" }],
		["no channel", { authorization_channel: undefined }],
	])("is refused with %s", async (_, changes) => {
		const { token } = await givenPerson(HOME);
		const body = { new_mobile_country_code: "254", new_mobile_number: "0733123456", authorization_channel: "OLD_MOBILE", ...changes };
		expect(await send(startNumberChange, { as: token, body, vars: SECOND })).toMatchObject({ status: 400, body: { code: "BAD_REQUEST" } });
	});

	it.each(["254", "+254"])("accepts the country code %s, and a leading zero", async (new_mobile_country_code) => {
		const { token } = await givenPerson(HOME);
		const body = { new_mobile_country_code, new_mobile_number: "0733 123 456", authorization_channel: "OLD_MOBILE" as const };
		expect((await call(startNumberChange, { as: token, body, vars: SECOND })).status).toBe(201);
	});

	it("cancels an unfinished change, and leaves one change open after two concurrent starts", async () => {
		const person = await givenPerson(HOME);
		const first = expectOk(await start(person, freshNumber()));
		const [second, third] = await Promise.all([start(person, freshNumber()), start(person, freshNumber())]);
		expect((await read(person, first.id)).status).toBe("CANCELLED");
		const open = [];
		for (const answer of [second, third]) if (answer.ok) open.push((await read(person, answer.body.id)).status);
		expect(open.filter((status) => status === "INITIALIZING")).toHaveLength(1);
	});

	it("is limited by the caps on codes", async () => {
		const person = await givenPerson(HOME);
		for (let sends = 0; sends < 3; sends++) expectOk(await start(person, freshNumber()));
		const refused = await start(person, freshNumber());
		expect(refused).toMatchObject({ status: 429 });
		expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
	});

	it("needs a custodian", async () => {
		expect(await start(await givenPerson(HOME), freshNumber(), "OLD_MOBILE", { CUSTODIAN: "http" })).toMatchObject({ status: 503 });
	});

	it.each([
		["was exchanged", { swapped: true }, 409],
		["was not exchanged", { swapped: false }, 201],
		["cannot be looked up", null, 201],
	])("by a code to a number whose SIM card %s", async (_, answer, status) => {
		allowErrors("the SIM-swap check gave no answer before a code");
		const vars = { SIM_SWAP_URL: "https://operator.example/sim-swap/check", SIM_SWAP_TOKEN: "secret" };
		const person = await givenPerson(HOME);
		const asked: unknown[] = [];
		answerOutbound(async (input, init) => {
			const request = new Request(input, init);
			asked.push(await request.json());
			return answer ? Response.json(answer) : new Response(null, { status: 500 });
		});
		expect((await start(person, freshNumber(), "OLD_MOBILE", vars)).status).toBe(status);
		expect(asked).toEqual([{ phoneNumber: person.number, maxAge: 240 }]);
		await setUser(person, { email: "jane@example.com" });
		expect((await start(person, freshNumber(), "EMAIL", vars)).status).toBe(201);
	});
});

describe("authorizing a change", () => {
	it("sends a code to the new number", async () => {
		const person = await givenPerson(HOME);
		const number = freshNumber();
		const { id } = expectOk(await start(person, number));
		const change = expectOk(await authorize(person, id, await codeTo(person.number)));
		expect(change).toMatchObject({ status: "AUTHORIZED", completed_at: null });
		expect(change.authorized_at).not.toBeNull();
		expect(await messagesTo(number)).toHaveLength(1);
	});

	it("needs the right code: a wrong one is 400, the sixth try 429, and a malformed one spends none", async () => {
		const person = await givenPerson(HOME);
		const { id } = expectOk(await start(person, freshNumber()));
		const code = await codeTo(person.number);
		for (const otp_code of [Number(code), "12345", `${code} `]) {
			const path = { mobileNumberChangeId: id };
			expect(await send(authorizeNumberChange, { as: person.token, path, body: { otp_code }, vars: SECOND })).toMatchObject({
				status: 400,
			});
		}
		for (let tries = 1; tries <= 5; tries++) expect(await authorize(person, id, wrong(code))).toMatchObject(REFUSED);
		expect(await authorize(person, id, code)).toMatchObject({ status: 429 });
		expect((await read(person, id)).status).toBe("INITIALIZING");
	});

	it("works once, and not after the change has ended", async () => {
		const person = await givenPerson(HOME);
		const { id } = expectOk(await start(person, freshNumber()));
		const code = await codeTo(person.number);
		const answers = await Promise.all([0, 1, 2].map(() => authorize(person, id, code)));
		expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
		for (const { status } of answers) expect([200, 400, 409]).toContain(status);
		expect(await authorize(person, id, code)).toMatchObject(CONFLICT);
		expectOk(await cancel(person, id));
		expect(await authorize(person, id, code)).toMatchObject(CONFLICT);
	});

	it("answers 400 for an expired code, 409 for an expired change", async () => {
		const person = await givenPerson(HOME);
		const { id } = expectOk(await start(person, freshNumber()));
		const code = await codeTo(person.number);
		await moveClock(5 * MINUTE_MS);
		expect(await authorize(person, id, code)).toMatchObject(REFUSED);
		await moveClock(25 * MINUTE_MS);
		expect(await authorize(person, id, code)).toMatchObject(CONFLICT);
		expect((await read(person, id)).status).toBe("EXPIRED");
		await sweepChanges();
		expect((await read(person, id)).status).toBe("EXPIRED");
	});

	it("answers 404 for another user's change", async () => {
		const person = await givenPerson(HOME);
		const { id } = expectOk(await start(person, freshNumber()));
		const code = await codeTo(person.number);
		expect((await authorize(await givenPerson(HOME), id, code)).status).toBe(404);
		expect((await authorize(person, crypto.randomUUID(), code)).status).toBe(404);
	});

	it("uses up no try when the caps refuse a code for the new number", async () => {
		const number = freshNumber();
		for (let sends = 0; sends < 3; sends++) await givenAuthorized(await givenPerson(HOME), number);
		const person = await givenPerson(HOME);
		const { id } = expectOk(await start(person, number));
		const code = await codeTo(person.number);
		for (let tries = 0; tries < 6; tries++) expect(await authorize(person, id, code)).toMatchObject({ status: 429 });
		await moveClock(15 * MINUTE_MS);
		expect((await read(person, id)).status).toBe("INITIALIZING");
		expect(await authorize(person, id, code)).toMatchObject(REFUSED);
	});
});

describe("sending the code again", () => {
	it("sends it to the same recipient, after half a minute", async () => {
		const person = await givenPerson(HOME);
		const number = freshNumber();
		const { id } = expectOk(await start(person, number));
		expect(await resend(person, id)).toMatchObject({ status: 429 });
		await moveClock(MINUTE_MS);
		expect(expectOk(await resend(person, id)).status).toBe("INITIALIZING");
		expect(await messagesTo(person.number)).toHaveLength(2);
		expectOk(await authorize(person, id, await codeTo(person.number)));
		await moveClock(MINUTE_MS);
		expectOk(await resend(person, id));
		expect(await messagesTo(number)).toHaveLength(2);
		expect(expectOk(await confirm(person, id, await codeTo(number))).status).toBe("COMPLETED");
		expect(await resend(person, id)).toMatchObject(CONFLICT);
	});
});

describe("cancelling a change", () => {
	it("ends it once, before or after it is authorized", async () => {
		const person = await givenPerson(HOME);
		const first = expectOk(await start(person, freshNumber()));
		expect(expectOk(await cancel(person, first.id)).status).toBe("CANCELLED");
		expect(await cancel(person, first.id)).toMatchObject(CONFLICT);
		const { id, code } = await givenAuthorized(person);
		expect(expectOk(await cancel(person, id)).status).toBe("CANCELLED");
		expect(await confirm(person, id, code)).toMatchObject(CONFLICT);
	});
});
