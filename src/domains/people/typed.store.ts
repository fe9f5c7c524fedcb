// What payers type where an account's number belongs, as payments and the lines of statements repeat it: many type a mobile number, some a
// name.

import { type Column, type SQL, sql } from "drizzle-orm";
import { assign } from "../../db/columns";
import { ERASED } from "../../shared/named-persons";
import { creditAccounts } from "../credit-accounts/table";
import { statementBreaks, statementLines } from "../reconciliation/table";
import { payments } from "../repayments/table";
import { type Person, typedParts, typedWhole } from "./person.policy";

type Typed = Column | SQL;

const compact = (text: Typed) => sql`lower(replace(replace(${text}, ' ', ''), '-', ''))`;
/** The number of an account names nobody, also with such digits in it. */
const isAccount = (text: Typed) =>
	sql`(length(${compact(text)}) = 13 and ${compact(text)} glob '[1-5]*' and ${compact(text)} not glob '*[^0-9]*')`;
/** SQLite makes only letters without accents small. */
const forms = (texts: readonly string[]) =>
	JSON.stringify([...new Set(texts.flatMap((text) => [text, text.toUpperCase().replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())]))]);

const names = (text: Typed, person: Person): SQL => sql`(${text} is not null and not ${isAccount(text)} and (
	${compact(text)} in (select value from json_each(${forms(typedWhole(person))}))
	or exists (select 1 from json_each(${forms(typedParts(person))}) said where instr(${compact(text)}, said.value) > 0)))`;

/** Whether one of the texts is the person's name, or has a number, a mail address or the whole name of theirs in it. */
const typedByPayer =
	(...texts: readonly [Typed, ...Typed[]]) =>
	(person: Person): SQL | undefined =>
		person.addresses.length + person.names.length === 0
			? undefined
			: sql`(${sql.join(
					texts.map((text) => names(text, person)),
					sql` or `,
				)})`;

/** What is left of it: the number of an account. */
const withoutTyped = (text: Typed): SQL => sql`iif(${text} is null or ${isAccount(text)}, ${text}, ${ERASED})`;

const [reference, bankReference] = [sql`${payments.details} ->> '$.account_reference'`, sql`${payments.details} ->> '$.reference'`];
const namesPayer = typedByPayer(payments.accountNumber, reference, bankReference);

/** Also every text that was typed of a payment to the person's own account. */
const typedInPayment = (person: Person): SQL => {
	const own = sql`(${payments.accountId} in (select ${creditAccounts.id} from ${creditAccounts} where ${creditAccounts.userId} = ${person.userId})
		and (${withoutTyped(payments.accountNumber)} is not ${payments.accountNumber} or ${withoutTyped(reference)} is not ${reference}
			or ${withoutTyped(bankReference)} is not ${bankReference}))`;
	const named = namesPayer(person);
	return named ? sql`(${own} or ${named})` : own;
};

/** The details repeat it. */
const paymentWithoutTyped = assign(payments, {
	accountNumber: withoutTyped(payments.accountNumber),
	details: sql`json_replace(${payments.details}, '$.account_reference', ${withoutTyped(reference)}, '$.reference', ${withoutTyped(bankReference)})`,
});

/** Places of an erasure. */
export const TYPED_PLACES = [
	{ table: payments, key: [payments.id], where: typedInPayment, becomes: () => paymentWithoutTyped },
	{
		table: statementLines,
		key: [statementLines.statementId, statementLines.row],
		where: typedByPayer(statementLines.reference, statementLines.linked),
		// The other of them may be what a return is matched by.
		becomes: (person: Person) =>
			assign(statementLines, {
				reference: sql`iif(${names(statementLines.reference, person)}, ${ERASED}, ${statementLines.reference})`,
				linked: sql`iif(${names(statementLines.linked, person)}, ${ERASED}, ${statementLines.linked})`,
			}),
	},
	{
		table: statementBreaks,
		key: [statementBreaks.id],
		where: typedByPayer(statementBreaks.reference),
		becomes: () => assign(statementBreaks, { reference: withoutTyped(statementBreaks.reference) }),
	},
] as const;
