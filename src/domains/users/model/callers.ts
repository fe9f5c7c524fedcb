// Who may read what of a borrower, and who may work on loans.

import * as z from "zod";
import {
	type Access,
	apiKey,
	type KeyCaller,
	member,
	type OperatorCaller,
	type OrganizationCaller,
	oneOf,
	operator,
	type UserCaller,
	user,
} from "../../../http/callers/access";
import { homeOfCaller } from "../../../http/operation";
import { badInput } from "../../../shared/errors";
import type { Scope } from "../../../shared/permissions";

/** An organization's key, member or operator, or an operator of the whole platform. */
export type Staff = KeyCaller | OrganizationCaller | OperatorCaller;
export type LendingReader = UserCaller | Staff;

/** Those who work for the lender: keys with the scope, members who may read of loans, operators. */
export const staffReader = (scope: Scope): Access<Staff> => oneOf(member("org:lending:read"), apiKey(scope), operator);

/** Users for themselves, and those who work for the lender. With `X-Organization-Id` a user is a member. */
export const lendingReader: Access<LendingReader> = oneOf<UserCaller, Staff>(user, staffReader("accounts:read"));

/** Members who work on loans, and operators. */
export const lendingWorker: Access<Worker> = oneOf(member("org:lending:write"), operator);
export type Worker = OrganizationCaller | OperatorCaller;

/** Who did it, as the ledger names them. */
export const actorOf = (caller: Worker): string => (caller.kind === "member" ? caller.userId : caller.operatorId);

/** The query member by which those who work for the lender name whose rows they read. */
export const ofUser = {
	user_id: z
		.uuid()
		.toLowerCase()
		.optional()
		.meta({ description: "Whose. Required unless users call for themselves, who must not send it" }),
};

/** Whose rows the call is about. */
export function userNamed(caller: LendingReader, sent: string | undefined): string {
	if (caller.kind === "user") {
		if (sent !== undefined) throw badInput("query.user_id", "must be left out: it is for those who work for the lender", "NOT_ALLOWED");
		return caller.userId;
	}
	if (sent === undefined) throw badInput("query.user_id", "is required", "REQUIRED");
	return sent;
}

/** Where the rows of the user are whom the call is about. */
export const homeOfUser = ({ caller, query }: { caller: LendingReader; query: { user_id?: string | undefined } }): string | undefined =>
	caller.kind === "user" ? caller.userId : (query.user_id ?? homeOfCaller(caller));
