// The client of the package, against the service.

import { describe, expect, it } from "vitest";
import { type Api, type ClientOptions, createClient, HeldError, isApiError } from "../../client/src/index.ts";
import { givenMember, givenOrganization, givenUser, operatorToken } from "../support/factories";
import { ORIGIN, serve, type Vars } from "../support/serve";

type Seen = { readonly request: Request; readonly response: Response };

/** A client, and what went over its wire. `lose`: the answers that it does not get, by their places. */
function clientOf(options: Partial<ClientOptions>, { lose = [], vars }: { lose?: readonly number[]; vars?: Vars } = {}) {
	const seen: Seen[] = [];
	const fetch: ClientOptions["fetch"] = async (url, init) => {
		const request = new Request(url, init);
		const response = await serve(request, vars);
		seen.push({ request, response });
		if (lose.includes(seen.length)) throw new TypeError("connection lost");
		return response;
	};
	return { seen, api: createClient({ baseUrl: ORIGIN, fetch, ...options }) };
}

const asOperator = async (...rest: Parameters<typeof clientOf> extends [unknown, ...infer Rest] ? Rest : never) =>
	clientOf({ token: await operatorToken() }, ...rest);

const refusalOf = async (call: Promise<unknown>): Promise<unknown> => {
	try {
		return await call;
	} catch (error) {
		return error;
	}
};

const givenOrganizations = async (api: Api, count: number) => {
	const made: string[] = [];
	for (let index = 0; index < count; index++)
		made.push((await api.createOrganization({ body: { name: `${index}`, slug: `o-${index}` } })).id);
	return made;
};

describe("a change whose answer is lost", () => {
	it("is done once, and its first answer comes by the second attempt", async () => {
		const { seen, api } = await asOperator({ lose: [1] });
		const call = api.createOrganization({ body: { name: "Acme", slug: "acme" } });
		const { status, headers, body } = await call.answer();
		expect([status, headers.get("idempotent-replayed"), body.slug]).toEqual([201, "true", "acme"]);
		expect(await call).toEqual(body);
		expect(seen).toHaveLength(2);
		expect((await api.listOrganizations()).data).toHaveLength(1);
	});

	it("may be made again by its key in another process", async () => {
		const { api } = await asOperator();
		const request = { body: { name: "Acme", slug: "acme" }, idempotencyKey: "mine" };
		expect(await api.createOrganization(request)).toEqual(await api.createOrganization(request));
	});
});

describe("a list", () => {
	it("is read to its end, page by page", async () => {
		const { seen, api } = await asOperator();
		const made = await givenOrganizations(api, 5);
		const ids: string[] = [];
		for await (const { id } of api.listOrganizations({ query: { size: 2 } })) ids.push(id);
		expect(ids).toEqual(made.toReversed());
		expect(seen.filter(({ request }) => request.method === "GET")).toHaveLength(3);
		for await (const _ of api.listOrganizations({ query: { size: 2 } })) break;
		expect(seen.filter(({ request }) => request.method === "GET")).toHaveLength(4);
	});

	it("ends, although the feed of events always has a next page", async () => {
		const { api } = await asOperator();
		const [organization = ""] = await givenOrganizations(api, 1);
		for (const email of ["a@example.com", "b@example.com"]) {
			await api.createInvitation({ path: { organizationId: organization }, body: { email, role: "organization-viewer" } });
		}
		const types: string[] = [];
		for await (const event of api.listEvents({ query: { size: 1, type: "invitation.created" }, organization }))
			types.push(event.event_type);
		expect(types).toEqual(["invitation.created", "invitation.created"]);
	});

	it("is text where that is asked for", async () => {
		const { id } = await givenOrganization();
		const { token } = await givenMember(id, "organization-owner");
		const { api } = clientOf({ token, organization: id });
		const pages: string[] = [];
		for await (const page of api.listPortfolioTransactions({ as: "text/csv" })) pages.push(page);
		expect(pages).toEqual([expect.stringMatching(/^id,.*\r\n$/)]);
	});
});

it("the client reads what it wrote: the bookmark of an answer goes with the next read", async () => {
	const { seen, api } = await asOperator();
	await givenOrganizations(api, 1);
	await api.listOrganizations();
	const given = seen[0]?.response.headers.get("x-d1-bookmark");
	expect(given).toMatch(/^\w+\.[0-9a-f-]+/);
	expect(seen[1]?.request.headers.get("x-d1-bookmark")).toBe(given);
});

describe("a refusal", () => {
	it("has a code of its operation, the reasons and the request's id", async () => {
		const { token } = await givenUser();
		const { api } = clientOf({ token });
		const error = await refusalOf(api.applyForLoan({ path: { application_id: crypto.randomUUID() }, body: { loan_amount: 0 } }));
		if (!isApiError(error, "applyForLoan")) throw error;
		expect([error.status, error.code, error.reasons.map(({ path }) => path)]).toEqual([400, "BAD_REQUEST", ["loan_amount"]]);
		expect(error.requestId).toMatch(/^[\w-]{8,}$/);
		expect(error.message).toContain("applyForLoan: 400 BAD_REQUEST");
		expect(isApiError(error, "draw")).toBe(false);
	});

	it("of a token is followed by one with another token", async () => {
		const { id, token } = await givenUser();
		const asked: unknown[] = [];
		const { api, seen } = clientOf({ token: (refused) => (asked.push(refused) === 1 ? "expired" : token) });
		expect(await api.getMe()).toMatchObject({ id });
		expect([asked, seen.map(({ response }) => response.status)]).toEqual([
			[undefined, "expired"],
			[401, 200],
		]);
	});
});

describe("an operator's change that waits for a second operator", () => {
	it("rejects with the request for approval, which is also the answer", async () => {
		const { api } = await asOperator({ vars: { OPERATOR_PAIRS: "on" } });
		const user = await givenUser();
		const put = { path: { userId: user.id }, body: { limit: 5_000 } };
		const error = (await refusalOf(api.putCreditProfile(put))) as HeldError;
		expect(error).toBeInstanceOf(HeldError);
		expect(error.approval).toMatchObject({ approval_type: "OPERATION", status: "PENDING" });
	});
});

it("the service gives 304 to who asks by the tag of an answer", async () => {
	const { token } = await givenUser();
	const { api } = clientOf({ token });
	const first = await api.getMe().answer();
	const etag = first.headers.get("etag") ?? "";
	const again = await api.getMe({ ifNoneMatch: etag }).answer();
	expect([first.status, again.status, again.body]).toEqual([200, 304, undefined]);
	await expect(api.getMe({ ifNoneMatch: etag })).rejects.toThrow("ask for answer()");
});

it("acts for the organization that it names, and may name another in a call", async () => {
	const [one, two] = [await givenOrganization(), await givenOrganization()];
	const { api } = clientOf({ token: await operatorToken(), organization: one.slug });
	await api.createApiKey({ path: { organizationId: one.id }, body: { name: "key", scopes: ["events:read"] } });
	const created = await api.createApiKey({ path: { organizationId: two.id }, body: { name: "key", scopes: ["events:read"] } });
	const byKey = clientOf({ apiKey: created.key });
	expect(await byKey.api.getMe()).toMatchObject({ organization: { id: two.id } });
	expect(await api.listWebhooks()).toEqual([]);
	expect(await api.listWebhooks({ organization: two.slug })).toEqual([]);
});
