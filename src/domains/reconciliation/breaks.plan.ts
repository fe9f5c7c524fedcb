// Turns the verdicts on lines and facts into writes: the outcome of each line, new breaks, and breaks that are over.

import type { Write } from "../../db/database";
import type { Services } from "../../runtime/services";
import { localDate } from "../../shared/time";
import { type Named, nameCharges } from "./charges.store";
import { headerHas } from "./format.policy";
import { actionFor } from "./lifecycle";
import { chargeOf, type Fact, type Verdict } from "./match.policy";
import { keepBreaks, type Outcome, recordOutcomes, resolveBreaks } from "./store";
import type { BreakRow, LineRow, StatementRow } from "./table";

const UNDECIDED = {
	...({ status: "OPEN", decidedBy: null, decidedAt: null, reason: null, paymentId: null } as const),
	...({ askedProvider: null, askedAt: null, cause: null, answer: null, attempts: 0, nextAttemptAt: null } as const),
};
const factOf = (fact: Fact | undefined) => ({
	...{ factKind: fact?.kind ?? null, factKey: fact?.key ?? null, recordedId: fact?.id ?? null },
	recorded: fact?.amount ?? null,
});

/** In a file with fees, a payment without one was free. */
const namesFee = ({ fee }: LineRow, { header, mapping }: StatementRow): boolean => fee > 0 || headerHas("fee", header ?? [], mapping);

type Naming = Pick<LineRow, "chargeDay" | "chargeOf">;

/** The payments and payouts whose charges these lines name, or have named, once each. */
const namedBy = (lines: readonly Naming[]): Named[] => [
	...new Map(
		lines.flatMap(({ chargeDay: day, chargeOf: fact }) =>
			day === null || fact === null ? [] : [[`${day} ${fact}`, { day, fact }] as const],
		),
	).values(),
];

/** The writes for the verdicts on lines. */
export function planOutcomes(
	services: Services,
	statement: StatementRow,
	lines: readonly LineRow[],
	verdicts: readonly Verdict[],
): Write[] {
	const { db, now } = services;
	const byRow = new Map(lines.map((line) => [line.row, line]));
	const outcomes = verdicts.map((verdict): Outcome => {
		// A line that reports a fact a second time does not get it: the first line keeps it.
		const fact = verdict.status === "LEFT" || (verdict.status === "BREAK" && verdict.kind === "TWICE") ? undefined : verdict.fact;
		const line = byRow.get(verdict.row);
		const charged =
			verdict.status === "MATCHED" && verdict.charged ? verdict.charged : line && namesFee(line, statement) ? fact : undefined;
		const { chargeDay = null, chargeOf: charge = null } = chargeOf(charged, line?.at ?? 0) ?? {};
		return {
			...{ row: verdict.row, status: verdict.status, factKind: fact?.kind ?? null, factKey: fact?.key ?? null },
			...{ chargeDay, chargeOf: charge },
		};
	});
	const breaks = verdicts.flatMap((verdict): BreakRow[] => {
		const line = byRow.get(verdict.row);
		if (verdict.status !== "BREAK" || !line) return [];
		const { id: statementId, organizationId, currency, channel } = statement;
		const { row, day, at, receipt, reference, amount } = line;
		const { kind, difference, fact } = verdict;
		const action = actionFor({ kind, channel, amount, factKind: fact?.kind ?? null });
		return [
			{
				...{ id: services.newId(), organizationId, statementId, row, kind, action, createdAt: now },
				...{ day, at, receipt, reference, amount, difference, currency, ...factOf(fact), ...UNDECIDED },
			},
		];
	});
	const matched = verdicts.flatMap((verdict) => (verdict.status === "MATCHED" ? [verdict] : []));
	const reported = verdicts.flatMap((verdict) =>
		"fact" in verdict && verdict.fact ? [{ kind: verdict.fact.kind, key: verdict.fact.key }] : [],
	);
	return [
		recordOutcomes(db.orm, statement, outcomes),
		...nameCharges(db.orm, statement, namedBy([...lines, ...outcomes]), now),
		...keepBreaks(db.orm, breaks),
		...resolveBreaks(
			db.orm,
			statement,
			matched.map(({ row }) => row),
			reported,
		),
	];
}

/** The breaks for facts that are recorded here and on no line. */
export const planMissing = (services: Services, statement: StatementRow, facts: readonly Fact[]): Write[] =>
	keepBreaks(
		services.db.orm,
		facts.map((fact): BreakRow => {
			const { id: statementId, organizationId, currency, channel, mapping } = statement;
			const action = actionFor({ kind: "MISSING_THERE", channel, amount: fact.amount, factKind: fact.kind });
			const [receipt = null] = fact.receipts;
			const [reference = null] = fact.kind === "PAYMENT" ? fact.references : [];
			return {
				...{ id: services.newId(), organizationId, statementId, row: null, kind: "MISSING_THERE", createdAt: services.now },
				...{ action, day: localDate(fact.at, mapping.time_zone), at: fact.at },
				...{ receipt, reference, amount: null, difference: -fact.amount, currency, ...factOf(fact), ...UNDECIDED },
			};
		}),
	);
