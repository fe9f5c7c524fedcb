// Sends an outside authorization provider what users hold, after the commit that changed it and until the provider has it. The state is
// read when it is sent, so that the provider gets the present one in every order of attempts; for one subject, no two requests are under
// way at once.

import { sql } from "drizzle-orm";
import { countAttempt } from "../../../db/attempts";
import type { Write } from "../../../db/database";
import { first } from "../../../db/reads";
import { afterCommit, type Outbox, portion, sendAgain, sendDue } from "../../../runtime/outbox";
import { AuthorizationFailure, type Held } from "../../../runtime/ports";
import type { JobServices, Services } from "../../../runtime/services";
import { delayAfter } from "../../../shared/backoff";
import {
	end,
	fail,
	findDueSyncs,
	findHeld,
	findUnsentGrants,
	findUnsentMemberships,
	isOpen,
	type Key,
	markGrant,
	markMembership,
	markMemberships,
	markReached,
	recordAll,
	recordMembership,
	UNDER_WAY,
} from "./store";
import { authorizationSyncs, type SyncRow } from "./table";

type Seen = { readonly id: string; readonly version: number } | undefined;
type Answer = { readonly said: "TOLD"; readonly seen: Seen } | { readonly said: "FAILED"; readonly why: string };

const outbox: Outbox<SyncRow, SyncRow, Answer> = {
	what: "authorization tuples",
	said: ({ said }) => said,
	async due({ db, now, providers }, most) {
		return providers.authorizationTuples ? db.read(findDueSyncs(db.orm, now, most)) : [];
	},
	late: ({ organizationId, userId }) => [
		"the authorization provider has not heard for a day what a user holds",
		{ organization_id: organizationId, user_id: userId },
	],
	claim: ({ db, now }, row) =>
		countAttempt(db.orm, authorizationSyncs, row, {
			next: now + delayAfter(row.attempts + 1),
			open: isOpen,
			also: { failure: sql`null` },
		}),
	async send({ db, providers }, { merchantId, userId, organizationId }) {
		const { membership, grants } = findHeld(db.orm, { merchantId, userId, organizationId });
		const about = { userId, organizationId };
		const seen = merchantId === "" ? await db.read(first(membership)) : undefined;
		const held: Held =
			merchantId === ""
				? { ...about, role: seen?.role ?? null }
				: { ...about, merchantId, permissions: (await db.read(grants)).map(({ permission }) => permission) };
		try {
			await providers.authorizationTuples?.keep(held);
			return { said: "TOLD", seen };
		} catch (error) {
			if (!(error instanceof AuthorizationFailure)) throw error;
			return { said: "FAILED", why: [error.message, error.said?.provider_code].filter(Boolean).join(" ") };
		}
	},
	outcome({ db, now, realNow }, row, answer) {
		if (answer.said === "FAILED") return [fail(db.orm, row.id, answer.why)];
		return [
			...(answer.seen ? [markReached(db.orm, answer.seen, realNow)] : []),
			...(row.merchantId === "" ? [] : [markGrant(db.orm, row, realNow)]),
			...end(db.orm, row, { now, realNow }),
		];
	},
};

const tell = sendDue(outbox);

/** Sends a portion of what is due. The result is whether more may be waiting. */
export async function sendDueSyncs(services: JobServices): Promise<boolean> {
	if (!services.providers.authorizationTuples) return false;
	const enlisted = await enlist(services);
	return (await tell(services)) || enlisted;
}

const ENLISTED = 100;

/** Records what is older than the provider's use. */
async function enlist(services: JobServices): Promise<boolean> {
	const { db, now } = services;
	const found = await db.read({ members: findUnsentMemberships(db.orm, ENLISTED), granted: findUnsentGrants(db.orm, ENLISTED) });
	const { members, granted } = found;
	if (members.length + granted.length === 0) return false;
	const keys = [...members.map((one) => ({ ...one, merchantId: "" })), ...granted].map((key) => ({ ...key, id: services.newId() }));
	const marks = [
		markMemberships(
			db.orm,
			members.map(({ id }) => id),
		),
		...granted.map((key) => markGrant(db.orm, key, UNDER_WAY)),
	];
	await services.commit([recordAll(db.orm, keys, now), ...marks]);
	return Math.max(members.length, granted.length) === ENLISTED;
}

const soon = (services: Services, userId: string): Write =>
	afterCommit(services, async (job) => {
		const { db, now } = job;
		const due = await db.read(findDueSyncs(db.orm, now, 10, userId));
		await portion(due, (row) => sendAgain(job, outbox, row));
	});

type Member = { readonly id: string; readonly userId: string };

/** Belongs to the commit that writes the membership, after it. */
export const syncMembership = (services: Services, { id, userId }: Member): Write[] => {
	const { db, now, providers } = services;
	if (!providers.authorizationTuples) return [];
	return [recordMembership(db.orm, id, { id: services.newId(), now }), markMembership(db.orm, id), soon(services, userId)];
};

/** Belongs to the commit that removes the membership, before it. */
export const syncRemoval = (services: Services, id: string, userId: string | undefined): Write[] => {
	const { db, now, providers } = services;
	if (!providers.authorizationTuples) return [];
	return [recordMembership(db.orm, id, { id: services.newId(), now }), ...(userId === undefined ? [] : [soon(services, userId)])];
};

/** Belongs to the commit that changes the grants. */
export const syncGrant = (services: Services, key: Key): Write[] => {
	const { db, now, providers } = services;
	if (!providers.authorizationTuples) return [];
	const mark = markGrant(db.orm, key, UNDER_WAY);
	return [recordAll(db.orm, [{ ...key, id: services.newId() }], now), mark, soon(services, key.userId)];
};
