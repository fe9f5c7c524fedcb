// What went wrong, as a sentence with its remedy. A code never stands alone.

import { Held, LeadsNowhere, Refused, Unreachable } from "../api.ts";
import { words } from "../format.ts";
import { fieldOf, reasonOfState } from "../refusals.ts";
import { IssuerFailed } from "../trust.ts";
import { CopyIcon } from "./copy.tsx";
import { Mark } from "./state.tsx";

const SENTENCES: Readonly<Record<string, readonly [what: string, remedy: string]>> = {
	NOT_FOUND: ["There is nothing here with this id.", "It may belong to another organization, or be deleted."],
	WEBHOOK_DELETED: ["The endpoint was deleted.", "Nothing can be retried."],
	WEBHOOK_SUSPENDED: ["The endpoint is suspended.", "Resume it first."],
	WEBHOOK_NAME_TAKEN: ["Another endpoint has this name.", "Choose another."],
	TOO_MANY_WEBHOOKS: ["There are as many endpoints as an organization may have.", "Delete one first."],
	TOO_MANY_SIGNING_KEYS: ["The endpoint has two keys already.", "End the old one first."],
	NO_SIGNING_KEY: ["No key of the endpoint signs.", "Make one first."],
	INVALID_STATE: ["It has changed meanwhile, and this is no longer possible.", "Look at it again."],
	SELF_APPROVAL: ["You asked for this yourself.", "Another person decides."],
	APPROVAL_PENDING: ["The same is waiting for approval already.", "Another person decides."],
	TOO_MANY_REQUESTS: ["Too much was asked in a minute.", "It is asked again by itself."],
	SERVICE_UNAVAILABLE: ["The service cannot answer just now.", "It is asked again by itself."],
	INTERNAL_SERVER_ERROR: [
		"The service made a mistake.",
		"Try again. If it happens again, report the request's id to the operator of the service.",
	],
	UNAUTHORISED: ["The sign-in is not accepted, or is too old for this.", "Sign in again."],
	WAITING_LIST: ["You are on the waiting list.", "An operator admits you."],
};

/** Reasons of which the description names what stands in the way. */
const NAMED = ["MONEY_OPEN", "IN_USE", "RETENTION"];

function sentencesOf(error: Error): readonly [what: string, remedy: string] {
	if (error instanceof Held) return ["Another operator must approve this.", "Nothing is done yet. It waits among the approvals."];
	if (error instanceof Unreachable) {
		return navigator.onLine
			? ["The service does not answer.", "It is asked again by itself."]
			: ["You are offline.", "It is asked again when you are back."];
	}
	if (error instanceof LeadsNowhere) return [error.message, ""];
	if (error instanceof IssuerFailed) {
		const [what = "", ...remedy] = error.message.split(/(?<=\.) /);
		return [what, remedy.join(" ")];
	}
	if (!(error instanceof Refused)) return ["The page made a mistake.", "Load it again."];
	const { code, status, message, reason } = error;
	const why = code === "INVALID_STATE" ? reasonOfState(message) : undefined;
	if (why) return [why, ""];
	if (message && reason && NAMED.includes(reason)) return [sentence(message), ""];
	if (status === 403) {
		const isOfRoles = !message || /\b(?:role|permission)\b/.test(message);
		return [
			message ? sentence(message) : "You may not see this.",
			isOfRoles ? "Ask an owner of the organization for a role that may." : "",
		];
	}
	const known = SENTENCES[code];
	if (error.reasons.length > 0) return ["Something in it is not right.", ""];
	return known ?? [sentence(message || words(code)), ""];
}

/** What went wrong, in a line. */
export const sentenceOf = (error: Error): string => {
	const { reasons } = error instanceof Refused ? error : { reasons: [] };
	return reasons.length > 0
		? reasons.map(({ path, reason }) => `${fieldOf(path)} ${reason}`).join(", ")
		: sentencesOf(error).filter(Boolean).join(" ");
};

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}`;

export function Problem({ error, again }: { readonly error: Error; readonly again?: () => void }) {
	const [what, remedy] = sentencesOf(error);
	const { code, requestId, reasons } = error instanceof Refused ? error : { code: "", requestId: "", reasons: [] };
	const isHeld = error instanceof Held;
	return (
		<div class={`notice ${isHeld ? "is-waiting" : "is-failing"}`} role={isHeld ? "status" : "alert"}>
			<Mark of={isHeld ? "waiting" : "failing"} />
			<div>
				<strong>{what}</strong> {remedy}
				{reasons.length > 0 && (
					<ul>
						{reasons.map(({ path, reason }) => (
							<li key={path}>
								<strong>{fieldOf(path)}</strong> {reason}
							</li>
						))}
					</ul>
				)}
				{code && (
					<small>
						<code>{code}</code>
						{requestId && (
							<>
								{" · request "}
								<code>{requestId}</code> <CopyIcon text={requestId} what="the request's id" />
							</>
						)}
					</small>
				)}
			</div>
			{again && (
				<button type="button" onClick={again}>
					Try again
				</button>
			)}
		</div>
	);
}
