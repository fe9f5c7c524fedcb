// Whose account a page is about.

import type { CreditAccount, CurrentAccount } from "../../typed.ts";
import { CopyIcon } from "../../ui/copy.tsx";
import { Link } from "../../ui/page.tsx";
import type { Person } from "../../who.ts";
import { calledOf, usePeople } from "../people.tsx";

export interface About {
	readonly account: CreditAccount | CurrentAccount;
	readonly person: Person;
}

export const useBorrower = ({ account, person }: About) =>
	usePeople(person.kind === "borrower" ? [] : [account.user_id], person)?.get(account.user_id);

export function AboutAccount({ account, person, children }: About & { readonly children?: string }) {
	const borrower = useBorrower({ account, person });
	return (
		<>
			Account <code>{account.account_number}</code> <CopyIcon text={account.account_number} what="the account's number" />
			{children && ` · ${children}`}
			{person.kind !== "borrower" && (
				<>
					{" · "}
					<Link to={`/users/${account.user_id}`}>{borrower ? calledOf(borrower) : "Borrower"}</Link>
				</>
			)}
		</>
	);
}
