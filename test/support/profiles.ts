// The signed-in user in an answer of getMe.

import type * as z from "zod";
import type { Me } from "../../src/domains/users/profile.wire";
import { type Answer, expectOk } from "./client";

type Whoever = z.output<typeof Me>;

/** The user in a successful answer; fails the test on any other. */
export function expectUser(answer: Answer<Whoever>): Extract<Whoever, { kind: "USER" }> {
	const me = expectOk(answer);
	if (me.kind !== "USER") throw new Error("expected a user");
	return me;
}
