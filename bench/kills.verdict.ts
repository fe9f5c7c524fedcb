// Judges what the database holds after kills: whether each answered write is there exactly once, money agrees, and every event was
// delivered.

import type { DatabaseSync } from "node:sqlite";
import type { Receiver } from "../src/dev/receiver.ts";
import { type Answered, KINDS, type Kind, PREFIX } from "./kills.load.ts";
import { DEPOSIT, type Organization, type Pair } from "./people.ts";

type Counted = { readonly what: string; readonly answered: number; readonly lost: number; readonly doubled: number };

export type Verdict = {
	readonly writes: readonly Counted[];
	/** What disagrees, and in which row. */
	readonly disagreeing: readonly string[];
	readonly events: number;
	/** Events without exactly one delivery for each endpoint that wants them. */
	readonly misdelivered: number;
	/** Deliveries that no receiver got. */
	readonly unreceived: number;
	/** Requests that the endpoint got that gets events in order; and those that came before an older event of the same account had arrived. */
	readonly ordered: number;
	readonly outOfOrder: number;
	/** Requests that the receiver got beyond one for each delivery. */
	readonly repeatedDeliveries: number;
};

/** The rows that the callers' writes created, by the callers' own marks. `%` stands for the load's prefix. */
const ROWS: Record<Kind, string> = {
	organization: "select slug as mark, id from organizations where slug like '%'",
	"API key": "select name as mark, id from api_keys where name like '%'",
	admission: `select e.data ->> 'user_id' as mark, e.data ->> 'user_id' as id from webhook_events e
		where e.event_type = 'user.admitted' and e.data ->> 'user_id' not in (select user_id from current_accounts)`,
	offer: "select user_id as mark, id from loan_applications",
	loan: `select c.application_id as mark, c.application_id as id from credit_cycles c
		join account_transactions t on t.account_id = c.account_id and t.kind = 'DRAW' and t.amount = c.principal`,
	repayment: "select coalesce(transaction_id_sent, mobile_money_transaction_id) as mark, id from payments",
	transfer: `select t.note as mark, t.id from transfers t join current_account_entries e on e.source_id = t.id and e.account_id = t.account_id
		where t.status = 'COMPLETED'`,
};

/** Each finds what disagrees, and names it. */
const DISAGREEMENTS: readonly { readonly what: string; readonly sql: string }[] = [
	{
		what: "the principal of a credit account is what was lent less what was repaid of it",
		sql: `select a.id from credit_accounts a where a.principal_outstanding <>
			coalesce((select sum(principal) from credit_cycles c where c.account_id = a.id), 0) -
			coalesce((select sum(principal_amount) from allocations l where l.account_id = a.id), 0)`,
	},
	{
		what: "the payments of a credit account are its repayments, and all of them are allocated or overpaid",
		sql: `select a.id from credit_accounts a where
			(select coalesce(sum(amount), 0) from payments p where p.account_id = a.id) <>
			(select coalesce(sum(amount), 0) from account_transactions t where t.account_id = a.id and t.kind = 'REPAYMENT') or
			(select coalesce(sum(amount), 0) from payments p where p.account_id = a.id) <>
			a.overpaid_amount + (select coalesce(sum(allocated_amount), 0) from allocations l where l.account_id = a.id)`,
	},
	{
		what: "a payment is posted",
		sql: `select p.id from payments p where p.status <> 'POSTED' or not exists (
			select 1 from account_transactions t where t.id = p.id and t.kind = 'REPAYMENT' and t.amount = p.amount)`,
	},
	{
		what: "the balance of a current account is the sum of its entries, and nothing is held",
		sql: `select a.id from current_accounts a where a.held <> 0 or a.balance <>
			(select coalesce(sum(amount), 0) from current_account_entries e where e.account_id = a.id)`,
	},
	{
		what: "a transfer leaves one account and arrives at another once",
		sql: `select t.id from transfers t where
			(select group_concat(amount) from (select amount from current_account_entries e where e.source_id = t.id order by amount)) is not
			(-t.amount || ',' || t.amount)`,
	},
	...(
		[
			["payments", "repayment.posted"],
			["transfers", "transfer.completed"],
			["loan_applications", "loan_application.submitted"],
			["api_keys", "api_key.created"],
		] as const
	).map(([table, type]) => ({
		what: `${table} have one event ${type} each`,
		sql: `select t.id from ${table} t where (
			select count(*) from webhook_events e where e.organization_id = t.organization_id and e.event_key = '${type}:' || t.id) <> 1`,
	})),
];

/** The text of an id in 16 bytes. */
const uuid = (column: string) => {
	const digits = (from: number, count: number) => `substr(hex(${column}), ${from}, ${count})`;
	return `lower(${digits(1, 8)} || '-' || ${digits(9, 4)} || '-' || ${digits(13, 4)} || '-' || ${digits(17, 4)} || '-' || ${digits(21, 12)})`;
};

