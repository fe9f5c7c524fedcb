// The client's lines of operations against the document: each is called by its method, at its path, with credentials where it takes them.

import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { OPERATIONS } from "../../client/src/generated.ts";
import { targets } from "../../client/src/operations.ts";

type Operation = { operationId: string; security?: readonly object[] };
const document = JSON.parse(readFileSync("docs/openapi.json", "utf8")) as { paths: Record<string, Record<string, Operation>> };

it("calls every operation as the document says", () => {
	const documented = Object.entries(document.paths).flatMap(([path, methods]) =>
		Object.entries(methods).map(([method, { operationId: operation, security }]) => {
			return { operation, method: method.toUpperCase(), path, isPublic: security?.length === 0 };
		}),
	);
	const byName = (a: { operation: string }, b: { operation: string }) => (a.operation < b.operation ? -1 : 1);
	expect(targets(OPERATIONS).toSorted(byName)).toEqual(documented.toSorted(byName));
});
