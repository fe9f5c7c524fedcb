// What the key of an issuer whose tokens are exchanged for sessions can take at most.
// @module-tag thorough

import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { first } from "../../../src/db/reads";
import { startNumberChange } from "../../../src/domains/mobile-number-changes/operations";
import { otpChallenges } from "../../../src/domains/otp/table";
import { exchangeIdentityToken } from "../../../src/domains/tokens/exchange/identity.operations";
import { exchangePartnerToken } from "../../../src/domains/tokens/exchange/operations";
import { exchangePhoneToken } from "../../../src/domains/tokens/exchange/phone.operations";
import { sandboxIssuer, uncodedPerDay } from "../../../src/domains/tokens/issuers/own.plan";
import { signIn } from "../../../src/domains/tokens/sign-in.operations";
import { orderTransfer } from "../../../src/domains/transfers/operations";
import { users } from "../../../src/domains/users/model/table";
import { isPublic } from "../../../src/http/callers/access";
import type { AnyOperation } from "../../../src/http/operation";
import { configuration } from "../../../src/runtime/config";
import { TrustedIssuer } from "../../../src/shared/trusted-issuer";
import { call, expectOk } from "../../support/client";
import { freshNumber, givenCurrentAccount } from "../../support/current-accounts";
import { db, givenOrganization, givenUser } from "../../support/factories";
import { givenKey, signed } from "../../support/issuers";
import { jobsFor } from "../../support/jobs";
import type { ValidRequest } from "../../support/valid-request";
import { fakeWorld } from "../../support/webhooks";
import { send } from "../senders";
import { givenParties, type Parties, validRequest } from "../valid-requests";
import { drain, guessed, leftOf, openTo, payable, T, VARS, WEALTH } from "./payer";

beforeEach(() => {
	fakeWorld();
});

const ISSUER = "https://stolen.example";
const KINDS = ["partner", "phone", "identity"] as const;
type Kind = (typeof KINDS)[number];
/** One for all tests, because making a key takes longer than most of them. */
const key = await givenKey();

/** The issuer of the organization's users, and the tokens that somebody with its key gets. */
async function givenStolen(kind: Kind, organization_id: string, entry: object = {}, claims: object = {}) {
	const asserting = kind === "phone" ? {} : { may_assert_user_ids: true };
	const issuer = { issuer: ISSUER, kind, organization_id, jwks: { keys: [key.jwk] }, ...asserting, ...entry };
	const vars = { ...VARS, TRUSTED_ISSUERS: JSON.stringify([issuer]) };
	const tokenOf = async ({ id, number }: { id: string; number: string }) => {
		const token = await signed(key, { iss: ISSUER, sub: kind === "phone" ? number : id, ...claims });
		if (kind === "partner") return expectOk(await call(exchangePartnerToken, { body: { partner_token: token }, vars })).access_token;
		if (kind === "identity") return expectOk(await call(exchangeIdentityToken, { body: { identity_token: token }, vars })).access_token;
		const { access_token } = expectOk(await call(exchangePhoneToken, { body: { phone_verification_token: token }, vars }));
		return expectOk(await call(signIn, { body: { custom_token: access_token }, vars })).access_token;
	};
	return { vars, tokenOf };
}

/** A wealthy user of the organization, with a confirmed payee. */
async function givenVictim(organizationId: string) {
	const number = freshNumber();
	const user = await givenUser({ organizationId, mobileNumber: number });
	await givenCurrentAccount({ user, balance: WEALTH });
	return { ...user, number, payee: await payable(user.token, true) };
}

const givenVictims = async (count: number) => {
	const { id } = await givenOrganization();
	return { organizationId: id, victims: await Promise.all(Array.from({ length: count }, () => givenVictim(id))) };
};
const sumOf = async (victims: readonly { id: string }[]) =>
	(await Promise.all(victims.map(({ id }) => leftOf(id)))).reduce((sum, left) => sum + left, 0);

describe("the key of an issuer", () => {
	// The kinds in turn: all open the same doors, and the tests below take as much as they can by each.
	const cases = openTo("user", "organization").map(([title, op], index) => [title, op, KINDS[index % KINDS.length] ?? "partner"] as const);

	it.each(cases)("moves its users' money by transfers alone: %s", async (_, op, kind) => {
		const parties = await givenParties();
		const request = guessed(await validRequest(op, parties));
		const { vars, tokenOf } = await givenStolen(kind, parties.organization.id);
		const as = await tokenOf({ id: parties.user.id, number: "+254712345678" });
		const before = await leftOf(parties.user.id);
		await send(op, request, { as }, vars);
		const left = (await leftOf(parties.user.id)) - before;
		if (op.id === orderTransfer.id) expect(left).toBeGreaterThan(0);
		else expect(left).toBe(0);
		// Public operations take no token.
		if (!isPublic(op.access)) await expectNoNumberOfThief(op, request, parties);
	});

	/** A partner that may assert numbers gives a user who has none the thief's, unless codes to it guard money: then it takes no more than above. */
	async function expectNoNumberOfThief(op: AnyOperation, request: ValidRequest, { user, organization }: Parties): Promise<void> {
		await db.update(users).set({ mobileNumber: null }).where(eq(users.id, user.id));
		const thief = freshNumber();
		const claims = { phone_number: thief, phone_number_verified: true };
		const { vars, tokenOf } = await givenStolen("partner", organization.id, { may_assert_phone_numbers: true }, claims);
		const there = await jobsFor(user.id);
		const guarded = await there.db.read(first(there.guarded.find(user.id)));
		const as = await tokenOf({ id: user.id, number: thief });
		const before = await leftOf(user.id);
		await send(op, request, { as }, vars);
		if (op.id !== orderTransfer.id) expect(await leftOf(user.id)).toBe(before);
		const [row] = await db.select({ number: users.mobileNumber }).from(users).where(eq(users.id, user.id));
		expect(row?.number).toBe(guarded?.guards ? null : thief);
	}
});

