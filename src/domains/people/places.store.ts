// Every place that may hold something by which a person is recognised, and what becomes of it. Rows that an index finds are worked off in
// portions; a table without one is walked through once, by its key. The rows of money, approvals and the audit trail stay, with ids alone.

import { type Column, type SQL, sql } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import { assign, bare } from "../../db/columns";
import { idempotencyRecords } from "../../db/idempotency.table";
import { names } from "../../db/names.table";
import { webhookDeliveries } from "../../events/table";
import { ERASED } from "../../shared/named-persons";
import { issuedStatements } from "../accounts/statements/table";
import { approvals } from "../approvals/table";
import { followUps } from "../collections/table";
import { agentEvents } from "../commissions/table";
import { closures } from "../current-accounts/closures/table";
import { custodianInstructions } from "../current-accounts/custodian/table";
import { disbursements } from "../disbursements/model/table";
import { importLines } from "../imports/table";
import { invoices } from "../invoices/table";
import { creditProfiles } from "../loan-products/model/table";
import { devices, pushes } from "../messages/devices/table";
import { inbox } from "../messages/inbox.table";
import { notificationPreferences } from "../messages/preferences/table";
import { messages } from "../messages/table";
import { invitationSends, invitations } from "../organizations/invitations/table";
import { merchantGrants, organizationMembers } from "../organizations/table";
import { otpChallenges, otpSends } from "../otp/table";
import { payeeAccounts, payeeQuotas, payees } from "../payees/table";
import { darajaConfirmations } from "../repayments/recording/confirmations.table";
import { payments } from "../repayments/table";
import { sessions } from "../tokens/table";
import { incomingTransfers, transfers } from "../transfers/table";
import { mobileNumberChanges } from "../users/model/number-change.table";
import { ERASED_TAG } from "../users/model/store";
import { identityLinks, users } from "../users/model/table";
import { webhookAttempts, webhookReceipts } from "../webhooks/table";
import { BUREAU_PLACES } from "./bureau.store";
import type { Person } from "./person.policy";
import { TYPED_PLACES } from "./typed.store";

export type Place = {
	readonly table: SQLiteTable;
	/** The primary key. */
	readonly key: readonly [Column, ...Column[]];
	/** true: it is of blobs. */
	readonly blobs?: true;
	/** The person's rows. Of what is found by an index no row may be found again once it is changed. Undefined where nothing can be found. */
	where(person: Person): SQL | undefined;
	/** What they become; absent: they are removed. */
	readonly becomes?: (person: Person) => SQL;
	/** true: what names the person is sealed: each row of a portion is opened, and sealed again without it. */
	readonly sealed?: true;
	/** true: found by an index; else the table is walked through. */
	readonly indexed?: true;
	/** The only database that may hold such rows. */
	readonly only?: "home" | "directory";
};

const among = (column: Column | SQL, values: readonly string[]): SQL | undefined =>
	values.length === 0 ? undefined : sql`${column} in (select value from json_each(${JSON.stringify(values)}))`;

const any = (...conditions: readonly (SQL | undefined)[]): SQL | undefined => {
	const some = conditions.filter((condition) => condition !== undefined);
	return some.length === 0 ? undefined : sql`(${sql.join(some, sql` or `)})`;
};

/**
 * Whether a text names the person: by a number, a mail address, an identity or, where the text is JSON, by a whole value that is their name.
 */
function says(column: Column, { addresses, names, identities }: Person, json = true): SQL | undefined {
	const texts = [...addresses, ...identities.map(subjectIn), ...(json ? names.map(quoted) : [])];
	return texts.length === 0
		? undefined
		: sql`exists (select 1 from json_each(${JSON.stringify(texts)}) said where instr(${column}, said.value) > 0)`;
}

const quoted = (name: string) => JSON.stringify(name);
const subjectIn = ({ subject }: { readonly subject: string }) => `"subject":${quoted(subject)}`;

/** The text without them. Longer texts go first: a number is also part of itself with its plus. */
const without = (column: Column, { addresses, names, identities }: Person): SQL =>
	identities
		.map((identity): [string, string] => [subjectIn(identity), subjectIn({ subject: ERASED })])
		.concat([...addresses].sort((a, b) => b.length - a.length).map((text): [string, string] => [text, ERASED]))
		.concat(names.map((name): [string, string] => [quoted(name), quoted(ERASED)]))
		.reduce((text, [from, to]) => sql`replace(${text}, ${from}, ${to})`, sql`${column}`);

/** A text of somebody else's, in which the person is named. */
const text = (table: SQLiteTable, key: Place["key"], column: Column): Place => ({
	table,
	key,
	where: (person) => says(column, person),
	becomes: (person) => sql`${bare(column)} = ${without(column, person)}`,
});

