// What is held about a person, for their export: the columns of their rows that are no secrets of the service, in the order of a key.

import { type Column, getTableColumns, getTableName, type SQL, sql } from "drizzle-orm";
import { toSnakeCase } from "drizzle-orm/casing";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Orm } from "../../db/database";
import type { Json } from "../../shared/json";
import { toTimestamp } from "../../shared/time";
import { issuedStatements } from "../accounts/statements/table";
import { approvals } from "../approvals/table";
import { followUps } from "../collections/table";
import { agentEvents, agentSupervisions, agents } from "../commissions/table";
import { accountTransactions, creditAccounts, creditCycles, installments } from "../credit-accounts/table";
import { creditBureauDisputes, creditBureauIdentities, creditBureauListings, creditBureauRows } from "../credit-bureau/table";
import { activations } from "../current-accounts/activations/table";
import { closures } from "../current-accounts/closures/table";
import { currentAccountEntries, currentAccounts } from "../current-accounts/table";
import { disbursements } from "../disbursements/model/table";
import { creditProfiles } from "../loan-products/model/table";
import { loanApplications } from "../loans/model/table";
import { devices } from "../messages/devices/table";
import { inbox } from "../messages/inbox.table";
import { notificationPreferences } from "../messages/preferences/table";
import { messages } from "../messages/table";
import { memberships, merchantGrants } from "../organizations/table";
import { payeeAccounts, payees } from "../payees/table";
import { repaymentPrompts } from "../repayments/prompts/table";
import { payments } from "../repayments/table";
import { sessions } from "../tokens/table";
import { incomingTransfers, transfers } from "../transfers/table";
import { mobileNumberChanges } from "../users/model/number-change.table";
import { identityLinks, users } from "../users/model/table";

export type Held = {
	readonly table: SQLiteTable;
	/** Whose order an index has, for the rows of one person. */
	readonly key: readonly Column[];
	readonly where: (userId: string) => SQL;
	/** Columns that are of the service: digests, search forms, what it works by. */
	readonly hidden?: readonly Column[];
	/** The column that is opened, by the row's id. */
	readonly sealed?: Column;
	/** true: an organization's rows, which are in its home; the others are in the person's. */
	readonly everywhere?: true;
};

const of = (table: SQLiteTable, userId: Column, key: readonly Column[], more: Partial<Held> = {}): Held => ({
	table,
	key,
	where: (id) => sql`${userId} = ${id}`,
	...more,
});

const loans = (userId: string) => sql`(select ${creditAccounts.id} from ${creditAccounts} where ${creditAccounts.userId} = ${userId})`;
const wallets = (userId: string) => sql`(select ${currentAccounts.id} from ${currentAccounts} where ${currentAccounts.userId} = ${userId})`;
const sources = (userId: string) => sql`(
	select ${currentAccountEntries.sourceId} from ${currentAccountEntries} where ${currentAccountEntries.accountId} in ${wallets(userId)})`;
const posted = (userId: string) => sql`(
	select ${accountTransactions.id} from ${accountTransactions} where ${accountTransactions.accountId} in ${loans(userId)})`;

const ofAccount = (
	table: SQLiteTable,
	accountId: Column,
	key: readonly Column[],
	accounts: (userId: string) => SQL,
	more: Partial<Held> = {},
) => ({
	table,
	key,
	where: (userId: string) => sql`${accountId} in ${accounts(userId)}`,
	...more,
});

/** In each organization whose agent the person is. */
const ofAgent = (
	table: SQLiteTable,
	{ organizationId, agentUserId }: { readonly organizationId: Column; readonly agentUserId: Column },
	key: readonly Column[],
	more: Partial<Held> = {},
): Held => ({
	table,
	key,
	where: (id) =>
		sql`${organizationId} in (select ${agents.organizationId} from ${agents} where ${agents.userId} = ${id}) and ${agentUserId} = ${id}`,
	everywhere: true,
	...more,
});

const t = transfers;
const c = currentAccountEntries;
const s = sessions;

