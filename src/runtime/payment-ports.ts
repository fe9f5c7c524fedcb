// The ports to those who pay out, and are paid, for organizations. Part of `ports`.

import type { PaymentProvider } from "../shared/payment-providers";

// Loans, draws, refunds and advances on invoices are paid out by a disburser. It recognises an instruction by its reference and pays
// it once, so every repetition has the same reference, and the same body.

/** What is to be paid, before it is ordered. */
export type ToBePaid = {
	readonly organizationId: string | null;
	readonly amount: number;
	readonly currency: string;
	/** The number of mobile money that gets it; null where it goes elsewhere. */
	readonly mobileNumber: string | null;
};

/** What the rows of the organization's connections to providers say of them, as the order reads them. */
export type ConnectionFacts = {
	readonly organizationId: string;
	readonly provider: PaymentProvider;
	/** Whether it may pay out, and whether it does now. */
	readonly pays: boolean;
	readonly paused: boolean;
	/** What else its provider's adapter decides by. */
	readonly facts: OwnFacts;
};

/** What only a connection's own provider knows the meaning of. None of it is secret. */
export type OwnFacts = Readonly<Record<string, string>>;

/** A connection as its adapter uses it. */
export type OpenedConnection = {
	readonly environment: "sandbox" | "production";
	/** Which account with the provider it is. */
	readonly shortCode: string;
	readonly facts: OwnFacts;
	/** Why nothing is paid by it at present; null while it pays. */
	readonly pausedReason: string | null;
	/** As they were entered; null for a secret that the organization does not have. */
	readonly secrets: Readonly<Record<string, string | null>>;
};

/**
 * Who pays an order, or why nobody can. `provider` null: the one behind DISBURSER_URL. UNAVAILABLE: none is configured, or it is paused.
 * WHOLE_UNITS: it pays no cents. OUT_OF_RANGE: it pays from `least` to `most`.
 */
export type PayoutRoute =
	| { readonly provider: PaymentProvider | null }
	| { readonly fault: "UNAVAILABLE" }
	| { readonly fault: "WHOLE_UNITS"; readonly unit: number }
	| { readonly fault: "OUT_OF_RANGE"; readonly least: number; readonly most: number };

export type Instruction = ToBePaid & {
	/** The id of the application, of the draw or refund, or of the advance. */
	readonly reference: string;
	readonly body: string;
	/** As decided with the order. */
	readonly provider: PaymentProvider | null;
};

/** Why a connection stops paying; `forMs`: for so long, else until somebody mends it. */
export type ConnectionPause = { readonly reason: string; readonly forMs?: number };

/**
 * What became of an instruction. NOT_SENT: nothing of it has reached those who pay. REFUSED: this attempt will never be paid. UNKNOWN: no
 * answer, or none with a result.
 */
export type InstructionOutcome =
	| { readonly outcome: "TAKEN" | "UNKNOWN" }
	| { readonly outcome: "NOT_SENT"; readonly pause?: ConnectionPause }
	| { readonly outcome: "REFUSED"; readonly reason: string };

/** What became of a payment. `at`: when it was made, where that is known. */
export type Reported =
	| { readonly status: "SUCCEEDED"; readonly transaction: string; readonly at: number | undefined }
	| { readonly status: "FAILED"; readonly reason: string; readonly at: undefined; readonly pause?: ConnectionPause };

/** ASKED: the answer comes to us as a report. UNKNOWN: no answer, or an answer without a clear meaning. */
export type Inquired = "ASKED" | "UNKNOWN" | Reported;

export type Disburser =
	/** Pays at once, in the books alone. */
	| { kind: "embedded"; pay(reference: string): { mobileMoneyTransactionId: string } }
	/** Takes an instruction and reports its result later. */
	| {
			kind: "remote";
			/** Asked before the commit that orders. */
			route(payment: ToBePaid, connections: readonly ConnectionFacts[]): PayoutRoute;
			instruct(instruction: Instruction, realNow: number): Promise<InstructionOutcome>;
			/** Asks what became of an instruction that was taken, or may have been. Only where a connection pays. */
			inquire(instruction: Instruction, realNow: number): Promise<Inquired>;
	  };

/**
 * What became of a question about the lender's own account. ASKED: its balance comes to the address for this id. TOKEN_GIVEN: the balance
 * cannot be asked for without an initiator. CREDENTIALS_REFUSED: no token is given for them. UNKNOWN: no answer, or an answer without a clear meaning.
 */
