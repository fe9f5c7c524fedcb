// The ports: what the service asks of the outside world, and of the queues that wake it up. `wiring/services` chooses
// their adapters; handlers and jobs know only these interfaces.

import type { ResolutionVerdict } from "../shared/addresses";
import type { Algorithm } from "../shared/trusted-issuer";
import type { ConnectionError } from "../shared/webhook-states";
import type { AuthorizationProvider, AuthorizationTuples } from "./authorization-ports";
import type { Backup, Pager } from "./operating-ports";
import type { Collections, Disburser, LenderAccounts } from "./payment-ports";
import type { PushSender } from "./push-ports";

export * from "./authorization-ports";
export type * from "./operating-ports";
export type * from "./payment-ports";
export type * from "./push-ports";

/** Makes every request that leaves the service. The entry point hands in the platform's own; tests hand in theirs. */
export type Fetch = (input: RequestInfo | URL, init?: RequestInit) => Promise<Response>;

/**
 * Asks a provider, whose redirects are answers too, over one of the connections that the invocation may hold open: the time limit begins
 * when it is free. The result is `read`'s value of the answer. Rejects as `fetch` does.
 */
export type Ask = <T>(
	url: string,
	request: Omit<RequestInit, "redirect" | "signal"> & { timeoutMs: number },
	read: (response: Response) => Promise<T>,
) => Promise<T>;

/** Adapters are built when they are asked for: a request pays only for those it uses. */
export interface Providers {
	/** Undefined while it is not configured. */
	readonly disburser: Disburser | undefined;
	readonly collections: Collections;
	readonly lenderAccounts: LenderAccounts;
	/** Pays transfers out; undefined while it is not configured. */
	readonly payout: Payout | undefined;
	/** Undefined while it is not configured. */
	readonly custodian: Custodian | undefined;
	readonly messageSender: MessageSender;
	/** Undefined where no provider of pushes is configured. */
	readonly pushSender: PushSender | undefined;
	/** Undefined while it is not configured: every number's card is then trusted. */
	readonly simSwap: SimSwap | undefined;
	/** Undefined while it is not configured: names are then not looked up. */
	readonly nameLookup: NameLookup | undefined;
	readonly nameResolver: NameResolver;
	readonly keySets: KeySets;
	readonly webhookSender: WebhookSender;
	/** Undefined on this machine. */
	readonly metrics: Metrics | undefined;
	/** Undefined where no bucket is bound. */
	readonly archive: Archive | undefined;
	/** Undefined where no bucket is bound or named. */
	readonly backup: Backup | undefined;
	/** Undefined where nobody is notified. */
	readonly pager: Pager | undefined;
	/** Decides what members may do for their organizations. */
	readonly authorization: AuthorizationProvider;
	/**
	 * Decides what users may do for single merchants. `name` is the `resource_access_provider` of the issuer that signed the caller's
	 * token. A check rejects when the provider does not answer, which is 503: let it pass through.
	 */
	resourceAccess(name: AuthorizationProvider["name"]): AuthorizationProvider;
	/** Undefined where no outside provider is configured, and where its deployer writes the tuples. */
	readonly authorizationTuples: AuthorizationTuples | undefined;
}

// Transfers to outside accounts are paid out by the same provider, on the same terms.

export type PayoutInstruction = {
	/** The transfer's id. */
	reference: string;
	accountId: string;
	amount: { value: number; currency: string };
	/** In the form of the wire: type, name, and what identifies an account of that type. */
	recipient: Readonly<Record<string, string | null>>;
	note: string | null;
};

export type Payout =
	/** Pays at once, in the books alone. */
	| { kind: "embedded"; pay(reference: string): { providerReference: string } }
	/** Takes an instruction and reports its result later. UNKNOWN: no answer, or none that says it was taken. */
	| { kind: "remote"; instruct(instruction: PayoutInstruction, realNow: number): Promise<"ACCEPTED" | "UNKNOWN"> };

// Current accounts are held by a custodian bank. It recognises an instruction by its reference and carries it out once, so every
// repetition has the same reference. Its decisions come later, as callbacks.

export type CustodianInstruction = {
	reference: string;
	/** What is to be done, such as OPEN. */
	kind: string;
	/** What it is about: the account, the activation or the closure. */
	subjectId: string;
	/** What the custodian needs to know, in the form of the wire. */
	facts: Readonly<Record<string, unknown>>;
};

export type Custodian =
	/** Opens and activates accounts immediately; closures wait for a decision. */
	| { kind: "embedded"; name: string; open(accountId: string): { externalAccountId: string; externalAccountNumber: string } }
	/** REFUSED: it will never do it. UNKNOWN: no answer, or none that says that the instruction was taken. */
	| {
			kind: "remote";
			name: string;
			instruct(instruction: CustodianInstruction, realNow: number): Promise<"TAKEN" | "REFUSED" | "UNKNOWN">;
	  };

export type OutgoingMessage = {
	id: string;
	channel: "SMS" | "EMAIL";
	recipient: string;
	purpose: string;
	text: string;
	/** In a list of providers, the provider that was asked last, and may have taken it. */
	asked?: string | null;
};

/** REFUSED: the gateway will never take the message. FAILED: it may take it later. */
export type SendOutcome = "SENT" | "REFUSED" | "FAILED";

/** In ten-thousandths of the currency's unit: an SMS costs less than the smallest coin. */
export type MessageCost = { readonly currency: string; readonly amount: number };

/** Of a list of providers also which one was asked last, and by what name it knows the message. */
export type SendResult = {
	readonly outcome: SendOutcome;
	readonly provider?: string;
	readonly reference?: string | null;
	readonly cost?: MessageCost | null;
};

