// The code of a currency in requests and configuration.

import * as z from "zod";
import { isCurrency } from "./currency";

export const CurrencyCode = z
	.string()
	.regex(/^[A-Z]{3}$/, { error: "must be three capital letters", abort: true })
	.refine(isCurrency, "must be a currency of ISO 4217, such as KES");
