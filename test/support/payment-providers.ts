// The providers of payments under test, each with its stand-in.

import type { PaymentProvider } from "../../src/shared/payment-providers";
import { DARAJA } from "./daraja";
import { MOMO } from "./momo";
import type { ProviderUnderTest } from "./payments";

/** Histories hand a provider none but its own behaviours. */
export const PROVIDERS = { daraja: DARAJA, momo: MOMO } as unknown as { readonly [P in PaymentProvider]: ProviderUnderTest };

const requests = Object.values(PROVIDERS).flatMap((one) => Object.entries(one.requests));

/** Valid requests of all their operations. */
export const connectionRequests = Object.fromEntries(
	requests.map(([id, request]) => [id, ({ organization }: { organization: { id: string } }) => request(organization.id)]),
);
