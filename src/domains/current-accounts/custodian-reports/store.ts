// Finds what the custodian has reported already, and what it reports about.

import { eq, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Orm } from "../../../db/database";
import { insertOf, prebuilt } from "../../../db/prebuilt";
import { first } from "../../../db/reads";
import { findActivation } from "../activations/store";
import { activations } from "../activations/table";
import { findClosure } from "../closures/store";
import { closures } from "../closures/table";
import { selectAccounts } from "../ledger/store";
import { currentAccounts } from "../table";
import { custodianDecisions, custodianMovements } from "./table";

const eachActivation = alias(activations, "activation");
const eachClosure = alias(closures, "closure");

export const findDecision = (orm: Orm, id: string) => orm.select().from(custodianDecisions).where(eq(custodianDecisions.id, id));

const movementById = prebuilt((orm) =>
	orm
		.select()
		.from(custodianMovements)
		.where(eq(custodianMovements.id, sql.placeholder("id"))),
);
export const findMovement = (id: string) => movementById({ id });
export const insertMovement = insertOf(custodianMovements);

/** What a decision may be about: the account, or an activation or closure with its account. */
export const findSubject = (orm: Orm, id: string) => ({
	account: first(
		selectAccounts(orm).where(
			sql`${currentAccounts.id} in (select ${id} union select ${eachActivation.accountId} from ${activations} ${eachActivation} where ${eachActivation.id} = ${id}
				union select ${eachClosure.accountId} from ${closures} ${eachClosure} where ${eachClosure.id} = ${id})`,
		),
	),
	activation: first(findActivation(orm, id)),
	closure: first(findClosure(orm, id)),
});
