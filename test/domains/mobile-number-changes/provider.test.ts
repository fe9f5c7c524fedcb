// A number change with a provider that answers late, refuses or is silent.

import { beforeEach, describe, expect, it } from "vitest";
import { sendDueCustodianInstructions } from "../../../src/domains/current-accounts/custodian/procedure";
import { failRefused } from "../../../src/domains/mobile-number-changes/job";
import { cancelNumberChange } from "../../../src/domains/mobile-number-changes/operations";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../src/shared/time";
import { call, expectOk } from "../../support/client";
import { moveClock } from "../../support/clock";
import { beforeTrip } from "../../support/loans";
import {
	authorize,
	cancel,
	codeTo,
	confirm,
	freshNumber,
	givenAuthorized,
	givenRecovery,
	read,
	recovery,
	start,
	sweepChanges,
	userOf,
} from "../../support/number-changes";
import { answerOutbound } from "../../support/outbound";
import { givenPerson, HOMES, openSecond, SECOND, withServices } from "../../support/two-homes";

const OUTSIDE = { CUSTODIAN: "http", CUSTODIAN_URL: "https://custodian.example/instructions", CUSTODIAN_SECRET: "secret" };
const UNAVAILABLE = { status: 503, body: { code: "SERVICE_UNAVAILABLE" } };

type Told = { instruction: string; subject_id: string; reference: string; mobile_number: string; previous_mobile_number: string };

/** A custodian that responds with these statuses in turn and repeats the last one; 0 means no response. */
function custodianAnswering(...statuses: number[]): Told[] {
	const told: Told[] = [];
	answerOutbound(async (input, init) => {
		told.push(await new Request(input, init).json<Told>());
		const status = statuses[Math.min(told.length, statuses.length) - 1] ?? 200;
		if (status === 0) throw new TypeError("connection lost");
		return new Response(null, { status });
	});
	return told;
}
const tellAgain = () =>
	withServices(async (services) => {
		for (const here of services.everywhere()) await sendDueCustodianInstructions(here);
	}, OUTSIDE);
const kinds = (told: readonly Told[]) => told.map(({ instruction }) => instruction);

beforeEach(openSecond);

