// In which currency an organization lends, where amounts do not say it themselves.

import { isRead, useWatch } from "../../watch.ts";
import { type Person, permitted } from "../../who.ts";

const lends = permitted("org:lending:read");

/** That of all its products: undefined until they are read, null where there are several, none, or the person may not read them. */
export function useLendsIn(person: Person | undefined): string | null | undefined {
	const asks = person !== undefined && lends(person);
	const read = useWatch("GET /v1/platform/loan-products", asks ? { query: { size: 100 } } : undefined);
	const [first, ...others] = new Set(read.value?.data.map(({ currency }) => currency));
	if (asks && !isRead(read)) return undefined;
	return first === undefined || others.length > 0 ? null : first;
}
