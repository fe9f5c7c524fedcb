// Whom and what a request for approval is about.

import { shortId } from "../../format.ts";
import type { PlatformUser, ShownApproval } from "../../typed.ts";
import { Id } from "../../ui/copy.tsx";
import { Link } from "../../ui/page.tsx";
import { calledOf, type Each, type People } from "../people.tsx";
import type { Effect } from "./effect.ts";

/** What a page of requests names, read once for all of them. */
export interface Named {
	readonly accounts: Each<"GET /v1/accounts"> | undefined;
	readonly people: People | undefined;
}

/** Whom and what it concerns, by name and number. */
export function About({
	of,
	user,
	about,
}: {
	readonly of: ShownApproval;
	readonly user: PlatformUser | undefined;
	readonly about: string;
}) {
	const { entity_type, entity_id, payload, subject } = of;
	const path = (payload as { path?: Record<string, string> } | null)?.path ?? {};
	// A held call names what it is about by its path; one without is about nothing that there is yet.
	const named = entity_type !== "OPERATION" || Object.values(path).includes(entity_id);
	const { account_id, account_number, user_id } = subject;
	if (account_id === null && user_id === null) {
		return (
			<>
				{about} {named && <Id of={entity_id} />}
			</>
		);
	}
	return (
		<>
			{account_id && (
				<>
					{entity_type === "TRANSACTION" && "Transaction on "}
					<Link to={`/accounts/${account_id}`}>Account {account_number}</Link>
				</>
			)}
			{account_id && user_id && " of "}
			{user_id && <Link to={`/users/${user_id}`}>{user ? calledOf(user) : "User"}</Link>}
			{!user && user_id && !account_id && (
				<>
					{" "}
					<Id of={user_id} />
				</>
			)}
		</>
	);
}

/** The account that a payment would be moved to. */
export const movedTo = ({ payload }: ShownApproval) => (payload as { account_id?: string } | null)?.account_id;

export function MovedTo({ id, accounts, people }: { readonly id: string } & Named) {
	const account = accounts?.get(id);
	const user = people?.get(account?.user_id ?? "");
	return (
		<>
			<Link to={`/accounts/${id}`}>Account {account?.account_number}</Link>
			{user && ` of ${calledOf(user)}`}
		</>
	);
}

/** The account that a request is about, and the borrower, where buttons of several requests would be called the same. */
export function wholeTitle({ title, about }: Effect, { subject, entity_id }: ShownApproval, user: PlatformUser | undefined): string {
	const { account_number } = subject;
	const whom = user ? calledOf(user) : !account_number && `${about} ${shortId(entity_id)}`;
	return [title, account_number && `account ${account_number}`, whom].filter(Boolean).join(", ");
}