export type BalanceAsked = "ASKED" | "TOKEN_GIVEN" | "CREDENTIALS_REFUSED" | "PRODUCT_NOT_ALLOWED" | "UNKNOWN";

/** `status`: what became of the question about a transaction, which shows whether payments can be verified; null: not asked. */
export type ConnectionChecked = { readonly balance: BalanceAsked; readonly status: "ASKED" | "UNKNOWN" | null };

/** The accounts that organizations have with providers. */
export interface LenderAccounts {
	/** Puts the credentials to the proof, and asks for the balance and about a transaction, also while the connection is paused. */
	check(asked: { id: string; organizationId: string; provider: PaymentProvider }, realNow: number): Promise<ConnectionChecked>;
}

/** Whether the provider knows now where to confirm payments. REFUSED: it says no, as in production for the second time. */
export type Registered = "REGISTERED" | "REFUSED" | "UNKNOWN";

/** A request to the payer's phone. */
export type Prompt = {
	readonly id: string;
	readonly organizationId: string;
	readonly amount: number;
	/** As which the payment is confirmed. */
	readonly reference: string;
	readonly mobileNumber: string;
};

/** NOT_SENT: the payer will see nothing of it. UNKNOWN: no answer, or an answer without a clear meaning. */
export type Prompted =
	| { readonly outcome: "SENT"; readonly checkoutId: string }
	| { readonly outcome: "NOT_SENT"; readonly reason: string }
	| { readonly outcome: "UNKNOWN" };

/** A payment that is to be given back to its payer, in minor units. */
export type GivingBack = {
	readonly id: string;
	readonly organizationId: string;
	/** To which it was made. */
	readonly shortCode: string;
	readonly receipt: string;
	readonly amount: number;
};

/** A payment as the provider lists it. `amount`: in minor units. `payer`: the digits of their number, where the provider shows them. */
export type ListedPayment = {
	readonly transactionId: string;
	readonly amount: number;
	readonly at: number | undefined;
	readonly account: string;
	readonly payer: string | undefined;
};

/** `unreadable`: how many others it lists. `next`: where the list goes on; null: it ends here. */
export type ListedPage = { readonly payments: readonly ListedPayment[]; readonly unreadable: number; readonly next: number | null };

/** Why the provider lists nothing. REFUSED: it does not list the payments of this account. NO_ANSWER: none, or none with a result. */
export type Unlisted = "CREDENTIALS_REFUSED" | "PRODUCT_NOT_ALLOWED" | "REFUSED" | "NO_ANSWER";

/** The list of payments to an organization's account, which the provider keeps for some time. */
export interface PaymentList {
	/** Has the provider list them; once is enough, and again does no harm. `version`: of the address of confirmations. */
	register(asked: { number: string; version: number }): Promise<"REGISTERED" | Unlisted>;
	/** The payments of a time, page by page, some of them perhaps twice or from before it. Its last page has no next, or is a failure. */
	pages(asked: { from: number; to: number; offset: number }): AsyncIterable<ListedPage | Unlisted>;
}

/** Payments to organizations that are connected to a provider. */
export interface Collections {
	/**
	 * Asks whether a transaction was made, also while the connection is paused, but for a reason for which nothing may be asked. The answer
	 * comes to the address for this id, by default that of a confirmation; `about`: that of a break with a statement.
	 */
	inquire(
		asked: { id: string; organizationId: string; transactionId: string; about?: "break" },
		realNow: number,
	): Promise<"ASKED" | "UNKNOWN">;
	/** Asks the payer on their phone. The provider recognizes no repetition: it is sent once. The result comes to the address for its id. */
	prompt(prompt: Prompt, realNow: number): Promise<Prompted>;
	/** Why the payer of a prompt has not paid; undefined if the provider does not say so. */
	whyUnpaid(asked: { organizationId: string; checkoutId: string }, realNow: number): Promise<string | undefined>;
	/**
	 * Has a payment given back. When it is ordered again, the provider knows it by its receipt. The result comes to the address for this
	 * id.
	 */
	giveBack(asked: GivingBack, realNow: number): Promise<InstructionOutcome>;
	/** Registers where the provider confirms payments to the organization. `version`: of the address. */
	register(connected: { organizationId: string; version: number }, realNow: number): Promise<Registered>;
	/** Also while the connection is paused. Undefined if its account does not open. */
	list(organizationId: string, realNow: number): Promise<PaymentList | undefined>;
}
