// The error catalogue: each code with its HTTP status, what it means, and what to do then. Answers and the API reference are made of it.

/** Why a commit for an organization is refused, as triggers raise it and as callers see it. */
export const ORGANIZATION_SUSPENDED = "The organization is suspended";

export const ERRORS = {
	BAD_REQUEST: {
		status: 400,
		description: "Bad Request",
		remedy: "Correct what invalid_params names",
	},
	INVALID_PARAMS: { status: 400, description: "Invalid input", remedy: "Correct the members in invalid_params" },
	INVALID_TOKEN: { status: 400, description: "The token's format or content is invalid", remedy: "Get another token from its issuer" },
	MALFORMED_TOKEN: {
		status: 400,
		description: "The token is not a JWT",
		remedy: "Send the whole token: three parts with a dot between them",
	},
	INVALID_TOKEN_CLAIMS: {
		status: 400,
		description: "Required claims are missing or invalid",
		remedy: "Have the issuer set the claims as it is registered: iss, aud, sub, iat and exp",
	},
	UNAUTHORISED: {
		status: 401,
		description: "Credentials are missing or invalid",
		remedy: "Send the credentials that the description names, or get new ones",
	},
	TOKEN_EXPIRED: { status: 401, description: "The token has expired", remedy: "Get a new token from its issuer" },
	INVALID_TOKEN_SIGNATURE: {
		status: 401,
		description: "The token's signature is invalid",
		remedy: "Sign the token with a key of the issuer's published key set, and name it in kid",
	},
	UNKNOWN_TOKEN_ISSUER: {
		status: 401,
		description: "The token's issuer is not recognized",
		remedy: "Have the issuer registered, and send its exact name in iss",
	},
	FORBIDDEN: {
		status: 403,
		description: "Access to the endpoint is denied",
		remedy: "Call with the role, permission, scope or organization that the description names",
	},
	WAITING_LIST: {
		status: 403,
		description: "The user is on the waiting list",
		remedy: "Wait until the user is admitted: the service then raises user.admitted",
	},
	SELF_APPROVAL: { status: 403, description: "Requesters cannot decide their own requests", remedy: "Have another person decide" },
	NOT_FOUND: { status: 404, description: "Not found", remedy: "Check the ids, and that they belong to whom you act for" },
	METHOD_NOT_ALLOWED: { status: 405, description: "The path exists, but not with this method", remedy: "Send one of the methods in Allow" },
	IDEMPOTENCY_KEY_REUSED: {
		status: 409,
		description: "The Idempotency-Key was used with another body",
		remedy: "Send a new Idempotency-Key with a new request",
	},
	IDEMPOTENCY_IN_PROGRESS: {
		status: 409,
		description: "The first request with this Idempotency-Key is still running",
		remedy: "Send the same request again after Retry-After",
	},
	INVALID_STATE: {
		status: 409,
		description: "The resource's state does not allow this",
		remedy: "Read the resource, and do what its state allows",
	},
	APPLICATION_EXPIRED: { status: 409, description: "The loan application has expired", remedy: "Create a new application" },
	ACCOUNT_HAS_NON_ZERO_BALANCE: {
		status: 409,
		description: "Withdraw the balance first",
		remedy: "Transfer the balance away, and close the account then",
	},
	CLOSURE_IN_PROGRESS: {
		status: 409,
		description: "A closure is already in progress",
		remedy: "Confirm or cancel the closure that is in progress",
	},
	PAYEE_CHANGED: {
		status: 409,
		description: "The payee's number has another holder: have its name looked up again",
		remedy: "Verify the payee's account, show the new name, and order the transfer again",
	},
	MOBILE_NUMBER_IN_USE: { status: 409, description: "The mobile number is in use", remedy: "Use another number, or sign in with this one" },
	DUPLICATE_INVOICE: {
		status: 409,
		description: "The invoice has already been uploaded",
		remedy: "Look for the invoice in the list; cancel it before it is uploaded again",
	},
	DUPLICATE_CONFLICT: {
		status: 409,
		description: "The same id was used with different facts",
		remedy: "Send the facts as they were sent first, or another id",
	},
	INVITATION_PENDING: {
		status: 409,
		description: "An invitation to this address is pending",
		remedy: "Resend the pending invitation, or revoke it first",
	},
	LAST_OWNER: { status: 409, description: "An organization must keep at least one owner", remedy: "Make another member an owner first" },
	APPROVAL_PENDING: { status: 409, description: "A request of this kind is pending", remedy: "Have the pending request decided first" },
	ORGANIZATION_SLUG_TAKEN: { status: 409, description: "Another organization has this slug", remedy: "Choose another slug" },
	WEBHOOK_NAME_TAKEN: { status: 409, description: "Another webhook of the organization has this name", remedy: "Choose another name" },
	WEBHOOK_SUSPENDED: { status: 409, description: "The webhook is suspended", remedy: "Resume the webhook first" },
	DELIVERY_IN_PROGRESS: { status: 409, description: "The delivery is still running", remedy: "Wait until the delivery has ended" },
	LAST_SIGNING_KEY: {
		status: 409,
		description: "The only signing key cannot be revoked: create another or suspend the webhook",
		remedy: "Create another key first, or suspend the webhook",
	},
	NO_SIGNING_KEY: { status: 409, description: "The webhook has no signing key", remedy: "Create a signing key first" },
	TOO_MANY_SIGNING_KEYS: {
		status: 409,
		description: "The webhook has two active signing keys",
		remedy: "Revoke one of the two keys first",
	},
	TOO_MANY_API_KEYS: {
		status: 409,
		description: "The organization has reached its maximum number of API keys",
		remedy: "Delete a key that is not needed first",
	},
	TOO_MANY_WEBHOOKS: {
		status: 409,
		description: "The organization has reached its maximum number of webhooks",
		remedy: "Delete a webhook that is not needed first",
	},
	PRECONDITION_FAILED: {
		status: 412,
		description: "The resource has changed: read it again, and send its ETag in If-Match",
		remedy: "Read the resource, and send its present entity tag in If-Match",
	},
	PAYLOAD_TOO_LARGE: { status: 413, description: "The body is larger than 256 KiB", remedy: "Send less in one request" },
	UPGRADE_REQUIRED: {
		status: 426,
		description: "The app's version is no longer supported",
		remedy: "Install the present version of the app",
	},
	TOO_MANY_REQUESTS: { status: 429, description: "Too many requests", remedy: "Wait for Retry-After" },
	INTERNAL_SERVER_ERROR: {
		status: 500,
		description: "Unexpected failure",
		remedy: "Send the request again with the same Idempotency-Key; if it fails again, report X-Request-Id",
	},
	INTERNAL_ERROR: {
		status: 500,
		description: "Unexpected failure",
		remedy: "Send the request again; if it fails again, report X-Request-Id",
	},
	SERVICE_UNAVAILABLE: { status: 503, description: "The service is not available", remedy: "Send the request again after Retry-After" },
} as const satisfies Record<string, { status: number; description: string; remedy: string }>;

