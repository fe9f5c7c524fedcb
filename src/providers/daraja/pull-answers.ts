// What Daraja says when it is asked for the payments to a shortcode (Pull Transactions).

import * as z from "zod";
import type { ListedPayment, Unlisted } from "../../runtime/ports";
import { type Answer, centsIn, instantIn, refusalIn, text, troubleIn } from "./answers";

/** The portal writes its members without spaces, and the sandbox with them. */
const Registration = z
	.object({ ResponseStatus: text.optional(), "Response Status": text.optional() })
	.transform((body) => body.ResponseStatus ?? body["Response Status"]);

const REGISTERED = "1000";
const REGISTERED_BEFORE = "1001";

const unlistedBy = (answer: Answer): Unlisted => {
	const isRefused = answer.kind === "ANSWER" && answer.status >= 400 && answer.status < 500 && answer.status !== 429;
	return troubleIn(answer) ?? (isRefused ? "REFUSED" : "NO_ANSWER");
};

/** What the answer to a registration means. */
export function registeredBy(answer: Answer): "REGISTERED" | Unlisted {
	const status = answer.kind === "ANSWER" ? Registration.safeParse(answer.body).data : undefined;
	return status === REGISTERED || status === REGISTERED_BEFORE ? "REGISTERED" : unlistedBy(answer);
}

const Listed = z.object({
	transactionId: text.pipe(z.string().trim().min(1).max(100)),
	trxDate: text.nullish(),
	msisdn: text.nullish(),
	billreference: text.nullish(),
	amount: text,
});

const Page = z.object({ ResponseCode: text, Response: z.unknown().optional(), TotalPages: text.optional() });

const FOUND = "1000";
const NONE_FOUND = "1001";
/** With a 500, of which the portal says that the shortcode has no transactions. */
const HAS_NONE = /does not have any available transactions/i;

/** `rows`: as they were listed, readable or not. `isLast`: no further page can have any. */
export type PageRead = { readonly rows: readonly unknown[]; readonly isLast: boolean };

export function pageIn(answer: Answer): PageRead | Unlisted {
	const body = answer.kind === "ANSWER" ? answer.body : undefined;
	const { ResponseCode: code, Response: listed, TotalPages: pages } = Page.safeParse(body).data ?? {};
	if (code === NONE_FOUND || HAS_NONE.test(refusalIn(body).errorMessage ?? "")) return { rows: [], isLast: true };
	if (code !== FOUND) return unlistedBy(answer);
	// A list in a list. Where it is empty, the portal shows its text instead.
	const rows = Array.isArray(listed) ? listed.flat() : [];
	return { rows, isLast: rows.length === 0 || (pages !== undefined && Number(pages) <= 1) };
}

/** Undefined for what names no receipt or no amount. */
export function listedIn(row: unknown): ListedPayment | undefined {
	const { data } = Listed.safeParse(row);
	const amount = centsIn(data?.amount);
	if (!data || !amount) return undefined;
	const { transactionId, trxDate, msisdn, billreference } = data;
	const payer = /^254\d{9}$/.exec(msisdn?.trim() ?? "")?.[0];
	return { transactionId, amount, at: listedAt(trxDate ?? ""), account: (billreference ?? "").slice(0, 255), payer };
}

/** The instant of `2020-08-05T10:13:00Z`, of the same with another zone, or without one, which is East African; undefined for any other text. */
function listedAt(said: string): number | undefined {
	const [, day, time, zone] = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:\.\d+)?(Z|[+-]\d\d:\d\d)?$/.exec(said.trim()) ?? [];
	if (day === undefined) return undefined;
	if (zone === undefined) return instantIn(`${day}${time}`.replaceAll(/\D/g, ""));
	const instant = Date.parse(`${day}T${time}${zone}`);
	return Number.isNaN(instant) ? undefined : instant;
}
