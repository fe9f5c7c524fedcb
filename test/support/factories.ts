// Users, organizations, members and API keys for tests, written to D1 as the service would write them.

import { env } from "cloudflare:workers";
import { drizzle } from "drizzle-orm/d1";
import { type NameKind, names } from "../../src/db/names.table";
import { placesOf } from "../../src/db/places";
import { apiKeys, memberships, organizationMembers, organizations } from "../../src/domains/organizations/table";
import { SANDBOX_ISSUER } from "../../src/domains/tokens/issuers/own.plan";
import { mintToken, signJwt } from "../../src/domains/tokens/model/service-token.crypto";
import { phoneName } from "../../src/domains/users/model/store";
import { users } from "../../src/domains/users/model/table";
import { mintApiKey } from "../../src/http/callers/api-key";
import { configuration } from "../../src/runtime/config";
import { sha256Hex } from "../../src/shared/bytes";
import { homeOf, uuidv7 } from "../../src/shared/ids";
import type { Role, Scope } from "../../src/shared/permissions";
import { everyDatabase } from "./databases";

/** Reads the rows of all databases; a new row goes to the database of its home. */
export const db = drizzle(everyDatabase, { casing: "snake_case" });

/** A new id in the home of another id, or in a home that the service would choose. */
export const newId = (beside?: string | null) => uuidv7(Date.now(), beside ? homeOf(beside) : placesOf(env).deal());

const nameOf = (kind: NameKind, value: string, id: string) => db.insert(names).values({ kind, value, id, createdAt: Date.now() });

/** A service access token for the user. */
export const accessToken = async (userId: string, claims: Record<string, unknown> = {}): Promise<string> =>
	mintToken(await configuration(env), {
		kind: "access",
		issuer: "http://localhost",
		subject: userId,
		realNow: Date.now(),
		lifetimeSeconds: 900,
		claims,
	});

/** An operator's token from the sandbox issuer. */
export async function operatorToken(subject = "root"): Promise<string> {
	const iat = Math.floor(Date.now() / 1000);
	return signJwt(await configuration(env), "JWT", {
		iss: SANDBOX_ISSUER,
		aud: "financial-account-service",
		sub: subject,
		iat,
		exp: iat + 900,
		token_kind: "operator",
	});
}

type Writes = Parameters<typeof db.batch>[0];
type Write = (writes: Writes) => Promise<unknown>;

const writeNow: Write = (writes) => db.batch(writes);

/** Writes what several factories make in one trip: each gets `write`, then `written` ends it. */
export function oneTrip() {
	const all: Writes[number][] = [];
	return {
		write: async (writes: Writes): Promise<void> => void all.push(...writes),
		async written(): Promise<void> {
			const [first, ...rest] = all.splice(0);
			if (first) await db.batch([first, ...rest]);
		},
	};
}

export async function givenOrganization(slug = `org-${crypto.randomUUID().slice(0, 8)}`, write = writeNow) {
	const id = newId();
	await write([nameOf("SLUG", slug, id), db.insert(organizations).values({ id, slug, name: slug, createdAt: Date.now() })]);
	return { id, slug };
}

type GivenUser = {
	id?: string;
	organizationId?: string | null;
	status?: "ACTIVE" | "WAITING_LIST";
	blocked?: boolean;
	mobileNumber?: string;
	email?: string;
};

/** The id of a user, and the writes that make one; admitted by default. */
async function userOf({
	organizationId = null,
	id = newId(organizationId),
	status = "ACTIVE",
	blocked = false,
	mobileNumber,
	email,
}: GivenUser): Promise<{ id: string; writes: Writes }> {
	const named =
		mobileNumber === undefined ? [] : [nameOf("PHONE", (await phoneName({ config: await configuration(env) }, mobileNumber)).value, id)];
	const row = db.insert(users).values({
		id,
		status,
		blockedAt: blocked ? Date.now() : null,
		tag: `@${id.slice(-12)}`,
		mobileNumber: mobileNumber ?? null,
		email: email ?? null,
		homeOrganizationId: organizationId,
		createdAt: Date.now(),
	});
	return { id, writes: [row, ...named] };
}

/** A user with a token. */
export async function givenUser(about: GivenUser = {}, write = writeNow) {
	const { id, writes } = await userOf(about);
	await write(writes);
	return { id, token: await accessToken(id) };
}

/** A user who is a member of the organization, with a token. */
export async function givenMember(organizationId: string, role: Role = "organization-owner", about: GivenUser = {}, write = writeNow) {
	const { id, writes } = await userOf(about);
	await write([...writes, ...membershipOf(organizationId, id, role)]);
	return { id, token: await accessToken(id) };
}

function membershipOf(organizationId: string, userId: string, role: Role) {
	const row = { id: newId(userId), organizationId, userId, role, version: 1, createdAt: Date.now() };
	const { id: membershipId, ...copy } = row;
	return [db.insert(memberships).values(row), db.insert(organizationMembers).values({ ...copy, membershipId })] as const;
}

/** Makes a user a member. */
export async function givenMembership(organizationId: string, userId: string, role: Role) {
	await db.batch(membershipOf(organizationId, userId, role));
}

/** A new API key of the organization, in clear text. */
export async function givenApiKey(
	organizationId: string,
	scopes: readonly Scope[],
	state: { expiresAt?: number; lastUsedAt?: number; revokedAt?: number; createdBy?: string } = {},
	write = writeNow,
): Promise<string> {
	const id = newId(organizationId);
	const key = await mintApiKey((await configuration(env)).keyring, organizationId, id);
	const row = {
		id,
		organizationId,
		name: "test",
		hash: await sha256Hex(key),
		maskedKey: `sk_...${key.slice(-4)}`,
		scopes,
		createdBy: "somebody",
		createdAt: Date.now(),
		...state,
	};
	await write([db.insert(apiKeys).values(row)]);
	return key;
}
