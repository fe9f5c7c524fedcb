// Pays a borrower: decides where the payout goes, with the look-up of names that an account of a payee needs, and has an outside disburser
// instructed once it is committed.

import type { Answer } from "../../db/reads";
import { MAX_BALANCE } from "../../runtime/current-account-terms";
import { sendAfter } from "../../runtime/outbox";
import type { ConnectionFacts, Disburser } from "../../runtime/ports";
import type { Services } from "../../runtime/services";
import { ApiError, badInput } from "../../shared/errors";
import type { PaymentProvider } from "../../shared/payment-providers";
import { factsOf, isConnected } from "../connections/model/store";
import { notifyPaidBack, notifyPaidOut } from "../credit-accounts/notices.plan";
import type { CreditAccountRow } from "../credit-accounts/table";
import { type Destination, type DestinationType, payableNumber } from "./model/destination.policy";
import { firstFit, judge, type Places, type RequestedPlace, type Sum } from "./model/payout.policy";
import { instructions } from "./model/procedure";
import { type Chosen, type Payment, type Payout, planPayout } from "./payout.plan";
import { type findPlaces, isThere } from "./payout.store";

export type PlaceRows = Answer<ReturnType<typeof findPlaces>>;

type Asked = Sum &
	Choice & {
		/** Whose money it is. */
		readonly organizationId: string | null;
	};

type Choice = {
	/** The place that the payout's own request names; a place that does not fit is refused. */
	readonly sent: RequestedPlace | null;
	/** The place that the application named: taken if it fits. */
	readonly requested?: RequestedPlace | null;
	/** The types that may be paid to. */
	readonly allowed: readonly DestinationType[];
	/** The order in which places are tried when none is named. */
	readonly preferred?: readonly DestinationType[];
	/** The member of the body with the amount. Without it a part that cannot be paid stays on the account. */
	readonly member?: string;
};

const USUAL = ["OWN_NUMBER", "CURRENT_ACCOUNT"] as const;
const NOWHERE = "There is nowhere to pay to: verify a number or activate a current account";

type Account = Pick<CreditAccountRow, "id" | "userId" | "organizationId" | "currency">;
type Order = Pick<Payout, "id" | "kind" | "amount"> & Choice & { readonly account: Account };

/**
 * Pays a borrower at the place that they have named, else at the first that fits. The commit is stale unless the place is still as it was
 * judged. The writes belong in the commit that posts the payout: they inform the borrower at once, and have an outside disburser instructed
 * once they are committed. Throws bad input for a place that was sent and does not fit, and INVALID_STATE if there is none at all.
 */
export async function payBorrower(services: Services, rows: PlaceRows, order: Order): Promise<Payment> {
	const { id, kind, account } = order;
	const { currency, organizationId } = account;
	const place = await choosePlace(services, rows, { ...order, currency, organizationId });
	const payment = planPayout(services, { id, kind, accountId: account.id, organizationId, currency }, place);
	const { instruction, writes } = payment;
	if (instruction) return { ...payment, writes: [...writes, sendAfter(services, instructions, instruction)] };
	const notice = kind === "REFUND" ? notifyPaidBack : notifyPaidOut;
	return { ...payment, writes: [...writes, ...(await notice(services, account, payment.amount))] };
}

/** Throws bad input for a place that was sent and does not fit, and INVALID_STATE if there is none at all. */
async function choosePlace(services: Services, rows: PlaceRows, asked: Asked): Promise<Chosen> {
	const { sent, requested = null, allowed, preferred = USUAL } = asked;
	const { borrower, wallet, payee, connections } = rows;
	if (!borrower) throw new ApiError("NOT_FOUND");
	if (sent && !allowed.includes(sent.type)) throw badInput("payout.type", "is no place that the product pays to", "NOT_ALLOWED");
	const named = (sent ?? requested)?.type === "PAYEE_ACCOUNT";
	const places: Places = {
		...borrower,
		numberIsNew: borrower.numberIsNew === 1,
		wallet: wallet && { ...wallet, room: MAX_BALANCE - wallet.balance },
		payee: payee && { ...payee, isVerified: payee.verification === "VERIFIED", isBlocked: payee.isBlocked === 1 },
		ownName: named && borrower.mobileNumber !== null ? await holderOf(services, borrower.mobileNumber) : undefined,
	};
	const judged = sent ? judge(sent.type, places, asked) : undefined;
	if (judged && "fault" in judged) throw badInput("payout", judged.fault, "NOT_ALLOWED");
	const tried = [...(requested ? [requested.type] : []), ...preferred].filter((type) => allowed.includes(type));
	const destination = judged?.destination ?? firstFit(tried, places, asked) ?? null;
	const { disburser } = services.providers;
	const isOwnAccount = destination?.type === "CURRENT_ACCOUNT";
	if (!disburser && !isOwnAccount) throw new ApiError("SERVICE_UNAVAILABLE");
	// The embedded disburser moves no money, so that it needs no place.
	if (destination === null && disburser?.kind !== "embedded") throw new ApiError("INVALID_STATE", { description: NOWHERE });
	const there = isThere(destination, payee?.id);
	if (there) services.db.rely("the place of a payout", there);
	const paid = { destination, amount: asked.amount, provider: null };
	if (isOwnAccount) return { ...paid, wallet };
	if (disburser?.kind !== "remote" || !destination) return { ...paid, wallet: undefined };
	const { provider, amount } = routeOf(disburser, asked, destination, factsOf(connections, services.now));
	if (provider === null || asked.organizationId === null) return { ...paid, wallet: undefined };
	services.db.rely("the connection of a payout", isConnected({ organizationId: asked.organizationId, provider }));
	return { ...paid, wallet: undefined, provider, amount };
}

/** Who pays, and how much of it. Throws for what nobody could pay, before anything is ordered. */
function routeOf(
	disburser: Extract<Disburser, { kind: "remote" }>,
	{ amount, currency, organizationId, member }: Pick<Asked, "amount" | "currency" | "organizationId" | "member">,
	destination: Destination,
	connections: readonly ConnectionFacts[],
): { provider: PaymentProvider | null; amount: number } {
	const mobileNumber = payableNumber(destination);
	const route = disburser.route({ organizationId, amount, currency, mobileNumber }, connections);
	if (!("fault" in route)) return { provider: route.provider, amount };
	switch (route.fault) {
		case "UNAVAILABLE":
			throw new ApiError("SERVICE_UNAVAILABLE");
		case "WHOLE_UNITS": {
			if (member !== undefined) throw badInput(member, `must be a multiple of ${route.unit}: no cents can be paid out`, "NOT_ALLOWED");
			return routeOf(disburser, { currency, organizationId, amount: amount - (amount % route.unit) }, destination, connections);
		}
		case "OUT_OF_RANGE": {
			const reason = `must be ${route.least} to ${route.most}, which can be paid out`;
			if (member !== undefined) throw badInput(member, reason, "OUT_OF_RANGE");
			throw new ApiError("INVALID_STATE", { description: `The amount ${reason}` });
		}
	}
}

/** The name that the provider has for the number; undefined if it cannot be asked. */
async function holderOf({ providers }: Services, number: string): Promise<string | null | undefined> {
	const found = await providers.nameLookup?.lookUp({ type: "SEND_MONEY", identifier: number, accountHolderName: null });
	return found?.known ? found.name : undefined;
}
