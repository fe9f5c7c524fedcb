// The form of slugs, by which organizations are named beside their ids.

import * as z from "zod";

/** Letters, digits and hyphens, so that it needs no escaping anywhere. */
export const Slug = z
	.string()
	.regex(/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/, "must be 1 to 63 lowercase letters, digits and inner hyphens");
