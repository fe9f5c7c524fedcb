// The part of Daraja's stand-in that lists the payments to a shortcode (Pull Transactions). What the portal says of its pages fits two
// meanings, and it has both.

import { type Failure, failureOf, fault } from "./daraja.replies.ts";

/** How the list is answered. Each member departs from a whole one, the oldest first, in pages of ten whose offset counts rows. */
export type PullBehaviour = {
	readonly answer?: Failure;
	/** The offset is the number of a page. */
	readonly countsPages?: boolean;
	/** It says too how many pages there are. */
	readonly sendsTotals?: boolean;
	readonly size?: number;
	/** Every page begins with so many rows of the last one. */
	readonly overlap?: number;
	/** Every offset has the first page. */
	readonly repeats?: boolean;
	/** In no order of time. */
	readonly shuffled?: boolean;
	/** Payments of all times. */
	readonly ignoresWindow?: boolean;
	/** How it says that there are none. */
	readonly none?: "CODE" | "TEXT" | "FAULT";
	/** Additional rows that it lists. */
	readonly more?: readonly unknown[];
};

type Body = Readonly<Record<string, string>>;
type Received = { readonly shillings: number; readonly account: string; readonly at: number; readonly shortCode: string };

type Options = {
	readonly now: () => number;
	/** By how many questions have come before. */
	readonly plan: (nth: number) => PullBehaviour;
	/** What was paid to the shortcode, by receipt. */
	readonly received: ReadonlyMap<string, Received>;
};

const PAGE = 10;
const LISTS_MS = 48 * 3_600_000;
const EAST_AFRICA_MS = 3 * 3_600_000;

export class DarajaPulls {
	/** Every question for the list. */
	readonly asked: Body[] = [];
	readonly registrations: Body[] = [];
	readonly #options: Options;

	constructor(options: Options) {
		this.#options = options;
	}

	/** Undefined for a path that is none of lists. */
	handle(path: string, body: Body): Response | undefined {
		if (path === "/pulltransactions/v1/register") return this.#register(body);
		return path === "/pulltransactions/v1/query" ? this.#query(body) : undefined;
	}

	#register(body: Body): Response {
		this.registrations.push(body);
		const isFirst = this.registrations.length === 1;
		// With spaces, as the sandbox writes them.
		return Response.json({
			ResponseRefID: "18633-7271215-1",
			"Response Status": isFirst ? "1000" : "1001",
			ShortCode: body.ShortCode,
			"Response Description": isFirst ? "Shortcode Registered Successfully" : "Shortcode already Registered!",
		});
	}

	#query(body: Body): Response {
		const { size = PAGE, overlap = 0, countsPages, sendsTotals, repeats, none, answer, ...rest } = this.#options.plan(this.asked.length);
		this.asked.push(body);
		const failure = failureOf(answer);
		if (failure) return failure;
		const isRegistered = this.registrations.some(({ ShortCode }) => ShortCode === body.ShortCode);
		const rows = isRegistered ? this.#rows(body, rest) : [];
		const offset = Number(body.OffSetValue);
		const begin = repeats ? 0 : countsPages ? offset * (size - overlap) : offset;
		const page = rows.slice(begin, begin + size);
		if (answer === "LOST") throw new TypeError("connection lost");
		if (page.length === 0) return nothing(none);
		const told = { CurrentPage: offset, PageSize: size, TotalPages: Math.ceil(rows.length / size), TotalRecords: rows.length };
		return Response.json({
			ResponseRefID: "26178-42530161-2",
			ResponseCode: "1000",
			ResponseMessage: "Success",
			Response: [page],
			...(sendsTotals && told),
		});
	}

	#rows({ ShortCode, StartDate = "", EndDate = "" }: Body, { shuffled, ignoresWindow, more = [] }: PullBehaviour): unknown[] {
		const [from, to] = [StartDate, EndDate].map((text) => Date.parse(`${text.replace(" ", "T")}+03:00`));
		const oldest = this.#options.now() - LISTS_MS;
		const isListed = ({ at, shortCode }: Received) =>
			shortCode === ShortCode && at >= oldest && (ignoresWindow || (at >= (from ?? 0) && at < (to ?? 0) + 1000));
		const listed = [...this.#options.received].filter(([, payment]) => isListed(payment));
		const inOrder = listed.sort(([a, one], [b, other]) =>
			shuffled ? turned(a).localeCompare(turned(b)) : one.at - other.at || a.localeCompare(b),
		);
		return [...more, ...inOrder.map(([receipt, payment]) => rowOf(receipt, payment))];
	}
}

const turned = (receipt: string) => [...receipt].reverse().join("");

function nothing(none: PullBehaviour["none"] = "CODE"): Response {
	if (none === "FAULT") {
		return fault(500, "500", "Failed to retrieve transactions. The short code does not have any available transactions.");
	}
	const code = none === "CODE" ? "1001" : "1000";
	return Response.json({ ResponseCode: code, ResponseMessage: "No records found or Organization Name not available", Response: "[[]]" });
}

/** In the words of the portal. */
export const rowOf = (receipt: string, { shillings, account, at }: Omit<Received, "shortCode">) => ({
	transactionId: receipt,
	trxDate: new Date(at + EAST_AFRICA_MS).toISOString().replace(/\.\d+Z$/, "+03:00"),
	msisdn: "2547*****126",
	sender: "MPESA",
	transactiontype: "c2b-pay-bill-debit",
	billreference: account,
	amount: `${shillings}.00`,
	organizationname: "A Lender",
});
