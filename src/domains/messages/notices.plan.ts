// Notices: what the owner of an account learns although nobody has asked. They are part of the commit of what they tell, and of no budget.

import type { Write } from "../../db/database";
import type { Services } from "../../runtime/services";
import { DAY_MS } from "../../shared/time";
import { queueMessage } from "./plan";
import type { Channel } from "./table";

export type Reachable = { readonly mobileNumber: string | null; readonly email: string | null };
type Address = { readonly channel: Channel; readonly recipient: string };

const PURPOSE = "SECURITY";

const addressesOf = ({ mobileNumber, email }: Reachable): Address[] => [
	...(mobileNumber === null ? [] : [{ channel: "SMS" as const, recipient: mobileNumber }]),
	...(email === null ? [] : [{ channel: "EMAIL" as const, recipient: email }]),
];

/** By mail, because whoever has taken over a number reads its SMS; by SMS if there is no address. */
const bestOf = ({ mobileNumber, email }: Reachable): Address[] =>
	addressesOf({ mobileNumber: email === null ? mobileNumber : null, email });

const noticesBy = (services: Services, addresses: readonly Address[], text: string): Promise<Write[]> => {
	const about = { purpose: PURPOSE, category: "SECURITY" as const, content: { text }, expiresAt: services.now + DAY_MS };
	return Promise.all(addresses.map((address) => queueMessage(services, { ...about, ...address })));
};

/** A notice by SMS and by mail: whoever has taken one of them over does not get the other. */
export const noticesTo = (services: Services, user: Reachable, text: string): Promise<Write[]> =>
	noticesBy(services, addressesOf(user), text);

/** One notice, by mail if there is an address. */
export const noticeTo = (services: Services, user: Reachable, text: string): Promise<Write[]> => noticesBy(services, bestOf(user), text);

/** One notice of a payment, which users can switch off. */
export const paymentNoticeTo = (
	services: Services,
	{ id, ...user }: Reachable & { readonly id: string },
	text: string,
): Promise<Write[]> => {
	const about = { purpose: "PAYMENT", category: "PAYMENTS" as const, userId: id, content: { text }, expiresAt: services.now + DAY_MS };
	return Promise.all(bestOf(user).map((address) => queueMessage(services, { ...about, ...address })));
};