export type ErrorCode = keyof typeof ERRORS;

/** The closed set of `sub_code` values. */
export const SUB_CODES = [
	"REQUIRED",
	"INVALID_TYPE",
	"INVALID_FORMAT",
	"TOO_SHORT",
	"TOO_LONG",
	"OUT_OF_RANGE",
	"NOT_ALLOWED",
	"DUPLICATE",
	"MUTUALLY_EXCLUSIVE",
	"UNKNOWN_FIELD",
	"MANDATORY_CATEGORY",
	"NOT_PUBLIC_HTTPS",
	"CURRENCY_MISMATCH",
	"TENURE_NOT_OFFERED",
	"INVALID_CURSOR",
	"CONCURRENT_CHANGE",
] as const;
export type SubCode = (typeof SUB_CODES)[number];

/** Why an operation refuses, where the code leaves open what an app does next: it declares its own. A refusal without one has its code. */
export const REASONS = {
	ADDRESS_DIFFERS: "It is for another mail address than that of the sign-in",
	ADDRESS_UNPROVEN: "The sign-in names no mail address that is proven",
	AMOUNT_NOT_A_STEP: "The amount is between two steps",
	AMOUNT_TOO_HIGH: "The amount is above what is possible",
	AMOUNT_TOO_LOW: "The amount is below what is possible",
	CAUTION: "The sign-in is too recent, or the number is being recovered; `available_from` says until when",
	CUSTOM_TOKEN_ENDED: "The sign-in took too long, or the token was used: verify the number again",
	DAILY_LIMIT: "The limit of a day is reached",
	IN_USE: "Open business of the user must end first; the description names it",
	INSUFFICIENT_FUNDS: "The available balance is too low",
	MONEY_OPEN: "An account or a payout of the user is open; the description names it",
	NO_CONNECTION: "The lender has no connection to a provider that can do this",
	NO_NUMBER: "The user has no number that can do this",
	NOTHING_DUE: "Nothing has to be paid",
	OFFER_CHANGED: "The offer is no longer valid; the description says why",
	OTP_EXPIRED: "The one-time password has expired",
	OTP_TRIES_USED: "Too many wrong one-time passwords: a new one is needed",
	OTP_USED: "The one-time password was used already",
	OTP_WAIT: "Another one-time password cannot be sent yet",
	OTP_WRONG: "This is not the one-time password that was sent",
	PAYEE_BLOCKED: "The user has blocked the payee",
	PROMPT_OPEN: "The phone is being asked already",
	RETENTION: "A law demands that it is kept; the description names it, and until when",
	SESSION_ENDED: "The session has ended: sign in again",
	SIM_EXCHANGED: "The SIM card of the number was exchanged recently",
	TERMS_NOT_ACCEPTED: "The offer has a text of its terms, and another one or none was accepted",
	USER_BLOCKED: "The lender has blocked the user",
} as const satisfies Record<string, string>;
export type Reason = keyof typeof REASONS;

