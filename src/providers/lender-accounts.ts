// The accounts that organizations have with providers.

import type { Config } from "../runtime/config";
import { urlOf } from "../runtime/config.payments";
import type { Ask, LenderAccounts } from "../runtime/ports";
import type { AccountOf } from "./disburser";
import { PAYMENT_ADAPTERS } from "./payment-adapters";

type Given = { readonly config: Config; readonly ask: Ask; readonly baseUrl: string; readonly accountOf: AccountOf };

export const lenderAccountsBy = ({ config, ask, baseUrl, accountOf }: Given): LenderAccounts => ({
	async check({ id, organizationId, provider }, realNow) {
		const account = await accountOf(organizationId, provider, "EVEN_PAUSED");
		const paying = { ask, baseUrl, realNow, url: urlOf(config, provider), keyring: config.keyring };
		return (account && (await PAYMENT_ADAPTERS[provider].check?.(paying, account, id))) ?? { balance: "UNKNOWN", status: null };
	},
});
