// Sends OpenFGA what users hold. One request removes what a user no longer holds and writes what they do; a tuple that is there already, or
// gone already, is no fault of it, so that a repetition does no harm. Servers have taken such requests since 1.10.

import type { Config } from "../../runtime/config";
import type { Log } from "../../runtime/log";
import type { AuthorizationTuples, Fetch, Held } from "../../runtime/ports";
import { MERCHANT_PERMISSIONS, PERMISSIONS, ROLES, relationOf, relationOfRole } from "../../shared/permissions";
import { answerTo, logged, objectOf } from "./requests";

export const openFgaTuples = (config: Config, fetch: Fetch, log: Log): AuthorizationTuples => ({
	async keep(held) {
		const { object, present, absent } = await relationsOf(held);
		const keys = (relations: readonly string[]) => relations.map((relation) => ({ user: `user:${held.userId}`, relation, object }));
		const change = {
			...(present.length > 0 && { writes: { tuple_keys: keys(present), on_duplicate: "ignore" } }),
			...(absent.length > 0 && { deletes: { tuple_keys: keys(absent), on_missing: "ignore" } }),
		};
		await logged(log, answerTo("write", change, { config, fetch }));
	},
});

type Relations = { readonly object: string; readonly present: readonly string[]; readonly absent: readonly string[] };

/** A permission that a deployer gave to a member in addition to the role stays as long as they are one. */
async function relationsOf(held: Held): Promise<Relations> {
	if ("merchantId" in held) {
		const { permissions, merchantId: id, organizationId } = held;
		const present = permissions.map(relationOf);
		const absent = MERCHANT_PERMISSIONS.map(relationOf).filter((relation) => !present.includes(relation));
		return { object: await objectOf({ type: "merchant", id, organizationId }), present, absent };
	}
	const object = await objectOf({ type: "organization", id: held.organizationId });
	const roles = ROLES.map(relationOfRole);
	if (held.role === null) return { object, present: [], absent: [...roles, ...PERMISSIONS.map(relationOf)] };
	const role = relationOfRole(held.role);
	return { object, present: [role], absent: roles.filter((other) => other !== role) };
}