describe.each([
	["of the directory", HOMES[0]],
	["of another database", HOMES[1]],
] as const)("the provider of a user %s", (_, home) => {
	it("is notified of a change when it is authorized, not when it is confirmed", async () => {
		const told = custodianAnswering(200);
		const person = await givenPerson(home);
		const { id, number, code } = await givenAuthorized(person, freshNumber(), OUTSIDE);
		expect(told).toMatchObject([
			{ instruction: "NUMBER_COMMIT", subject_id: id, mobile_number: number, previous_mobile_number: person.number },
		]);
		expect(expectOk(await confirm(person, id, code, OUTSIDE)).status).toBe("COMPLETED");
		await moveClock(HOUR_MS);
		await tellAgain();
		await sweepChanges(OUTSIDE);
		expect(kinds(told)).toEqual(["NUMBER_COMMIT"]);
	});

	it("is not notified of a recovery that an operator cancels meanwhile, nor that it is taken back", async () => {
		const told = custodianAnswering(200);
		for (const trip of [3, 4, 5, 6, 7, 8]) {
			const person = await givenPerson(home);
			const { id } = await givenRecovery(person);
			await moveClock(3 * DAY_MS + MINUTE_MS);
			await sweepChanges({ ...OUTSIDE, ...beforeTrip(trip, async () => void (await cancel(person, id, OUTSIDE))) });
			const last = told.findLast(({ subject_id }) => subject_id === id)?.instruction;
			const isCancelled = (await recovery(person, id)).status === "CANCELLED";
			expect(last === "NUMBER_COMMIT", `trip ${trip}`).toBe(!isCancelled);
		}
	});

	it("must accept the change before it can be confirmed; until then a confirmation uses up no try", async () => {
		const told = custodianAnswering(0, 500, 200);
		const person = await givenPerson(home);
		const { id, code } = await givenAuthorized(person, freshNumber(), OUTSIDE);
		for (let tries = 0; tries < 7; tries++) expect(await confirm(person, id, code, OUTSIDE)).toMatchObject(UNAVAILABLE);
		for (let round = 0; round < 2; round++) {
			await moveClock(MINUTE_MS);
			await tellAgain();
		}
		expect(new Set(told.map(({ reference }) => reference)).size).toBe(1);
		expect(expectOk(await confirm(person, id, code, OUTSIDE)).status).toBe("COMPLETED");
	});

	it.each(["expires", "is cancelled", "makes way for another"])(
		"gets the instruction to roll back when an authorized change %s",
		async (how) => {
			const told = custodianAnswering(200);
			const person = await givenPerson(home);
			const { id, code } = await givenAuthorized(person, freshNumber(), OUTSIDE);
			if (how === "expires") {
				await moveClock(30 * MINUTE_MS);
				await sweepChanges(OUTSIDE);
			} else if (how === "is cancelled") {
				expectOk(await call(cancelNumberChange, { as: person.token, path: { mobileNumberChangeId: id }, vars: { ...SECOND, ...OUTSIDE } }));
			} else {
				await moveClock(MINUTE_MS);
				expectOk(await start(person, freshNumber(), "OLD_MOBILE", OUTSIDE));
			}
			expect((await read(person, id)).status).toBe(how === "expires" ? "EXPIRED" : "CANCELLED");
			expect(kinds(told)).toEqual(["NUMBER_COMMIT", "NUMBER_ROLLBACK"]);
			expect(await confirm(person, id, code, OUTSIDE)).toMatchObject({ status: 409 });
			await sweepChanges(OUTSIDE);
			await moveClock(HOUR_MS);
			await tellAgain();
			expect(told).toHaveLength(2);
			expect(await userOf(person.number)).toBe(person.id);
		},
	);

	it("gets only the rollback if the change ends before it has accepted the commit", async () => {
		const told = custodianAnswering(0, 0, 200);
		const person = await givenPerson(home);
		await givenAuthorized(person, freshNumber(), OUTSIDE);
		await moveClock(30 * MINUTE_MS);
		await sweepChanges(OUTSIDE);
		await moveClock(HOUR_MS);
		await tellAgain();
		expect(kinds(told)).toEqual(["NUMBER_COMMIT", "NUMBER_ROLLBACK", "NUMBER_ROLLBACK"]);
	});

	it.each([
		["at once", [422]],
		["when it is told again", [0, 409]],
	])("that refuses the number %s ends the change, and gets no further instruction", async (when, statuses) => {
		const told = custodianAnswering(...statuses);
		const person = await givenPerson(home);
		const { id, number, code } = await givenAuthorized(person, freshNumber(), OUTSIDE);
		if (when !== "at once") {
			await moveClock(MINUTE_MS);
			await tellAgain();
			expect(await confirm(person, id, code, OUTSIDE)).toMatchObject({ status: 409, body: { code: "INVALID_STATE" } });
			await withServices(async (services) => {
				for (const here of services.everywhere()) await failRefused(here);
			}, OUTSIDE);
		}
		expect((await read(person, id)).status).toBe("FAILED");
		expect(await confirm(person, id, code, OUTSIDE)).toMatchObject({ status: 409, body: { code: "INVALID_STATE" } });
		await moveClock(HOUR_MS);
		await sweepChanges(OUTSIDE);
		await tellAgain();
		expect(new Set(kinds(told))).toEqual(new Set(["NUMBER_COMMIT"]));
		expect(told).toHaveLength(statuses.length);
		expect(await userOf(person.number)).toBe(person.id);
		expect(await userOf(number)).not.toBe(person.id);
	});

	it("is not notified of a change to a number that is in use until the number is free", async () => {
		const told = custodianAnswering(200);
		const [person, holder] = [await givenPerson(home), await givenPerson(HOMES[0])];
		const { id, code } = await givenAuthorized(person, holder.number, OUTSIDE);
		expect(told).toEqual([]);
		await moveClock(1_000);
		const { id: theirs } = expectOk(await start(holder, freshNumber(), "OLD_MOBILE", { CUSTODIAN: "sandbox" }));
		expect(theirs).not.toBe(id);
		await withServices((services) => {
			const { DB } = services.env;
			return DB.prepare("update users set mobile_number = null where id = ?").bind(holder.id).run();
		});
		expect(await confirm(person, id, code, OUTSIDE)).toMatchObject(UNAVAILABLE);
		expect(kinds(told)).toEqual(["NUMBER_COMMIT"]);
		expect(expectOk(await confirm(person, id, code, OUTSIDE)).status).toBe("COMPLETED");
		expect(await userOf(holder.number)).toBe(person.id);
	});

	it("is notified once of a change that two concurrent calls authorize", async () => {
		const told = custodianAnswering(200);
		const person = await givenPerson(home);
		const { id } = expectOk(await start(person, freshNumber(), "OLD_MOBILE", OUTSIDE));
		const code = await codeTo(person.number);
		await Promise.all([authorize(person, id, code, OUTSIDE), authorize(person, id, code, OUTSIDE)]);
		expect(kinds(told)).toEqual(["NUMBER_COMMIT"]);
	});
});
