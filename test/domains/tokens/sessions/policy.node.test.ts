// When a refresh token is used again, as a pure rule.

import { expect, it } from "vitest";
import { judgeRefresh, type RefreshFacts } from "../../../../src/domains/tokens/sessions/policy";
import { DAY_MS } from "../../../../src/shared/time";

const NOW = 1_760_000_000_000;
const OPEN: RefreshFacts = {
	token: { expiresAt: NOW + 1, replacedAt: null, givenAgainAt: null },
	session: { expiresAt: NOW + 1, revokedAt: null },
	successorUsed: false,
};
const replaced = (agoMs: number, successorUsed = false): RefreshFacts => ({
	...OPEN,
	token: { ...OPEN.token, replacedAt: NOW - agoMs },
	successorUsed,
});
const late = (agoMs: number): RefreshFacts => ({
	...OPEN,
	token: { ...OPEN.token, replacedAt: NOW - agoMs, givenAgainAt: NOW - DAY_MS },
});

it.each<[string, RefreshFacts, string]>([
	["is rotated when it is the latest one", OPEN, "ROTATE"],
	["gets the same successor again within 10 s", replaced(9_999), "REPEAT"],
	["gets it again within a day, which is noted", replaced(10_000), "REPEAT_LATE"],
	["ends the session a day after it was replaced", replaced(DAY_MS), "REVOKE"],
	["that was given out late gets its successor again within 10 s", late(9_999), "REPEAT"],
	["that was given out late ends the session 10 s after it was replaced, because two hold it", late(10_000), "REVOKE"],
	["ends the session when its successor has been used", replaced(1, true), "REVOKE"],
	["is refused when it has expired", { ...OPEN, token: { ...OPEN.token, expiresAt: NOW } }, "REFUSE"],
	["is refused when its session has expired", { ...OPEN, session: { ...OPEN.session, expiresAt: NOW } }, "REFUSE"],
	["is refused when its session was revoked", { ...replaced(1), session: { ...OPEN.session, revokedAt: NOW } }, "REFUSE"],
])("a refresh token %s", (_, facts, verdict) => {
	expect(judgeRefresh(facts, NOW)).toBe(verdict);
});
