// What each provider of payments does for the organizations that are connected to it: one value for each, in `payment-adapters`.

import type {
	Ask,
	ConnectionChecked,
	ConnectionFacts,
	Inquired,
	Instruction,
	InstructionOutcome,
	OpenedConnection,
	PayoutRoute,
	ToBePaid,
} from "../runtime/ports";
import type { Keyring } from "../shared/keyring";

/** What an adapter works with. `url`: stands in for the provider's host. */
export type Paying = {
	readonly ask: Ask;
	readonly url: string | undefined;
	readonly realNow: number;
	readonly keyring: Keyring;
	readonly baseUrl: string;
};

export interface PaymentAdapter {
	/** Whether the connection makes such a payment, and why not this one; undefined if it makes none of its kind. */
	route(payment: ToBePaid, connection: Pick<ConnectionFacts, "facts">): Exclude<PayoutRoute, { provider: unknown }> | "PAYS" | undefined;
	/** Orders the provider to pay. The request is made of the instruction alone, so that a repetition is known as one. Never rejects. */
	payOut(paying: Paying, account: OpenedConnection, instruction: Instruction): Promise<InstructionOutcome>;
	/** Asks what became of a payment that was ordered, or may have been. Never rejects. */
	inquire(paying: Paying, account: OpenedConnection, instruction: Instruction): Promise<Inquired>;
	/** Puts the credentials to the proof, and asks for the balance and about a transaction. The answers come to addresses for this id. Never rejects. */
	check?(paying: Paying, account: OpenedConnection, id: string): Promise<ConnectionChecked>;
}
