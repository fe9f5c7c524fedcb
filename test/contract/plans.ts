// The query plans that sort or scan on purpose, each with the reason why its cost does not grow with the table.

import type { Fault } from "../support/statements";

export type Excuse = {
	/** What the plan does, or how that begins. */
	readonly step: string | RegExp;
	/** A part of the statement that no other has. */
	readonly of: string;
	readonly why: string;
};

export const EXCUSES: readonly Excuse[] = [
	{
		step: "SEARCH ledger_mappings USING INDEX ledger_mappings_by_organization (organization_id=?) (not by the primary key)",
		of: '"ledger_mappings"."loan_product_id" = ?)',
		why: "It ends at the first version for all products. Two people make each version, at most one a day.",
	},
	{
		step: "USE TEMP B-TREE FOR GROUP BY",
		of: 'insert into "event_purges" ("organization_id", "sequence", "created_at") select "webhook_events"."organization_id", max(',
		why: "One portion of the events that a purge removes.",
	},
	{
		step: "USE TEMP B-TREE FOR GROUP BY",
		of: 'insert into "webhook_statistics" ("webhook_id", "slot_ms", "start", "attempts", "delivered", "failed", "latencies") with short as',
		why: "One portion of short slots.",
	},
	{
		step: "USE TEMP B-TREE FOR GROUP BY",
		of: 'insert into "delivery_holdings" ("organization_id", "held", "complete_from") select made_for, -count(*)',
		why: "One portion of the deliveries that a purge removes.",
	},
	{
		step: "USE TEMP B-TREE FOR ORDER BY",
		of: "row_number() over (order by",
		why: "The deliveries that a page of the log looks at, of which there are at most 300.",
	},
	{
		step: /^SEARCH (delivery|receipt) USING (INDEX webhook_(deliveries_(of_)?by_status|receipts_of)|PRIMARY KEY) .*\((past|not by) /,
		of: "row_number() over (order by",
		why: "The same deliveries, which no index has by all filters.",
	},
	{
		step: "SEARCH limits USING AUTOMATIC COVERING INDEX (webhook_id=?)",
		of: "limits(webhook_id, free",
		why: "The endpoints of one run.",
	},
	{
		step: "USE TEMP B-TREE FOR ORDER BY",
		of: '"sessions"."device_since" from "sessions" where "sessions"."user_id" = ? and',
		why: "The sessions of one person, who exports them: those of 90 days.",
	},
	{
		step: "USE TEMP B-TREE FOR GROUP BY",
		of: '"each_break"."status" = \'OPEN\' limit',
		why: "A thousand open breaks of one statement at most.",
	},
	{
		step: "USE TEMP B-TREE FOR GROUP BY",
		of: '"statement_breaks"."difference" as difference',
		why: "A thousand and one open breaks of one organization at most.",
	},
	{
		step: /^(?:USE TEMP B-TREE FOR|SEARCH (?:firsts|lasts) USING AUTOMATIC)/,
		of: 'firsts.balance as "first", lasts.balance as "last"',
		why: "The lines of one statement, of which there are 50,000 at most, in one step of its comparison.",
	},
	{ step: "SCAN oldest", of: "oldest_key", why: "It has one row." },
	{
		step: "SCAN payment_connections",
		of: "payment_connections.sealed",
		why: "Two rows for each lender at most, while the oldest key is being retired.",
	},
	{
		step: "SCAN payment_connections",
		of: "replacement ->> 'sealed' like",
		why: "Two rows for each lender at most, while the oldest key is being retired.",
	},
	{
		step: "SCAN audit_rows",
		of: "select 1 from audit_rows where id = ?",
		why: "Only after a commit whose answer was lost and whose repetition was refused; an index would cost every change a row.",
	},
	{ step: /^SCAN names/, of: "not exists (select 1 from names where value = ?)", why: "Of a test, which has a guard of its own." },
	{
		step: "SCAN holding",
		of: 'coalesce("holding"."archived_to", 0)',
		why: "One row for each organization of the database.",
	},
	{
		step: /^SCAN webhook_deliveries/,
		of: "update webhook_deliveries set claim = 'this'",
		why: "Of a test, which claims all that it has made.",
	},
	{
		step: "SEARCH api_keys USING INDEX api_keys_list (organization_id=?) (past created_by)",
		of: 'update "api_keys" set "created_by"',
		why: "The keys of one organization, when its member who made them goes.",
	},
	{
		step: "SCAN e VIRTUAL TABLE INDEX 1:",
		of: "insert into webhook_deliveries",
		why: "One delivery for each pair of an event of the commit and an endpoint of the organization.",
	},
	{
		step: "SEARCH endpoint USING INDEX webhook_endpoints_list (organization_id=?) (past ordering,status)",
		of: "webhook_endpoints",
		why: "The endpoints of one organization, whose number is bounded.",
	},
	{
		step: "SEARCH disbursements USING INDEX disbursements_open_of (organization_id=? AND status=?) (past provider)",
		of: "status in ('PENDING', 'ACCEPTED')",
		why: "One open payout of a lender, which has two providers at the most.",
	},
	{
		step: "SCAN webhook_deliveries",
		of: "row_number() over (order by",
		why: "The same deliveries: the subquery has the name of the table.",
	},
	{ step: "SCAN delivery_holdings", of: 'from "delivery_holdings" order by', why: "One row for each organization of the database." },
	{
		step: "USE TEMP B-TREE FOR ORDER BY",
		of: 'from "delivery_holdings" order by',
		why: "One row for each organization of the database.",
	},
	{
		step: "SCAN holding",
		of: 'coalesce("holding"."checked_at", 0)',
		why: "One row for each organization of the database.",
	},
	{ step: "SCAN crowded_organizations", of: 'from "crowded_organizations"', why: "At most one row for each organization of the database." },
	{
		step: /^SCAN deleted_endpoints\b/,
		of: 'from "deleted_endpoints" where not',
		why: "A row stays until the sweep has failed its deliveries.",
	},
	{ step: "SCAN sandbox_clock", of: 'from "sandbox_clock"', why: "It has one row." },
	{
		step: "USE TEMP B-TREE FOR ORDER BY",
		of: 'from "webhook_deliveries" indexed by webhook_deliveries_once',
		why: "The deliveries of one event, one for each endpoint.",
	},
	{
		step: "USE TEMP B-TREE FOR ORDER BY",
		of: 'from "webhook_receipts" "receipt" where ("receipt"."event_id" =',
		why: "The deliveries of one event, one for each endpoint.",
	},
	{
		step: "USE TEMP B-TREE FOR ORDER BY",
		of: '"organizations"."slug" = ?',
		why: "A slug names one organization.",
	},
	{
		step: "USE TEMP B-TREE FOR ORDER BY",
		of: '"allocations"."cause_id" = "allocations"."transaction_id"',
		why: "One payment has as many allocations as it pays installments.",
	},
	{
		step: "USE TEMP B-TREE FOR json_group_array(ORDER BY)",
		of: 'from "memberships" ',
		why: "The memberships of one user.",
	},
	{
		step: "USE TEMP B-TREE FOR GROUP BY",
		of: 'select status as "status", count(*) as "count" from ( select id, status,',
		why: "The last thousand deliveries of one endpoint.",
	},
	{
		step: "UNION USING TEMP B-TREE",
		of: 'select "activation"."account_id" from "activations" "activation" where "activation"."id" = ? union select "closure"."account_id"',
		why: "At most three ids.",
	},
	{
		step: "USE TEMP B-TREE FOR ORDER BY",
		of: 'cross join "agent_events" "agent_event" on "agent_event"."organization_id" = ? and "agent_event"."event_id" = j.value',
		why: "The penalties that one batch names, of which there are at most 500.",
	},
	{
		step: "USE TEMP B-TREE FOR ORDER BY",
		of: 'cross join "agent_supervisions" "agent_supervision" on "agent_supervision"."organization_id" = ? and "agent_supervision"."agent_user_id" = j.value',
		why: "The agents that one batch names, with their direct supervisors and agents.",
	},
	{
		step: "USE TEMP B-TREE FOR ORDER BY",
		of: "with recursive up(user_id, level) as",
		why: "An agent's supervisors and the agents below, over a few levels.",
	},
	{
		step: "SEARCH limits USING AUTOMATIC COVERING INDEX (webhook_id=?)",
		of: "with limits(webhook_id, free",
		why: "One row for each endpoint of the deliveries that are claimed together.",
	},
	{ step: "USE TEMP B-TREE FOR ORDER BY", of: "with limits(webhook_id, free", why: "The deliveries that are claimed together." },
	{
		step: "USE TEMP B-TREE FOR GROUP BY",
		of: "with ended as materialized ( select delivery.webhook_id as webhook_id,",
		why: "The attempts whose ends are committed together.",
	},
	{
		step: "USE TEMP B-TREE FOR GROUP BY",
		of: "sum(looked_at.overdue)",
		why: "At most 1,001 overdue accounts, by their currencies.",
	},
	{
		step: "USE TEMP B-TREE FOR GROUP BY",
		of: 'sum("day"."principal_over0") as "overdue"',
		why: "Thirty-one days of each loan product of one lender.",
	},
	{
		step: /^(SCAN payments USING INDEX payments_unmatched|USE TEMP B-TREE FOR GROUP BY)$/,
		of: "FROM payments WHERE status = 'UNMATCHED' GROUP BY currency",
		why: "Payments that wait for somebody, whose sum is asked.",
	},
	{ step: /^SCAN backup_tables/, of: "from backup_tables order by backup_tables.name", why: "A row for each table of the database." },
	{ step: "SCAN kept", of: 'from "disbursements" kept', why: "A portion of the rows, in the order of their key." },
	{ step: "SCAN kept", of: 'from "payments" kept', why: "A portion of the rows, in the order of their key." },
	{ step: "SCAN noted", of: "from (select * from changed_rows noted", why: "A portion of the changes of one table." },
	{ step: /^SCAN backup_key_files USING INDEX backup_key_files_unwritten/, of: "backup_key_files", why: "It ends with the first one." },
	{ step: "SCAN changed_rows EXISTS", of: "EXISTS (SELECT 1 FROM changed_rows)", why: "It ends with the first row." },
	{
		step: "USE TEMP B-TREE FOR ORDER BY",
		of: "place % batchSize = 0 and place / batchSize <",
		why: "A window of the due deliveries of each endpoint that is looked at.",
	},
	{
		step: /^(SCAN line VIRTUAL TABLE INDEX 1:|USE TEMP B-TREE FOR GROUP BY)$/,
		of: 'sum(line.value ->> 1) as "amount" from "journal_entries"',
		why: "The few lines of each entry of the days that are closed.",
	},
	{
		step: /^SEARCH payments USING INDEX payments_(posted|open)_of .* \(past amount\)$/,
		of: "payments.amount in (select value from json_each(",
		why: "The payments around the times of a statement's portion, at most a thousand of each kind.",
	},
	{
		step: "SCAN provider_statements USING INDEX provider_statements_work",
		of: 'where (+"provider_statements"."organization_id" = ? and "provider_statements"."status" in (\'MATCHING\'',
		why: "The statements that are being compared: the sweep takes them out within minutes.",
	},
	{
		step: "SEARCH tariff_charges USING PRIMARY KEY (organization_id=? AND day>? AND day<?) (past named_by)",
		of: "update tariff_charges set fee =",
		why: "The charges of a statement's days and of a few around them, once for each comparison.",
	},
	{
		step: "SEARCH named USING AUTOMATIC COVERING INDEX (day=?) LEFT-JOIN",
		of: "insert into provider_charges",
		why: "A row for each day of one statement, of which there are at most 92.",
	},
	{
		step: "SEARCH disbursements USING INDEX disbursements_paid_of (organization_id=? AND occurred_at>?) (past provider)",
		of: "from payment_connections where",
		why: "What one lender has paid out within a day, at most a thousand.",
	},
	{
		step: "SCAN set_offs_due",
		of: 'from "set_offs_due" limit',
		why: "The first fifty days whose charges wait to be set off: the sweep takes each out within minutes.",
	},
	{
		step: "USE TEMP B-TREE FOR GROUP BY",
		of: "insert into provider_charges",
		why: "The lines of one statement whose charges are named, once for each comparison.",
	},
];

/** Drizzle quotes the names that it writes. */
const withoutQuotes = (statement: string): string => statement.replaceAll('"', "");

export const isExcused = ({ step, statement }: Fault): boolean =>
	EXCUSES.some(
		(excuse) =>
			(typeof excuse.step === "string" ? step === excuse.step : excuse.step.test(step)) &&
			withoutQuotes(statement).includes(withoutQuotes(excuse.of)),
	);
