// What files of a backup hold of persons under keys of their own, so that it cannot be read any more once their keys are destroyed. Those
// places of an erasure that only hold ids, or digests, are not in it.

import type { Personal, PersonalColumns } from "../../db/backup";

const removed = (columns: readonly string[], ...of: readonly string[]): Personal => ({
	groups: [{ columns, erased: columns.map(() => "null"), of: of.map((column) => `kept.${column}`) }],
	removed: true,
});

/** @param erased what is left of each column */
const emptied = (erased: Readonly<Record<string, string>>, ...of: readonly string[]): PersonalColumns => ({
	columns: Object.keys(erased),
	erased: Object.values(erased),
	of: of.map((column) => `kept.${column}`),
});

/** A text of somebody else's: persons are named in it by numbers, mail addresses, ids, or names in members that are called so. */
const text = (...columns: readonly string[]): Personal => ({ groups: [{ columns }] });

/** With what payers typed. The expressions are of texts that are nobody's only where they are the number of an account. */
const typed = (columns: readonly string[], expressions: readonly string[], ...of: readonly string[]): Personal => ({
	groups: [{ columns, typed: expressions, of }],
});

const NOBODY = "'@erased'";

/** By the names of the tables. */
export const BACKED_UP_PERSONAL: Readonly<Record<string, Personal>> = {
	users: {
		groups: [
			emptied(
				{
					...{ mobile_number: "null", email: "null", display_name: "null", folded_name: "null", folded_last_name: "null" },
					...{ tag: NOBODY, last_seen_at: "null" },
				},
				"id",
			),
		],
	},
	identity_links: { ...removed(["subject"], "user_id"), listed: true },
	inbox: removed(["sealed"], "user_id"),
	devices: removed(["sealed_token"], "user_id"),
	payees: removed(["label", "block_details"], "user_id"),
	payee_accounts: removed(
		["identifier", "account_holder_name", "linked_user_tag", "resolved_name"],
		...["user_id", "linked_user_id", "identifier"],
	),
	mobile_number_changes: removed(["old_number", "new_number"], "user_id"),
	transfers: {
		groups: [
			emptied({ payer_number: "null", payer_name: "null" }, "user_id"),
			emptied(
				{ snapshot: "json_replace(kept.snapshot, '$.identifier', '[erased]', '$.name', null)", note: "null" },
				...["user_id", "payee_user_id", "snapshot ->> '$.identifier'"],
			),
		],
	},
	incoming_transfers: { groups: [emptied({ payer_name: "null", note: "null" }, "payer_user_id", "payee_user_id")] },
	closures: { groups: [emptied({ comment: "null" }, "user_id")] },
	issued_statements: { groups: [emptied({ holder: "null" }, "user_id")] },
	credit_bureau_rows: { groups: [emptied({ name: "null", mobile_number: "null", document_number: "null" }, "user_id")] },
	credit_bureau_disputes: { groups: [emptied({ reason: "null", resolution: "null" }, "user_id")] },
	credit_bureau_identities: removed(["name", "document_number"], "user_id"),
	follow_ups: { groups: [emptied({ body: "null" }, "user_id")] },
	approvals: { groups: [emptied({ payload: "'{}'", reason: "null", comment: "null" }, "entity_id")] },
	messages: removed(["recipient", "sealed"], "recipient", "user_id"),
	otp_challenges: removed(["subject", "recipient"], "subject", "recipient"),
	otp_sends: removed(["recipient"], "recipient"),
	organization_members: { groups: [emptied({ display_name: "null", email: "null", tag: NOBODY }, "user_id")] },
	invitations: { groups: [emptied({ email: "'[erased]'", email_key: "kept.id" }, "email", "email_key", "accepting_user_id")] },
	invitation_sends: removed(["email_key"], "email_key"),
	disbursements: {
		groups: [
			{
				...emptied({
					destination: "json_replace(kept.destination, '$.mobileNumber', null, '$.account.identifier', '[erased]', '$.account.name', null)",
					instruction:
						"json_replace(kept.instruction, '$.recipient.mobile_number', null, '$.recipient.account.identifier', '[erased]', '$.recipient.account.name', null)",
				}),
				of: [
					"(select account.user_id from credit_accounts account where account.id = kept.account_id)",
					"kept.destination ->> '$.mobileNumber'",
					"kept.destination ->> '$.account.identifier'",
				],
			},
		],
	},
	daraja_confirmations: { groups: [{ columns: ["sealed"], erased: ["''"], confirmation: true }] },
	erasures: { groups: [emptied({ sealed: "null" }, "user_id")] },
	payments: typed(
		["details", "account_number"],
		["kept.account_number", "kept.details ->> '$.account_reference'", "kept.details ->> '$.reference'"],
		"(select account.user_id from credit_accounts account where account.id = kept.account_id)",
	),
	statement_lines: typed(["reference", "linked"], ["kept.reference", "kept.linked"]),
	statement_breaks: typed(["reference"], ["kept.reference"]),
	custodian_instructions: text("facts"),
	agent_events: text("description"),
	invoices: text("details"),
	idempotency_records: text("body"),
	import_lines: { ...text("content"), removed: true },
	home_messages: text("payload"),
	webhook_deliveries: text("response_body"),
	webhook_attempts: text("response_body"),
	webhook_receipts: text("response_body"),
};
