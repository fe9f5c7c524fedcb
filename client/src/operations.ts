// What the client calls: the lines of the document's operations, read.

import type { OperationId } from "./errors.ts";
import type { Target } from "./sending.ts";

export const targets = (lines: string): Target[] =>
	[...lines.matchAll(/(\S+) (\w+) (\w+)( public)?\n/g)].map(([, path = "", method = "", operation, isPublic]) => ({
		operation: operation as OperationId,
		method,
		path,
		isPublic: isPublic !== undefined,
	}));
