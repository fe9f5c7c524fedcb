// Addresses on this machine that stand in for the hosts of the providers of payments: DARAJA_URL, and so on for each of them.

import * as z from "zod";
import { isLoopback } from "../shared/origin";
import { PAYMENT_PROVIDERS, type PaymentProvider } from "../shared/payment-providers";

type Name = `${Uppercase<PaymentProvider>}_URL`;
type Urls = { readonly [name in Name]?: string | undefined };

const nameOf = (provider: PaymentProvider) => `${provider.toUpperCase()}_URL` as Name;
const NAMES = PAYMENT_PROVIDERS.map(nameOf);

export const PaymentUrls = Object.fromEntries(NAMES.map((name) => [name, z.url({ protocol: /^https?$/ }).optional()])) as {
	readonly [name in Name]: z.ZodOptional<z.ZodURL>;
};

/** Undefined for the provider's own host. */
export const urlOf = (config: Urls, provider: PaymentProvider): string | undefined => config[nameOf(provider)];

/** What is wrong: the variable, and what it must be. */
export const faultsOfPaymentUrls = (vars: Urls, local: boolean): [name: string, fault: string][] =>
	NAMES.flatMap((name) => {
		const url = vars[name];
		return url === undefined || (local && isLoopback(url)) ? [] : [[name, "is for loopback, in local only"]];
	});
