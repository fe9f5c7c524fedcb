// The addresses to which Daraja posts its results and confirmations. It refuses addresses that contain words such as cmd, exe or sql.

import type { Keyring } from "../../shared/keyring";
import { codeFor, isCodeFor } from "../callback-code";

const provider = "daraja" as const;

/** payout: the result of a payment. found: what a query about it found. */
export const QUESTIONS = ["payout", "found"] as const;
/**
 * confirmed: what a query about a confirmation found. break: what a query about a transaction of a statement found. status: whether the initiator may ask such queries. balance: what a lender's account holds. prompt: whether the payer has paid. return:
 * whether a payment was given back.
 */
export type Question = (typeof QUESTIONS)[number] | "confirmed" | "break" | "status" | "balance" | "prompt" | "return";

const PATHS: Readonly<Record<Question, string>> = {
	payout: "results/payout",
	found: "results/found",
	confirmed: "confirmations",
	break: "breaks",
	status: "checks",
	balance: "balances",
	prompt: "prompts",
	return: "returns",
};

export async function addressFor(
	{ keyring, baseUrl }: { readonly keyring: Keyring; readonly baseUrl: string },
	question: Question,
	id: string,
): Promise<string> {
	return `${baseUrl}/v1/integrations/mobile-money/daraja/${PATHS[question]}/${id}/${await codeFor(keyring, { provider, question, id })}`;
}

/** Whether the code was made for this question and row, with any of the master keys. */
export const isCodeOf = (keyring: Keyring, question: Question, id: string, code: string): Promise<boolean> =>
	isCodeFor(keyring, { provider, question, id }, code);

/** Which organization a secret in the path of confirmations stands for, and which of its addresses. */
export type Connected = { readonly organizationId: string; readonly version: number };

const asked = ({ organizationId, version }: Connected) => ({ provider, question: "confirmation", id: `${organizationId}:${version}` });

/** The secret in the path to which the payments of an organization are confirmed. It is long-lived, so what comes there is a hint. */
export async function secretFor(keyring: Keyring, connected: Connected): Promise<string> {
	const { organizationId, version } = connected;
	return `${organizationId.replaceAll("-", "")}-${version}-${await codeFor(keyring, asked(connected))}`;
}

/** Under which payments to the organization are confirmed. */
export const confirmationsAt = async (by: { readonly keyring: Keyring; readonly baseUrl: string }, connected: Connected): Promise<string> =>
	`${by.baseUrl}/v1/integrations/mobile-money/daraja/${await secretFor(by.keyring, connected)}`;

/** Undefined for a secret that this service did not make. */
export async function connectedBy(keyring: Keyring, secret: string): Promise<Connected | undefined> {
	const match = /^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})-([1-9]\d{0,5})-([0-9a-f]{32})$/.exec(secret);
	if (!match) return undefined;
	const [, a, b, c, d, e, version, code = ""] = match;
	const connected = { organizationId: [a, b, c, d, e].join("-"), version: Number(version) };
	return (await isCodeFor(keyring, asked(connected), code)) ? connected : undefined;
}
