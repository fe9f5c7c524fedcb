// Who reads whose rows: each operation of the lender's side, called by every kind of caller of the borrower's organization and of another.
// @module-tag thorough

import { beforeEach, describe, expect, it } from "vitest";
import { SCOPES, type Scope } from "../../src/shared/permissions";
import { operations } from "../support/domains";
import { givenApiKey, givenMember, givenOrganization, givenUser, operatorToken } from "../support/factories";
import type { ValidRequest } from "../support/valid-request";
import { fakeWorld } from "../support/webhooks";
import { givenWork } from "../support/work";
import { send } from "./senders";
import { givenParties, type Parties, validRequest } from "./valid-requests";

beforeEach(() => {
	fakeWorld();
});

/** How those who work for the lender name the row: by an id in the path, by `user_id`, which users must not send, or by either or none. */
type Reach = { by: "path" | "user_id" | "filter"; scopes: readonly Scope[]; isStaffOnly?: true; isOfOne?: true; isOfAllUsers?: true };
const ACCOUNTS = ["accounts:read"] as const;
const ofPath: Reach = { by: "path", scopes: ACCOUNTS };
const ofUser: Reach = { by: "user_id", scopes: ACCOUNTS };
const APPLICATIONS = ["loans:write", "accounts:read"] as const;

const staff = (scope: Scope, by: Reach["by"] = "path"): Reach => ({ by, scopes: [scope], isStaffOnly: true });

/** Operators say whose: an organization's portfolio is its own. */
const ofPortfolio: Reach = { ...staff("portfolio:read", "filter"), isOfOne: true };

const REACH: { readonly [id: string]: Reach } = {
	explainBalance: ofPath,
	getAccount: ofPath,
	getActivation: ofPath,
	getClosure: ofUser,
	getCurrentAccount: ofUser,
	getIssuedStatement: ofPath,
	getLoanApplication: { by: "path", scopes: APPLICATIONS },
	getLoanProduct: staff("accounts:read"),
	getLoanTermsText: { by: "path", scopes: APPLICATIONS, isOfAllUsers: true },
	getNumberChange: ofPath,
	getPayoff: ofPath,
	getProviderStatement: { ...staff("repayments:read"), isOfOne: true },
	getRepayment: staff("repayments:read"),
	getRepaymentPrompt: ofPath,
	getStatement: ofPath,
	getTransfer: ofPath,
	getUser: staff("users:read"),
	previewReschedule: staff("accounts:read"),
	listAccountTransactions: ofPath,
	listAccounts: { by: "filter", scopes: ACCOUNTS },
	listCurrentAccountTransactions: ofUser,
	listInstallmentTransactions: ofPath,
	listDisbursements: staff("accounts:read", "filter"),
	listInstallments: ofPath,
	listIssuedStatements: ofPath,
	getPortfolioTrend: ofPortfolio,
	listPortfolioAccounts: ofPortfolio,
	listPortfolioEntries: ofPortfolio,
	listPortfolioTransactions: ofPortfolio,
	listPortfolios: ofPortfolio,
	listLoanApplications: { by: "filter", scopes: APPLICATIONS },
	listLoanProducts: staff("accounts:read", "filter"),
	listProviderStatements: { ...staff("repayments:read", "filter"), isOfOne: true },
	listStatementBreaks: { ...staff("repayments:read", "filter"), isOfOne: true },
	listRepaymentPrompts: ofPath,
	listRepayments: staff("repayments:read", "filter"),
	listTransfers: ofUser,
	listUsers: staff("users:read", "filter"),
};

/** For people alone, who name no row: their own tests try who reaches what. */
const OF_PEOPLE: ReadonlySet<string> = new Set([
	...["getCreditBureauIdentity", "getCreditBureauSettings", "listCreditBureauDisputes", "listCreditBureauFiles", "listCreditBureauNotices"],
	...["getLenderAttention", "listCalls", "listFollowUps", "listOwnedWork", "listOwners", "search"],
]);

const ofLending = operations.filter(({ access }) => access.organization?.permission === "org:lending:read");
const reads = ofLending.filter(({ id }) => !OF_PEOPLE.has(id));

it("the reach is written down for every operation that members may use to read of loans", () => {
	expect(reads.map(({ id }) => id).sort()).toEqual(Object.keys(REACH).sort());
	for (const { id, access } of ofLending) if (OF_PEOPLE.has(id)) expect(access.apiKey, id).toBe(undefined);
	for (const { id, access } of reads) expect([...(access.apiKey ?? [])], id).toEqual(REACH[id]?.scopes);
});

/** What each caller gets: `found` with the row in it. */
type Told = "found" | "empty" | 400 | 403 | 404;

