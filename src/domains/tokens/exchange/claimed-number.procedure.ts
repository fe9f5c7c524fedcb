// The mobile number that an issuer's token asserts, where its record lets it. It becomes the first number of a user who has none, and no
// account that its codes would guard; it joins no accounts and changes no number, so a number that somebody has is ignored.

import type { Write } from "../../../db/database";
import { orStaleUnless } from "../../../db/guards";
import type { Reservation } from "../../../db/names";
import { first } from "../../../db/reads";
import type { Elsewhere } from "../../../runtime/services";
import { firstNumberOf, setFirstNumber } from "../../users/model/first-number.plan";
import { phoneName } from "../../users/model/store";
import type { UserRow } from "../../users/model/table";
import { numberState } from "../../users/phone-name.procedure";
import { provenNumber } from "../issuers/claims.plan";
import { logIgnored, type Verified } from "../verification.procedure";

type First = { readonly writes: readonly Write[]; readonly names: readonly Reservation[] };

/** Whether the user has money that codes guard: what gets its codes then changes by a proof of theirs, never by the word of an issuer. */
export async function guardsMoney(services: Elsewhere, { id }: Pick<UserRow, "id">): Promise<boolean> {
	const found = await services.at(id).db.read(first(services.guarded.find(id)));
	return Boolean(found?.guards);
}

/** The writes belong after those that create the user, in their home, and the names to the same commit. */
export async function claimedNumber(services: Elsewhere, { issuer, all }: Verified, user: UserRow): Promise<First> {
	const none = { writes: [], names: [] };
	if (user.mobileNumber !== null) return none;
	const number = provenNumber(all, issuer);
	if (number === undefined) return none;
	if ((await numberState(services, number)).kind !== "FREE") {
		logIgnored(services.log, issuer, "phone_number", "somebody has the number");
		return none;
	}
	const there = services.at(user.id);
	if (await guardsMoney(services, user)) {
		logIgnored(services.log, issuer, "phone_number", "the user has an account, whose number only a proof of theirs sets");
		return none;
	}
	const row = firstNumberOf(there, user.id, {
		id: there.newId(),
		newNumber: number,
		provider: "NONE",
		namesFinishedAt: services.now,
	});
	return {
		writes: [orStaleUnless(services.guarded.hasNone(user.id)), ...setFirstNumber(there, user, row)],
		names: [{ kind: "PHONE", value: await phoneName(services, number), id: user.id }],
	};
}
