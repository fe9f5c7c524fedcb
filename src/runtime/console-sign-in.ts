// The console's sign-in settings: the issuers of staff and operators, by OpenID Connect with a code and PKCE.

import * as z from "zod";

const isOrigin = (text: string): boolean => URL.canParse(text) && new URL(text).origin === text;

const TokenSent = z.enum(["access_token", "id_token"]).meta({ description: "Which token of the issuer is sent" });

export const ConsoleSignIn = z.strictObject({
	label: z.string().trim().min(1).max(80),
	issuer: z.url({ protocol: /^https?$/ }).max(255),
	client_id: z.string().min(1).max(255),
	kind: z.enum(["partner", "identity", "operator"]).meta({ description: "All but operators' tokens are exchanged for the service's own" }),
	token: TokenSent.optional(),
	scope: z.string().min(1).max(255).optional().meta({ description: "Requested in addition to `openid`" }),
	origins: z
		.array(z.string().refine(isOrigin, "must be an origin, such as https://login.example"))
		.max(10)
		.default([])
		.meta({ description: "Origins that the console may call in addition to the issuer's own; discovery may name no others" }),
});
/** As the console gets it. */
export const OfferedSignIn = ConsoleSignIn.extend({
	token: TokenSent,
	return_path: z
		.string()
		.meta({ description: "Where the issuer sends people back to, which is registered with it: each has a path of its own" }),
}).meta({ id: "ConsoleSignIn" });

/** Staff's and operators' ID tokens say when and how they signed in, which most access tokens do not. */
export const offered = (entry: ConsoleSignIn): z.output<typeof OfferedSignIn> => ({
	...entry,
	token: entry.token ?? (entry.kind === "partner" ? "access_token" : "id_token"),
	return_path: returnPathOf(entry.issuer),
});

export type ConsoleSignIn = z.output<typeof ConsoleSignIn>;

/**
 * Where an issuer sends its people back to. Each issuer has an address of its own, so that no other issuer's answer is taken for its
 * (RFC 9700 4.4): an issuer lets people return to the addresses alone that were registered with it.
 */
export const returnPathOf = (issuer: string): string =>
	`/console/signed-in/${issuer
		.replace(/^https?:\/\//, "")
		.replace(/\/+$/, "")
		.replaceAll(/[^\w.-]/g, "-")}`;

type Variables = {
	readonly CONSOLE_SIGN_IN: readonly ConsoleSignIn[];
	readonly TRUSTED_ISSUERS: readonly { readonly issuer: string; readonly kind: string }[];
};

/** The first fault between the entries and the rest of the configuration. */
export function faultOfSignIn(vars: Variables, local: boolean, isSecure: (address: string) => boolean): string | undefined {
	for (const [index, { issuer, kind, origins }] of vars.CONSOLE_SIGN_IN.entries()) {
		if (![issuer, ...origins].every(isSecure)) return `entry ${index}: issuer and origins must be HTTPS`;
		if (!local && kind === "operator" && !vars.TRUSTED_ISSUERS.some((one) => one.issuer === issuer && one.kind === kind)) {
			return `entry ${index}: is no issuer of operators in TRUSTED_ISSUERS`;
		}
		const shares = (other: string) => other !== issuer && returnPathOf(other) === returnPathOf(issuer);
		if (vars.CONSOLE_SIGN_IN.some((other) => shares(other.issuer))) return `entry ${index}: has the return address of another issuer`;
	}
	return undefined;
}
