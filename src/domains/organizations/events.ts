// The events that organizations raise: the life of their API keys.

import * as z from "zod";
import { eventType } from "../../shared/event-type";

const data = z.object({
	api_key_id: z.uuid(),
	name: z.string(),
	masked_key: z.string().meta({ description: "`sk_...` and the key's last characters" }),
});
const example = { api_key_id: "01920f8e-7b1c-7a52-9a4e-3c5d8f2b6e12", name: "Back office", masked_key: "sk_...4f2a" };

export const apiKeyCreated = eventType({
	type: "api_key.created",
	category: "ORGANIZATION",
	description: "An API key was created",
	data,
	example,
});

export const apiKeyRevoked = eventType({
	type: "api_key.revoked",
	category: "ORGANIZATION",
	description: "An API key was revoked",
	data,
	example,
});
