// The due work of invitations: stores that they have expired, and finishes or undoes interrupted acceptances.

import { first } from "../../../db/reads";
import { eachUnlessStale } from "../../../db/stale";
import { raise } from "../../../events/raise";
import type { JobServices } from "../../../runtime/services";
import { MINUTE_MS } from "../../../shared/time";
import { findUser } from "../../users/model/store";
import { copyMembership } from "../copies.plan";
import { invitationAccepted } from "../events";
import { findMembership } from "../members/store";
import { expireInvitation } from "./plan";
import { accept, findInterrupted, findOverdue, release } from "./store";

const BATCH = 20;

/** Far longer than a request takes. */
const INTERRUPTED_AFTER_MS = 5 * MINUTE_MS;

/** Stores the expiry of one batch. Returns whether more may be waiting. */
export async function expireInvitations(services: JobServices): Promise<boolean> {
	const { db, now } = services;
	const overdue = await db.read(findOverdue(db.orm, now, BATCH));
	await eachUnlessStale(overdue, (invitation) => services.commit(expireInvitation(services, invitation)));
	return overdue.length === BATCH;
}

/** Finishes an interrupted acceptance if its membership was written, otherwise releases the invitation. Returns whether more may be waiting. */
export async function endAcceptances(services: JobServices): Promise<boolean> {
	const { db, now } = services;
	const interrupted = await db.read(findInterrupted(db.orm, now - INTERRUPTED_AFTER_MS, BATCH));
	await eachUnlessStale(interrupted, async (invitation) => {
		const { organizationId, acceptingUserId } = invitation;
		if (acceptingUserId === null) return;
		const there = services.at(acceptingUserId).db;
		const { membership, user } = await there.read({
			membership: first(findMembership(there.orm, organizationId, acceptingUserId)),
			user: first(findUser(there.orm, acceptingUserId)),
		});
		await services.commit(
			membership
				? [
						accept(db.orm, invitation, acceptingUserId, now),
						...copyMembership(services, membership, user),
						raise(services, invitationAccepted, {
							organizationId,
							entityId: invitation.id,
							data: { invitation_id: invitation.id, role: invitation.role, user_id: acceptingUserId },
						}),
					]
				: [release(db.orm, invitation)],
		);
	});
	return interrupted.length === BATCH;
}
