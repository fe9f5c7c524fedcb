// The responses of the token operations.

import * as z from "zod";

export const TokenResponse = z
	.object({
		access_token: z.string(),
		token_type: z.literal("Bearer"),
		expires_in: z.int().meta({ description: "Seconds" }),
	})
	.meta({ id: "TokenResponse" });

export const SignedIn = z
	.object({
		id_token: z.string(),
		access_token: z.string(),
		refresh_token: z.string(),
		token_type: z.literal("Bearer"),
		expires_in: z.int(),
	})
	.meta({ id: "SignedIn" });