export function judge(database: DatabaseSync, { answered, receiver, organization, ordered, pairs }: Judged): Verdict {
	const rows = (sql: string, ...values: string[]) => database.prepare(sql).all(...values) as { mark: string; id: string | null }[];
	const writes = KINDS.map((kind) => {
		const expected = answered.filter((write) => write.kind === kind);
		return { what: kind, ...compare(expected, rows(ROWS[kind].replaceAll("%", `${PREFIX}%`))) };
	});
	const disagreeing = DISAGREEMENTS.flatMap(({ what, sql }) => rows(sql).map(({ id }) => `${id}: not true that ${what}`));
	const total = Number(database.prepare("select sum(balance) as total from current_accounts").get()?.total);
	if (total !== pairs.length * DEPOSIT)
		disagreeing.push(`current accounts: ${pairs.length * DEPOSIT} were paid in, and they hold ${total}`);

	const made = `made as materialized (
		select id, event_id, webhook_id from webhook_deliveries
		union all select ${uuid("id")}, ${uuid("event_id")}, ${uuid("webhook_id")} from webhook_receipts)`;
	const events = rows(
		`with ${made}, wanted as (
				select e.id as event_id, w.id as webhook_id from webhook_events e join webhook_endpoints w on w.organization_id = e.organization_id
				where e.organization_id = ?1 and e.created_at >= (select max(created_at) from webhook_endpoints where organization_id = ?1)
					and not (e.event_type like 'webhook.%' and e.data ->> 'webhook_id' = w.id)
					and (w.filter is null or exists (
						select 1 from json_each(w.filter, '$[0].in') i where e.event_type like replace(replace(i.value, '_', '\\_'), '*', '%') escape '\\')))
			select wanted.event_id as id, count(made.id) as mark
			from wanted left join made on made.event_id = wanted.event_id and made.webhook_id = wanted.webhook_id
			group by wanted.event_id, wanted.webhook_id`,
		organization.id,
	);
	const place = new Map(
		database
			.prepare(
				`with ${made} select made.id as id, e.sequence as sequence, e.data ->> 'account_id' as account from made join webhook_events e on e.id = made.event_id
				where made.webhook_id = ?`,
			)
			.all(ordered)
			.map(({ id, sequence, account }) => [String(id), { sequence: Number(sequence), account: String(account) }]),
	);
	const last = new Map<string, number>();
	const inOrder = receiver.deliveries.flatMap(({ id }) => place.get(id) ?? []);
	const outOfOrder = inOrder.filter(({ sequence, account }) => {
		const isLate = sequence < (last.get(account) ?? 0);
		last.set(account, Math.max(sequence, last.get(account) ?? 0));
		return isLate;
	});
	const deliveries = rows(
		`select id from webhook_deliveries where organization_id = ?1
			union all select ${uuid("id")} from webhook_receipts where ${uuid("organization_id")} = ?1`,
		organization.id,
	);
	const received = new Set(receiver.deliveries.filter(({ answered: status }) => status === 200).map(({ id }) => id));
	return {
		writes,
		disagreeing,
		events: events.length,
		misdelivered: events.filter(({ mark }) => Number(mark) !== 1).length,
		unreceived: deliveries.filter(({ id }) => id !== null && !received.has(id)).length,
		ordered: inOrder.length,
		outOfOrder: outOfOrder.length,
		repeatedDeliveries: receiver.deliveries.length - new Set(receiver.deliveries.map(({ id }) => id)).size,
	};
}

export type Judged = {
	readonly answered: readonly Answered[];
	readonly receiver: Receiver;
	readonly organization: Organization;
	/** The endpoint that gets events in order. */
	readonly ordered: string;
	readonly pairs: readonly Pair[];
};

/** Lost: not there with the id that was answered. Doubled: there without an answer for it. */
function compare(answered: readonly Answered[], rows: readonly { mark: string; id: string | null }[]): Omit<Counted, "what"> {
	const left = Map.groupBy(rows, ({ mark, id }) => `${mark} ${id}`);
	const lost = answered.filter(({ mark, id }) => left.get(`${mark} ${id}`)?.pop() === undefined).length;
	return { answered: answered.length, lost, doubled: [...left.values()].flat().length };
}

export const isFaultless = ({ writes, disagreeing, misdelivered, unreceived, outOfOrder }: Verdict): boolean =>
	writes.every(({ lost, doubled }) => lost === 0 && doubled === 0) &&
	disagreeing.length === 0 &&
	misdelivered === 0 &&
	unreceived === 0 &&
	outOfOrder === 0;
