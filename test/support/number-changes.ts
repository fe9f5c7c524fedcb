// Changes of mobile numbers, made over HTTP.

import { eq } from "drizzle-orm";
import { decodeJwt } from "jose";
import { expect } from "vitest";
import { names } from "../../src/db/names.table";
import { first } from "../../src/db/reads";
import { decideApproval } from "../../src/domains/approvals/operations";
import { requestRecovery } from "../../src/domains/approvals/recovery.operations";
import { listMessages } from "../../src/domains/messages/operations";
import { authorizeNumberChange, confirmNumberChange } from "../../src/domains/mobile-number-changes/code.operations";
import { clearReservations, expireChanges, failRefused, finishChanges } from "../../src/domains/mobile-number-changes/job";
import { getNumberChange, startNumberChange } from "../../src/domains/mobile-number-changes/operations";
import { workOnRecoveries } from "../../src/domains/mobile-number-changes/recovery.job";
import { cancelRecovery, getRecovery } from "../../src/domains/mobile-number-changes/recovery.operations";
import { exchangePhoneToken } from "../../src/domains/tokens/exchange/phone.operations";
import { users } from "../../src/domains/users/model/table";
import { call, expectOk } from "./client";
import { operatorToken } from "./factories";
import { sandboxToken } from "./tokens";
import { HOMES, type Person, SECOND, withServices } from "./two-homes";

type Vars = Partial<Env>;

let last = 733_000_000;
/** A number that no user has. */
export const freshNumber = () => `+254${++last}`;

/** The messages sent to a number, newest first. */
export const messagesTo = async (recipient: string) =>
	expectOk(await call(listMessages, { as: await operatorToken(), query: { recipient }, vars: SECOND })).data;

export async function codeTo(recipient: string): Promise<string> {
	const code = (await messagesTo(recipient)).find(({ otp_code }) => otp_code !== null)?.otp_code;
	if (code == null) throw new Error(`no code was sent to ${recipient}`);
	return code;
}

export const wrong = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, "0");

export const start = ({ token }: Pick<Person, "token">, number: string, channel: "OLD_MOBILE" | "EMAIL" = "OLD_MOBILE", vars: Vars = {}) =>
	call(startNumberChange, {
		as: token,
		body: { new_mobile_country_code: "+254", new_mobile_number: number.slice(4), authorization_channel: channel },
		vars: { ...SECOND, ...vars },
	});
const step =
	(op: typeof authorizeNumberChange) =>
	({ token }: Pick<Person, "token">, mobileNumberChangeId: string, otp_code: string, vars: Vars = {}) =>
		call(op, { as: token, path: { mobileNumberChangeId }, body: { otp_code }, vars: { ...SECOND, ...vars } });
export const authorize = step(authorizeNumberChange);
export const confirm = step(confirmNumberChange);

export const read = async ({ token }: Pick<Person, "token">, mobileNumberChangeId: string) =>
	expectOk(await call(getNumberChange, { as: token, path: { mobileNumberChangeId }, vars: SECOND }));

/** An authorized change, with the code that was sent to the new number. */
export async function givenAuthorized(person: Person, number = freshNumber(), vars: Vars = {}) {
	const { id } = expectOk(await start(person, number, "OLD_MOBILE", vars));
	expectOk(await authorize(person, id, await codeTo(person.number), vars));
	return { id, number, code: await codeTo(number) };
}

/** Proves a number, once. */
export const proofOf = (number: string) => sandboxToken("phone", number, { jti: crypto.randomUUID() });

/** Asks for the recovery of the person's number. */
export const askRecovery = async ({ id }: Pick<Person, "id">, number: string, as?: string, proof?: string) =>
	call(requestRecovery, {
		as: as ?? (await operatorToken("anna")),
		path: { userId: id },
		body: { phone_verification_token: proof ?? (await proofOf(number)), reason: "The phone was stolen" },
		vars: SECOND,
	});

export const approve = async (id: string, vars: Vars = {}) =>
	call(decideApproval, { as: await operatorToken("ben"), path: { id }, body: { decision: "APPROVED" }, vars: { ...SECOND, ...vars } });

/** A recovery that waits, with the new number. */
export async function givenRecovery(person: Person, number = freshNumber()) {
	const { id } = expectOk(await askRecovery(person, number));
	expect(expectOk(await approve(id)).status).toBe("APPROVED");
	return { id, number };
}

export const recovery = async ({ id: userId }: Person, id: string) =>
	expectOk(await call(getRecovery, { as: await operatorToken(), path: { userId, id }, vars: SECOND }));

export const cancel = async ({ id: userId }: Person, id: string, vars: Vars = {}) =>
	call(cancelRecovery, { as: await operatorToken("cleo"), path: { userId, id }, vars: { ...SECOND, ...vars } });

/** The user who signs in with a number. */
export async function userOf(number: string): Promise<string | undefined> {
	const body = { phone_verification_token: await proofOf(number) };
	return decodeJwt(expectOk(await call(exchangePhoneToken, { body, vars: SECOND })).access_token).sub;
}

/** Runs the due work of changes in every database. */
export const sweepChanges = (vars: Vars = {}) =>
	withServices(async (services) => {
		for (const work of [failRefused, workOnRecoveries, expireChanges, finishChanges, clearReservations])
			for (const here of services.everywhere()) await work(here);
	}, vars);

/** The number in the user's own row. */
export const numberOf = ({ id }: Person) =>
	withServices(async (services) => {
		const { db } = services.at(id);
		const row = await db.read(first(db.orm.select().from(users).where(eq(users.id, id))));
		return row?.mobileNumber;
	});

/** How many names are reserved in the directory. */
export const reservations = () =>
	withServices(async ({ databases: { directory } }) => {
		const rows = await directory.read(directory.orm.select().from(names));
		return rows.filter(({ reservedFor }) => reservedFor !== null).length;
	});

/** In which home, and on which side of each round trip, a process dies. */
export const CRASHES = [HOMES[0], HOMES[1]].flatMap((home) => (["before", "after"] as const).map((when) => [home, when] as const));
