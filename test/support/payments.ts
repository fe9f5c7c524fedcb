// A lender with a connection to a provider of payments at its stand-in, which reports results through the front door. What each provider
// has of its own is in the file of its name, and `payment-providers` lists them.

import type { StandIn } from "../../src/dev/stand-ins/serve";
import { sendDueInstructions } from "../../src/domains/disbursements/job";
import { applyForLoan } from "../../src/domains/loans/apply.operations";
import type { PaymentProvider } from "../../src/shared/payment-providers";
import { call } from "./client";
import { moveClock } from "./clock";
import { freshNumber } from "./current-accounts";
import { givenMember, givenOrganization, givenUser, oneTrip } from "./factories";
import { givenLoanProduct, givenOffer, runDueWork } from "./loans";
import { answerOutbound } from "./outbound";
import { serveToTheEnd } from "./serve";
import type { ValidRequest } from "./valid-request";

export const CONNECTED = { DISBURSER: "connections" };

/** What a stand-in has paid. `id`: of the payout; `amount`: in minor units. */
export type Paid = { readonly id: string; readonly amount: number; readonly receipt: string };

/** What histories of payouts need of a provider. */
export type ProviderUnderTest<Behaviour = never> = {
	readonly provider: PaymentProvider;
	readonly currency: string;
	/** A number that its connection pays to, and nobody has. */
	freshNumber(): string;
	connect(as: string, organizationId: string): Promise<unknown>;
	standsIn(plan: () => Behaviour, receiverVars: () => Partial<Env>): StandIn & { forgetTokens(): void; paidOut(): readonly Paid[] };
	/** What may go wrong with a payment and with its reports. `saysReceipt`, where it is given, becomes that of another payment. */
	readonly behaviours: readonly (Behaviour & { readonly saysReceipt?: string })[];
	/** Valid requests of the operations of its connection, and of those by which it reports results. */
	readonly requests: Readonly<Record<string, (organizationId: string) => Promise<ValidRequest>>>;
};

/** How far the stand-ins' clock, like the service's, is ahead. */
let ahead = 0;

export async function timePasses(ms: number): Promise<void> {
	ahead += ms;
	await moveClock(ms);
}

type Given = { readonly now: () => number; readonly fetch: typeof fetch };

/** Answers all requests to providers by the stand-in. `receiverVars`: the variables of the Worker that hears its reports. */
export function answersBy<T extends StandIn>(make: (given: Given) => T, receiverVars: () => Partial<Env> = () => ({})): T {
	ahead = 0;
	const standIn = make({
		now: () => Date.now() + ahead,
		fetch: (input, init) => serveToTheEnd(new Request(input, init), { ...CONNECTED, ...receiverVars() }),
	});
	answerOutbound((input, init) => standIn.handle(new Request(input, init)));
	return standIn;
}

/** An organization with a connection, its owner, and a product. */
export async function givenLenderAt({ connect, currency }: Pick<ProviderUnderTest, "connect" | "currency">) {
	const { write, written } = oneTrip();
	const organization = await givenOrganization(undefined, write);
	const owner = await givenMember(organization.id, undefined, {}, write);
	await written();
	await connect(owner.token, organization.id);
	const { id: productId } = await givenLoanProduct({
		organization_id: organization.id,
		currency,
		amount_step: 1,
		min_loan_amount: 100,
		max_loan_amount: 30_000_000,
	});
	return { organization, owner, path: { organizationId: organization.id }, productId };
}

export type Lender = Pick<Awaited<ReturnType<typeof givenLenderAt>>, "organization" | "productId">;

export async function givenOfferOf({ organization, productId }: Lender, mobileNumber = freshNumber()) {
	const borrower = await givenUser({ organizationId: organization.id, mobileNumber });
	const offer = await givenOffer(borrower.token, productId);
	const apply = (loan_amount = 30_000, vars: Partial<Env> = {}) =>
		call(applyForLoan, {
			as: borrower.token,
			path: { application_id: offer.id },
			body: { loan_amount },
			headers: { "idempotency-key": "once" },
			vars: { ...CONNECTED, ...vars },
		});
	return { borrower, id: offer.id, accountId: offer.account_id, apply };
}

export const sweepPayouts = (vars: Partial<Env> = {}) => runDueWork(sendDueInstructions, { ...CONNECTED, ...vars });
