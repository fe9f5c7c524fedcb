// Which messages a user wants: reads the preferences, and changes single entries.

import { userOnWaitingList } from "../../../http/callers/access";
import { operation } from "../../../http/operation";
import { InvalidInput } from "../../../shared/errors";
import { faultsOf, preferencesBy } from "./policy";
import { changePreferences, findPreferences } from "./store";
import { NotificationPreferences, NotificationPreferencesChange, toPreferences } from "./wire";

export const getNotificationPreferences = operation({
	id: "getNotificationPreferences",
	method: "GET",
	path: "/v1/user/notifications/preferences",
	summary: "The user's notification preferences",
	access: userOnWaitingList,
	request: {},
	response: NotificationPreferences,
	async handle({ caller }, { db }) {
		const chosen = await db.read(findPreferences(db.orm, caller.userId));
		return toPreferences(preferencesBy(chosen));
	},
});

export const changeNotificationPreferences = operation({
	id: "changeNotificationPreferences",
	method: "PUT",
	path: "/v1/user/notifications/preferences",
	summary: "Change some of the user's notification preferences",
	description: "Only the entries that are sent change. If one is of a mandatory category, the call is refused and changes nothing.",
	access: userOnWaitingList,
	request: { body: NotificationPreferencesChange },
	response: NotificationPreferences,
	async handle({ caller, body: { categories } }, services) {
		const { db, now } = services;
		const chosen = await db.read(findPreferences(db.orm, caller.userId));
		const faults = faultsOf(categories);
		if (faults.length > 0) throw new InvalidInput(faults);
		const entries = categories.flatMap(({ category, channels }) => channels.map((channel) => ({ category, ...channel })));
		return services.commit([changePreferences(db.orm, caller.userId, entries, now)], toPreferences(preferencesBy([...chosen, ...entries])));
	},
});
