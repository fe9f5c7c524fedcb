// What the rows of a page of the audit trail are about: requests, accounts and people, one request for each kind.

import { useRef } from "preact/hooks";
import type { AuditRow, BodyOf, PlatformUser, ShownApproval } from "../../typed.ts";
import type { Person } from "../../who.ts";
import { useEach, usePeople } from "../people.tsx";
import { OF_APPROVALS } from "./deeds.ts";

type Account = BodyOf<"GET /v1/accounts">["data"][number];

/** As it is named in a row: by its number, and its amounts by its currency. */
type Named = Pick<Account, "id" | "account_number" | "currency">;

export class Subjects {
	readonly approvals = new Map<string, ShownApproval>();
	readonly accounts = new Map<string, Account>();
	readonly people = new Map<string, PlatformUser>();

	approvalOf(row: AuditRow): ShownApproval | undefined {
		return this.approvals.get(approvalIdOf(row) ?? "");
	}

	accountOf(row: AuditRow): Named | undefined {
		const { account_id: id, account_number, currency } = this.approvalOf(row)?.subject ?? {};
		return id && account_number && currency ? { id, account_number, currency } : this.accounts.get(accountIdOf(row) ?? "");
	}

	personOf(row: AuditRow): PlatformUser | undefined {
		const { userId } = row.target as Ids;
		const account = this.accounts.get(accountIdOf(row) ?? "");
		return this.people.get(this.approvalOf(row)?.subject.user_id ?? account?.user_id ?? userId ?? "");
	}
}

type Ids = { readonly id?: string; readonly accountId?: string; readonly userId?: string };

/** The request that was made or decided. A call that was held names what it is about after it. */
const approvalIdOf = ({ operation, target }: AuditRow): string | undefined =>
	OF_APPROVALS.has(operation) ? (target as Ids).id : undefined;

function accountIdOf({ target, changes }: AuditRow): string | undefined {
	return (target as Ids).accountId ?? (changes as { account_id?: string }).account_id;
}

/** They are read after the rows, which are shown before; what is known stays while others are read. */
export function useSubjects(rows: readonly AuditRow[] | undefined, person: Person): Subjects {
	const { current: known } = useRef(new Subjects());
	const approvals = useEach("GET /v1/approvals", rows?.map(approvalIdOf), person);
	const accounts = useEach("GET /v1/accounts", rows?.map(accountIdOf), person);
	const people = usePeople(
		approvals &&
			accounts && [
				...(rows ?? []).map(({ target }) => (target as Ids).userId),
				...[...approvals.values()].map(({ subject }) => subject.user_id),
				...[...accounts.values()].map(({ user_id }) => user_id),
			],
		person,
	);
	for (const [id, one] of approvals ?? []) known.approvals.set(id, one);
	for (const [id, one] of accounts ?? []) known.accounts.set(id, one);
	for (const [id, one] of people ?? []) known.people.set(id, one);
	return known;
}
