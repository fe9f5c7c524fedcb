// Notices: what the owner of an account learns although nobody has asked. They are part of the commit of what they tell, and of no budget.
// The owner also reads them inside an app, whether or not there is an address.

import type { Write } from "../../db/database";
import type { Services } from "../../runtime/services";
import { DAY_MS } from "../../shared/time";
import { isMandatory, type NotificationCategory } from "../notifications/policy";
import { keepInInbox } from "./inbox.plan";
import { queueMessage } from "./plan";
import type { Address } from "./store";

export type Reachable = { readonly id: string; readonly mobileNumber: string | null; readonly email: string | null };

type Notice = { readonly purpose: string; readonly category: NotificationCategory; readonly text: string };

const addressesOf = ({ mobileNumber, email }: Reachable): Address[] => [
	...(mobileNumber === null ? [] : [{ channel: "SMS" as const, recipient: mobileNumber }]),
	...(email === null ? [] : [{ channel: "EMAIL" as const, recipient: email }]),
];

/** By mail, because whoever has taken over a number reads its SMS; by SMS if there is no address. */
const bestOf = ({ mobileNumber, email }: Reachable): Address =>
	email === null ? { channel: "SMS", recipient: mobileNumber } : { channel: "EMAIL", recipient: email };

/** A notice to the addresses and into the user's inbox, as far as they want it. */
export async function notify(
	services: Services,
	userId: string,
	{ purpose, category, text }: Notice,
	addresses: readonly Address[],
): Promise<Write[]> {
	const about = { purpose, content: { text }, expiresAt: services.now + DAY_MS };
	const wanted = isMandatory(category) ? { category } : { category, userId };
	const sent = addresses.map((address) => queueMessage(services, { ...about, ...wanted, address }));
	return Promise.all([keepInInbox(services, { userId, category, text }), ...sent]);
}

const SECURITY = { purpose: "SECURITY", category: "SECURITY" } as const;

/** A notice by SMS and by mail: whoever has taken one of them over does not get the other. */
export const noticesTo = (services: Services, user: Reachable, text: string): Promise<Write[]> =>
	notify(services, user.id, { ...SECURITY, text }, addressesOf(user));

/** One notice, by mail if there is an address. */
export const noticeTo = (services: Services, user: Reachable, text: string): Promise<Write[]> =>
	notify(services, user.id, { ...SECURITY, text }, [bestOf(user)]);
