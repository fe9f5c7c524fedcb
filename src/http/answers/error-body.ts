// The bodies of refusals, as the API reference describes them. No schema parses them: the service writes them itself.

import * as z from "zod";
import { MAX_INVALID_PARAMS } from "../../shared/errors";

export const ErrorBody = z
	.object({
		code: z.string().meta({ description: "Machine-readable code" }),
		description: z.string().meta({ description: "Human-readable text" }),
		reason: z.string().meta({
			description: "Why exactly; new ones may come. Those of the operation, else the code, of bad input the `sub_code` of the first fault",
		}),
		user_message: z
			.string()
			.optional()
			.meta({ description: "For the user, in the language that they have chosen, else in that of `Accept-Language`" }),
		sub_code: z
			.literal("CONCURRENT_CHANGE")
			.optional()
			.meta({ description: "On a 409 that only concurrent changes caused: the same request may succeed when it is sent again" }),
		identifier: z.string().optional().meta({ description: "The request's id; on validation errors only" }),
		invalid_params: z
			.array(z.object({ path: z.string(), reason: z.string(), sub_code: z.string() }))
			.max(MAX_INVALID_PARAMS)
			.optional()
			.meta({ description: "The invalid members and why; on bad input" }),
		tries_left: z.int().optional().meta({ description: "How often the one-time password may be tried again" }),
		seconds_until_new_code: z.int().optional().meta({ description: "When a new one-time password may be asked for" }),
		available_from: z.iso.datetime().optional().meta({ description: "With the reason CAUTION" }),
		store_url: z.string().optional().meta({ description: "Where the app's present version is" }),
	})
	.meta({ id: "ApiError" });

export type ErrorBody = z.output<typeof ErrorBody>;

/** The same as a problem document (RFC 9457), for clients that accept one. */
export const Problem = ErrorBody.extend({
	type: z.url().meta({ description: "Where the code is explained" }),
	title: z.string().meta({ description: "The code" }),
	status: z.int(),
	detail: z.string().meta({ description: "The description" }),
	remedy: z.string().meta({ description: "How to react to the code, for any request" }),
	instance: z.string().meta({ description: "The path of the request" }),
	identifier: z.string().optional().meta({ description: "The request's id; on bad input only" }),
}).meta({ id: "Problem" });

export type Problem = z.output<typeof Problem>;
