// Builds the SQL that keeps what providers charged: for each payment and payout whose charge a statement names, and for each day what is left.

import { and, between, eq, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { bare, bareList, excluded } from "../../db/columns";
import type { Orm, Write } from "../../db/database";
import { addDays } from "../../shared/time";
import { setOffsDue, tariffCharges } from "../ledger/model/tariff.table";
import { NAMES_CHARGE, providerCharges, type StatementRow, statementLines } from "./table";

const { kind, status, factKey, amount, fee } = statementLines;
const eachCharge = alias(providerCharges, "each_charge");
const setOff = alias(providerCharges, "set_off");

// What is recorded here as something else is in the journal already, and a second payment of a payout is a break.
const isCharge = sql`${kind} = 'CHARGE' and ${status} = 'MATCHED' and ${factKey} is null`;
/** What a line says that the provider charged, less what it gave back of charges. */
export const CHARGED: SQL = sql`iif(${isCharge}, -${amount}, 0) + ${fee}`;
/** The same without what was given back. */
export const TAKEN: SQL = sql`iif(${isCharge}, max(-${amount}, 0), 0) + ${fee}`;

/** What no statement changes. */
const OF_TARIFFS = [
	...([tariffCharges.organizationId, tariffCharges.day, tariffCharges.fact, tariffCharges.channel] as const),
	...([tariffCharges.currency, tariffCharges.tariffId, tariffCharges.estimate] as const),
];

const DAY_OF_CHARGES = [
	...([providerCharges.organizationId, providerCharges.channel, providerCharges.number] as const),
	...([providerCharges.account, providerCharges.currency, providerCharges.day] as const),
];
/** The amount of a day takes the place of the one before, where it is another one. */
const inItsPlace = sql`on conflict (${bareList(...DAY_OF_CHARGES)})
	do update set ${bare(providerCharges.amount)} = ${excluded(providerCharges.amount)}, ${bare(providerCharges.bookedAt)} = ${excluded(providerCharges.bookedAt)}
	where ${providerCharges.amount} <> ${excluded(providerCharges.amount)}`;

/** A line names the charge of a payment or payout of at most so many days before or after it: see `chargeOf`. */
const AROUND_DAYS = 4;

type Charged = Pick<StatementRow, "id" | "organizationId" | "channel" | "number" | "account" | "currency" | "fromDay" | "toDay">;

/** A payment or payout, as `tariff_charges` has it. */
export type Named = { readonly day: string; readonly fact: string };

const { organizationId: owner, day: paidOn, fact: named, namedBy } = tariffCharges;
const unnamed = (now: number) => ({ fee: null, namedBy: null, amount: sql`${tariffCharges.estimate}`, bookedAt: now });

/**
 * Each of these payments and payouts has the charge that the statement's lines name, in place of its tariff's; the journal gets the
 * difference. `facts`: those that a portion of its lines names, or has named.
 */
export function nameCharges(
	orm: Orm,
	{ id, organizationId }: Pick<Charged, "id" | "organizationId">,
	facts: readonly Named[],
	now: number,
): Write[] {
	const of = tariffCharges;
	if (facts.length === 0) return [];
	const charges = sql`(select value ->> 'day' as day, value ->> 'fact' as fact, (select sum(${CHARGED}) from ${statementLines}
		where ${statementLines.statementId} = ${id} and ${statementLines.chargeOf} = value ->> 'fact' and ${statementLines.chargeDay} = value ->> 'day'
			and ${NAMES_CHARGE}) as charged from json_each(${JSON.stringify(facts)}))`;
	return [
		orm
			.update(of)
			.set(unnamed(now))
			.where(
				and(
					eq(owner, organizationId),
					eq(namedBy, id),
					sql`(${paidOn}, ${named}) in (select day, fact from ${charges} where coalesce(charged, -1) < 0)`,
				),
			),
		// Another statement that names it too keeps what it says for the day.
		orm.run(sql`insert into ${of} (${bareList(...OF_TARIFFS, of.fee, of.namedBy, of.amount, of.bookedAt)})
			select ${sql.join(
				OF_TARIFFS.map((column) => sql`${column}`),
				sql`, `,
			)}, named.charged, ${id}, named.charged, ${now}
			from ${charges} named cross join ${of}
			where ${owner} = ${organizationId} and ${paidOn} = named.day and ${of.fact} = named.fact
				and coalesce(${namedBy}, ${id}) = ${id} and ${of.fee} is not named.charged and named.charged >= 0
			on conflict (${bareList(owner, paidOn, of.fact)}) do update set ${sql.join(
				[of.fee, of.namedBy, of.amount, of.bookedAt].map((column) => sql`${bare(column)} = ${excluded(column)}`),
				sql`, `,
			)}`),
	];
}

/** The payments and payouts that these lines name have their tariff's charge again. `rows`: a query for numbers of lines. */
export const unnameCharges = (orm: Orm, { id, organizationId }: Pick<Charged, "id" | "organizationId">, rows: SQL, now: number): Write =>
	orm
		.update(tariffCharges)
		.set(unnamed(now))
		.where(
			and(
				eq(owner, organizationId),
				eq(namedBy, id),
				sql`(${paidOn}, ${named}) in (select ${statementLines.chargeDay}, ${statementLines.chargeOf} from ${statementLines}
					where ${statementLines.statementId} = ${id} and ${statementLines.row} in (${rows}) and ${NAMES_CHARGE})`,
			),
		);

/** The same for those that no line names any more, because lines were sent again. */
function unnameRest(orm: Orm, { id, organizationId, fromDay, toDay }: Charged, now: number): Write {
	const { chargeDay, chargeOf, statementId } = statementLines;
	return orm
		.update(tariffCharges)
		.set(unnamed(now))
		.where(
			and(
				eq(owner, organizationId),
				between(paidOn, addDays(fromDay, -AROUND_DAYS), addDays(toDay, AROUND_DAYS)),
				eq(namedBy, id),
				sql`(${paidOn}, ${named}) not in (select ${chargeDay}, ${chargeOf} from ${statementLines} where ${statementId} = ${id} and ${NAMES_CHARGE})`,
			),
		);
}

type SetOff = Pick<Charged, "organizationId" | "channel" | "currency" | "fromDay" | "toDay">;

/** On each day, the charges of statements that name no payment take the place of charges by tariff that no line names, as far as they go. */
function keepSetOff(orm: Orm, { organizationId, channel, currency, fromDay, toDay }: SetOff, now: number): Write {
	const of = providerCharges;
	const ofDay = (table: typeof eachCharge | typeof setOff) =>
		sql`${table.organizationId} = ${organizationId} and ${table.channel} = ${channel} and ${table.currency} = ${currency} and ${table.day} = days.day`;
	const byTariff = sql`(select coalesce(sum(${tariffCharges.amount}), 0) from ${tariffCharges} where ${tariffCharges.organizationId} = ${organizationId}
		and ${tariffCharges.day} = days.day and ${tariffCharges.channel} = ${channel} and ${tariffCharges.currency} = ${currency} and ${tariffCharges.namedBy} is null)`;
	const byStatements = sql`(select max(0, coalesce(sum(${eachCharge.amount}), 0)) from ${providerCharges} ${eachCharge} where ${ofDay(eachCharge)} and ${eachCharge.number} <> '')`;
	return orm.run(sql`insert into ${of} (${bareList(...DAY_OF_CHARGES, providerCharges.id, providerCharges.amount, providerCharges.bookedAt)})
		select ${organizationId}, ${channel}, '', '', ${currency}, day, ${`${organizationId}:${channel}:${currency}:`} || day, amount, ${now}
		from (select days.day as day, -min(${byTariff}, ${byStatements}) as amount from (select distinct ${of.day} as day from ${of} where ${of.organizationId} = ${organizationId}
			and ${of.channel} = ${channel} and ${of.currency} = ${currency} and ${of.day} between ${fromDay} and ${toDay}) days) sums
		where amount <> 0 or exists (select 1 from ${providerCharges} ${setOff} where ${setOff.organizationId} = ${organizationId} and ${setOff.channel} = ${channel}
			and ${setOff.currency} = ${currency} and ${setOff.day} = sums.day and ${setOff.number} = '')
		${inItsPlace}`);
}

/**
 * Keeps what each day of the statement was charged, in place of what was kept of its days before. The journal gets what differs, so the
 * same file again, or another comparison of it, adds nothing.
 */
export function keepCharges(
	orm: Orm,
	statement: Charged,
	days: readonly { readonly id: string; readonly day: string; readonly charged: number }[],
	now: number,
): Write[] {
	const { id: statementId, organizationId, channel, number, account, currency, fromDay, toDay } = statement;
	const charged = JSON.stringify(days);
	const of = providerCharges;
	return [
		unnameRest(orm, statement, now),
		orm
			.update(of)
			.set({ amount: 0, bookedAt: now })
			.where(
				and(
					eq(of.organizationId, organizationId),
					eq(of.channel, channel),
					eq(of.number, number),
					eq(of.account, account),
					between(of.day, fromDay, toDay),
					sql`${of.amount} <> 0 and (${of.currency} <> ${currency} or ${of.day} not in (select value ->> 'day' from json_each(${charged})))`,
				),
			),
		orm.run(sql`insert into ${of} (${bareList(...DAY_OF_CHARGES, providerCharges.id, providerCharges.amount, providerCharges.bookedAt)})
			select ${organizationId}, ${channel}, ${number}, ${account}, ${currency}, days.value ->> 'day', days.value ->> 'id', days.value ->> 'charged' - coalesce(named.charged, 0), ${now}
			from json_each(${charged}) days left join (
				select ${statementLines.day} as day, sum(${CHARGED}) as charged from ${statementLines} cross join ${tariffCharges}
				where ${statementLines.statementId} = ${statementId} and ${statementLines.chargeOf} is not null and ${owner} = ${organizationId}
					and ${paidOn} = ${statementLines.chargeDay} and ${tariffCharges.fact} = ${statementLines.chargeOf} and ${namedBy} = ${statementId}
				group by ${statementLines.day}) named on named.day = days.value ->> 'day'
			where days.value ->> 'charged' <> coalesce(named.charged, 0) or exists (select 1 from ${providerCharges} ${eachCharge} where ${eachCharge.organizationId} = ${organizationId}
				and ${eachCharge.channel} = ${channel} and ${eachCharge.number} = ${number} and ${eachCharge.account} = ${account} and ${eachCharge.currency} = ${currency}
				and ${eachCharge.day} = days.value ->> 'day')
			${inItsPlace}`),
		keepSetOff(orm, { ...statement, fromDay: addDays(fromDay, -AROUND_DAYS), toDay: addDays(toDay, AROUND_DAYS) }, now),
	];
}

export type DueSetOff = typeof setOffsDue.$inferSelect;

/** The most days of one turn of the sweep. */
export const SET_OFFS = 50;

export const findDueSetOffs = (orm: Orm) => orm.select().from(setOffsDue).limit(SET_OFFS);

/** What is due again after this commit is marked again by the charge that makes it so. */
export const setOffDay = (orm: Orm, due: DueSetOff, now: number): Write[] => [
	keepSetOff(orm, { ...due, fromDay: due.day, toDay: due.day }, now),
	orm
		.delete(setOffsDue)
		.where(
			and(
				eq(setOffsDue.organizationId, due.organizationId),
				eq(setOffsDue.channel, due.channel),
				eq(setOffsDue.currency, due.currency),
				eq(setOffsDue.day, due.day),
			),
		),
];