const snapshot = {
	snapshot: sql`json_replace(${transfers.snapshot}, '$.identifier', ${ERASED}, '$.name', null)`,
	note: null,
	payerNumber: null,
	payerName: null,
};
const isTold = sql`(${transfers.payerNumber} is not null or ${transfers.payerName} is not null or ${transfers.note} is not null
	or ${transfers.snapshot} ->> '$.identifier' <> ${ERASED} or ${transfers.snapshot} ->> '$.name' is not null)`;

const withoutAccount = sql`not exists (select 1 from ${payeeAccounts} where ${payeeAccounts.payeeId} = ${payees.id})`;

const ofUser = (table: SQLiteTable, userId: Column, ...key: readonly [Column, ...Column[]]): Place => ({
	table,
	key,
	where: (person) => sql`${userId} = ${person.userId}`,
	only: "home",
});

const own = (...of: Parameters<typeof ofUser>): Place => ({ ...ofUser(...of), indexed: true });

const user: Place = {
	...own(users, users.id, users.id),
	where: ({ userId }) =>
		sql`${users.id} = ${userId} and (${users.tag} <> ${ERASED_TAG} or coalesce(${users.mobileNumber}, ${users.email}, ${users.displayName}) is not null)`,
	becomes: () => namelessUser,
};

/** Also the first step: from it on nobody sees who it was. */
export const namelessUser = sql`${assign(users, {
	mobileNumber: null,
	email: null,
	displayName: null,
	foldedName: null,
	foldedLastName: null,
	tag: ERASED_TAG,
	lastSeenAt: null,
})}, ${bare(users.profileVersion)} = ${users.profileVersion} + 1`;

const name = (kind: "PHONE" | "IDENTITY" | "TAG", values: (person: Person) => readonly string[]): Place => ({
	table: names,
	key: [names.kind, names.value],
	where: (person) => {
		const named = among(names.value, values(person));
		return named && sql`${names.kind} = ${kind} and ${named} and ${names.id} = ${person.userId}`;
	},
	indexed: true,
	only: "directory",
});

const byIndex = (table: SQLiteTable, key: Column, column: Column): Place => ({
	table,
	key: [key],
	where: ({ addresses }) => among(column, addresses),
	indexed: true,
});

