// What to do about a delivery that failed. `docs/webhooks.md` has the same sentences.

import type { ErrorClass } from "../../../shared/webhook-states";
import type { Forsaken } from "./policy";

const LOOK = "See the receiver's log at the time of the attempt; the body has the delivery_id.";
const CREDENTIALS =
	"Give the endpoint the headers that the receiver asks for. Why it refuses a signature, POST /v1/webhooks/{webhook_id}/verify says.";
const PATH = "Correct the path in the endpoint's url, where the receiver takes POST.";

export const REMEDIES: Readonly<Record<ErrorClass | Forsaken, string>> = {
	DNS: "Correct the host name in the endpoint's url, or its DNS records.",
	TLS: "Give the receiver a valid, publicly trusted certificate for its host name, and have it send the whole chain.",
	REFUSED: "Start the receiver, or correct the port in the endpoint's url; a firewall may refuse too.",
	RESET: "See in the logs of the receiver, and of the proxy before it, what closed the connection.",
	TIMEOUT: "Answer 2xx first and work afterwards, or raise the endpoint's timeout.",
	STATUS: LOOK,
	REDIRECT: "Make the address to which it redirects the endpoint's url.",
	BLOCKED: "Give the endpoint a url whose name has a public address, then resume it.",
	ITEM: LOOK,
	INTERRUPTED: "Nothing: it is sent again. The receiver may get it twice, with the same delivery_id.",
	WEBHOOK_DELETED: "Its endpoint was deleted, so it cannot be retried. The feed of events still has its event.",
	EXPIRED: "Its endpoint was suspended for too long. Resume the endpoint, then retry it, or recover what was missed.",
};

/** Statuses that point to a cause, so that their remedy is more specific than that of STATUS. */
export const STATUS_REMEDIES: Readonly<Record<number, string>> = {
	401: CREDENTIALS,
	403: CREDENTIALS,
	404: PATH,
	405: PATH,
	410: "The receiver says that it wants no more. Resume the endpoint once it does.",
	429: "Lower the endpoint's rate_limit or max_in_flight.",
};

type Last = { readonly errorClass: ErrorClass | null; readonly responseStatus: number | null };

/**
 * @param lastError the `last_error` of the delivery
 * @param last its last failed attempt
 */
export function remedyOf(lastError: string | null, last: Last | undefined): string | null {
	if (lastError === null) return null;
	if (lastError === "WEBHOOK_DELETED" || lastError === "EXPIRED") return REMEDIES[lastError];
	if (!last?.errorClass) return null;
	return (last.errorClass === "STATUS" && STATUS_REMEDIES[last.responseStatus ?? 0]) || REMEDIES[last.errorClass];
}
