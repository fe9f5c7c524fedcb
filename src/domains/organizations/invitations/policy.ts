// When two mail addresses are the same, what an invitation's token looks like, and how many may be sent.

import { isUuid } from "../../../shared/ids";
import { DAY_MS } from "../../../shared/time";

export const VALID_FOR_MS = 7 * DAY_MS;

/** The most mails within a day: by one organization, and to one address. */
export const SENDS = { withinMs: DAY_MS, byOrganization: 50, toAddress: 3 } as const;

/**
 * The same text for all spellings of an address: letters of ASCII in lower case, the domain in ASCII. Everything else before the @ is
 * compared by code points: what only looks alike (a Kelvin sign, a composed accent) is another mailbox. Undefined if the text is no
 * address.
 */
export function addressKeyOf(email: string): string | undefined {
	const at = email.lastIndexOf("@");
	const [local, domain] = [email.slice(0, at).replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase()), email.slice(at + 1)];
	if (at < 1 || /[\s/?#:\\@[\]%]/.test(domain) || !URL.canParse(`https://${domain}`)) return undefined;
	return `${local}@${new URL(`https://${domain}`).hostname.replace(/\.$/, "")}`;
}

/** How long to wait until one more mail is within the bounds. `sent`: the times of the latest mails, newest first. */
export function waitForSend(sent: { byOrganization: readonly number[]; toAddress: readonly number[] }, now: number): number {
	const wait = (times: readonly number[], most: number) => {
		const last = times[most - 1];
		return last === undefined ? 0 : Math.max(0, last + SENDS.withinMs - now);
	};
	return Math.max(wait(sent.byOrganization, SENDS.byOrganization), wait(sent.toAddress, SENDS.toAddress));
}

/** The token contains the invitation's id, which names the home to look in. */
export const tokenOf = (invitationId: string, secret: string): string => `inv_${invitationId}_${secret}`;

/** The id of the invitation in a token; undefined if there is none. */
export function invitationIn(token: string): string | undefined {
	const [prefix, id = "", ...secret] = token.split("_");
	return prefix === "inv" && secret.length > 0 && isUuid(id) ? id.toLowerCase() : undefined;
}
