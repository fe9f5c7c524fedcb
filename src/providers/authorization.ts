// The port to whoever decides what a member may do. A provider that cannot tell throws, and then nobody is let in.

import type { Permission, Role } from "../shared/permissions";

export type Decision = "ALLOW" | "DENY";

export type Resource =
	| { type: "organization"; id: string }
	/** Merchants are named by their organization's own ids, so the organization belongs to the name. */
	| { type: "merchant"; id: string; organizationId: string };

export type Question = {
	subject: { userId: string };
	permission: Permission;
	resource: Resource;
	/** A write is decided by what holds now; a read may go by an answer of the last seconds. */
	write: boolean;
};

/** An organization that the user is a member of, as authentication reads it of D1 with everything else about him. */
export type Membership = {
	organizationId: string;
	/** null: it looks like another organization's id, and ids win. */
	slug: string | null;
	role: Role;
};

export interface AuthorizationProvider {
	readonly name: "embedded" | "openfga";
	check(question: Question): Promise<Decision>;
	/** The decision about an organization, where memberships alone tell it: then it costs no round trip. */
	readonly fromMemberships?: (question: Pick<Question, "permission" | "resource">, memberships: readonly Membership[]) => Decision;
}

/** The provider could not be asked, or what it said could not be understood. */
export class AuthorizationFailure extends Error {
	override readonly name = "AuthorizationFailure";
}
