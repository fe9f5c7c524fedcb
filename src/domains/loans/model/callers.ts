// Who may call the lending operations, and on behalf of which borrower. All of them check this first.

import * as z from "zod";
import {
	type Access,
	apiKey,
	type KeyCaller,
	type OperatorCaller,
	oneOf,
	operator,
	type SignerCaller,
	type UserCaller,
	user,
} from "../../../http/callers/access";
import { homeOfCaller } from "../../../http/operation";
import { ApiError, badInput } from "../../../shared/errors";
import { uuidOf } from "../../../shared/ids";
import { type LendingReader, lendingReader } from "../../users/model/callers";
import { type BorrowerFacts, readFacts } from "./borrower.store";

export type LoanCaller = UserCaller | KeyCaller | OperatorCaller;
/** Callers who may look an application up: also the disburser, which reports the outcome of its payout. */
export type ApplicationReader = LendingReader | SignerCaller;

/** Who reads applications: also keys that make them. */
export const applicationReader: Access<LendingReader> = { ...lendingReader, apiKey: ["loans:write", "accounts:read"] };

/** Users act for themselves, partners (by API key) for users whose home is their organization, operators for anybody. */
export const loanCaller = oneOf(user, apiKey("loans:write"), operator);

export const uuid = z.uuid().toLowerCase();
export const borrowerId = uuid.optional().meta({ description: "The borrower. Required unless a user calls for themselves" });
export const applicationPath = z.object({
	application_id: z
		.string()
		.min(1)
		.max(255)
		.meta({ description: "The application's id or resource_id" })
		// Both forms become one id, so that an idempotency key takes them for the same request.
		.transform((reference) => uuidOf("lapp", reference) ?? reference),
});

/** The borrower's user id: users are their own borrower, other callers must name one. */
export function borrowerNamed(caller: LendingReader, sent: string | undefined): string {
	if (caller.kind === "user") {
		if (sent !== undefined && sent !== caller.userId) throw badInput("user_id", "is not the caller", "NOT_ALLOWED");
		return caller.userId;
	}
	if (sent === undefined) throw badInput("user_id", "is required", "REQUIRED");
	return sent;
}

/** The borrower's facts. Throws NOT_FOUND unless the caller may act for them. */
export function factsFor(caller: LoanCaller, text: string | null | undefined): BorrowerFacts {
	const facts = text ? readFacts(text) : undefined;
	if (!facts || (caller.kind === "key" && facts.homeOrganizationId !== caller.organizationId)) {
		throw new ApiError("NOT_FOUND", { description: "There is no such user" });
	}
	return facts;
}

/** The application id from an id or a resource_id. */
export function applicationIdOf(reference: string): string {
	const id = uuidOf("lapp", reference);
	if (!id) throw new ApiError("NOT_FOUND");
	return id;
}

/** Where the borrower is: lending happens there for every caller. Without a named borrower, the caller's own home. */
export const homeOfBorrower = (caller: LendingReader, userId: string | undefined): string | undefined =>
	caller.kind === "user" ? caller.userId : (userId ?? homeOfCaller(caller));

/** Where an application is, by its id or resource_id. */
export const homeOfApplication = (reference: string): string | undefined => uuidOf("lapp", reference);