/** A cursor names a kind by its place. */
export const HELD: readonly Held[] = [
	of(users, users.id, [users.id], { hidden: [users.foldedName, users.foldedLastName, users.signedOutAt, users.signedOutExcept] }),
	of(identityLinks, identityLinks.userId, [identityLinks.issuer, identityLinks.subject]),
	of(memberships, memberships.userId, [memberships.organizationId]),
	of(s, s.userId, [s.id], { hidden: [s.deviceHash] }),
	of(mobileNumberChanges, mobileNumberChanges.userId, [mobileNumberChanges.completedAt], {
		where: (id) => sql`${mobileNumberChanges.userId} = ${id} and ${mobileNumberChanges.status} = 'COMPLETED'`,
		hidden: [mobileNumberChanges.challengeId],
	}),
	of(notificationPreferences, notificationPreferences.userId, [notificationPreferences.category, notificationPreferences.channel]),
	of(inbox, inbox.userId, [inbox.createdAt, inbox.id], { sealed: inbox.sealed }),
	of(approvals, approvals.entityId, [approvals.createdAt, approvals.id], {
		hidden: [
			...[approvals.payload, approvals.payloadHash, approvals.targetVersion, approvals.requestedBy],
			...[approvals.requestedAs, approvals.decidedBy],
		],
	}),
	of(payees, payees.userId, [payees.createdAt, payees.id]),
	of(payeeAccounts, payeeAccounts.userId, [payeeAccounts.payeeId, payeeAccounts.type, payeeAccounts.identifier], {
		where: (id) => sql`${payeeAccounts.payeeId} in (select ${payees.id} from ${payees} where ${payees.userId} = ${id})`,
	}),
	of(creditProfiles, creditProfiles.userId, [creditProfiles.userId]),
	of(loanApplications, loanApplications.userId, [loanApplications.createdAt, loanApplications.id]),
	of(creditAccounts, creditAccounts.userId, [creditAccounts.createdAt, creditAccounts.id]),
	ofAccount(creditCycles, creditCycles.accountId, [creditCycles.accountId, creditCycles.number], loans),
	ofAccount(
		installments,
		installments.cycleId,
		[installments.cycleId, installments.position],
		(userId) => sql`(select ${creditCycles.id} from ${creditCycles} where ${creditCycles.accountId} in ${loans(userId)})`,
	),
	ofAccount(accountTransactions, accountTransactions.accountId, [accountTransactions.accountId, accountTransactions.position], loans),
	ofAccount(payments, payments.id, [payments.id], posted, { hidden: [payments.fingerprint] }),
	ofAccount(disbursements, disbursements.accountId, [disbursements.accountId, disbursements.createdAt, disbursements.id], loans, {
		hidden: [disbursements.instruction, disbursements.cause],
	}),
	of(currentAccounts, currentAccounts.userId, [currentAccounts.createdAt, currentAccounts.id], { hidden: [currentAccounts.weighted] }),
	ofAccount(c, c.accountId, [c.accountId, c.position], wallets),
	ofAccount(activations, activations.accountId, [activations.id], wallets, { hidden: [activations.challengeId] }),
	of(closures, closures.userId, [closures.createdAt, closures.id], { hidden: [closures.challengeId] }),
	of(t, t.userId, [t.createdAt, t.id], { hidden: [t.challengeId, t.cause] }),
	ofAccount(incomingTransfers, incomingTransfers.transferId, [incomingTransfers.transferId], sources),
	of(devices, devices.userId, [devices.deviceHash], { hidden: [devices.tokenHash, devices.sealedToken] }),
	of(followUps, followUps.userId, [followUps.createdAt, followUps.id], {
		hidden: [followUps.author, followUps.position, followUps.checkAt],
	}),
	of(merchantGrants, merchantGrants.userId, [merchantGrants.organizationId, merchantGrants.merchantId, merchantGrants.permission]),
	ofAccount(
		repaymentPrompts,
		repaymentPrompts.accountId,
		[repaymentPrompts.accountId, repaymentPrompts.createdAt, repaymentPrompts.id],
		loans,
		{
			hidden: [repaymentPrompts.checkoutId, repaymentPrompts.steps, repaymentPrompts.nextStepAt, repaymentPrompts.cause],
		},
	),
	of(agents, agents.userId, [agents.organizationId], { everywhere: true }),
	ofAgent(agentEvents, agentEvents, [agentEvents.organizationId, agentEvents.agentUserId, agentEvents.occurredAt, agentEvents.eventId], {
		hidden: [agentEvents.fingerprint],
	}),
	ofAgent(agentSupervisions, agentSupervisions, [agentSupervisions.organizationId, agentSupervisions.effectiveFrom], {
		hidden: [agentSupervisions.supervisorUserId],
	}),
	// What is being sent to them; what was asked for by strangers is not theirs.
	of(messages, messages.userId, [messages.recipient, messages.createdAt, messages.id], {
		where: (id) => sql`${messages.recipient} in (
			select ${users.mobileNumber} from ${users} where ${users.id} = ${id} union all select ${users.email} from ${users} where ${users.id} = ${id})
			and ${messages.userId} = ${id} and not ${messages.withheld}`,
		hidden: [
			messages.sealed,
			messages.withheld,
			messages.nextAttemptAt,
			messages.providerMessageId,
			messages.cost,
			messages.costCurrency,
			messages.cause,
		],
	}),
	of(issuedStatements, issuedStatements.userId, [issuedStatements.createdAt, issuedStatements.id]),
	of(creditBureauRows, creditBureauRows.userId, [creditBureauRows.about, creditBureauRows.month, creditBureauRows.accountId]),
	of(creditBureauListings, creditBureauListings.userId, [creditBureauListings.createdAt, creditBureauListings.id]),
	of(creditBureauDisputes, creditBureauDisputes.userId, [creditBureauDisputes.createdAt, creditBureauDisputes.id], {
		hidden: [creditBureauDisputes.openedBy, creditBureauDisputes.resolvedBy],
	}),
	of(creditBureauIdentities, creditBureauIdentities.userId, [creditBureauIdentities.userId], { hidden: [creditBureauIdentities.statedBy] }),
];

