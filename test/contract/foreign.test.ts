// Ids of other organizations: an operation answers them exactly like unknown ids, after the same number of round trips.

import { beforeEach, describe, expect, it } from "vitest";
import type { AnyOperation } from "../../src/http/operation";
import { forgetAll } from "../../src/shared/cache";
import { operations } from "../support/domains";
import { title } from "../support/doors";
import { givenMember, givenOrganization, givenUser, oneTrip } from "../support/factories";
import { meteredBindings } from "../support/statements";
import type { ValidRequest } from "../support/valid-request";
import { fakeWorld } from "../support/webhooks";
import { permitted, send } from "./senders";
import { givenParties, type Parties, validRequest } from "./valid-requests";

beforeEach(() => {
	fakeWorld();
});

/** What the path names by id, without the organization. */
const namedBy = ({ path }: AnyOperation): string[] =>
	[...path.matchAll(/{(\w+)}/g)].flatMap(([, name = ""]) => (/^(organizationId|merchantId)$/.test(name) ? [] : [name]));

/** Operators and providers may name what belongs to anybody. */
const isOwned = ({ access }: AnyOperation): boolean => Boolean((access.user || access.organization) && !access.signature);

async function givenStrangers(): Promise<Parties> {
	const { write, written } = oneTrip();
	const organization = await givenOrganization(undefined, write);
	const owner = await givenMember(organization.id, "organization-owner", { organizationId: organization.id }, write);
	const user = await givenUser({ organizationId: organization.id }, write);
	await written();
	return { organization, owner, user };
}

/** An unknown id in the same home. */
const unknown = (id: string): string => `${id.slice(0, -12)}${crypto.randomUUID().slice(-12)}`;

const owned = operations.filter((op) => isOwned(op) && namedBy(op).length > 0).map((op) => [title(op), op] as const);

describe.each(owned)("%s", (_, op) => {
	it("answers another organization's id like an unknown one, after the same number of round trips", async () => {
		const request = await validRequest(op, await givenParties());
		const strangers = await givenStrangers();
		const ask = async (idOf: (id: string) => string) => {
			const ids = Object.fromEntries(namedBy(op).map((name) => [name, idOf(request.path?.[name] ?? "")]));
			const sent: ValidRequest = { ...request, path: { ...request.path, ...ids } };
			if (request.path?.organizationId) sent.path = { ...sent.path, organizationId: strangers.organization.id };
			forgetAll();
			const { vars, meter } = meteredBindings();
			const { status, body } = await send(op, sent, await permitted(op, strangers, sent), vars);
			const { identifier: _, ...told } = body;
			return { status, told, ...meter };
		};
		const others = await ask((id) => id);
		expect(others.status).toBeGreaterThanOrEqual(400);
		expect(others).toEqual(await ask(unknown));
	});
});
