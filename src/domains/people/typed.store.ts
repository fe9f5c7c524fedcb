// What payers type where an account's number belongs: many type a mobile number, some a name.

import { type SQL, sql } from "drizzle-orm";
import { assign } from "../../db/columns";
import { ERASED } from "../../shared/named-persons";
import { payments } from "../repayments/table";
import { compactOf, type Person, typedForms } from "./person.policy";

const typed = sql`lower(replace(replace(${payments.accountNumber}, ' ', ''), '-', ''))`;
/** The number of an account names nobody, also with such digits in it. */
const isAccount = sql`(length(${typed}) = 13 and ${typed} glob '[1-5]*' and ${typed} not glob '*[^0-9]*')`;

/** Whether what was typed is the person's name, or has a number or mail address of theirs in it. */
export const typedByPayer = ({ addresses, names }: Person): SQL | undefined =>
	addresses.length + names.length === 0
		? undefined
		: sql`(${payments.accountNumber} is not null and not ${isAccount} and (
			${typed} in (select value from json_each(${JSON.stringify(names.map(compactOf))}))
			or exists (select 1 from json_each(${JSON.stringify(typedForms({ addresses }))}) said where instr(${typed}, said.value) > 0)))`;

/** The details repeat it. */
export const withoutTyped = assign(payments, {
	accountNumber: ERASED,
	details: sql`json_replace(${payments.details}, '$.account_reference', ${ERASED}, '$.reference', ${ERASED})`,
});