describe.each(KINDS)("the key of an issuer of kind %s", (kind) => {
	it("takes of each user what a token of theirs does", async () => {
		const { organizationId, victims } = await givenVictims(2);
		const { vars, tokenOf } = await givenStolen(kind, organizationId);
		for (const victim of victims) {
			await drain(await tokenOf(victim), [victim.payee], [T + 1, 600_000, 600_000, 400_000, 1], vars);
			expect(await leftOf(victim.id)).toBe(T);
		}
	});

	it("takes of all together uncoded_amount_per_day, however many orders run at once; then it needs codes", async () => {
		const { organizationId, victims } = await givenVictims(6);
		const { vars, tokenOf } = await givenStolen(kind, organizationId, { uncoded_amount_per_day: 250_000 });
		const tokens = await Promise.all(victims.map(tokenOf));
		const orderBy = (index: number, amount: number) =>
			call(orderTransfer, { as: tokens[index] ?? "", body: { payee_account_id: victims[index]?.payee ?? "", amount }, vars });
		const answers = await Promise.all(victims.map((_, index) => orderBy(index, 100_000)));
		const states = answers.map((answer) => expectOk(answer).status).sort();
		expect(states).toEqual([...Array<string>(4).fill("AWAITING_OTP"), "COMPLETED", "COMPLETED"]);
		expect(await sumOf(victims)).toBe(200_000);
		expect(expectOk(await orderBy(0, 50_001)).status).toBe("AWAITING_OTP");
		expect(expectOk(await orderBy(0, 50_000)).status).toBe("COMPLETED");
		expect(await sumOf(victims)).toBe(250_000);
		// The owners' own sessions are not the issuer's.
		const [{ token, payee } = { token: "", payee: "" }] = victims;
		expect(expectOk(await call(orderTransfer, { as: token, body: { payee_account_id: payee, amount: 1_000 }, vars })).status).toBe(
			"COMPLETED",
		);
	});

	it("gets none of its users' codes", async () => {
		const { organizationId, victims } = await givenVictims(1);
		const mailOnly = await givenUser({ organizationId, email: "owner@example.com" });
		await givenCurrentAccount({ user: mailOnly, balance: WEALTH });
		const payee = await payable(mailOnly.token, true);
		const { vars, tokenOf } = await givenStolen(kind, organizationId, {}, { email: "thief@example.com", email_verified: true });
		for (const victim of [...victims, ...(kind !== "phone" ? [{ ...mailOnly, number: "", payee }] : [])]) {
			const as = await tokenOf(victim);
			expectOk(await call(orderTransfer, { as, body: { payee_account_id: victim.payee, amount: T + 1 }, vars }));
			for (const authorization_channel of ["EMAIL", "OLD_MOBILE"] as const) {
				const body = { new_mobile_country_code: "254", new_mobile_number: freshNumber().slice(4), authorization_channel };
				await call(startNumberChange, { as, body, vars });
			}
		}
		const sent = await db.select({ recipient: otpChallenges.recipient }).from(otpChallenges);
		expect(sent.length).toBeGreaterThan(0);
		expect(sent.map(({ recipient }) => recipient)).not.toContain("thief@example.com");
	});

	it("takes nothing where the entry allows nothing", async () => {
		const { organizationId, victims } = await givenVictims(1);
		const { vars, tokenOf } = await givenStolen(kind, organizationId, { uncoded_amount_per_day: 0 });
		for (const victim of victims) await drain(await tokenOf(victim), [victim.payee], [1, 1_000], vars);
		expect(await sumOf(victims)).toBe(0);
	});
});

it("bounds an issuer whose entry is silent by a hundred users' daily amounts, and not the service itself", async () => {
	const config = await configuration({ ...env, ...VARS } as never);
	const { jwk } = await givenKey();
	const silent = TrustedIssuer.parse({ issuer: ISSUER, kind: "partner", jwks: { keys: [jwk] } });
	expect(uncodedPerDay(config, silent)).toBe(100 * T);
	expect(uncodedPerDay(config, sandboxIssuer(config, "partner"))).toBeUndefined();
});
