// Phone numbers in requests.

import * as z from "zod";
import { isE164 } from "./phone.policy";

/** In international form. Which country codes there are, and how long their numbers, no pattern says. */
export const PhoneNumber = z
	.string()
	.trim()
	.refine(isE164, "must be in international form, such as +254712345678")
	.meta({ pattern: "^\\+[1-9]\\d{6,14}$" });
