// Holds what each answer says to caches against what its operation lets them keep. A cache may keep for hours what says nothing.

import { isPublic } from "../../src/http/callers/access";
import { operationAt } from "./document";

/** What is no operation, and the same for everybody. */
const FILES = /^\/(?:openapi\.json|docs|console)(?:\/|$)/;

/** Throws when the answer says nothing to caches, or lets them keep what is not public. */
export function expectNotKept(request: Request, response: Response): void {
	const said = response.headers.get("cache-control");
	const op = operationAt(request);
	const { pathname } = new URL(request.url);
	const mayBeKept = response.status === 200 || response.status === 304;
	if (mayBeKept && op === undefined && FILES.test(pathname) && said !== null) return;
	const expected = (mayBeKept && op !== undefined && isPublic(op.access) && op.cacheControl) || "private, no-store";
	if (said === expected) return;
	// An answer from memory while D1 is down may be of any age.
	if (said === "private, no-store" && op?.cached) return;
	throw new Error(`${request.method} ${pathname} answered ${response.status} with Cache-Control ${said}, expected ${expected}`);
}