/** The most faults that one answer names. */
export const MAX_INVALID_PARAMS = 100;

/** Members that say what may be done next, and when. */
export type Hints = {
	tries_left?: number;
	seconds_until_new_code?: number;
	/** RFC 3339. */
	available_from?: string;
	store_url?: string;
};

/** Why exactly, with what belongs to it; `sum`: the amount that a text for a person names. */
export type Because = { reason?: Reason; hints?: Hints; sum?: { amount: number; currency: string } };

export type InvalidParam = { path: string; reason: string; sub_code: SubCode };

/** Codes whose catalogue text says too little: what is missing, or which state it is, only the place that refuses knows. */
type Explained = "FORBIDDEN" | "INVALID_STATE";
export type WordlessCode = Exclude<ErrorCode, Explained>;
type Options = Because & { description?: string; status?: number; headers?: Record<string, string> };
type Wording<C extends ErrorCode> = [C] extends [WordlessCode] ? [options?: Options] : [options: Options & { description: string }];

/** A failure that is reported to the caller. Any other exception becomes a plain 500. */
export class ApiError<C extends ErrorCode = ErrorCode> extends Error {
	readonly code: ErrorCode;
	/** The catalogue's status, except for the one code that has two. */
	readonly status: number;
	readonly headers: Record<string, string>;
	readonly because: Because;
	constructor(code: C, ...[options = {}]: Wording<C>) {
		super(options.description ?? ERRORS[code].description);
		this.code = code;
		this.because = options;
		this.status = options.status ?? ERRORS[code].status;
		this.headers = options.headers ?? {};
	}
}

/** `why`: what is missing, and who may. */
export const forbidden = (why: string, because: Because = {}): ApiError => new ApiError("FORBIDDEN", { ...because, description: why });

/** `why`: the state that it is in, and in which this would be possible. */
export const invalidState = (why: string, because: Because = {}): ApiError =>
	new ApiError("INVALID_STATE", { ...because, description: why });

/** `possible`: the states in which it would be possible. */
export const wrongState = (thing: string, state: string, possible: readonly string[]): ApiError =>
	invalidState(`${thing} is ${state}: this is possible ${possible.length === 0 ? "in no state" : `while it is ${possible.join(" or ")}`}`);

export const organizationSuspended = () => forbidden(ORGANIZATION_SUSPENDED);

export const writesAreOff = () =>
	new ApiError("SERVICE_UNAVAILABLE", {
		description: "Nothing can be changed for a while, only read: send the request again after Retry-After",
		headers: { "Retry-After": "60" },
	});

/** Bad input. The operation decides its code: INVALID_PARAMS, BAD_REQUEST or INVALID_TOKEN. */
export class InvalidInput extends Error {
	readonly params: readonly InvalidParam[];
	/** The input cannot be read (syntax, content type, cursor), as opposed to readable but invalid. */
	readonly unreadable: boolean;
	readonly because: Because;
	constructor(params: readonly InvalidParam[], unreadable = false, because: Because = {}) {
		super("Invalid input");
		this.params = params;
		this.unreadable = unreadable;
		this.because = because;
	}
}

export const badInput = (path: string, reason: string, sub_code: SubCode, unreadable = false): InvalidInput =>
	new InvalidInput([{ path, reason, sub_code }], unreadable);

export const refusedInput = (path: string, fault: string, sub_code: SubCode, because: Because): InvalidInput =>
	new InvalidInput([{ path, reason: fault, sub_code }], false, because);

export const tooManyRequests = (retryAfterSeconds: number, headers: Record<string, string> = {}, because: Because = {}): ApiError =>
	new ApiError("TOO_MANY_REQUESTS", {
		...because,
		headers: { ...headers, "Retry-After": String(Math.max(1, Math.ceil(retryAfterSeconds))) },
	});

/** The refusal of a call whose commits were all stale because of concurrent changes. The same call may succeed when it is sent again. */
export class LostRace extends ApiError {
	readonly subCode: SubCode = "CONCURRENT_CHANGE";
	constructor() {
		super("INVALID_STATE", {
			description: "Another request changed this resource at the same moment: send this one again with the same Idempotency-Key",
			headers: { "Retry-After": "1" },
		});
	}
}
