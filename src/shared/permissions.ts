// Which role holds which permission (the embedded default), and which scopes its API keys may have. A key never may what its maker may not.

export const ROLES = [
	"organization-owner",
	"organization-admin",
	"organization-financing-admin",
	"organization-financing-viewer",
	"organization-lending-admin",
	"organization-lending-viewer",
	"organization-developer",
	"organization-viewer",
] as const;
export type Role = (typeof ROLES)[number];

export const PERMISSIONS = [
	"org:webhooks:read",
	"org:webhooks:write",
	"org:branding:write",
	"org:financing.merchants:read",
	"org:financing.invoices:write",
	"org:financing.approvals:decide",
	"org:members:read",
	"org:members:write",
	"org:api-keys:write",
	"org:approvals:read",
	"org:approvals:decide",
	"org:lending.approvals:decide",
	"org:agents:read",
	"org:agents:write",
	"org:lending:read",
	"org:lending:write",
	"org:ledger:read",
	"org:ledger:close",
	"org:audit:read",
	"org:connections:write",
] as const;
export type Permission = (typeof PERMISSIONS)[number];

/** `org:financing.merchants:read` is the relation `financing_merchants_read`: OpenFGA allows no colons and dots in names. */
export const relationOf = (permission: Permission): string => permission.replace(/^org:/, "").replaceAll(/[^a-z]/g, "_");

/** `organization-lending-admin` is the relation `lending_admin`. */
export const relationOfRole = (role: Role): string => role.replace(/^organization-/, "").replaceAll("-", "_");

/** The permissions that somebody may have for single merchants. */
export const MERCHANT_PERMISSIONS = [
	"org:financing.merchants:read",
	"org:financing.invoices:write",
] as const satisfies readonly Permission[];

/** What an API key may be allowed to do. */
export const SCOPES = [
	"loans:write",
	"repayments:write",
	"agents:write",
	"agents:read",
	"invoices:write",
	"invoices:read",
	"approvals:write",
	"events:read",
	"accounts:read",
	"repayments:read",
	"users:read",
	"portfolio:read",
	"ledger:read",
] as const;
export type Scope = (typeof SCOPES)[number];

/** What the maker of a key must be permitted, for the key to have the scope. */
const PERMISSION_OF: Record<Scope, Permission> = {
	"loans:write": "org:lending:write",
	"repayments:write": "org:lending:write",
	"agents:write": "org:agents:write",
	"agents:read": "org:agents:read",
	"invoices:write": "org:financing.invoices:write",
	"invoices:read": "org:financing.merchants:read",
	"approvals:write": "org:approvals:decide",
	"events:read": "org:webhooks:read",
	"accounts:read": "org:lending:read",
	"repayments:read": "org:lending:read",
	"users:read": "org:lending:read",
	"portfolio:read": "org:lending:read",
	"ledger:read": "org:ledger:read",
};

const ROLE_PERMISSIONS: Record<Role, readonly Permission[]> = {
	"organization-owner": PERMISSIONS,
	"organization-admin": PERMISSIONS,
	"organization-financing-admin": [
		"org:financing.merchants:read",
		"org:financing.invoices:write",
		"org:financing.approvals:decide",
		"org:members:read",
		"org:approvals:read",
	],
	"organization-financing-viewer": ["org:financing.merchants:read"],
	"organization-lending-admin": [
		"org:lending:read",
		"org:lending:write",
		"org:ledger:read",
		"org:ledger:close",
		"org:members:read",
		"org:approvals:read",
		"org:lending.approvals:decide",
	],
	"organization-lending-viewer": ["org:lending:read", "org:ledger:read"],
	"organization-developer": ["org:webhooks:read", "org:webhooks:write", "org:members:read", "org:api-keys:write"],
	"organization-viewer": ["org:members:read", "org:agents:read"],
};

/** Members cannot give a role of a higher rank than their own, or change a member who has one. */
export const rankOf = (role: Role): number => RANKS[role] ?? 1;

const RANKS: Partial<Record<Role, number>> = { "organization-owner": 3, "organization-admin": 2 };

export const rolePermits = (role: Role, permission: Permission): boolean => ROLE_PERMISSIONS[role].includes(permission);

/** Whether the second role may anything that the first may not. */
export const gains = (from: Role, to: Role): boolean => ROLE_PERMISSIONS[to].some((permission) => !rolePermits(from, permission));

/** Whether keys made by members of this role may have the scope. */
export const roleHolds = (role: Role, scope: Scope): boolean => rolePermits(role, PERMISSION_OF[scope]);
