// Erasures: what they remove after a life of events, what refuses them, and that neither a race nor a crash leaves anything.

import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { decideApproval, requestApproval } from "../../../src/domains/approvals/operations";
import { closeAccount } from "../../../src/domains/credit-accounts/closing.operations";
import { creditAccounts } from "../../../src/domains/credit-accounts/table";
import { applyForLoan } from "../../../src/domains/loans/apply.operations";
import { eraseUser, getErasure } from "../../../src/domains/people/erasure.operations";
import { workOnErasures } from "../../../src/domains/people/job";
import { erasures } from "../../../src/domains/people/table";
import { recordRepayment } from "../../../src/domains/repayments/recording/operations";
import { payments } from "../../../src/domains/repayments/table";
import { matchPayment } from "../../../src/domains/repayments/unmatched/operations";
import { linkIdentity } from "../../../src/domains/users/identity.operations";
import { users } from "../../../src/domains/users/model/table";
import { updateMe } from "../../../src/domains/users/profile.operations";
import { archiveDeliveries } from "../../../src/domains/webhooks/keeping/archive.job";
import type { JobServices } from "../../../src/runtime/services";
import { DAY_MS, MINUTE_MS } from "../../../src/shared/time";
import { emptyBucket } from "../../support/backups";
import { call, expectOk } from "../../support/client";
import { moveClock } from "../../support/clock";
import { dyingAt } from "../../support/crashes";
import { paymentTo } from "../../support/credit";
import { givenActive } from "../../support/current-accounts";
import { db, givenApiKey, givenMember, givenOrganization, givenUser, operatorToken } from "../../support/factories";
import { apply, beforeCommit, eventsOf, givenLoanProduct, givenOffer, runDueWork } from "../../support/loans";
import { askRecovery } from "../../support/number-changes";
import { signedIn } from "../../support/phone-sign-in";
import type { Vars } from "../../support/serve";
import { givenLifeOfEvents, ISSUER, MAIL, NAME, NUMBER, PLANTED } from "./life";
import { among, fileTexts, objectTexts, tablesWith } from "./searching";

beforeEach(emptyBucket);

const erase = async (userId: string, vars: Vars = {}) => call(eraseUser, { as: await operatorToken(), path: { userId }, vars });
const work = (vars: Partial<Env> = {}) =>
	runDueWork(async (services) => {
		while (await workOnErasures(services));
	}, vars);

describe("an erasure", () => {
	it("leaves nothing of a person after a life of events but ids", { tags: ["thorough"], timeout: 60_000 }, async () => {
		const logged: string[] = [];
		for (const level of ["log", "info", "warn", "error"] as const)
			vi.spyOn(console, level).mockImplementation((...parts) => void logged.push(parts.map(String).join(" ").toLowerCase()));
		const { as, organization, userId, token } = await givenLifeOfEvents();
		await archived();

		expect(Object.keys(await tablesWith(PLANTED)).sort()).toEqual([
			...["approvals", "custodian_instructions", "daraja_confirmations", "disbursements", "idempotency_records", "identity_links"],
			...["import_lines", "invitation_sends", "invitations", "issued_statements", "messages", "otp_challenges", "otp_sends"],
			...["payee_accounts", "payees", "payments", "statement_breaks", "statement_lines", "transfers", "users"],
			...["webhook_attempts", "webhook_deliveries", "webhook_receipts"],
		]);
		expect(expectOk(await erase(userId))).toMatchObject({ user_id: userId, status: "RUNNING", erased_at: null });
		await moveClock(MINUTE_MS);
		await work();
		await work();
		expect(await tablesWith(PLANTED)).toEqual({});
		// Objects keep answers that no commit has recorded, and the archive those of receivers; neither is written again.
		const [objects, files] = [await objectTexts(), await fileTexts()];
		expect([objects.length > 0, files.length, logged.length > 0]).toEqual([true, 1, true]);
		expect({ objects: among(PLANTED, objects), files: among(PLANTED, files), logged: among(PLANTED, logged) }).toEqual({
			...{ objects: [], files: [], logged: [] },
		});
		expect(expectOk(await call(getErasure, { as, path: { userId } }))).toMatchObject({ status: "DONE" });
		expect((await eventsOf(organization.id)).filter(({ type }) => type === "user.erased")).toMatchObject([{ data: { user_id: userId } }]);
		expect([401, 403]).toContain((await call(updateMe, { as: token, body: { display_name: NAME } })).status);
	});
});