export const kindOf = ({ table }: Held): string => getTableName(table);

type Row = Readonly<Record<string, unknown>>;

/** Some of the person's rows of the kind, after the one with this key. */
export const findHeld = (orm: Orm, held: Held, userId: string, after: readonly unknown[] | undefined, limit: number) => {
	const key = listed(held.key);
	const columns = Object.values(getTableColumns(held.table)).filter((column) => !held.hidden?.includes(column));
	return orm.all<Row>(sql`
		select ${listed(columns)} from ${held.table} where ${held.where(userId)} and ${after ? sql`(${key}) > (${listed(after)})` : sql`true`}
		order by ${key} limit ${limit}`);
};

const listed = (parts: readonly unknown[]): SQL =>
	sql.join(
		parts.map((part) => sql`${part}`),
		sql`, `,
	);

export const keyIn = (row: Row, { key }: Held): unknown[] => key.map(({ name }) => row[toSnakeCase(name)]);

/** The rows of several databases in the order of their key. */
export const inOrder = (rows: readonly Row[], held: Held): Row[] =>
	rows.toSorted((one, other) => {
		const key = keyIn(other, held);
		const differing = keyIn(one, held)
			.map((value, index) => [value, key[index]] as const)
			.find(([value, than]) => value !== than) as readonly [string | number, string | number] | undefined;
		return differing === undefined ? 0 : differing[0] < differing[1] ? -1 : 1;
	});

/** The row as people read it. `opened`: what was sealed. */
export function contentOf(row: Row, { table, sealed }: Held, opened: string | null): Record<string, Json> {
	const columns = new Map(Object.values(getTableColumns(table)).map((column) => [toSnakeCase(column.name), column]));
	return Object.fromEntries(
		Object.entries(row).map(([name, value]): [string, Json] => {
			const column = columns.get(name);
			if (sealed && column === sealed) return ["text", opened];
			if (typeof value === "string" && column?.dataType === "json") return [name, JSON.parse(value) as Json];
			if (typeof value === "number" && name.endsWith("_at")) return [name, toTimestamp(value)];
			if (typeof value === "number" && column?.dataType === "boolean") return [name, value !== 0];
			return [name, value as Json];
		}),
	);
}
