// The port of the authorization provider: its questions, and its updates.

import type { Permission, Role } from "../shared/permissions";
import { MINUTE_MS } from "../shared/time";

export type Decision = "ALLOW" | "DENY";

export type Resource =
	| { type: "organization"; id: string }
	/** Merchants are named by their organization's own ids, so the organization belongs to the name. */
	| { type: "merchant"; id: string; organizationId: string };

export type Question = {
	subject: { userId: string };
	permission: Permission;
	resource: Resource;
	/** A write needs a decision about the present; a read may use a decision that is a few seconds old. */
	write: boolean;
};

export type MerchantsQuestion = Omit<Question, "resource"> & { organizationId: string; merchantIds: readonly string[] };

/** An organization that the user is a member of, as authentication reads it from D1. */
export type Membership = {
	organizationId: string;
	/** null where it is not needed. */
	slug: string | null;
	role: Role;
	/** Above 1 where the role was changed here since the user came, and where the user came back. */
	version: number;
	/** When an outside provider got the role, in ms of real time; null and 0: not yet. */
	reachedAt: number | null;
};

export interface AuthorizationProvider {
	readonly name: "embedded" | "openfga";
	/** Rejects when the provider does not answer; nobody is authorized then. */
	check(question: Question): Promise<Decision>;
	/** Whether each of these merchants of the organization allows it; at most a hundred. Rejects as `check` does. */
	checkMerchants(question: MerchantsQuestion): Promise<Decision>;
	/** The decision about an organization, where memberships alone are enough for it: then it costs no round trip. */
	readonly fromMemberships?: (question: Pick<Question, "permission" | "resource">, memberships: readonly Membership[]) => Decision;
}

/**
 * For so long after an outside provider got a change, what it allows must be allowed here too: an isolate, and the provider itself, may
 * remember an earlier decision.
 */
export const CHANGES_BIND_MS = 2 * MINUTE_MS;

/** The provider could not be asked, or its answer could not be understood. */
export class AuthorizationFailure extends Error {
	override readonly name = "AuthorizationFailure";
	/** What the provider said of it, for the log. */
	readonly said: { readonly provider_code: string; readonly provider_message: string } | undefined;
	constructor(reason: string, said?: AuthorizationFailure["said"]) {
		super(reason);
		this.said = said;
	}
}

/** What a user holds now: their role in an organization, null for none, or permissions for one of its merchants. */
export type Held =
	| { readonly userId: string; readonly organizationId: string; readonly role: Role | null }
	| {
			readonly userId: string;
			readonly organizationId: string;
			readonly merchantId: string;
			readonly permissions: readonly Permission[];
	  };

/** The store of an outside provider, as far as the service writes it. */
export interface AuthorizationTuples {
	/** Makes the store say what the user holds, after any earlier content. Rejects with `AuthorizationFailure`. */
	keep(held: Held): Promise<void>;
}
