// What is used of the package, which has no types of its own and is not installed where nothing is tried.

declare module "oidc-provider" {
	import type { IncomingMessage, ServerResponse } from "node:http";

	export class Provider {
		constructor(issuer: string, configuration: object);
		readonly Grant: new (of: {
			clientId: string;
			accountId: string;
		}) => { addOIDCScope(scope: string): void; save(): Promise<string> };
		on(event: "grant.success", listener: (context: { oidc: { params: { grant_type: string } } }) => void): void;
		callback(): (request: IncomingMessage, response: ServerResponse) => void;
		interactionDetails(
			request: IncomingMessage,
			response: ServerResponse,
		): Promise<{ uid: string; params: Readonly<Record<string, string | undefined>> }>;
		interactionFinished(request: IncomingMessage, response: ServerResponse, result: object, options?: object): Promise<void>;
	}
}
