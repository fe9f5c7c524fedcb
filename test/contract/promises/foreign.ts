// Ids of another organization: an operation answers them exactly like unknown ids, after the same number of round trips.

import type { AnyOperation } from "../../../src/http/operation";
import { forgetAll } from "../../../src/shared/cache";
import { meteredBindings } from "../../support/statements";
import type { ValidRequest } from "../../support/valid-request";
import { permitted, send } from "../senders";
import type { Parties } from "../valid-requests";
import type { Promises } from "./promises";

/** Operations whose paths hold what the caller has made up for a thing of their own, so that it is nobody else's. */
const NAMED_BY_CALLER: readonly string[] = ["registerDevice"];

/** What the path names by id, without the organization. */
export const namedBy = ({ id, path }: AnyOperation): string[] =>
	NAMED_BY_CALLER.includes(id)
		? []
		: [...path.matchAll(/{(\w+)}/g)].flatMap(([, name = ""]) => (/^(organizationId|merchantId)$/.test(name) ? [] : [name]));

/** Operators and providers may name what belongs to anybody. */
const isOwned = ({ access }: AnyOperation): boolean => Boolean((access.user || access.organization) && !access.signature);

/** Whether the operation names by id what belongs to somebody. */
export const namesOwned = (op: AnyOperation): boolean => isOwned(op) && namedBy(op).length > 0;

/** An unknown id in the same home. */
const unknown = (id: string): string => `${id.slice(0, -12)}${crypto.randomUUID().slice(-12)}`;

export async function expectNothingForeign(op: AnyOperation, request: ValidRequest, strangers: Parties, promises: Promises): Promise<void> {
	const ask = async (idOf: (id: string) => string) => {
		const ids = Object.fromEntries(namedBy(op).map((name) => [name, idOf(request.path?.[name] ?? "")]));
		const sent: ValidRequest = { ...request, path: { ...request.path, ...ids } };
		if (request.path?.organizationId) sent.path = { ...sent.path, organizationId: strangers.organization.id };
		forgetAll();
		const { vars, meter } = meteredBindings();
		const { status, body } = await send(op, sent, await permitted(op, strangers, sent), vars);
		const { identifier: _, ...told } = body;
		return { status, told, ...meter };
	};
	const others = await ask((id) => id);
	if (others.status < 400) promises.break("refuses another organization's id", "a status of 400 or more", JSON.stringify(others));
	promises.expect(
		"answers another organization's id like an unknown one, after the same number of round trips",
		others,
		await ask(unknown),
	);
}
