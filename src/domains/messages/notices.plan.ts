// Notices: what the owner of an account learns although nobody has asked. They are part of the commit of what they tell, and of no budget.

import type { Write } from "../../db/database";
import type { Services } from "../../runtime/services";
import { DAY_MS } from "../../shared/time";
import { queueMessage } from "./plan";

export type Reachable = { readonly mobileNumber: string | null; readonly email: string | null };

const PURPOSE = "SECURITY";

/** A notice by SMS and by mail: whoever has taken one of them over does not get the other. */
export function noticesTo(services: Services, { mobileNumber, email }: Reachable, text: string): Promise<Write[]> {
	const about = { purpose: PURPOSE, category: "SECURITY" as const, content: { text }, expiresAt: services.now + DAY_MS };
	return Promise.all([
		...(mobileNumber === null ? [] : [queueMessage(services, { ...about, channel: "SMS", recipient: mobileNumber })]),
		...(email === null ? [] : [queueMessage(services, { ...about, channel: "EMAIL", recipient: email })]),
	]);
}

/** One notice: by mail, because whoever has taken over a number reads its SMS; by SMS if there is no address. */
export const noticeTo = (services: Services, { mobileNumber, email }: Reachable, text: string): Promise<Write[]> =>
	noticesTo(services, email === null ? { mobileNumber, email } : { mobileNumber: null, email }, text);
