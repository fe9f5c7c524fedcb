// What the rows of the audit trail say, in words: what was done, on which account, for whom.

import type { AuditRow } from "../../typed.ts";
import type { Fields } from "./effect.ts";
import { type Asked, effectOf } from "./effects.ts";
import { HELD } from "./held.ts";

/** Those that answer with a request. */
export const OF_APPROVALS: ReadonlySet<string> = new Set([
	"decideApproval",
	"requestApproval",
	"requestLedgerClosing",
	"requestLedgerMapping",
	"requestProviderTariff",
	"requestProvisioningRules",
	"requestRecovery",
	"requestTreasuryRecord",
]);

/** What no request for approval does, where the operation's name does not say it well. */
const DEEDS: Readonly<Record<string, string>> = {
	acceptInvitation: "Join the organization",
	adoptApiKey: "Take an API key over",
	admitUser: "Admit a user from the waiting list",
	askAboutStatementBreak: "Ask the provider about a break with a statement",
	assignWork: "Say who looks after a piece of work",
	openCreditBureauDispute: "Mark a loan as disputed for the credit bureau",
	putCreditBureauIdentity: "State a borrower's document for the credit bureau",
	putCreditBureauSettings: "Change the settings of the files for the credit bureau",
	resolveCreditBureauDispute: "Resolve a dispute about the credit bureau",
	deleteIssuer: "Trust an issuer no more",
	promptRepayment: "Ask a borrower on their phone to pay",
	recordFollowUp: "Note something on a borrower, record a promise or remind",
	recoverWebhook: "Deliver what an endpoint had missed",
	requestLedgerClosing: "Ask to close a month of the ledger",
	requestProviderTariff: "Ask for a new tariff of a provider",
	requestLedgerMapping: "Ask for other numbers in the own ledger",
	requestProvisioningRules: "Ask for new rules of provisions",
	requestRecovery: "Ask for another number of a user",
	requestTreasuryRecord: "Ask to record borrowed funds, owners' money or a transfer",
	retryWork: "Do a piece of work again",
	revokeSessions: "End all sessions of a user",
	updateMe: "Change one's own name or language",
	withdrawPromise: "Withdraw a promise to pay",
};

/** Others, of which the name says what they do: `createApiKey` is "Make API key". */
const NAMED =
	"activateDarajaReplacement activateMomoReplacement addImportLines addProviderStatementLines compareProviderStatement createProviderStatement discardProviderStatement advanceClock cancelImport cancelInvoice cancelRecovery checkDarajaConnection createApiKey createImport createOrganization createSigningKey createWebhook deleteApiKey deleteMerchantGrant deleteWebhook discardDarajaReplacement discardMomoReplacement freezeAccount issueStatement putAppSettings putBrand putDarajaConnection putMerchantGrant putMomoConnection putOrganizationTexts registerDarajaConfirmations removeMember resumeDarajaConnection resumeMomoConnection retryDelivery revokeInvitation revokeSigningKey testWebhook uploadInvoice uploadInvoices".split(
		" ",
	);
const WORDS: Readonly<Record<string, string>> = {
	create: "make",
	put: "set",
	api: "API",
	daraja: "M-Pesa",
	momo: "MTN MoMo",
	webhook: "endpoint",
};

const lower = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);
const upper = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
/** `putDarajaConnection`: "Set M-Pesa connection" */
const spaced = (operation: string): string =>
	upper(
		operation
			.split(/(?=[A-Z])/)
			.map((word) => WORDS[word.toLowerCase()] ?? word.toLowerCase())
			.join(" "),
	);

/** Texts that are kept as a digest say nothing to people, nor does an amount without its currency. */
function legible(changes: object): Fields {
	const kept = Object.entries(changes).flatMap(([name, value]): [string, unknown][] => {
		if (typeof value === "string" && value.startsWith("hmac:")) return [];
		if (typeof value !== "object" || value === null || Array.isArray(value)) return [[name, value]];
		const inner = legible(value);
		return "currency" in value && !("currency" in inner) ? [] : [[name, inner]];
	});
	return Object.fromEntries(kept);
}

/** The operation as a verb and its object. */
export function nameOfDeed(operation: string): string {
	if (operation === "decideApproval") return "Approve or reject a request";
	if (operation === "requestApproval") return "Ask for approval";
	return DEEDS[operation] ?? HELD[operation]?.({ currency: null }, {}).title ?? spaced(operation);
}

export interface KnownOfRow {
	readonly approval?: Asked | undefined;
	readonly currency?: string | undefined;
}

/** `Approved: waive 92.53 KES` */
export function deedOf({ operation, changes }: Pick<AuditRow, "operation" | "changes">, { approval, currency }: KnownOfRow): string {
	const sent = changes as Fields;
	if (OF_APPROVALS.has(operation)) {
		const did = operation !== "decideApproval" ? "Asked" : sent.decision === "REJECTED" ? "Rejected" : "Approved";
		if (approval) return `${did}: ${lower(effectOf(approval, currency ?? null).title)}`;
		if (did !== "Asked") return `${did} a request`;
		if (operation === "requestApproval") return "Asked for approval";
	}
	return DEEDS[operation] ?? HELD[operation]?.({ currency: currency ?? null, ...legible(sent) }, {}).title ?? spaced(operation);
}

/** Every deed that has words of its own. */
export const OPERATIONS: readonly string[] = ["decideApproval", "requestApproval", ...Object.keys(DEEDS), ...NAMED, ...Object.keys(HELD)];

/** The operation that the words mean, or its own name; undefined for words that mean none. */
export function operationOf(text: string): string | undefined {
	const wanted = text.trim().toLowerCase();
	if (OPERATIONS.includes(text.trim())) return text.trim();
	const named = OPERATIONS.map((id) => [id, nameOfDeed(id).toLowerCase()] as const);
	return (
		named.find(([, name]) => name === wanted)?.[0] ??
		OPERATIONS.find((id) => id.toLowerCase() === wanted.replaceAll(" ", "")) ??
		named.find(([, name]) => name.startsWith(wanted))?.[0] ??
		named.find(([id, name]) => name.includes(wanted) || id.toLowerCase().includes(wanted))?.[0]
	);
}
