// Which mail addresses are the same, and how many mails may be sent.

import { describe, expect, it } from "vitest";
import { INVITATION_STATES, INVITATION_TRANSITIONS, stateAt } from "../../../../src/domains/organizations/invitations/lifecycle";
import { addressKeyOf, invitationIn, SENDS, tokenOf, waitForSend } from "../../../../src/domains/organizations/invitations/policy";
import { DAY_MS } from "../../../../src/shared/time";

describe("a mail address", () => {
	it.each([
		["Anna@Example.COM", "anna@example.com"],
		["anna@bücher.example", "anna@xn--bcher-kva.example"],
		["anna@XN--BCHER-KVA.example", "anna@xn--bcher-kva.example"],
		["anna@example.com.", "anna@example.com"],
		["a@b@example.com", "a@b@example.com"],
		["anna+1@example.com", "anna+1@example.com"],
	])("%s is the same as %s", (email, key) => expect(addressKeyOf(email)).toBe(key));

	it.each([
		["\u212Aim@example.com", "kim@example.com"],
		["\u0130da@example.com", "ida@example.com"],
		["rene\u0301@example.com", "ren\u00e9@example.com"],
		["\u00c9va@example.com", "\u00e9va@example.com"],
	])("%s is another than %s, which only looks alike", (email, other) => expect(addressKeyOf(email)).not.toBe(addressKeyOf(other)));

	it.each(["anna", "@example.com", "anna@", "anna@exa mple.com", "anna@example.com/x", "anna@example.com:25", "anna@[::1]"])(
		"is not %j",
		(text) => expect(addressKeyOf(text)).toBeUndefined(),
	);
});

describe("a token", () => {
	const id = "01920f8e-7b1c-7a52-9a4e-3c5d8f2b6e13";

	it("contains the id of its invitation", () => expect(invitationIn(tokenOf(id, "ab"))).toBe(id));

	it.each(["", "inv_", `inv_${id}`, "inv_x_ab", `sk_${id}_ab`])("is not %j", (text) => expect(invitationIn(text)).toBeUndefined());
});

describe("the bounds on mails", () => {
	const times = (count: number) => Array.from({ length: count }, (_, index) => 1_000 - index);

	it("allow another mail when the oldest that counts is a day old", () => {
		const within = { byOrganization: times(SENDS.byOrganization - 1), toAddress: times(SENDS.toAddress - 1) };
		expect(waitForSend(within, 2_000)).toBe(0);
		expect(waitForSend({ ...within, toAddress: times(SENDS.toAddress) }, 2_000)).toBe(1_000 - 2 + DAY_MS - 2_000);
		expect(waitForSend({ ...within, byOrganization: times(SENDS.byOrganization) }, 2_000)).toBe(1_000 - 49 + DAY_MS - 2_000);
		expect(waitForSend({ ...within, toAddress: times(SENDS.toAddress) }, 998 + DAY_MS)).toBe(0);
	});
});

describe("the states", () => {
	it("end with ACCEPTED and REVOKED; an EXPIRED invitation can be sent again", () => {
		const left = (state: (typeof INVITATION_STATES)[number]) =>
			Object.entries(INVITATION_TRANSITIONS).flatMap(([to, from]) => (from.includes(state) ? [to] : []));
		expect(Object.fromEntries(INVITATION_STATES.map((state) => [state, left(state)]))).toEqual({
			PENDING: ["ACCEPTED", "REVOKED", "RESENT"],
			ACCEPTED: [],
			REVOKED: [],
			EXPIRED: ["RESENT"],
		});
	});

	it("are EXPIRED from the instant of expiry on, if still PENDING", () => {
		expect(stateAt({ status: "PENDING", expiresAt: 5 }, 4)).toBe("PENDING");
		expect(stateAt({ status: "PENDING", expiresAt: 5 }, 5)).toBe("EXPIRED");
		expect(stateAt({ status: "ACCEPTED", expiresAt: 5 }, 6)).toBe("ACCEPTED");
	});
});
