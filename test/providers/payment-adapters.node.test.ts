// Which of an organization's connections pays.

import { describe, expect, it } from "vitest";
import { routeAmong } from "../../src/providers/payment-adapters";
import type { ConnectionFacts, ToBePaid } from "../../src/runtime/ports";

const PAYMENT: ToBePaid = { organizationId: "o", amount: 100, currency: "KES", mobileNumber: "+254712345678" };
const DOES_NOT = { fault: "OUT_OF_RANGE", least: 1, most: 2 } as const;
type Said = "PAYS" | typeof DOES_NOT | undefined;

/** Two connections, whose adapters say this of the payment; `*` is paused. */
function routed(first: Said, second: Said, paused = "") {
	const connectionOf = (provider: string, state: string): ConnectionFacts =>
		({ organizationId: "o", provider, pays: true, paused: state === "*", facts: {} }) as ConnectionFacts;
	const connections = [connectionOf("second", paused[1] ?? ""), connectionOf("first", paused[0] ?? "")];
	return routeAmong(PAYMENT, connections, { first: { route: () => first }, second: { route: () => second } });
}

describe("the connection that pays", () => {
	it.each([
		["the first that can", routed("PAYS", "PAYS"), { provider: "first" }],
		["another, where the first makes none of its kind", routed(undefined, "PAYS"), { provider: "second" }],
		["another, where the first cannot pay this one", routed(DOES_NOT, "PAYS"), { provider: "second" }],
		["another, while the first is paused", routed("PAYS", "PAYS", "*"), { provider: "second" }],
		["none while all are paused", routed("PAYS", "PAYS", "**"), { fault: "UNAVAILABLE" }],
		["none, for the first one's reason", routed(DOES_NOT, "PAYS", " *"), DOES_NOT],
		["none of a kind", routed(undefined, undefined), undefined],
	])("is %s", (_, route, expected) => expect(route).toEqual(expected));

	it("is one of the organization that may pay out", () => {
		const adapters = { first: { route: () => "PAYS" as const } };
		const other = { organizationId: "p", provider: "first", pays: true, paused: false, facts: {} };
		const silent = { ...other, organizationId: "o", pays: false };
		expect(routeAmong(PAYMENT, [other, silent] as unknown as ConnectionFacts[], adapters)).toBeUndefined();
	});
});
