// The disburser: the embedded one of the sandbox, an outside disburser that takes signed instructions over HTTP, and the connections of
// organizations to their own providers.

import type { Config } from "../runtime/config";
import { urlOf } from "../runtime/config.payments";
import type { Ask, Disburser, Instruction, InstructionOutcome, OpenedConnection, PayoutRoute } from "../runtime/ports";
import type { PaymentProvider } from "../shared/payment-providers";
import { restsFromAsking } from "./daraja/answers";
import type { Paying } from "./payment-adapter";
import { PAYMENT_ADAPTERS, routeAmong } from "./payment-adapters";
import { postSigned } from "./signed-post";

/** The organization's account with the provider; undefined while it has none, or the connection is paused and that matters. */
export type AccountOf = (
	organizationId: string,
	provider: PaymentProvider,
	which?: "UNPAUSED" | "EVEN_PAUSED",
) => Promise<OpenedConnection | undefined>;

type Given = { readonly config: Config; readonly ask: Ask; readonly baseUrl: string; readonly accountOf: AccountOf };

/** Undefined while it is not configured. */
export function disburserBy({ config, ask, baseUrl, accountOf }: Given): Disburser | undefined {
	const { DISBURSER, DISBURSER_URL, DISBURSER_SECRET } = config;
	if (DISBURSER === "sandbox") {
		return {
			kind: "embedded",
			pay: (reference) => ({ mobileMoneyTransactionId: `SANDBOX-${reference.replaceAll("-", "").toUpperCase()}` }),
		};
	}
	const outside = DISBURSER_URL && DISBURSER_SECRET ? { url: DISBURSER_URL, secret: DISBURSER_SECRET } : undefined;
	if (DISBURSER === "http" && !outside) return undefined;
	const byOutside: PayoutRoute = outside ? { provider: null } : { fault: "UNAVAILABLE" };
	/** The adapter and account that pay the instruction, under any present configuration: the order has decided who pays. */
	const payerOf = async ({ organizationId, provider }: Instruction, realNow: number, which: "UNPAUSED" | "EVEN_PAUSED") => {
		if (organizationId === null || provider === null) return undefined;
		const account = await accountOf(organizationId, provider, which);
		const paying: Paying = { ask, baseUrl, realNow, url: urlOf(config, provider), keyring: config.keyring };
		return account && { adapter: PAYMENT_ADAPTERS[provider], account, paying };
	};
	return {
		kind: "remote",
		route: (payment, connections) => (DISBURSER === "http" ? undefined : routeAmong(payment, connections)) ?? byOutside,
		async instruct(instruction, realNow): Promise<InstructionOutcome> {
			if (instruction.provider !== null) {
				const payer = await payerOf(instruction, realNow, "UNPAUSED");
				return payer ? payer.adapter.payOut(payer.paying, payer.account, instruction) : { outcome: "NOT_SENT" };
			}
			if (!outside) return { outcome: "NOT_SENT" };
			const { reference, body } = instruction;
			const outcome = await postSigned(ask, { ...outside, reference, body, realNow });
			return { outcome: outcome === "TAKEN" ? "TAKEN" : "UNKNOWN" };
		},
		async inquire(instruction, realNow) {
			// Paid money is asked about while nothing more is paid, but not with a password that is refused.
			const payer = await payerOf(instruction, realNow, "EVEN_PAUSED");
			if (restsFromAsking(payer?.account.pausedReason ?? null)) return "UNKNOWN";
			return payer ? payer.adapter.inquire(payer.paying, payer.account, instruction) : "UNKNOWN";
		},
	};
}
