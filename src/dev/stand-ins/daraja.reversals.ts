// The part of Daraja's stand-in that gives payments back to their payers, at once unless a plan says otherwise. Like the real one it knows
// by the receipt that a payment was given back before.

import { type Failure, failureOf } from "./daraja.replies.ts";
import type { Body, Reporting, Reports } from "./daraja.reports.ts";

/** How a reversal goes. Each member departs from a reversal that is taken and made, with one result after the answer. */
export type ReversalBehaviour = Reporting & {
	readonly answer?: Failure;
	/** The code of its result; without one it is made. */
	readonly code?: string | number;
	/** Codes as texts, and one parameter alone in place of a list. */
	readonly odd?: boolean;
	/** The result says another amount than the returned one. */
	readonly saysAmount?: number;
};

export type Reversed = { readonly receipt: string; readonly shillings: number; readonly transaction: string };

type Options = {
	/** By the receipt, and how many reversals of it have been asked for before. */
	readonly plan: (receipt: string, nth: number) => ReversalBehaviour;
	/** The payment of this receipt. */
	readonly received: (
		receipt: string,
	) => { readonly shillings: number; readonly shortCode: string; readonly isReversed: boolean } | undefined;
	/** Takes the money from the shortcode; why not, by the code of a result. */
	readonly take: (asked: Body, shillings: number) => object | undefined;
	readonly newReceipt: () => string;
	readonly reports: Reports;
};

export class DarajaReversals {
	/** What it has given back, in the order in which it did. */
	readonly made: Reversed[] = [];
	/** Every request to give something back. */
	readonly asked: Body[] = [];
	readonly #options: Options;

	constructor(options: Options) {
		this.#options = options;
	}

	/** Undefined for a path that is no one of reversals. */
	handle(path: string, body: Body): Promise<Response> | undefined {
		return path === "/mpesa/reversal/v1/request" ? this.#reverse(body) : undefined;
	}

	/** Reports the results that were kept back. */
	reportLate(): void {
		this.#options.reports.reportLate();
	}

	async #reverse(body: Body): Promise<Response> {
		const { TransactionID: receipt = "", Amount = "", ResultURL: url = "" } = body;
		const { plan, reports } = this.#options;
		const behaviour = plan(receipt, this.asked.filter(({ TransactionID }) => TransactionID === receipt).length);
		this.asked.push(body);
		const failure = failureOf(behaviour.answer);
		if (failure) return failure;
		await reports.add({ url, body: this.#resultOf(body, receipt, Number(Amount), behaviour) }, behaviour);
		if (behaviour.answer === "LOST") throw new TypeError("connection lost");
		return Response.json({
			OriginatorConversationID: `reversal-${this.asked.length}`,
			ConversationID: `AG_${this.asked.length}`,
			ResponseCode: "0",
			ResponseDescription: "Accept the service request successfully.",
		});
	}

	#resultOf(asked: Body, receipt: string, shillings: number, behaviour: ReversalBehaviour): object {
		if (behaviour.code !== undefined) return resultOf(behaviour.code, behaviour);
		const received = this.#options.received(receipt);
		if (received?.isReversed || this.made.some((one) => one.receipt === receipt)) return resultOf("R000001", behaviour);
		if (received?.shillings !== shillings || received.shortCode !== asked.ReceiverParty) return resultOf("R000002", behaviour);
		const refused = this.#options.take(asked, shillings);
		if (refused) return refused;
		const transaction = this.#options.newReceipt();
		this.made.push({ receipt, shillings, transaction });
		const parameters = [
			{ Key: "Amount", Value: behaviour.saysAmount ?? shillings },
			{ Key: "DebitAccountBalance", Value: "Utility Account|KES|51661.00|51661.00|0.00|0.00" },
			{ Key: "OriginalTransactionID", Value: receipt },
			{ Key: "Charge", Value: 0 },
			{ Key: "CreditPartyPublicName", Value: "254712345678 - Somebody" },
		];
		return resultOf(0, behaviour, { TransactionID: transaction, parameters });
	}
}

type Made = { readonly TransactionID: string; readonly parameters: readonly object[] };

function resultOf(code: string | number, { odd }: ReversalBehaviour, made?: Made): object {
	return {
		Result: {
			ResultType: odd ? "0" : 0,
			ResultCode: odd ? String(code) : code,
			ResultDesc: "A result",
			TransactionID: made?.TransactionID ?? "S000000000",
			...(made && { ResultParameters: { ResultParameter: odd ? made.parameters[0] : made.parameters } }),
		},
	};
}