/** Carries messages to people (SMS, mail). */
export type MessageSender =
	/** Sends nothing: messages stay in D1, where the sandbox shows them. */
	| { kind: "mailbox" }
	/** Hands each message to the operator's own gateway or a provider, at least once. Without an address every attempt is FAILED. */
	| { kind: "gateway"; configured: boolean; send(message: OutgoingMessage): Promise<SendResult> };

/** Connections that one look-up holds concurrently. */
export const LOOKUP_CONNECTIONS = 2;

export interface SimSwap {
	/** Whether the number's SIM card was exchanged within the last days; undefined: no answer. */
	wasSwapped(number: string): Promise<boolean | undefined>;
}

/** An account of a payee, as its holder gave it. */
export type NamedAccount = { readonly type: string; readonly identifier: string; readonly accountHolderName: string | null };

/** Says in whose name an account is. It moves no money, so asking again does no harm. */
export type NameLookup =
	/** Knows every account, under the name that is given for it. */
	| { kind: "embedded"; lookUp(account: NamedAccount): { known: true; name: string } }
	/** Undefined: no answer. `name` null: the account exists, its name stays private. */
	| { kind: "remote"; lookUp(account: NamedAccount): Promise<{ known: true; name: string | null } | { known: false } | undefined> };

export interface NameResolver {
	/** The verdict on all addresses of a name, A and AAAA. Never rejects. */
	judge(name: string): Promise<ResolutionVerdict>;
}

/** The keys that may have made a signature: one, or several when the token does not name its own. */
export type KeySet = (header: { alg: string; kid: string | undefined }) => Promise<readonly CryptoKey[]>;

/** Where an issuer's keys are: in its record, at an address where it publishes them, or where its own configuration says. */
export type KeySource = { issuer: string; jwks?: { readonly keys: readonly object[] } | undefined; jwks_uri?: string | undefined };

/** What an issuer says of itself (OpenID Connect Discovery): where its keys are, and the algorithms of its tokens that are accepted here. */
export type Discovery = { readonly jwks_uri: string; readonly algorithms: readonly Algorithm[] };

export interface KeySets {
	/** Rejects with `KeysUnavailable`, whose message says why, while it cannot be had. */
	discover(issuer: string): Promise<Discovery>;
	/** The key set rejects with `KeysUnavailable` while the issuer's keys cannot be fetched. */
	of(source: KeySource): KeySet;
}

/** The issuer's keys cannot be fetched, so its tokens cannot be verified. */
export class KeysUnavailable extends Error {
	override readonly name = "KeysUnavailable";
}

export type WebhookRequest = { url: string; headers: Record<string, string>; body: Uint8Array<ArrayBuffer>; signal: AbortSignal };

/** The connection failed in this way; the message is a reason that the receiver's owner may read. */
export class ConnectionFailed extends Error {
	override readonly name = "ConnectionFailed";
	readonly kind: ConnectionError;
	constructor(kind: ConnectionError, reason: string, options?: ErrorOptions) {
		super(reason, options);
		this.kind = kind;
	}
}

export interface WebhookSender {
	/**
	 * Posts to a receiver and follows no redirect. Rejects when there is no answer before the signal, with `ConnectionFailed` where
	 * the reason is known.
	 */
	send(request: WebhookRequest): Promise<Response>;
}

/** SLOW for endpoints that were slow to answer last time, so that they delay no others. */
export type Lane = "QUICK" | "SLOW";

export type Poked = {
	webhookId: string;
	lane: Lane;
	/** Wake the consumer up after this many seconds; immediately when absent. */
	delaySeconds?: number;
};

export interface WebhookQueue {
	/** Wakes the consumer up for what is due at these endpoints. A lost message costs a minute: the sweep finds what is due. */
	poke(endpoints: readonly Poked[]): Promise<void>;
}

/**
 * What is measured of the service's work. Its texts are names that stand in the code or in wrangler.toml: never the id of a user or an
 * organization, a phone number or a secret, because metrics are kept and shown elsewhere than data.
 */
export type Measured =
	| {
			kind: "request";
			/** The id of the operation. */
			operation: string;
			status: number;
			/** Of a refusal; null for none. */
			code: string | null;
			/** What the caller is, such as `member`; `none` while nobody is known. */
			caller: string;
			ms: number;
			trips: number;
			rowsRead: number;
			rowsWritten: number;
	  }
	/** Attempts of deliveries that ended in the same way. `error`: how their connections failed; `ms`: of all of them. */
	| { kind: "attempts"; outcome: string; error: string | null; count: number; ms: number }
	/** One sweep of a database. `left`: how many kinds of work it did not come to the end of. */
	| { kind: "sweep"; database: string; ms: number; overdueSeconds: number; storagePercent: number; left: number }
	| { kind: "deadLetters"; queue: string; count: number }
	/** Calls with an idempotency key that went on without the object that keeps identical ones apart. */
	| { kind: "lostLocks"; count: number }
	/** Requests to providers that an outbox has sent. `what` was asked, and what the answer was. */
	| { kind: "provider"; what: string; outcome: string; count: number }
	/** Claims of attempts that ran out before the attempts ended: the isolate ended, or the attempts took too long. */
	| { kind: "expiredClaims"; cause: "CLAIM_EXPIRED" | "PROCESS_ENDED"; count: number };

export interface Metrics {
	record(measured: Measured): void;
}

/** Keeps lines of text outside of the databases, in objects that are written as a whole. */
export interface Archive {
	/** Writes an object, or the same one again. */
	write(name: string, lines: readonly string[]): Promise<void>;
	/** The names that begin with this, in order. */
	names(prefix: string): Promise<readonly string[]>;
	/** The first line of an object that begins with this. */
	line(name: string, beginning: string): Promise<string | undefined>;
}
