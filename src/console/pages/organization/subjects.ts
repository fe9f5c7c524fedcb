// What the rows of a page of the audit trail are about: requests, accounts and people, each read once.

import { useEffect, useRef, useState } from "preact/hooks";
import { ask } from "../../api.ts";
import type { AuditRow, CreditAccount, CurrentAccount, PlatformUser, ShownApproval } from "../../typed.ts";
import { either, operators, type Person, permitted } from "../../who.ts";
import { reachOf } from "../list.tsx";

type Account = CreditAccount | CurrentAccount;
const lends = either(permitted("org:lending:read"), operators);

export class Subjects {
	readonly approvals = new Map<string, ShownApproval>();
	readonly accounts = new Map<string, Account>();
	readonly people = new Map<string, PlatformUser>();
	/** Those too that nobody answered for. */
	readonly asked = new Set<string>();

	approvalOf(row: AuditRow): ShownApproval | undefined {
		return this.approvals.get(approvalIdOf(row) ?? "");
	}

	accountOf(row: AuditRow): Account | undefined {
		return this.accounts.get(this.approvalOf(row)?.subject.account_id ?? accountIdOf(row) ?? "");
	}

	personOf(row: AuditRow): PlatformUser | undefined {
		const { userId } = row.target as Ids;
		return this.people.get(this.approvalOf(row)?.subject.user_id ?? this.accountOf(row)?.user_id ?? userId ?? "");
	}
}

type Ids = { readonly accountId?: string; readonly userId?: string };

const OF_APPROVALS: ReadonlySet<string> = new Set(["decideApproval", "requestApproval"]);

/** The request that was made or decided, by the last id of the row. */
const approvalIdOf = ({ operation, entity_id }: AuditRow): string | undefined =>
	OF_APPROVALS.has(operation) ? (entity_id ?? undefined) : undefined;

function accountIdOf({ target, changes }: AuditRow): string | undefined {
	return (target as Ids).accountId ?? (changes as { account_id?: string }).account_id;
}

/** New subjects on the page are read afterwards: the rows are shown before. */
export function useSubjects(rows: readonly AuditRow[] | undefined, person: Person): Subjects {
	const known = useRef(new Subjects());
	const [, render] = useState({});
	const reads = lends(person);
	useEffect(() => {
		if (!rows || !reads) return;
		let left = false;
		void readSubjects(rows, known.current, reachOf(person)).then((found) => !left && found && render({}));
		return () => {
			left = true;
		};
	}, [rows]);
	return known.current;
}

async function readSubjects(rows: readonly AuditRow[], known: Subjects, reach: { readonly organization?: null }): Promise<boolean> {
	const fresh = (ids: readonly (string | null | undefined)[]): string[] => {
		const found = [...new Set(ids)].filter((id): id is string => typeof id === "string" && !known.asked.has(id));
		for (const id of found) known.asked.add(id);
		return found;
	};
	/** A subject that may not be read, or is gone, stays without its words. */
	const maybe = <Body>(read: Promise<{ readonly body: Body | undefined }>) =>
		read.then(
			({ body }) => body,
			() => undefined,
		);
	const approvals = fresh(rows.map(approvalIdOf)).map(async (id) => {
		const body = await maybe(ask("GET /v1/approvals/{id}", { path: { id }, ...reach }));
		if (body) known.approvals.set(id, body);
	});
	await Promise.all(approvals);
	const named = [...rows.map(accountIdOf), ...[...known.approvals.values()].map(({ subject }) => subject.account_id)];
	const accounts = fresh(named).map(async (accountId) => {
		const body = await maybe(ask("GET /v1/accounts/{accountId}", { path: { accountId }, ...reach }));
		if (body) known.accounts.set(accountId, body);
	});
	await Promise.all(accounts);
	const users = fresh([
		...rows.map(({ target }) => (target as Ids).userId),
		...[...known.approvals.values()].map(({ subject }) => subject.user_id),
		...[...known.accounts.values()].map(({ user_id }) => user_id),
	]).slice(0, 100);
	if (users.length > 0) {
		const body = await maybe(ask("GET /v1/platform/users", { query: { ids: users }, ...reach }));
		for (const user of body?.data ?? []) known.people.set(user.id, user);
	}
	return approvals.length + accounts.length + users.length > 0;
}