describe.each(reads.map((op) => [op.id, op] as const))("%s", (id, op) => {
	const { by, scopes, isStaffOnly = false, isOfOne = false, isOfAllUsers = false } = REACH[id] as Reach;
	/** What callers get who may call, and do not reach the row. */
	const outside: Told = by === "filter" ? "empty" : 404;

	let request: ValidRequest;

	async function ask(parties: Parties, as: string, headers: Record<string, string> = {}, isUser = false): Promise<Told> {
		const whose = by === "path" || isUser || isStaffOnly ? "" : `?user_id=${parties.user.id}`;
		const query = request.query ?? whose;
		const { status, body } = await send(op, { ...request, query }, { as, headers }, {});
		if (status !== 200) return status as Told;
		const { data } = body as { data?: unknown[] };
		return data?.length === 0 && by !== "user_id" && by !== "path" ? "empty" : "found";
	}

	async function usersForThemselves(parties: Parties): Promise<void> {
		if (isStaffOnly) return expect(await ask(parties, parties.user.token)).toBe(403);
		expect(await ask(parties, parties.user.token, {}, true)).toBe("found");
		const { token } = await givenUser({ organizationId: parties.organization.id });
		if (isOfAllUsers) {
			expect(await ask(parties, token), "another user of the organization").toBe("found");
			expect(await ask(parties, (await givenUser()).token), "a user of another organization").toBe(404);
		} else if (by === "path") expect(await ask(parties, token)).toBe(404);
		else expect(await ask(parties, token), "a user who names another").toBe(400);
	}

	async function keysByTheirScopes(parties: Parties, other: { id: string }): Promise<void> {
		const others = SCOPES.filter((scope) => !scopes.includes(scope));
		for (const scope of scopes) {
			expect(await ask(parties, await givenApiKey(parties.organization.id, [scope])), scope).toBe("found");
			expect(await ask(parties, await givenApiKey(other.id, [scope])), `${scope} elsewhere`).toBe(outside);
		}
		expect(await ask(parties, await givenApiKey(parties.organization.id, others))).toBe(403);
	}

	async function membersByTheirRole(parties: Parties, other: { id: string }): Promise<void> {
		const asMember = async (organization: string, role: Parameters<typeof givenMember>[1], named = organization) =>
			ask(parties, (await givenMember(organization, role)).token, { "x-organization-id": named });
		for (const role of ["organization-owner", "organization-lending-admin", "organization-lending-viewer"] as const) {
			expect(await asMember(parties.organization.id, role), role).toBe("found");
			expect(await asMember(other.id, role), `${role} elsewhere`).toBe(outside);
			expect(await asMember(other.id, role, parties.organization.id), `${role} who names an organization of others`).toBe(403);
		}
		expect(await asMember(parties.organization.id, "organization-financing-admin")).toBe(403);
	}

	async function operatorsForWhomTheyName(parties: Parties, other: { id: string }): Promise<void> {
		const as = await operatorToken();
		// Callers who act for no organization list the rows that belong to none.
		expect(await ask(parties, as)).toBe(isOfOne ? 403 : id === "listRepayments" ? "empty" : "found");
		expect(await ask(parties, as, { "x-organization-id": parties.organization.id })).toBe("found");
		expect(await ask(parties, as, { "x-organization-id": other.id })).toBe(outside);
	}

	// One test, because all read the same row.
	it("answers users for themselves, keys and members for their organization, and operators for all or whom they name", async () => {
		const parties = await givenParties();
		if (by === "filter") await validRequestOf(parties);
		request = await validRequest(op, parties);
		const other = await givenOrganization();
		await usersForThemselves(parties);
		await keysByTheirScopes(parties, other);
		await membersByTheirRole(parties, other);
		await operatorsForWhomTheyName(parties, other);
	});
});

const works = operations.filter(({ access }) => access.organization?.permission === "org:lending:write");

it("the reach is written down for every operation by which members work on loans", () => {
	const ids = [
		...["addProviderStatementLines", "admitUser", "askAboutStatementBreak", "assignWork", "compareProviderStatement"],
		...["createLoanProduct", "createProviderStatement", "discardProviderStatement", "dismissConfirmation"],
		"dismissSecondReceipts",
		"issueStatement",
		"listConfirmations",
		"listCreditBureauRows",
		"listUnmatchedPayments",
		"matchPayment",
		"openCreditBureauDispute",
	].concat(
		["promptRepayment", "publishLoanTermsText", "putCreditBureauIdentity", "putCreditBureauSettings"],
		["recordFollowUp", "recordRepayment", "refundOverpayment", "resolveCreditBureauDispute", "resolveStatementBreak"],
		["updateLoanProduct", "withdrawPromise"],
	);
	expect(works.map(({ id }) => id).sort()).toEqual(ids);
});

describe.each(works.map((op) => [op.id, op] as const))("%s", (id, op) => {
	it("is for lending admins of the borrower's organization, and for operators who act for it", async () => {
		const parties = await givenParties();
		const request = await validRequest(op, parties);
		const other = await givenOrganization();
		const ask = async (as: string, organization: string) => send(op, request, { as, headers: { "x-organization-id": organization } }, {});
		const admin = async (organization: string) => ask((await givenMember(organization, "organization-lending-admin")).token, organization);
		const viewer = await givenMember(parties.organization.id, "organization-lending-viewer");
		expect((await ask(viewer.token, parties.organization.id)).status).toBe(403);
		for (const elsewhere of [await admin(other.id), await ask(await operatorToken(), other.id)]) {
			// They name no row: each organization has its own.
			if (id === "createProviderStatement" || id === "putCreditBureauSettings") expect(elsewhere.status).toBeLessThan(300);
			else if (id === "listUnmatchedPayments" || id === "listConfirmations") expect(elsewhere.body.data).toEqual([]);
			else expect(elsewhere.status).toBe(404);
		}
		expect((await admin(parties.organization.id)).status).toBeLessThan(300);
	});
});

/** Rows of both kinds of lists, for operations whose valid request needs none. */
async function validRequestOf(parties: Parties): Promise<void> {
	const op = operations.find(({ id }) => id === "getAccount");
	if (op) await validRequest(op, parties);
	const statement = operations.find(({ id }) => id === "getProviderStatement");
	if (statement) await validRequest(statement, parties);
	await givenWork("STATEMENT_BREAK", { organizationId: parties.organization.id, since: Date.now() });
}
