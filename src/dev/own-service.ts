// Starts a separate service, to make data or to measure, and signs its callers in.

import { type Api, createClient } from "../../client/src/index.ts";
import { type Service, type ServiceOptions, startService, type Variables } from "./service.ts";

/** Starts the service on any free port, in one database, without rate limits. By default only errors are printed. */
export const startOwnService = (
	statePath: string,
	options: Pick<ServiceOptions, "backup" | "sweptWhenAsked" | "companions" | "onLog" | "receiver"> & {
		readonly variables?: Variables;
	} = {},
): Promise<Service> =>
	startService({
		port: 0,
		statePath,
		databases: 0,
		onLog: printError,
		...options,
		variables: { RATE_LIMITS: "off", ...options.variables },
	});

const printError: ServiceOptions["onLog"] = ({ level, message }) => void (level === "error" && process.stderr.write(`${message}\n`));

/** A client of the service with an operator's token. */
export async function operatorOf({ url: baseUrl }: Pick<Service, "url">, subject = "seed", organization?: string): Promise<Api> {
	const body = { kind: "operator", subject, expires_in: 3600 } as const;
	const { token } = await createClient({ baseUrl }).createSandboxToken({ body });
	return createClient({ baseUrl, token, organization });
}

/** Signs in with the organization's identity provider: each call gets another token of the user, which lasts a quarter of an hour. */
export const signsIn = (baseUrl: string, subject: string, organization: string, claims = {}) => {
	const anyone = createClient({ baseUrl });
	return async (): Promise<string> => {
		const identity = { kind: "partner", subject, organization, claims } as const;
		const { token: partner_token } = await anyone.createSandboxToken({ body: identity });
		return (await anyone.exchangePartnerToken({ body: { partner_token } })).access_token;
	};
};

/** A client of the service for a user whom the organization's identity provider has signed in. */
export async function userOf({ url: baseUrl }: Pick<Service, "url">, subject: string, organization: string, claims = {}): Promise<Api> {
	const signIn = signsIn(baseUrl, subject, organization, claims);
	// The first sign-in creates the user.
	const first = await signIn();
	return createClient({ baseUrl, token: (refused?: string) => (refused === undefined ? first : signIn()) });
}
