// Finds what people and API keys of an organization are called, where a row's own database does not know it.

import { sql } from "drizzle-orm";
import type { Services } from "../../../runtime/services";
import { calledBy } from "./display.store";

/** An actor as a row names them. `called`: as far as the row's own database knows; `apart`: whether the organization's home is another. */
export type Actor = {
	readonly organizationId: string | null;
	readonly id: string;
	readonly called: string | null;
	readonly apart: boolean;
};

/** An operator's id is `<issuer>#<subject>`. */
const subjectIn = (id: string): string | null => (id.includes("#") ? id.slice(id.indexOf("#") + 1) : null);

/** What the actors are called, by their ids. Reads only what the databases of their rows could not know. */
export async function displaysOf(services: Services, actors: readonly Actor[]): Promise<ReadonlyMap<string, string | null>> {
	const unknown = actors.flatMap(({ organizationId, id, called, apart }) =>
		apart && called === null && organizationId !== null && subjectIn(id) === null ? [{ organizationId, id }] : [],
	);
	const databases = Map.groupBy(unknown, ({ organizationId }) => services.at(organizationId).db);
	const found = await Promise.all(
		[...databases].map(async ([db, wanted]) => {
			const [organizationId, id] = [sql`w.value ->> 'organizationId'`, sql`w.value ->> 'id'`];
			const rows = await db.read(
				db.orm.all<Pick<Actor, "id" | "called">>(
					sql`select ${id} as id, ${calledBy(organizationId, id)} as called from json_each(${JSON.stringify(wanted)}) w`,
				),
			);
			return rows;
		}),
	);
	return new Map([...actors, ...found.flat()].map(({ id, called }) => [id, called ?? subjectIn(id)]));
}
