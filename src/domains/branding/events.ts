// The events that brands raise.

import * as z from "zod";
import { eventType } from "../../shared/event-type";

export const brandingUpdated = eventType({
	type: "branding.updated",
	category: "ORGANIZATION",
	description: "The organization's brand was created or changed",
	data: z.object({
		organization_id: z.uuid(),
		updated_at: z.iso.datetime(),
		changed_fields: z.array(z.string()).meta({ description: "The members of the brand whose values changed" }),
	}),
	example: {
		organization_id: "01920f8e-7b1c-7a52-9a4e-3c5d8f2b6e11",
		updated_at: "2026-03-02T09:30:00.000Z",
		changed_fields: ["logo_url", "primary_color"],
	},
});
