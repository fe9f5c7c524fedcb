// Every operation that changes something, called with valid input by each kind of caller that it admits: operators, members and
// API keys leave exactly one row of the audit trail, users and providers none.

import { env } from "cloudflare:workers";
import { desc } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { auditRows } from "../../src/db/audit.table";
import { placesOf } from "../../src/db/places";
import { isPublic } from "../../src/http/callers/access";
import type { AnyOperation } from "../../src/http/operation";
import { homeDigits } from "../../src/shared/ids";
import { SCOPES } from "../../src/shared/permissions";
import { operations } from "../support/domains";
import { CALLBACK_SECRET, naming, signed, title } from "../support/doors";
import { effectsOf } from "../support/effects";
import { db, givenApiKey, operatorToken } from "../support/factories";
import { probe } from "../support/probe";
import type { ValidRequest } from "../support/valid-request";
import { fakeWorld, type World } from "../support/webhooks";
import { CALLBACKS, givenParties, type Parties, validRequest } from "./valid-requests";

let world: World;
beforeEach(() => {
	world = fakeWorld();
});

type Kind = "OPERATOR" | "MEMBER" | "API_KEY" | "USER" | "PROVIDER";
type Credentials = { as?: string; headers?: Record<string, string> };

const kindsOf = ({ access }: AnyOperation): Kind[] => [
	...(access.operator || access.organization ? (["OPERATOR"] as const) : []),
	...(access.organization ? (["MEMBER"] as const) : []),
	...(access.apiKey ? (["API_KEY"] as const) : []),
	...(access.user ? (["USER"] as const) : []),
	...(access.signature ? (["PROVIDER"] as const) : []),
];

async function credentialsOf(
	kind: Kind,
	op: AnyOperation,
	{ organization, owner, user }: Parties,
	{ body }: ValidRequest,
): Promise<Credentials> {
	const { headers = {} } = op.access.organization ? naming(op, organization.id) : {};
	switch (kind) {
		case "OPERATOR":
			return { as: await operatorToken(), headers };
		case "MEMBER":
			return { as: owner.token, headers };
		case "API_KEY":
			return { as: await givenApiKey(organization.id, SCOPES) };
		case "USER":
			return { as: user.token };
		case "PROVIDER":
			return { headers: await signed(JSON.stringify(body), CALLBACK_SECRET) };
	}
}

/** Who the row names, and the owners of the streams in which it may be. */
function actorOf(kind: Kind, op: AnyOperation, { organization, owner }: Parties) {
	if (kind === "OPERATOR") return { id: "https://sandbox.issuer.local#root", owner: op.access.organization ? organization.id : "platform" };
	if (kind === "MEMBER") return { id: owner.id, owner: organization.id };
	return kind === "API_KEY" ? { id: expect.any(String) as string, owner: organization.id } : undefined;
}

const rows = () => db.select().from(auditRows).orderBy(desc(auditRows.createdAt));

/** A row of the trail itself is not a change. */
const TRAIL = "rows of audit_rows";

async function callAs(kind: Kind, op: AnyOperation, request: ValidRequest, { as, headers }: Credentials) {
	const path = op.path.replaceAll(/{(\w+)}/g, (_, name: string) => encodeURIComponent(request.path?.[name] ?? "")) + (request.query ?? "");
	const named = kind !== "USER" && request.borrower ? { ...request.body, ...request.borrower } : request.body;
	const requestId = crypto.randomUUID();
	const sent = {
		path,
		headers: { "content-type": "application/json", "x-request-id": requestId, ...headers },
		...(as !== undefined && { as }),
		...(named && { body: JSON.stringify(named) }),
	};
	const { result, effects } = await effectsOf(world, (vars) =>
		probe([op], sent, { vars: { ...vars, ...(op.access.signature && CALLBACKS) } }),
	);
	return { result, requestId, changed: effects.some((effect) => effect.startsWith("rows of ") && effect !== TRAIL) };
}

/** In every database. */
const streamsOf = (owner: string) => placesOf(env).all.map(({ firstHome }) => `${owner}/${homeDigits(firstHome)}`);

const cases = operations
	.filter((op) => op.method !== "GET" && !isPublic(op.access))
	.flatMap((op) => kindsOf(op).map((kind) => [title(op), kind, op] as const));

describe("the audit trail", () => {
	it.each(cases)(
		"has one row for each change by an operator, a member or an API key, and none by others: %s by %s",
		async (_, kind, op) => {
			const parties = await givenParties();
			const request = await validRequest(op, parties);
			const earlier = await rows();
			const { result, requestId, changed } = await callAs(kind, op, request, await credentialsOf(kind, op, parties, request));
			expect(result.status, JSON.stringify(result.body)).toBeLessThan(300);
			const left = (await rows()).filter(({ id }) => !earlier.some((row) => row.id === id));
			const actor = actorOf(kind, op, parties);
			expect(left).toHaveLength(changed && actor ? 1 : 0);
			for (const row of left) {
				expect(row).toMatchObject({ operation: op.id, actorKind: kind, actorId: actor?.id, requestId });
				expect(streamsOf(actor?.owner ?? "")).toContain(row.stream);
			}
		},
	);

	it("covers most operations that change something", () => {
		expect(cases.length).toBeGreaterThan(30);
	});
});