/** An interrupted erasure continues by the number of its place: new places are added at the end, before the user. */
export const PLACES: readonly Place[] = [
	name("PHONE", ({ phones }) => phones),
	name("IDENTITY", ({ identityNames }) => identityNames),
	name("TAG", ({ tag }) => [tag]),
	{
		// Where nobody knows any more what the names were: the directory was restored.
		table: names,
		key: [names.kind, names.value],
		where: ({ userId, isKnown }) => (isKnown ? undefined : sql`${names.id} = ${userId}`),
		only: "directory",
	},
	own(identityLinks, identityLinks.userId, identityLinks.userId, identityLinks.issuer, identityLinks.subject),
	own(sessions, sessions.userId, sessions.id),
	own(inbox, inbox.userId, inbox.id),
	own(
		notificationPreferences,
		notificationPreferences.userId,
		notificationPreferences.userId,
		notificationPreferences.category,
		notificationPreferences.channel,
	),
	own(creditProfiles, creditProfiles.userId, creditProfiles.userId),
	own(
		merchantGrants,
		merchantGrants.userId,
		merchantGrants.userId,
		merchantGrants.organizationId,
		merchantGrants.merchantId,
		merchantGrants.permission,
	),
	{
		...own(payeeAccounts, payeeAccounts.userId, payeeAccounts.id),
		where: ({ userId }) => sql`${payeeAccounts.payeeId} in (select ${payees.id} from ${payees} where ${payees.userId} = ${userId})`,
	},
	own(payees, payees.userId, payees.id),
	own(payeeQuotas, payeeQuotas.userId, payeeQuotas.userId, payeeQuotas.day),
	ofUser(mobileNumberChanges, mobileNumberChanges.userId, mobileNumberChanges.id),
	{
		...own(transfers, transfers.userId, transfers.id),
		where: ({ userId }) => sql`${transfers.userId} = ${userId} and ${isTold}`,
		becomes: () => assign(transfers, snapshot),
	},
	{
		...own(closures, closures.userId, closures.id),
		where: ({ userId }) => sql`${closures.userId} = ${userId} and ${closures.comment} is not null`,
		becomes: () => assign(closures, { comment: null }),
	},
	{
		table: approvals,
		key: [approvals.id],
		where: ({ userId }) =>
			sql`${approvals.entityId} = ${userId} and (${approvals.payload} <> '{}' or ${approvals.reason} is not null or ${approvals.comment} is not null)`,
		becomes: () => assign(approvals, { payload: "{}", reason: null, comment: null }),
		indexed: true,
		only: "home",
	},
	byIndex(messages, messages.id, messages.recipient),
	byIndex(otpSends, otpSends.id, otpSends.recipient),
	byIndex(invitationSends, invitationSends.id, invitationSends.emailKey),
	{
		table: otpChallenges,
		key: [otpChallenges.id],
		where: ({ userId, addresses }) =>
			any(sql`${otpChallenges.subject} = ${userId}`, among(otpChallenges.subject, addresses), among(otpChallenges.recipient, addresses)),
	},
	{
		table: organizationMembers,
		key: [organizationMembers.organizationId, organizationMembers.userId],
		where: ({ userId }) => sql`${organizationMembers.userId} = ${userId}`,
		becomes: () => assign(organizationMembers, { displayName: null, email: null, tag: ERASED_TAG }),
	},
	{
		table: invitations,
		key: [invitations.id],
		where: ({ userId, mails, addresses }) =>
			mails.length === 0
				? sql`${invitations.acceptingUserId} = ${userId}`
				: any(sql`${invitations.acceptingUserId} = ${userId}`, among(invitations.emailKey, addresses), among(invitations.email, addresses)),
		// One pending invitation is to an address.
		becomes: () => sql`${assign(invitations, { email: ERASED })}, ${bare(invitations.emailKey)} = ${invitations.id}`,
	},
	{
		// Of others, who have the person among their payees.
		table: payeeAccounts,
		key: [payeeAccounts.id],
		where: ({ userId, addresses }) =>
			any(sql`${payeeAccounts.linkedUserId} = ${userId}`, among(payeeAccounts.identifier, [...addresses, userId])),
	},
	{
		table: payees,
		key: [payees.id],
		where: () => withoutAccount,
	},
	{
		table: transfers,
		key: [transfers.id],
		where: ({ userId, addresses }) =>
			any(sql`${transfers.payeeUserId} = ${userId}`, among(sql`${transfers.snapshot} ->> '$.identifier'`, addresses)),
		becomes: () => assign(transfers, { snapshot: snapshot.snapshot, note: null }),
	},
	{
		table: incomingTransfers,
		key: [incomingTransfers.transferId],
		where: ({ userId }) => sql`(${incomingTransfers.payerUserId} = ${userId} or ${incomingTransfers.payeeUserId} = ${userId})`,
		becomes: () => assign(incomingTransfers, { payerName: null, note: null }),
	},
	{
		table: disbursements,
		key: [disbursements.id],
		where: ({ userId }) => sql`(instr(${disbursements.destination}, ${userId}) > 0 or instr(${disbursements.instruction}, ${userId}) > 0)`,
		becomes: () =>
			assign(disbursements, {
				destination: sql`json_replace(${disbursements.destination}, '$.mobileNumber', null, '$.account.identifier', ${ERASED}, '$.account.name', null)`,
				instruction: sql`json_replace(${disbursements.instruction}, '$.recipient.mobile_number', null, '$.recipient.account.identifier', ${ERASED}, '$.recipient.account.name', null)`,
			}),
	},
	{ table: darajaConfirmations, key: [darajaConfirmations.id], where: () => undefined, sealed: true },
	text(payments, [payments.id], payments.details),
	text(custodianInstructions, [custodianInstructions.id], custodianInstructions.facts),
	text(agentEvents, [agentEvents.organizationId, agentEvents.eventId], agentEvents.description),
	text(invoices, [invoices.id], invoices.details),
	text(idempotencyRecords, [idempotencyRecords.scope], idempotencyRecords.body),
	{
		table: importLines,
		key: [importLines.importId, importLines.oldAccountId, importLines.type, importLines.key],
		where: (person) => says(importLines.content, person, false),
	},
	// What receivers of webhooks have answered.
	text(webhookDeliveries, [webhookDeliveries.id], webhookDeliveries.responseBody),
	text(webhookAttempts, [webhookAttempts.deliveryId, webhookAttempts.position], webhookAttempts.responseBody),
	{ ...text(webhookReceipts, [webhookReceipts.organizationId, webhookReceipts.id], webhookReceipts.responseBody), blobs: true },
	own(devices, devices.userId, devices.userId, devices.deviceHash),
	own(pushes, pushes.userId, pushes.userId, pushes.deviceHash, pushes.messageId),
	{
		...own(followUps, followUps.userId, followUps.id),
		where: ({ userId }) => sql`${followUps.userId} = ${userId} and ${followUps.body} is not null`,
		becomes: () => assign(followUps, { body: null }),
	},
	...TYPED_PLACES,
	{
		...own(issuedStatements, issuedStatements.userId, issuedStatements.id),
		where: ({ userId }) => sql`${issuedStatements.userId} = ${userId} and ${issuedStatements.holder} is not null`,
		becomes: () => assign(issuedStatements, { holder: null }),
	},
	...BUREAU_PLACES,
	// Again, at the end: what was under way when the erasure began may have written to it.
	user,
];
