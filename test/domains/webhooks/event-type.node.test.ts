// Which event types can be subscribed to and filtered by.

import { describe, expect, it } from "vitest";
import { checkFilter, subscriptionTo } from "../../../src/domains/webhooks/event-type.policy";
import { InvalidInput } from "../../../src/shared/errors";
import { eventTypes } from "../../support/domains";

function refusalOf(check: () => unknown) {
	try {
		check();
	} catch (error) {
		if (error instanceof InvalidInput) return error.params;
		throw error;
	}
	return undefined;
}

const refused = (path: string, meant = "") => ({ path, reason: `is not an event type${meant}`, sub_code: "NOT_ALLOWED" });

describe("a subscription", () => {
	it("holds each type once, in the order given", () => {
		expect(subscriptionTo(eventTypes, ["user.admitted", "loan.disbursed", "user.admitted"])).toEqual(["user.admitted", "loan.disbursed"]);
	});

	it("gets the most likely name in the answer", () => {
		const params = refusalOf(() => subscriptionTo(eventTypes, ["user.admited"]));
		expect(params).toEqual([refused("events[0]", "; did you mean user.admitted?")]);
	});

	it("is refused with the place of every type that is unknown or cannot be subscribed to", () => {
		const names = ["no.such", "user.admitted", "user.admitted", "webhook.test", "toString"];
		expect(refusalOf(() => subscriptionTo(eventTypes, names))).toEqual([refused("events[0]"), refused("events[3]"), refused("events[4]")]);
	});
});

describe("a filter by event type", () => {
	it("takes every type of the catalogue, those without a subscription included, and no type at all", () => {
		for (const name of [...eventTypes.keys(), undefined])
			expect(refusalOf(() => checkFilter(eventTypes, "query.type", name))).toBeUndefined();
	});

	it.each(["no.such", "", "toString"])("refuses %j", (name) => {
		expect(refusalOf(() => checkFilter(eventTypes, "query.event_type", name))).toEqual([refused("query.event_type")]);
	});
});
