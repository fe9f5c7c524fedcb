// Designs that are broken on purpose: what holds a call together is taken out.

import { alone, withBatches, wrapped } from "../support/databases";
import { Laid, singles } from "./campaign";

/** Bindings that leave out the statements which write this table. */
export const without = (table: string) =>
	wrapped((database) =>
		withBatches(database, (statements) =>
			database.withSession().batch(
				statements.map((statement) => {
					const { statement: text } = statement as unknown as { statement: string };
					return text.startsWith(`insert into "${table}"`) ? database.prepare("select 1") : statement;
				}),
			),
		),
	);

/** Bindings that read another reference each time from where an instruction is stored. */
export const drawingReferences = wrapped((database) =>
	withBatches(database, async (_, run) =>
		(await run()).map((result) => ({ ...result, results: (result.results as Record<string, unknown>[]).map(withAnother) })),
	),
);
const withAnother = (row: Record<string, unknown>) =>
	Object.fromEntries(Object.entries(row).map(([column, value]) => [column, column === "body" ? anew(String(value)) : value]));
const anew = (body: string) => body.replace(/("reference":")[^"]+/, `$1${crypto.randomUUID()}`);

/** What plans find, until one finds this. */
export async function noticed(op: string, sabotage: object, expected: RegExp): Promise<string> {
	const setting = { op, homes: alone ? 1 : 3, outside: true, between: undefined } as const;
	const found: string[] = [];
	await Laid.in(
		setting,
		async (laid) => {
			for (const plan of singles(setting, "call", await laid.called(), ({ writes }) => (writes ? ["after", "dies-after"] : [])))
				if (!found.some((line) => expected.test(line))) found.push(...(await laid.run(plan)).problems);
		},
		sabotage,
	);
	return found.join("\n");
}
