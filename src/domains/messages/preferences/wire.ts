// Notification preferences on the wire. A change has the shape of the answer, so that clients can send parts of an answer back.

import * as z from "zod";
import { list } from "../../../shared/bounded";
import {
	type CategoryEntries,
	defaultOf,
	isMandatory,
	NOTIFICATION_CATEGORIES,
	NOTIFICATION_CHANNELS,
	PREFERENCE_DEFAULTS,
} from "./policy";

const Channel = z.object({ channel: z.enum(NOTIFICATION_CHANNELS), enabled: z.boolean() });

export const NotificationPreferences = z
	.object({
		categories: z.array(
			z.object({
				category: z.enum(NOTIFICATION_CATEGORIES),
				mandatory: z.boolean(),
				preference_default: z.enum(PREFERENCE_DEFAULTS).meta({ description: "The setting until the user chooses" }),
				channels: z.array(Channel),
			}),
		),
	})
	.meta({ id: "NotificationPreferences" });

export const NotificationPreferencesChange = z
	.object({
		categories: list(z.object({ category: z.enum(NOTIFICATION_CATEGORIES), channels: list(Channel, { min: 1, max: 50 }) }), {
			min: 1,
			max: 50,
		}),
	})
	.meta({ id: "NotificationPreferencesChange", description: "Only these entries change" });

export const toPreferences = (categories: readonly CategoryEntries[]): z.input<typeof NotificationPreferences> => ({
	categories: categories.map(({ category, channels }) => ({
		category,
		mandatory: isMandatory(category),
		preference_default: defaultOf(category),
		channels: [...channels],
	})),
});
