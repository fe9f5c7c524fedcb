// Builds the statements on the texts of lenders, and on whoever reads them.

import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { qualified } from "../../../db/columns";
import { users } from "../../users/model/table";
import { organizations } from "../table";
import { organizationTexts } from "./table";

const reader = alias(users, "reader");
const lender = alias(organizations, "lender");
const own = alias(organizationTexts, "own_texts");

/** A `MessageReader` as JSON. */
export const readerOf = (userId: SQLWrapper): SQL<string | null> =>
	qualified(sql<
		string | null
	>`(select json_object('locale', coalesce(${reader.locale}, ${reader.signInLocale}), 'lender', ${lender.name}, 'lenderLocale', ${own.locale}, 'texts', json(${own.texts}))
		from ${users} ${reader} left join ${organizations} ${lender} on ${lender.id} = ${reader.homeOrganizationId}
			left join ${organizationTexts} ${own} on ${own.organizationId} = ${reader.homeOrganizationId}
		where ${reader.id} = ${userId})`);