/** Puts into the archive what was delivered, and dies before it removes the rows. */
const archived = () =>
	runDueWork(async (services) => void (await archiveDeliveries({ ...services, now: services.now + 5 * DAY_MS })), {
		ARCHIVE: {
			put: async (...file: Parameters<R2Bucket["put"]>) => {
				await env.BUCKET.put(...file);
				throw new Error("the process has died");
			},
		} as unknown as R2Bucket,
	});

/** A user with a number, who has never had an account. */
async function givenPerson(number = NUMBER) {
	const organization = await givenOrganization();
	return { organization, ...(await givenUser({ organizationId: organization.id, mobileNumber: number, email: MAIL })) };
}

describe("an erasure is refused", () => {
	it("while money is open, then while a period of the law runs, and names each", async () => {
		const { organization, id: userId, token } = await givenPerson();
		const { id: productId } = await givenLoanProduct({ organization_id: organization.id });
		const offer = await givenOffer(token, productId);
		expectOk(await apply(token, offer.id, 30_000));
		const open = await erase(userId);
		expect(open.status).toBe(409);
		expect(JSON.parse(open.text)).toMatchObject({ code: "INVALID_STATE", reason: "MONEY_OPEN" });
		expect(open.text).toContain("a loan account is open");
		const key = await givenApiKey(organization.id, ["repayments:write"]);
		expectOk(await call(recordRepayment, { as: key, body: paymentTo(offer.account_id, 30_000) }));
		expectOk(await call(closeAccount, { as: await operatorToken(), path: { accountId: offer.account_id } }));
		const vars = { RETENTION_PERIODS: JSON.stringify({ loans: { days: 10, law: "a law of ten days" } }) };
		const kept = await erase(userId, vars);
		expect(JSON.parse(kept.text)).toMatchObject({ code: "INVALID_STATE", reason: "RETENTION" });
		expect(kept.text).toMatch(/LOANS are kept until \d{4}-\d\d-\d\dT[^ ]+ \(a law of ten days\)/);
		await moveClock(10 * DAY_MS);
		expectOk(await erase(userId, vars));
	});

	it("for a member of an organization, and for who has an open current account", async () => {
		const { id: organizationId } = await givenOrganization();
		const member = await givenMember(organizationId);
		expect(JSON.parse((await erase(member.id)).text)).toMatchObject({ reason: "IN_USE" });
		const { id: userId, token } = await givenPerson();
		await givenActive(token);
		expect(JSON.parse((await erase(userId)).text)).toMatchObject({ reason: "MONEY_OPEN" });
		expect((await erase(crypto.randomUUID())).status).toBe(404);
	});

	it("when a loan is taken between its read and its commit, and takes none of who is erased first", async () => {
		const { organization, id: userId, token } = await givenPerson();
		const { id: productId } = await givenLoanProduct({ organization_id: organization.id });
		const offer = await givenOffer(token, productId);
		const lost = await erase(userId, beforeCommit(once(async () => expectOk(await apply(token, offer.id, 30_000)))));
		expect(JSON.parse(lost.text)).toMatchObject({ reason: "MONEY_OPEN" });
		expect(await db.select().from(erasures)).toEqual([]);

		const second = await givenPerson("+254711223355");
		const { id: another } = await givenLoanProduct({ organization_id: second.organization.id });
		const late = await givenOffer(second.token, another);
		const vars = beforeCommit(once(async () => expectOk(await erase(second.id))));
		const body = { loan_amount: 30_000 };
		const refused = await call(applyForLoan, { as: second.token, path: { application_id: late.id }, body, vars });
		expect([401, 403, 409]).toContain(refused.status);
		expect((await db.select().from(creditAccounts)).filter(({ status, userId }) => userId === second.id && status !== "PENDING")).toEqual(
			[],
		);
	});
});

const once = (happens: () => Promise<unknown>) => {
	let done = false;
	return async () => {
		if (done) return;
		done = true;
		await happens();
	};
};

async function untilItDies(services: JobServices): Promise<void> {
	try {
		while (await workOnErasures(services));
	} catch (error) {
		expect(String(error)).toContain("the process has died");
	}
}

