// Registers a trusted issuer for an organization. Only operators decide, because the whole service trusts what it signs.

import type * as z from "zod";
import { first } from "../../../db/reads";
import { ApiError, badInput } from "../../../shared/errors";
import { DEFAULT_ALGORITHMS, shareAudience, TrustedIssuer } from "../../../shared/trusted-issuer";
import { findByReference } from "../../organizations/store";
import { isReservedIssuer } from "../../tokens/issuers/own.plan";
import { findRegistered, RESERVED_ISSUER, registration } from "../../tokens/issuers/plan";
import { checkIssuer, checkTestIssuer, discover } from "../../tokens/issuers/procedure";
import { executor } from "./executor.plan";

/** The organization of the request becomes the home organization of the issuer's users. */
const settingsFor = (payload: z.output<typeof TrustedIssuer>, organizationId: string) => ({
	algorithms: [...DEFAULT_ALGORITHMS],
	...payload,
	organization_id: organizationId,
});

export const issuerRegistration = executor({
	entity: "ORGANIZATION",
	payload: TrustedIssuer,
	home: () => undefined,
	async check(services, organizationId, payload) {
		checkTestIssuer(services, settingsFor(payload, organizationId));
		await checkIssuer(services, payload);
		await discover(services, payload);
		if (payload.organization_id !== undefined && payload.organization_id !== organizationId) {
			throw badInput("payload.organization_id", "must be the organization of the request", "NOT_ALLOWED");
		}
		if (isReservedIssuer(services, payload.issuer)) throw new ApiError("INVALID_STATE", { description: RESERVED_ISSUER });
	},
	find: (orm, organizationId, { issuer }) => ({
		organization: first(findByReference(orm, organizationId)),
		registered: findRegistered(orm, issuer),
	}),
	target(services, { organization, registered }, organizationId, payload) {
		if (!organization) return undefined;
		const isTaken = registered.some(({ kind, settings }) => kind === payload.kind || shareAudience(settings, payload));
		return {
			organizationId,
			decider: "OPERATOR",
			version: isTaken ? "REGISTERED" : "NOT_REGISTERED",
			plan() {
				if (isTaken || isReservedIssuer(services, payload.issuer)) return { accepted: false, reason: "ISSUER_TAKEN" };
				return { accepted: true, ...registration(services, settingsFor(payload, organizationId)) };
			},
		};
	},
});
