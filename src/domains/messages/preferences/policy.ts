// Which messages users can switch off, the defaults until they choose, and what a change of their choices may contain.

export const NOTIFICATION_CHANNELS = ["SMS", "EMAIL", "IN_APP"] as const;
export type NotificationChannel = (typeof NOTIFICATION_CHANNELS)[number];

export const PREFERENCE_DEFAULTS = ["MANDATORY", "OPT_OUT", "OPT_IN"] as const;

/** The default of each category until the user chooses; mandatory ones cannot be switched off. */
const DEFAULTS = {
	SECURITY: "MANDATORY",
	/** Statements, closures and overdue notices, which the law requires. */
	ACCOUNT: "MANDATORY",
	REPAYMENTS: "OPT_OUT",
	PAYMENTS: "OPT_OUT",
	PRODUCT_NEWS: "OPT_OUT",
	MARKETING: "OPT_IN",
} as const satisfies Record<string, (typeof PREFERENCE_DEFAULTS)[number]>;

export type NotificationCategory = keyof typeof DEFAULTS;
/** Those that nobody can switch off. */
export type MandatoryCategory = { [C in NotificationCategory]: (typeof DEFAULTS)[C] extends "MANDATORY" ? C : never }[NotificationCategory];

export const NOTIFICATION_CATEGORIES = Object.keys(DEFAULTS) as [NotificationCategory, ...NotificationCategory[]];

export const defaultOf = (category: NotificationCategory) => DEFAULTS[category];
export const isMandatory = (category: NotificationCategory): category is MandatoryCategory => DEFAULTS[category] === "MANDATORY";
export const isEnabledByDefault = (category: NotificationCategory): boolean => DEFAULTS[category] !== "OPT_IN";

/** A choice for one channel of one category. */
export type Entry = { category: NotificationCategory; channel: NotificationChannel; enabled: boolean };

/** The choices of one category, as on the wire. */
export type CategoryEntries = { category: NotificationCategory; channels: readonly Pick<Entry, "channel" | "enabled">[] };

export type EntryFault = { path: string; reason: string; sub_code: "MANDATORY_CATEGORY" | "DUPLICATE" };

/** What is wrong with a change. One fault refuses the whole change. */
export function faultsOf(categories: readonly CategoryEntries[]): EntryFault[] {
	const seen = new Set<string>();
	return categories.flatMap(({ category, channels }, index) => {
		const at = `categories[${index}]`;
		if (isMandatory(category)) {
			return [{ path: `${at}.category`, reason: "cannot be switched on or off", sub_code: "MANDATORY_CATEGORY" as const }];
		}
		return channels.flatMap(({ channel }, position): EntryFault[] => {
			const entry = `${category} ${channel}`;
			if (seen.has(entry)) return [{ path: `${at}.channels[${position}]`, reason: "is given twice", sub_code: "DUPLICATE" }];
			seen.add(entry);
			return [];
		});
	});
}

/**
 * Every category and channel, with the user's choices where they have made any. A later entry replaces an earlier one; one of a channel that
 * is no longer offered counts for nothing.
 */
export function preferencesBy(entries: readonly Entry[]): CategoryEntries[] {
	const chosen = new Map(entries.map(({ category, channel, enabled }) => [`${category} ${channel}`, enabled]));
	return NOTIFICATION_CATEGORIES.map((category) => ({
		category,
		channels: NOTIFICATION_CHANNELS.map((channel) => ({
			channel,
			enabled: isMandatory(category) || (chosen.get(`${category} ${channel}`) ?? isEnabledByDefault(category)),
		})),
	}));
}
