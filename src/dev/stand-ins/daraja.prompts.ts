// The part of Daraja's stand-in that asks payers on their phones (M-Pesa Express), who pay at once unless a plan says otherwise.

import { type Failure, failureOf, fault } from "./daraja.replies.ts";
import type { Body, Reporting, Reports } from "./daraja.reports.ts";

/** How a prompt goes. Each member departs from a prompt that is taken and paid, with one callback after the answer and one confirmation. */
export type PromptBehaviour = Omit<Reporting, "timeOut"> & {
	readonly answer?: Failure;
	/** Why it is not paid, as its callback and a query say. */
	readonly code?: string | number;
	/** What a query answers, whether it is paid or not; without it, that it is in progress until it has ended. */
	readonly found?: string | number;
	/** How often the payment is confirmed where the shortcode has registered an address. */
	readonly confirmations?: number;
	/** Codes as texts. */
	readonly odd?: boolean;
	/** The callback says another amount than the paid one. */
	readonly saysAmount?: number;
	/** The callback says the receipt of another payment. */
	readonly saysReceipt?: string;
};

export type Collected = { readonly reference: string; readonly shillings: number; readonly receipt: string };

type Options = {
	readonly now: () => number;
	/** By the number that is asked, and how many prompts have come before. */
	readonly plan: (number: string, nth: number) => PromptBehaviour;
	/** The customer pays the shortcode, which is confirmed so often. Returns the receipt. */
	readonly collect: (
		payment: { readonly shillings: number; readonly account: string; readonly shortCode: string },
		confirmations: number,
	) => string;
	readonly reports: Reports;
};

export class DarajaPrompts {
	/** What customers have paid because they were asked. */
	readonly collected: Collected[] = [];
	/** Every request to ask somebody. */
	readonly asked: Body[] = [];
	/** The checkouts that were asked about. */
	readonly queried: string[] = [];
	readonly #options: Options;
	readonly #ends = new Map<string, string | number>();

	constructor(options: Options) {
		this.#options = options;
	}

	/** Undefined for a path that is no one of prompts. */
	handle(path: string, body: Body): Promise<Response> | Response | undefined {
		if (path === "/mpesa/stkpush/v1/processrequest") return this.#send(body);
		return path === "/mpesa/stkpushquery/v1/query" ? this.#query(body) : undefined;
	}

	/** Sends the callbacks that were kept back. */
	reportLate(): void {
		this.#options.reports.reportLate();
	}

	async #send(body: Body): Promise<Response> {
		const { PhoneNumber: number = "", Amount = "", AccountReference: account = "", CallBackURL: url = "", PartyB: shortCode = "" } = body;
		const { plan, collect, reports } = this.#options;
		const behaviour = plan(number, this.asked.length);
		this.asked.push(body);
		const failure = failureOf(behaviour.answer);
		if (failure) return failure;
		const id = `ws_CO_${this.asked.length}`;
		const { code = 0, confirmations = 1, found } = behaviour;
		const shillings = Number(Amount);
		const isPaid = String(code) === "0";
		const receipt = isPaid ? collect({ shillings, account, shortCode }, confirmations) : "";
		if (isPaid) this.collected.push({ reference: account, shillings, receipt });
		this.#ends.set(id, found ?? code);
		const report = { url, body: callbackOf(id, { shillings, receipt, number, at: this.#options.now() }, behaviour) };
		await reports.add(report, behaviour);
		if (behaviour.answer === "LOST") throw new TypeError("connection lost");
		return Response.json({
			MerchantRequestID: `merchant-${id}`,
			CheckoutRequestID: id,
			ResponseCode: "0",
			ResponseDescription: "Success. Request accepted for processing",
			CustomerMessage: "Success. Request accepted for processing",
		});
	}

	#query({ CheckoutRequestID: id = "" }: Body): Response {
		this.queried.push(id);
		const end = this.#ends.get(id);
		if (end === undefined) return fault(500, "500.001.1001", "The transaction is being processed");
		return Response.json({ ResponseCode: "0", CheckoutRequestID: id, ResultCode: String(end), ResultDesc: "A result" });
	}
}

type Paid = { readonly shillings: number; readonly receipt: string; readonly number: string; readonly at: number };

function callbackOf(id: string, { shillings, receipt, number, at }: Paid, { code = 0, odd, saysAmount, saysReceipt }: PromptBehaviour) {
	const date = new Date(at + 3 * 3_600_000).toISOString().slice(0, 19).replaceAll(/\D/g, "");
	const Item = [
		{ Name: "Amount", Value: saysAmount ?? shillings },
		{ Name: "MpesaReceiptNumber", Value: saysReceipt ?? receipt },
		{ Name: "Balance" },
		{ Name: "TransactionDate", Value: odd ? date : Number(date) },
		{ Name: "PhoneNumber", Value: odd ? number : Number(number) },
	];
	return {
		Body: {
			stkCallback: {
				MerchantRequestID: `merchant-${id}`,
				CheckoutRequestID: id,
				ResultCode: odd ? String(code) : code,
				ResultDesc: "A result",
				...(String(code) === "0" && { CallbackMetadata: { Item } }),
			},
		},
	};
}

/** By the last three digits of the number, so that a demo can choose what goes wrong. */
const BY_DIGITS: Readonly<Record<string, PromptBehaviour>> = {
	"001": { code: 1 },
	"002": { answer: "LOST" },
	"003": { results: 0 },
	"004": { code: 1032 },
	"005": { code: 1037, results: 0 },
	"006": { answer: "INVALID" },
	"007": { results: 5 },
};
export const promptByLastDigits = (number: string): PromptBehaviour => BY_DIGITS[number.slice(-3)] ?? {};
