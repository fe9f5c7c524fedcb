// Decides where a payout goes, with the look-up of names that an account of a payee needs.

import type { Results } from "../../db/database";
import { MAX_BALANCE } from "../../runtime/current-account-terms";
import type { Services } from "../../runtime/services";
import { ApiError, badInput } from "../../shared/errors";
import type { DestinationType } from "../disbursements/destination.policy";
import type { Chosen } from "./plan";
import { firstFit, judge, type Places, type Sum, type Wish } from "./policy";
import { type findPlaces, orStaleUnlessThere } from "./store";

export type PlaceRows = Results<ReturnType<typeof findPlaces>>;

type Asked = Sum & {
	/** What this payout's own request names; anything unfit is refused. */
	readonly sent: Wish | null;
	/** What was wished for earlier: taken where it fits. */
	readonly wish?: Wish | null;
	/** The types that may be paid to. */
	readonly allowed: readonly DestinationType[];
	/** The order in which places are tried when none is named. */
	readonly preferred?: readonly DestinationType[];
};

const USUAL = ["OWN_NUMBER", "CURRENT_ACCOUNT"] as const;
const NOWHERE = "There is nowhere to pay to: verify a number or activate a current account";

/** Throws bad input for a place that was sent and does not fit, and INVALID_STATE if there is none at all. */
export async function choosePlace(services: Services, rows: PlaceRows, asked: Asked): Promise<Chosen> {
	const { sent, wish = null, allowed, preferred = USUAL } = asked;
	const [[borrower], [wallet], [payee]] = rows;
	if (!borrower) throw new ApiError("NOT_FOUND");
	if (sent && !allowed.includes(sent.type)) throw badInput("payout.type", "is not one that the product pays to", "NOT_ALLOWED");
	const named = (sent ?? wish)?.type === "PAYEE_ACCOUNT";
	const places: Places = {
		...borrower,
		numberIsNew: borrower.numberIsNew === 1,
		wallet: wallet && { ...wallet, room: MAX_BALANCE - wallet.balance },
		payee: payee && { ...payee, isVerified: payee.verification === "VERIFIED", isBlocked: payee.isBlocked === 1 },
		ownName: named && borrower.mobileNumber !== null ? await holderOf(services, borrower.mobileNumber) : undefined,
	};
	const judged = sent ? judge(sent.type, places, asked) : undefined;
	if (judged && "fault" in judged) throw badInput("payout", judged.fault, "NOT_ALLOWED");
	const tried = [...(wish ? [wish.type] : []), ...preferred].filter((type) => allowed.includes(type));
	const destination = judged?.destination ?? firstFit(tried, places, asked) ?? null;
	const { disburser } = services.providers;
	const isOwnAccount = destination?.type === "CURRENT_ACCOUNT";
	if (!disburser && !isOwnAccount) throw new ApiError("SERVICE_UNAVAILABLE");
	// The embedded disburser moves no money, so that it needs no place.
	if (destination === null && disburser?.kind !== "embedded") throw new ApiError("INVALID_STATE", { description: NOWHERE });
	return { destination, wallet: isOwnAccount ? wallet : undefined, unchanged: orStaleUnlessThere(destination, payee?.id) };
}

/** The name that the provider has for the number; undefined if it cannot be asked. */
async function holderOf({ providers }: Services, number: string): Promise<string | null | undefined> {
	const found = await providers.nameLookup?.lookUp({ type: "SEND_MONEY", identifier: number, accountHolderName: null });
	return found?.known ? found.name : undefined;
}
