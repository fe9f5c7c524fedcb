// Who has a mobile number, while numbers change hands. The directory's name only reserves it: the row in the user's home decides.

import { eq } from "drizzle-orm";
import { names } from "../../db/names.table";
import { DIRECTORY_HOME } from "../../db/places";
import { first } from "../../db/reads";
import type { Elsewhere } from "../../runtime/services";
import { mobileNumberChanges } from "./model/number-change.table";
import { named, removeName } from "./model/phone-name.store";
import { findUser, phoneName } from "./model/store";

/** FREE: nobody has the number, and the directory does not name it. UNDECIDED: it is reserved for a change that has not ended yet. */
export type NumberState = { readonly kind: "FREE" } | { readonly kind: "UNDECIDED" } | { readonly kind: "HELD"; readonly userId: string };

/** Who has the number now. Removes a name that the user's row does not confirm and for which no change is open. */
export async function numberState(services: Elsewhere, number: string): Promise<NumberState> {
	const value = await phoneName(services, number);
	const { directory } = services.databases;
	const name = await directory.read(first(directory.orm.select().from(names).where(named(value))));
	if (!name) return { kind: "FREE" };
	const there = services.at(name.id);
	const { user, change } = await there.db.read({
		user: first(findUser(there.db.orm, name.id)),
		change: first(
			there.db.orm
				.select()
				.from(mobileNumberChanges)
				.where(eq(mobileNumberChanges.id, name.reservedFor ?? "")),
		),
	});
	if (user?.mobileNumber === number) return { kind: "HELD", userId: user.id };
	// A name without its user: an exchange was interrupted, and the next one creates the user under that id.
	if (!user) return { kind: "HELD", userId: name.id };
	// A change ends when its row says so, so an expired one is undecided until the sweep has stored that. The row of a first number is
	// written after the name, in the commit that gives the number: until the sweep has cleared the name, that commit may be under way.
	const isUnderWay = name.reservedFor === null ? name.reservedAt !== null : change === undefined;
	if (isUnderWay || change?.status === "INITIALIZING" || change?.status === "AUTHORIZED") return { kind: "UNDECIDED" };
	await services.at(DIRECTORY_HOME).commitRegardless([removeName(directory.orm, value, name)]);
	return { kind: "FREE" };
}
