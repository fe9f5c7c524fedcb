// The adapters of the providers of payments, in the order in which an organization's connections are tried.

import type { ConnectionFacts, PayoutRoute, ToBePaid } from "../runtime/ports";
import type { PaymentProvider } from "../shared/payment-providers";
import { daraja } from "./daraja/payouts";
import { momo } from "./momo/payouts";
import type { PaymentAdapter } from "./payment-adapter";

export const PAYMENT_ADAPTERS: { readonly [P in PaymentProvider]: PaymentAdapter } = { daraja, momo };

type Adapters = Readonly<Record<string, Pick<PaymentAdapter, "route">>>;

/**
 * Who of the organization's connections pays: the first that can now. Else why the first that makes payments of this kind cannot; undefined
 * where none does.
 */
export function routeAmong(
	payment: ToBePaid,
	connections: readonly ConnectionFacts[],
	adapters: Adapters = PAYMENT_ADAPTERS,
): PayoutRoute | undefined {
	const routes = Object.entries(adapters).flatMap(([provider, adapter]): PayoutRoute[] => {
		const connection = connections.find((one) => one.organizationId === payment.organizationId && one.provider === provider && one.pays);
		const route = connection && adapter.route(payment, connection);
		if (!connection || !route) return [];
		if (connection.paused) return [{ fault: "UNAVAILABLE" }];
		return [route === "PAYS" ? { provider: connection.provider } : route];
	});
	return routes.find((route) => "provider" in route) ?? routes[0];
}