describe("the walk of an erasure", () => {
	it("takes what the person typed instead of an account's number, and leaves the number of an account", async () => {
		const { organization, id: userId } = await givenPerson();
		const as = await givenApiKey(organization.id, ["repayments:write"]);
		const typed = { A: "0711 223 344", B: "711223344 shoes", C: MAIL, D: "1000711223344", E: "0722000111" };
		for (const [transaction, account_number] of Object.entries(typed)) {
			const { account_id: _, ...body } = paymentTo(userId, 1_000, `TYPED00${transaction}`);
			const details = { type: "PAY_BILL" as const, paybill_number: "600000", account_reference: account_number };
			expectOk(await call(recordRepayment, { as, body: { ...body, account_number, details } }));
		}
		expectOk(await erase(userId));
		await moveClock(MINUTE_MS);
		await work();
		await work();
		const left = (await db.select().from(payments)).toSorted((a, b) => (a.mobileMoneyTransactionId < b.mobileMoneyTransactionId ? -1 : 1));
		const gone = "[erased]";
		expect(left.map(({ accountNumber }) => accountNumber)).toEqual([gone, gone, gone, typed.D, typed.E]);
		expect(left.map(({ details }) => "account_reference" in details && details.account_reference).slice(0, 3)).toEqual([gone, gone, gone]);
	});

	it("takes every text that was typed of a payment to the person's own account, but not the number of an account", async () => {
		const { organization, id: userId, token } = await givenPerson();
		const { id: productId } = await givenLoanProduct({ organization_id: organization.id });
		const offer = await givenOffer(token, productId);
		expectOk(await apply(token, offer.id, 30_000));
		const as = await givenApiKey(organization.id, ["repayments:write"]);
		const { account_id, ...paid } = { ...paymentTo(offer.account_id, 30_000, "TYPED00A"), account_number: "Mama Wanjiru" };
		const details = { type: "BANK_TRANSFER" as const, bank_code: "1", reference: "Mama W" };
		const { id } = expectOk(await call(recordRepayment, { as, body: { ...paid, details } })).transaction;
		expectOk(await call(matchPayment, { as: await operatorToken(), path: { id }, body: { account_id } }));
		expectOk(await call(closeAccount, { as: await operatorToken(), path: { accountId: offer.account_id } }));
		await moveClock(2558 * DAY_MS);
		expectOk(await erase(userId));
		await moveClock(MINUTE_MS);
		await work();
		await work();
		expect((await db.select().from(payments)).map(({ accountNumber, details }) => [accountNumber, details])).toEqual([
			["[erased]", { type: "BANK_TRANSFER", bank_code: "1", reference: "[erased]" }],
		]);
	});

	it("continues after a death at any of its trips, and raises one event", { tags: ["thorough"], timeout: 60_000 }, async () => {
		for (const when of ["before", "after"] as const) {
			const { organization, id: userId } = await givenPerson(when === "before" ? NUMBER : "+254711223366");
			expectOk(await erase(userId));
			await moveClock(MINUTE_MS);
			for (let trip = 1; trip <= 8; trip++) await runDueWork(untilItDies, dyingAt(trip, when).vars);
			await work();
			await work();
			expect(await tablesWith(PLANTED)).toEqual({});
			expect((await eventsOf(organization.id)).filter(({ type }) => type === "user.erased")).toHaveLength(1);
		}
	});

	it("leaves the number free for a new user", async () => {
		const { id: userId } = await givenPerson();
		expectOk(await erase(userId));
		expectOk(await erase(userId));
		await moveClock(MINUTE_MS);
		await work();
		await signedIn(NUMBER);
		const holders = (await db.select().from(users)).filter(({ mobileNumber }) => mobileNumber === NUMBER);
		expect(holders).toHaveLength(1);
		expect(holders[0]?.id).not.toBe(userId);
	});

	it("makes a user to whom nothing is given any more", async () => {
		const { id: userId } = await givenPerson();
		expectOk(await erase(userId));
		const as = await operatorToken();
		const body = { approval_type: "BLOCK_CHANGE" as const, entity_type: "USER" as const, entity_id: userId, payload: { blocked: false } };
		expect((await call(requestApproval, { as, body })).text).toContain("ERASED");
		const link = { as, path: { userId }, body: { issuer: ISSUER, subject: "somebody" } };
		expect((await call(linkIdentity, link)).text).toContain("The user is erased");
		expect((await askRecovery({ id: userId }, "+254799000222")).text).toContain("ERASED");
	});

	it("waits for a second operator, who decides on what holds then", async () => {
		const { id: userId, token } = await givenPerson();
		const vars = { OPERATOR_PAIRS: "on" };
		const held = await call(eraseUser, { as: await operatorToken("anna"), path: { userId }, vars });
		expect(held.status).toBe(202);
		const { id } = JSON.parse(held.text) as { id: string };
		expect(await db.select().from(erasures)).toEqual([]);
		expectOk(await call(decideApproval, { as: await operatorToken("ben"), path: { id }, body: { decision: "APPROVED" }, vars }));
		// Every database has the row.
		expect(new Set((await db.select().from(erasures)).map((row) => row.userId))).toEqual(new Set([userId]));
		expect([401, 403]).toContain((await call(updateMe, { as: token, body: { display_name: NAME } })).status);
	});
});
