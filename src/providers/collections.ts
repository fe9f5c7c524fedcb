// Payments to organizations, by their connections to providers.

import type { Config } from "../runtime/config";
import { urlOf } from "../runtime/config.payments";
import type { Ask, Collections } from "../runtime/ports";
import { restsFromAsking } from "./daraja/answers";
import { accountOf as darajaOf } from "./daraja/client";
import { sendPrompt, whyUnpaid } from "./daraja/prompts";
import { paymentList } from "./daraja/pulls";
import { giveBack } from "./daraja/returns";
import { inquireReceipt, registerAddresses } from "./daraja/status";
import type { AccountOf } from "./disburser";

type Given = { readonly config: Config; readonly ask: Ask; readonly baseUrl: string; readonly accountOf: AccountOf };

export function collectionsBy({ config, ask, baseUrl, accountOf }: Given): Collections {
	const asking = (realNow: number) => ({ ask, baseUrl, realNow, url: urlOf(config, "daraja"), keyring: config.keyring });
	return {
		async inquire(asked, realNow) {
			// A pause is of what goes out; what has come in is in the books late enough. But a wrong password is locked by questions too.
			const account = await accountOf(asked.organizationId, "daraja", "EVEN_PAUSED");
			if (!account || restsFromAsking(account.pausedReason)) return "UNKNOWN";
			return inquireReceipt(asking(realNow), darajaOf(account), asked);
		},
		// Proved by the passkey.
		async prompt(prompt, realNow) {
			const account = await accountOf(prompt.organizationId, "daraja", "EVEN_PAUSED");
			return account ? sendPrompt(asking(realNow), darajaOf(account), prompt) : { outcome: "NOT_SENT", reason: "LENDER_ACCOUNT" };
		},
		async whyUnpaid({ organizationId, checkoutId }, realNow) {
			const account = await accountOf(organizationId, "daraja", "EVEN_PAUSED");
			return account && whyUnpaid(asking(realNow), darajaOf(account), checkoutId);
		},
		async giveBack(asked, realNow) {
			const account = await accountOf(asked.organizationId, "daraja");
			return account ? giveBack(asking(realNow), darajaOf(account), asked) : { outcome: "NOT_SENT" };
		},
		async register(connected, realNow) {
			const account = await accountOf(connected.organizationId, "daraja", "EVEN_PAUSED");
			return account ? registerAddresses(asking(realNow), darajaOf(account), connected) : "UNKNOWN";
		},
		async list(organizationId, realNow) {
			const account = await accountOf(organizationId, "daraja", "EVEN_PAUSED");
			return account && paymentList(asking(realNow), darajaOf(account), organizationId);
		},
	};
}
