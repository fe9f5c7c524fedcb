// Builds the statements on the texts of lenders, and on their readers.

import { eq, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { bare, bareList, excluded, qualified } from "../../../db/columns";
import type { Orm } from "../../../db/database";
import { isUuid } from "../../../shared/ids";
import type { Locale } from "../../../shared/locale";
import { users } from "../../users/model/table";
import { organizations } from "../table";
import { type OwnTexts, organizationTexts } from "./table";

const reader = alias(users, "reader");
const lender = alias(organizations, "lender");
const ownTexts = alias(organizationTexts, "own_texts");

/** A `MessageReader` as JSON. */
export const readerOf = (userId: SQLWrapper): SQL<string | null> =>
	qualified(sql<
		string | null
	>`(select json_object('locale', coalesce(${reader.locale}, ${reader.signInLocale}), 'lender', ${lender.name}, 'lenderLocale', ${ownTexts.locale}, 'texts', json(${ownTexts.texts}))
		from ${users} ${reader} left join ${organizations} ${lender} on ${lender.id} = ${reader.homeOrganizationId}
			left join ${organizationTexts} ${ownTexts} on ${ownTexts.organizationId} = ${reader.homeOrganizationId}
		where ${reader.id} = ${userId})`);

/** The language of the selected user who has not chosen one: that of their app at the last sign-in, else their lender's. */
export const usualLocale = qualified(
	sql<Locale | null>`coalesce(${users.signInLocale}, (select ${ownTexts.locale} from ${organizationTexts} ${ownTexts} where ${ownTexts.organizationId} = ${users.homeOrganizationId}))`,
);

/** In which languages to write to a user. */
export const findLanguages = (orm: Orm, userId: SQLWrapper) =>
	orm
		.select({ locale: users.locale, usualLocale: usualLocale.as("usual_locale") })
		.from(users)
		.where(eq(users.id, userId));

/** The organization of the id or slug, and its own texts if this is its home. */
export const findTexts = (orm: Orm, reference: string) =>
	orm
		.select({
			id: organizations.id,
			name: organizations.name,
			locale: organizationTexts.locale,
			texts: organizationTexts.texts,
		})
		.from(organizations)
		.leftJoin(organizationTexts, eq(organizationTexts.organizationId, organizations.id))
		.where(isUuid(reference) ? eq(organizations.id, reference) : eq(organizations.slug, reference));

type Replaced = {
	readonly organizationId: string;
	readonly now: number;
	readonly locale: Locale;
	readonly texts: NonNullable<OwnTexts[Locale]>;
	/** undefined: stays as it is. */
	readonly defaultLocale: Locale | null | undefined;
};

/** Replaces the texts in one language, so that changes of others at the same time survive. */
export const replaceTexts = (orm: Orm, { organizationId, now, locale, texts, defaultLocale }: Replaced) => {
	const t = organizationTexts;
	const json = JSON.stringify(texts);
	return orm.run(sql`
		insert into ${t} (${bareList(t.organizationId, t.locale, t.texts, t.updatedAt)})
		values (${organizationId}, ${defaultLocale ?? null}, json_object(${locale}, json(${json})), ${now})
		on conflict do update set ${bare(t.texts)} = json_set(${t.texts}, ${`$.${locale}`}, json(${json})), ${bare(t.updatedAt)} = ${now}
			${defaultLocale === undefined ? sql`` : sql`, ${bare(t.locale)} = ${excluded(t.locale)}`}`);
};
