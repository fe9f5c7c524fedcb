// What public answers are called where they are kept near their readers, so that a change of what they show can purge them.

/** On a public answer. The platform takes it off. */
export const TAG_HEADER = "Cache-Tag";
/** On the answer to a change: the tags that it makes out of date, separated by commas. The edge takes it off. */
export const PURGE_HEADER = "X-Purge";

export const APP_SETTINGS_TAG = "app-settings";
export const brandTag = (organizationId: string): string => `brand-${organizationId}`;
