// Whom pages are shown to. The service decides what people may do.

export type Role =
	| "organization-owner"
	| "organization-admin"
	| "organization-financing-admin"
	| "organization-financing-viewer"
	| "organization-lending-admin"
	| "organization-lending-viewer"
	| "organization-developer"
	| "organization-viewer";

export interface Belonging {
	readonly id: string;
	readonly name: string;
	readonly role?: Role;
}

export interface Person {
	readonly kind: "operator" | "member" | "borrower";
	/** Distinguishes people: the person who signs in again is the same one or another. */
	readonly id: string;
	readonly name: string;
	readonly organizations: readonly Belonging[];
	/** The organization that the console acts for. */
	readonly acting: Belonging | undefined;
	/** On the waiting list: they may read little before somebody admits them. */
	readonly isWaiting?: boolean;
	/** Whether the service that they have signed in to has a sandbox. */
	readonly hasSandbox: boolean;
}

export interface Who {
	(person: Person): boolean;
	/** The permission that a member's role must hold, named to refused callers. */
	readonly permission?: Permission;
}
export const everybody: Who = () => true;
export const operators: Who = ({ kind }) => kind === "operator";
/** Where there is a sandbox. */
export const sandboxOperators: Who = (person) => person.hasSandbox && operators(person);
export const borrowers: Who = ({ kind }) => kind === "borrower";
export const members: Who = ({ kind }) => kind === "member";

/** The roles that hold what pages need, in addition to owners and administrators, who hold everything. */
export const HOLDERS = {
	"org:webhooks:read": ["developer"],
	"org:branding:write": [],
	"org:members:read": ["financing-admin", "lending-admin", "developer", "viewer"],
	"org:api-keys:write": ["developer"],
	"org:financing.merchants:read": ["financing-admin", "financing-viewer"],
	"org:approvals:read": ["financing-admin", "lending-admin"],
	"org:audit:read": [],
	"org:lending:read": ["lending-admin", "lending-viewer"],
	"org:ledger:read": ["lending-admin", "lending-viewer"],
	"org:lending:write": ["lending-admin"],
	"org:connections:write": [],
	"org:agents:read": ["viewer"],
} as const;
export type Permission = keyof typeof HOLDERS;

/** Members whose role holds it, and operators who act for an organization. */
export function permitted(permission: Permission): Who {
	const holders: readonly string[] = HOLDERS[permission];
	const holds: Who = ({ kind, acting }) => {
		if (!acting || kind === "borrower") return false;
		const role = acting.role?.replace("organization-", "") ?? "owner";
		return kind === "operator" || ["owner", "admin", ...holders].includes(role);
	};
	return Object.assign(holds, { permission });
}

export const either = (one: Who, other: Who): Who =>
	Object.assign((person: Person) => one(person) || other(person), { permission: one.permission ?? other.permission });
