// Mandatory categories stay on, as a pure rule.

import { describe, expect, it } from "vitest";
import {
	defaultOf,
	faultsOf,
	NOTIFICATION_CATEGORIES,
	NOTIFICATION_CHANNELS,
	preferencesBy,
} from "../../../../src/domains/messages/preferences/policy";

describe("preferences", () => {
	it("are the defaults until the user chooses: mandatory and OPT_OUT on, OPT_IN off", () => {
		const all = preferencesBy([]);
		expect(all.map(({ category }) => category)).toEqual(NOTIFICATION_CATEGORIES);
		for (const { category, channels } of all) {
			expect(channels.map(({ channel }) => channel)).toEqual(NOTIFICATION_CHANNELS);
			for (const { enabled } of channels) expect(enabled).toBe(defaultOf(category) !== "OPT_IN");
		}
	});

	it("follow the last choice for each entry, and mandatory ones stay on", () => {
		const chosen = preferencesBy([
			{ category: "MARKETING", channel: "SMS", enabled: true },
			{ category: "REPAYMENTS", channel: "EMAIL", enabled: true },
			{ category: "REPAYMENTS", channel: "EMAIL", enabled: false },
			{ category: "SECURITY", channel: "SMS", enabled: false },
		]);
		const isOn = (category: string, channel: string) =>
			chosen.find((each) => each.category === category)?.channels.find((each) => each.channel === channel)?.enabled;
		expect([isOn("MARKETING", "SMS"), isOn("MARKETING", "EMAIL")]).toEqual([true, false]);
		expect([isOn("REPAYMENTS", "EMAIL"), isOn("REPAYMENTS", "SMS")]).toEqual([false, true]);
		expect(isOn("SECURITY", "SMS")).toBe(true);
	});
});

describe("a change", () => {
	it("has a fault for each mandatory category and each entry that is given twice", () => {
		const on = { channel: "SMS", enabled: true } as const;
		expect(faultsOf([{ category: "PAYMENTS", channels: [on, { channel: "EMAIL", enabled: true }] }])).toEqual([]);
		const faults = faultsOf([
			{ category: "PAYMENTS", channels: [on] },
			{ category: "ACCOUNT", channels: [on] },
			{
				category: "PAYMENTS",
				channels: [
					{ channel: "EMAIL", enabled: true },
					{ channel: "SMS", enabled: false },
				],
			},
		]);
		expect(faults.map(({ path, sub_code }) => `${path} ${sub_code}`)).toEqual([
			"categories[1].category MANDATORY_CATEGORY",
			"categories[2].channels[1] DUPLICATE",
		]);
	});
});
