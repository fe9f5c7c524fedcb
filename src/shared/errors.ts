// The error catalogue: one line per code with its HTTP status and description, used by answers and by the API reference.

/** Why a commit for an organization is refused, as triggers raise it and as callers are told. */
export const ORGANIZATION_SUSPENDED = "The organization is suspended";

export const ERRORS = {
	BAD_REQUEST: { status: 400, description: "Bad Request" },
	INVALID_PARAMS: { status: 400, description: "Invalid input" },
	INVALID_TOKEN: { status: 400, description: "The token's format or content is invalid" },
	MALFORMED_TOKEN: { status: 400, description: "The token is not a JWT" },
	INVALID_TOKEN_CLAIMS: { status: 400, description: "Required claims are missing or invalid" },
	UNAUTHORISED: { status: 401, description: "Credentials are missing or invalid" },
	TOKEN_EXPIRED: { status: 401, description: "The token has expired" },
	INVALID_TOKEN_SIGNATURE: { status: 401, description: "The token's signature is invalid" },
	UNKNOWN_TOKEN_ISSUER: { status: 401, description: "The token's issuer is not recognized" },
	FORBIDDEN: { status: 403, description: "Access to the endpoint is denied" },
	WAITING_LIST: { status: 403, description: "The user is on the waiting list" },
	SELF_APPROVAL: { status: 403, description: "Requesters cannot decide their own requests" },
	NOT_FOUND: { status: 404, description: "Not found" },
	METHOD_NOT_ALLOWED: { status: 405, description: "The path exists, but not with this method" },
	IDEMPOTENCY_KEY_REUSED: { status: 409, description: "The Idempotency-Key was used with another body" },
	IDEMPOTENCY_IN_PROGRESS: { status: 409, description: "The first request with this Idempotency-Key is still running" },
	INVALID_STATE: { status: 409, description: "The resource's state does not allow this" },
	APPLICATION_EXPIRED: { status: 409, description: "The loan application has expired" },
	ACCOUNT_HAS_NON_ZERO_BALANCE: { status: 409, description: "Withdraw the balance first" },
	CLOSURE_IN_PROGRESS: { status: 409, description: "A closure is already in progress" },
	PAYEE_CHANGED: { status: 409, description: "The payee's number has another holder: have its name looked up again" },
	MOBILE_NUMBER_IN_USE: { status: 409, description: "The mobile number is in use" },
	DUPLICATE_INVOICE: { status: 409, description: "The invoice has already been uploaded" },
	DUPLICATE_CONFLICT: { status: 409, description: "The same id was used with different facts" },
	INVITATION_PENDING: { status: 409, description: "An invitation to this address is pending" },
	LAST_OWNER: { status: 409, description: "An organization must keep at least one owner" },
	APPROVAL_PENDING: { status: 409, description: "A request of this kind is pending" },
	ORGANIZATION_SLUG_TAKEN: { status: 409, description: "Another organization has this slug" },
	WEBHOOK_NAME_TAKEN: { status: 409, description: "Another webhook of the organization has this name" },
	WEBHOOK_SUSPENDED: { status: 409, description: "The webhook is suspended" },
	DELIVERY_IN_PROGRESS: { status: 409, description: "The delivery is still running" },
	LAST_SIGNING_KEY: { status: 409, description: "The only signing key cannot be revoked: create another or suspend the webhook" },
	NO_SIGNING_KEY: { status: 409, description: "The webhook has no signing key" },
	TOO_MANY_SIGNING_KEYS: { status: 409, description: "The webhook has two active signing keys" },
	TOO_MANY_API_KEYS: { status: 409, description: "The organization has reached its maximum number of API keys" },
	TOO_MANY_WEBHOOKS: { status: 409, description: "The organization has reached its maximum number of webhooks" },
	PRECONDITION_FAILED: { status: 412, description: "The resource has changed" },
	PAYLOAD_TOO_LARGE: { status: 413, description: "The body is larger than 256 KiB" },
	UPGRADE_REQUIRED: { status: 426, description: "The app's version is no longer supported" },
	TOO_MANY_REQUESTS: { status: 429, description: "Too many requests" },
	INTERNAL_SERVER_ERROR: { status: 500, description: "Unexpected failure" },
	INTERNAL_ERROR: { status: 500, description: "Unexpected failure" },
	SERVICE_UNAVAILABLE: { status: 503, description: "The service is not available" },
} as const satisfies Record<string, { status: number; description: string }>;

export type ErrorCode = keyof typeof ERRORS;

/** The closed set of `sub_code` values. */
export type SubCode =
	| "REQUIRED"
	| "INVALID_TYPE"
	| "INVALID_FORMAT"
	| "TOO_SHORT"
	| "TOO_LONG"
	| "OUT_OF_RANGE"
	| "NOT_ALLOWED"
	| "DUPLICATE"
	| "MUTUALLY_EXCLUSIVE"
	| "UNKNOWN_FIELD"
	| "MANDATORY_CATEGORY"
	| "NOT_PUBLIC_HTTPS"
	| "CURRENCY_MISMATCH"
	| "TENURE_NOT_OFFERED"
	| "INVALID_CURSOR"
	| "CONCURRENT_CHANGE";

/** The most faults that one answer names. */
export const MAX_INVALID_PARAMS = 100;

/** What somebody who sent a wrong one-time password may do. */
export type Hints = { tries_left?: number; seconds_until_new_code?: number };

export type InvalidParam = { path: string; reason: string; sub_code: SubCode };

/** A failure that is reported to the caller. Any other exception becomes a plain 500. */
export class ApiError extends Error {
	readonly code: ErrorCode;
	/** The catalogue's status, except for the one code that has two. */
	readonly status: number;
	readonly headers: Record<string, string>;
	constructor(code: ErrorCode, options: { description?: string; status?: number; headers?: Record<string, string> } = {}) {
		super(options.description ?? ERRORS[code].description);
		this.code = code;
		this.status = options.status ?? ERRORS[code].status;
		this.headers = options.headers ?? {};
	}
}

export const organizationSuspended = () => new ApiError("FORBIDDEN", { description: ORGANIZATION_SUSPENDED });

/** Bad input. The operation decides its code: INVALID_PARAMS, BAD_REQUEST or INVALID_TOKEN. */
export class InvalidInput extends Error {
	readonly params: readonly InvalidParam[];
	/** The input cannot be read (syntax, content type, cursor), as opposed to readable but invalid. */
	readonly unreadable: boolean;
	/** Members that a problem document has beside the reasons. */
	readonly hints: Hints;
	constructor(params: readonly InvalidParam[], unreadable = false, hints: Hints = {}) {
		super("Invalid input");
		this.params = params;
		this.unreadable = unreadable;
		this.hints = hints;
	}
}

export const badInput = (path: string, reason: string, sub_code: SubCode, unreadable = false): InvalidInput =>
	new InvalidInput([{ path, reason, sub_code }], unreadable);

export const tooManyRequests = (retryAfterSeconds: number, headers: Record<string, string> = {}): ApiError =>
	new ApiError("TOO_MANY_REQUESTS", { headers: { ...headers, "Retry-After": String(Math.max(1, Math.ceil(retryAfterSeconds))) } });

/** The refusal of a call whose commits were all stale because of concurrent changes. The same call may succeed when it is sent again. */
export class LostRace extends ApiError {
	readonly subCode: SubCode = "CONCURRENT_CHANGE";
	constructor() {
		super("INVALID_STATE", {
			description: "It was changed by others at the same moment: send the request again, with the same Idempotency-Key",
			headers: { "Retry-After": "1" },
		});
	}
}
