// What one home owes another. A commit is in one database only, so it writes a message together with its change. The request then carries
// the message to the others and removes it; after a crash the sweep does. Each is applied as often as it is carried, so applying it twice
// must change nothing.

import { asc, eq } from "drizzle-orm";
import type { Write } from "../db/database";
import { homeMessages } from "../db/home-messages.table";
import type { Elsewhere, JobServices, Services } from "./services";

/** A kind of message: `apply` makes the writes in the other home from what the message holds. */
export type HomeMessage<P = unknown> = { readonly kind: string; apply(there: Services, payload: P): readonly Write[] };

export const homeMessage = <P>(message: HomeMessage<P>): HomeMessage<P> => message;

export type Owed = {
	/** Writes for the commit that owes: the message, and its effect if this database is among the recipients. */
	writes: readonly Write[];
	/** To be awaited after that commit. Never rejects: what fails is left to the sweep. */
	carry(services: Elsewhere): Promise<void>;
};

type Recipient = string | "everywhere";

/** Owes the payload to the home of an id, or to every database. `services` are those of the home that commits. */
export function owe<P>(services: Services, message: HomeMessage<P>, recipient: Recipient, payload: P): Owed {
	const recipients = recipient === "everywhere" ? services.everywhere() : [services.at(recipient)];
	const others = recipients.filter(isElsewhere(services));
	const own = others.length === recipients.length ? [] : message.apply(services, payload);
	if (others.length === 0) return { writes: own, carry: async () => {} };
	const row = { id: services.newId(), kind: message.kind, recipient, payload, createdAt: services.now };
	return {
		writes: [...own, services.db.orm.insert(homeMessages).values(row)],
		async carry(elsewhere) {
			const here = elsewhere.at(services.home);
			try {
				await apply(here, message, recipient, payload);
				here.afterwards((job) => job.commit([remove(job, row.id)]));
			} catch (error) {
				here.log.error("a message to another home is left to the sweep", error, { kind: row.kind, message_id: row.id });
			}
		},
	};
}

const isElsewhere = (services: Services) => (there: Services) => there.db !== services.db;

async function apply<P>(services: Elsewhere, message: HomeMessage<P>, recipient: Recipient, payload: P): Promise<void> {
	const recipients = recipient === "everywhere" ? services.everywhere() : [services.at(recipient)];
	for (const there of recipients.filter(isElsewhere(services))) await there.commitRegardless(message.apply(there, payload));
}

const remove = ({ db }: Services, id: string) => db.orm.delete(homeMessages).where(eq(homeMessages.id, id));

/** The most messages that are carried in one portion. */
const PORTION = 100;

/**
 * Carries a portion of the messages that requests have left in this database. Returns whether more may be waiting. May run twice at
 * the same time.
 */
export async function carryHomeMessages(services: JobServices, kinds: readonly HomeMessage[]): Promise<boolean> {
	const { db, log } = services;
	const waiting = await db.read(db.orm.select().from(homeMessages).orderBy(asc(homeMessages.id)).limit(PORTION));
	let carried = 0;
	for (const { id, kind, recipient, payload } of waiting) {
		try {
			const message = kinds.find((known) => known.kind === kind);
			if (!message) throw new Error(`no home messages are of the kind ${kind}`);
			await apply(services, message, recipient, payload);
			await services.commit([remove(services, id)]);
			carried++;
		} catch (error) {
			log.error("a message to another home could not be carried", error, { kind, message_id: id });
		}
	}
	return carried === PORTION;
}
