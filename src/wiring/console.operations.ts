// What the console must know before anybody has signed in.

import * as z from "zod";
import { anyone } from "../http/callers/access";
import { operation } from "../http/operation";
import { OfferedSignIn, offered } from "../runtime/console-sign-in";
import { SERVICE_VERSION } from "../runtime/version";

export const getConsoleConfig = operation({
	id: "getConsoleConfig",
	method: "GET",
	path: "/console/config.json",
	summary: "Get the console's sign-in settings",
	access: anyone,
	home: "directory",
	gated: false,
	request: {},
	response: z.object({ environment: z.enum(["local", "sandbox", "production"]), version: z.string(), sign_in: z.array(OfferedSignIn) }),
	async handle(_, { config }) {
		const sign_in = config.CONSOLE_SIGN_IN.map(offered);
		return { environment: config.ENVIRONMENT, version: SERVICE_VERSION, sign_in };
	},
});
