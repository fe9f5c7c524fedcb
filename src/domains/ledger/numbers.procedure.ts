// The numbers of the lender's own ledger for lines of journals.

import { first } from "../../db/reads";
import type { Services } from "../../runtime/services";
import { invalidState } from "../../shared/errors";
import type { CalendarDate } from "../../shared/time";
import type { SummedJournal } from "./journals.policy";
import { type MappingVersion, mappingOn } from "./model/mapping.policy";
import { findFirstNaming } from "./model/mapping.store";
import { nameOf } from "./wire";

/** Of an account on a day. Reads once more only for accounts that a later release has added to the chart. */
export async function numbersFor(
	{ db }: Pick<Services, "db">,
	organizationId: string,
	journals: readonly SummedJournal[],
	versions: readonly MappingVersion[],
	firstMade: MappingVersion | undefined,
) {
	const firsts: MappingVersion[] = firstMade ? [firstMade] : [];
	const lacking = new Set(
		journals.flatMap(({ day, lines }) => {
			const numberOf = mappingOn(versions, day, firsts);
			return lines.filter(({ account, loanProductId }) => !numberOf(account, loanProductId)).map(({ account }) => account);
		}),
	);
	if (lacking.size > 0) {
		const others = await db.read([...lacking].map((account) => first(findFirstNaming(db.orm, organizationId, account))));
		firsts.push(...others.flatMap((other) => other ?? []));
	}
	return (day: CalendarDate) => {
		const numberOf = mappingOn(versions, day, firsts);
		return (account: string, loanProductId: string) => {
			const number = numberOf(account, loanProductId);
			if (number) return number;
			throw invalidState(`${account} ${nameOf(account)} has no number on ${day}: ask for a mapping that names it`);
		};
	};
}
