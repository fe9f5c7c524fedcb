// Slugs: names that people choose for organizations and that need no escaping anywhere.

import * as z from "zod";
import { isUuid } from "./ids";

export const Slug = z
	.string()
	.regex(/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/, "must be 1 to 63 lowercase letters, digits and inner hyphens")
	.refine((slug) => !isUuid(slug), "must not have the form of an id");
