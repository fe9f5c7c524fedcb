// What the files for a credit bureau hold of a person, and what becomes of it: the figures of a file stay, with ids alone.

import { sql } from "drizzle-orm";
import { assign } from "../../db/columns";
import { creditBureauDisputes, creditBureauIdentities, creditBureauRows } from "../credit-bureau/table";
import type { Person } from "./person.policy";

const r = creditBureauRows;
const d = creditBureauDisputes;
const i = creditBureauIdentities;

const OWN = { indexed: true, only: "home" } as const;

const identity = { table: i, key: [i.userId] as const, where: ({ userId }: Person) => sql`${i.userId} = ${userId}`, ...OWN };

export const BUREAU_PLACES = [
	// Before the rows, which are made of it.
	identity,
	{
		table: r,
		key: [r.organizationId, r.month, r.part, r.number] as const,
		where: ({ userId }: Person) =>
			sql`${r.userId} = ${userId} and (${r.name} is not null or ${r.mobileNumber} is not null or ${r.documentNumber} is not null)`,
		becomes: () => assign(r, { name: null, mobileNumber: null, documentNumber: null }),
		...OWN,
	},
	{
		table: d,
		key: [d.id] as const,
		where: ({ userId }: Person) => sql`${d.userId} = ${userId} and (${d.reason} is not null or ${d.resolution} is not null)`,
		becomes: () => assign(d, { reason: null, resolution: null }),
		...OWN,
	},
	// Where it has always been: an erasure under way may be past the other place.
	identity,
];
