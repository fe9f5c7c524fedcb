// When a refresh token is used again, as a pure rule.

import { expect, it } from "vitest";
import { judgeRefresh, type RefreshFacts } from "../../../../src/domains/tokens/sessions/policy";

const NOW = 1_760_000_000_000;
const OPEN: RefreshFacts = {
	token: { expiresAt: NOW + 1, replacedAt: null },
	session: { expiresAt: NOW + 1, revokedAt: null },
	successorUsed: false,
};
const replaced = (agoMs: number, successorUsed = false): RefreshFacts => ({
	...OPEN,
	token: { ...OPEN.token, replacedAt: NOW - agoMs },
	successorUsed,
});

it.each<[string, RefreshFacts, string]>([
	["is rotated when it is the latest one", OPEN, "ROTATE"],
	["returns the same successor within 10 s", replaced(9_999), "REPEAT"],
	["ends the session 10 s after it was replaced", replaced(10_000), "REVOKE"],
	["ends the session when its successor has been used", replaced(1, true), "REVOKE"],
	["is refused when it has expired", { ...OPEN, token: { ...OPEN.token, expiresAt: NOW } }, "REFUSE"],
	["is refused when its session has expired", { ...OPEN, session: { ...OPEN.session, expiresAt: NOW } }, "REFUSE"],
	["is refused when its session was revoked", { ...replaced(1), session: { ...OPEN.session, revokedAt: NOW } }, "REFUSE"],
])("a refresh token %s", (_, facts, verdict) => {
	expect(judgeRefresh(facts, NOW)).toBe(verdict);
});
