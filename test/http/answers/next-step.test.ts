// What a refusal says about the next step: which thing there is not, what to send instead, and in which state something is.

import { beforeEach, describe, expect, it } from "vitest";
import { putBrand } from "../../../src/domains/branding/operations";
import { getDarajaConnection } from "../../../src/domains/connections/daraja.operations";
import { getMomoConnection } from "../../../src/domains/connections/momo.operations";
import { getCurrentAccount } from "../../../src/domains/current-accounts/accounts/operations";
import { startActivation } from "../../../src/domains/current-accounts/activations/operations";
import {
	cancelClosure,
	confirmClosure,
	getClosure,
	resendClosureCode,
	startClosure,
} from "../../../src/domains/current-accounts/closures/operations";
import { NO_OPEN_ACCOUNT } from "../../../src/domains/current-accounts/lifecycle";
import { currentAccounts } from "../../../src/domains/current-accounts/table";
import { readMyMessages } from "../../../src/domains/messages/inbox.operations";
import { exchangeIdentityToken } from "../../../src/domains/tokens/exchange/identity.operations";
import { exchangePartnerToken } from "../../../src/domains/tokens/exchange/operations";
import { orderTransfer } from "../../../src/domains/transfers/operations";
import { listCurrentAccountTransactions } from "../../../src/domains/transfers/transaction.operations";
import { getMe } from "../../../src/domains/users/profile.operations";
import { retryWork } from "../../../src/domains/work/operations";
import { refusalOf } from "../../../src/http/answers/refusal";
import { ApiError } from "../../../src/shared/errors";
import { payable } from "../../contract/authority/payer";
import { call, send } from "../../support/client";
import { givenActive } from "../../support/current-accounts";
import { operations } from "../../support/domains";
import { db, givenMember, givenOrganization, givenUser, operatorToken } from "../../support/factories";
import { givenKey, signed } from "../../support/issuers";

let user: { id: string; token: string };
beforeEach(async () => {
	user = await givenUser({ mobileNumber: "+254712345678" });
});
const saying = (description: unknown) => ({ body: { description } });

describe("a 404", () => {
	it("names the thing behind several parameters by its collection", async () => {
		const path = { kind: "DISBURSEMENT", id: crypto.randomUUID() } as const;
		expect(await call(retryWork, { as: await operatorToken(), path } as never)).toMatchObject({
			status: 404,
			...saying("There is no such work"),
		});
		const described = (path: `/${string}`) =>
			(JSON.parse(refusalOf({ path }, { requestId: "r", locale: "en" }, new ApiError("NOT_FOUND")).body) as { description: string })
				.description;
		expect(described("/v1/integrations/mobile-money/daraja/results/{question}/{id}/{code}")).toBe("There is no such result");
		expect(described("/v1/accounts/{accountId}/prompts/{promptId}")).toBe("There is no such account or prompt");
		for (const { path } of operations) expect(described(path)).not.toMatch(/[{}]/);
	});

	it("names what an organization does not have, not the organization", async () => {
		const { id: organizationId } = await givenOrganization();
		const as = await operatorToken();
		for (const [op, provider] of [[getDarajaConnection, "M-Pesa"] as const, [getMomoConnection, "MTN MoMo"] as const])
			expect(await send(op as never, { as, path: { organizationId } })).toMatchObject({
				status: 404,
				...saying(`There is no connection to ${provider}`),
			});
	});

	it("says what there is not where the path has no id", async () => {
		const as = user.token;
		for (const op of [getCurrentAccount, startActivation, startClosure, listCurrentAccountTransactions])
			expect(await send(op as never, { as, ...(op.id === startClosure.id && { body: { reasons: ["FEES"] } }) }), op.id).toMatchObject({
				status: 404,
				...saying(NO_OPEN_ACCOUNT),
			});
		expect(await call(getClosure, { as, query: {} })).toMatchObject({ status: 404, ...saying("No closure was ever started") });
		const none = { status: 404, ...saying("No closure waits for its one-time password: start one") };
		for (const answer of [await call(resendClosureCode, { as }), await call(cancelClosure, { as })]) expect(answer).toMatchObject(none);
		expect(await call(confirmClosure, { as, body: { otp_code: "123456" } })).toMatchObject(none);
		const through = crypto.randomUUID();
		expect(await call(readMyMessages, { as, body: { through } })).toMatchObject({ status: 404, ...saying("There is no such message") });
	});
});

describe("bad input", () => {
	it("has its first fault as its text for every code except BAD_REQUEST, whose text is the specification's", async () => {
		expect(await send(exchangePartnerToken as never, { body: {} })).toMatchObject({
			status: 400,
			body: { code: "INVALID_TOKEN", description: "partner_token is required" },
		});
		expect(await send(orderTransfer as never, { as: user.token, body: {} })).toMatchObject({
			body: { code: "BAD_REQUEST", description: "Invalid input" },
		});
	});
});

describe("a token in the wrong place", () => {
	it("that has expired, of an issuer whose tokens are exchanged, is to be got and exchanged again", async () => {
		const at = Math.floor(Date.now() / 1000);
		const key = await givenKey();
		const issuer = { issuer: "https://partner.example", kind: "partner", jwks: { keys: [key.jwk] } };
		const as = await signed(key, { iss: issuer.issuer, sub: "alice", iat: at - 700, exp: at - 100 });
		expect(await call(getMe, { as, vars: { TRUSTED_ISSUERS: JSON.stringify([issuer]) } })).toMatchObject({
			status: 401,
			...saying(
				expect.stringMatching(
					/^The token has expired: get a new one\. This is a partner's token: exchange it at POST \/v1\/auth\/exchange/,
				),
			),
		});
	});

	it("of this service needs no exchange", async () => {
		const own = { status: 401, ...saying(expect.stringContaining("needs no exchange")) };
		expect(await call(exchangePartnerToken, { body: { partner_token: user.token } })).toMatchObject(own);
		expect(await call(exchangeIdentityToken, { body: { identity_token: user.token } })).toMatchObject(own);
	});

	it("that is an API key belongs in another header", async () => {
		const answer = await call(getMe, { headers: { authorization: "Bearer sk_anything" } });
		expect(answer).toMatchObject({ status: 401, ...saying(expect.stringContaining("which is sent in X-API-Key")) });
	});
});

describe("a refusal that has a next step", () => {
	it("after a change by somebody else is to read again", async () => {
		const { id } = await givenOrganization();
		const { token } = await givenMember(id);
		const sent = { as: token, path: { organizationId: id }, body: { primary_color: "#112233" }, headers: { "if-match": '"another"' } };
		expect(await call(putBrand, sent as never)).toMatchObject({
			status: 412,
			...saying(expect.stringContaining("read it again, and send its ETag")),
		});
	});

	it("says the state of the account from which nothing may be paid, or that there is none", async () => {
		const body = { payee_account_id: await payable(user.token, true), amount: 1_000 };
		expect(await call(orderTransfer, { as: user.token, body })).toMatchObject({ status: 409, ...saying(NO_OPEN_ACCOUNT) });
		await givenActive(user.token);
		await db.update(currentAccounts).set({ status: "FROZEN" });
		expect(await call(orderTransfer, { as: user.token, body })).toMatchObject({
			status: 409,
			...saying("The current account is FROZEN: this is possible while it is ACTIVE"),
		});
	});
});
