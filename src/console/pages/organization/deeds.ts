// What the rows of the audit trail say, in words: what was done, on which account, for whom.

import { words } from "../../format.ts";
import type { AuditRow, ShownApproval } from "../../typed.ts";
import type { Fields } from "./effect.ts";
import { effectOf } from "./effects.ts";
import { HELD } from "./held.ts";

/** What no request for approval does. */
const DEEDS: Readonly<Record<string, string>> = {
	acceptInvitation: "Join the organization",
	activateDarajaReplacement: "Agree to another M-Pesa shortcode",
	activateMomoReplacement: "Agree to another MTN MoMo wallet",
	addImportLines: "Send lines of an import",
	advanceClock: "Move the sandbox's clock forward",
	admitUser: "Admit a user from the waiting list",
	adoptApiKey: "Take an API key over",
	assignWork: "Say who looks after a loan or a borrower",
	cancelImport: "Cancel an import",
	cancelInvoice: "Withdraw an invoice",
	cancelRecovery: "Cancel the recovery of a number",
	checkDarajaConnection: "Check the M-Pesa connection",
	createApiKey: "Make an API key",
	createImport: "Begin an import",
	createOrganization: "Make an organization",
	createSigningKey: "Make a signing key of an endpoint",
	createWebhook: "Add an endpoint",
	deleteApiKey: "Revoke an API key",
	deleteIssuer: "Trust an issuer no more",
	deleteMerchantGrant: "Let a member act for a merchant no more",
	deleteWebhook: "Delete an endpoint",
	discardDarajaReplacement: "Discard another M-Pesa shortcode",
	discardMomoReplacement: "Discard another MTN MoMo wallet",
	freezeAccount: "Freeze a current account",
	promptRepayment: "Ask a borrower on their phone to pay",
	putAppSettings: "Change the app settings",
	putBrand: "Change the brand",
	putDarajaConnection: "Connect M-Pesa, or change its connection",
	putMerchantGrant: "Let a member act for a merchant",
	putMomoConnection: "Connect MTN MoMo, or change its connection",
	putOrganizationTexts: "Change the texts of messages",
	recordFollowUp: "Note something on a borrower, record a promise or remind",
	recoverWebhook: "Deliver what an endpoint had missed",
	registerDarajaConfirmations: "Have payments to the M-Pesa shortcode confirmed",
	removeMember: "Remove a member",
	requestRecovery: "Ask for another number of a user",
	resumeDarajaConnection: "Resume the M-Pesa connection",
	resumeMomoConnection: "Resume the MTN MoMo connection",
	retryDelivery: "Send a delivery again",
	retryWork: "Do a piece of work again",
	revokeInvitation: "Revoke an invitation",
	revokeSessions: "End all sessions of a user",
	revokeSigningKey: "End a signing key of an endpoint",
	testWebhook: "Send a test to an endpoint",
	updateMe: "Change their own name or language",
	uploadInvoice: "Upload an invoice",
	uploadInvoices: "Upload invoices",
	withdrawPromise: "Withdraw a promise to pay",
};

const lower = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);
const spaced = (operation: string): string => words(operation.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`));

/** Texts that are kept as a digest say nothing to people. */
const legible = (changes: object): Fields =>
	Object.fromEntries(Object.entries(changes).filter(([, value]) => typeof value !== "string" || !value.startsWith("hmac:")));

/** The operation as a verb and its object. */
export function nameOfDeed(operation: string): string {
	if (operation === "decideApproval") return "Approve or reject a request";
	if (operation === "requestApproval") return "Ask for approval";
	return DEEDS[operation] ?? HELD[operation]?.({ currency: null }, {}).title ?? spaced(operation);
}

export interface KnownOfRow {
	readonly approval?: Pick<ShownApproval, "approval_type" | "entity_type" | "entity_id" | "payload"> | undefined;
	readonly currency?: string | undefined;
}

/** `Approved: waive 92.53 KES` */
export function deedOf({ operation, changes }: Pick<AuditRow, "operation" | "changes">, { approval, currency }: KnownOfRow): string {
	const sent = changes as Fields;
	if (operation === "decideApproval") {
		const decided = sent.decision === "REJECTED" ? "Rejected" : "Approved";
		return approval ? `${decided}: ${lower(effectOf(approval, currency ?? null).title)}` : `${decided} a request`;
	}
	if (operation === "requestApproval") {
		const asked = { payload: {}, entity_id: "", ...sent } as Parameters<typeof effectOf>[0];
		return `Asked: ${lower(effectOf({ ...asked, payload: legible(asked.payload ?? {}) }, currency ?? null).title)}`;
	}
	return DEEDS[operation] ?? HELD[operation]?.({ currency: currency ?? null, ...legible(sent) }, {}).title ?? spaced(operation);
}

/** Every deed that has words of its own. */
export const OPERATIONS: readonly string[] = ["decideApproval", "requestApproval", ...Object.keys(DEEDS), ...Object.keys(HELD)];

/** The operation that the words mean, or its own name; undefined for words that mean none. */
export function operationOf(text: string): string | undefined {
	const wanted = text.trim().toLowerCase();
	if (OPERATIONS.includes(text.trim())) return text.trim();
	const named = OPERATIONS.map((id) => [id, nameOfDeed(id).toLowerCase()] as const);
	return (
		named.find(([, name]) => name === wanted)?.[0] ??
		OPERATIONS.find((id) => id.toLowerCase() === wanted) ??
		named.find(([, name]) => name.startsWith(wanted))?.[0] ??
		named.find(([id, name]) => name.includes(wanted) || id.toLowerCase().includes(wanted))?.[0]
	);
}
