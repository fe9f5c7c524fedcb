// A certified OpenID provider (`oidc-provider`) on loopback, with public clients for the console, people who sign in by their name alone,
// and switches for what goes wrong with providers.

import { generateKeyPairSync, randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo } from "node:net";
import { Provider } from "oidc-provider";
import type { Certificate } from "../../../src/dev/certificate.ts";

const SCOPE = "openid email profile offline_access";
export const OPERATORS = "console-operators";
export const STAFF = "console-staff";

export type Claims = { readonly name?: string; readonly email?: string; readonly email_verified?: boolean };

export type OpenIdProvider = {
	readonly issuer: string;
	/** The public keys that it signs with now. */
	readonly keys: () => readonly object[];
	/** Whether other pages may call its token endpoint. */
	allowsPages: boolean;
	/** SILENT: every connection breaks off. HANGING: none is ever answered. */
	state: "ANSWERS" | "SILENT" | "HANGING";
	/** Its page cuts itself off from its opener, to which it then looks closed. */
	cutsOff: boolean;
	/** How long ago people signed in who sign in now, in seconds. */
	signedInAgo: number;
	/** How long its tokens last, in seconds. */
	tokensLast: number;
	/** The queries of the authorization requests so far. */
	readonly asked: URLSearchParams[];
	/** How often it gave tokens, by type of grant. */
	readonly granted: Map<string, number>;
	/** A fresh key signs from now on; the ones before stay in its key set. */
	rotate(): void;
	/** Begins to serve the console of this origin. */
	serve(origin: string): void;
	close(): Promise<void>;
};

type Jwk = Readonly<Record<string, unknown>>;
const freshKey = (): Jwk => ({
	...generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey.export({ format: "jwk" }),
	kid: randomUUID(),
	alg: "RS256",
	use: "sig",
});
const PUBLIC = ["kty", "n", "e", "kid", "alg", "use"];

/** `certificate`: over HTTPS. */
export async function openProvider(people: Readonly<Record<string, Claims>>, certificate?: Certificate): Promise<OpenIdProvider> {
	const listen = (request: IncomingMessage, response: ServerResponse) => void respond(request, response);
	const server = certificate ? createSecureServer(certificate, listen) : createServer(listen);
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const issuer = `${certificate ? "https" : "http"}://127.0.0.1:${(server.address() as AddressInfo).port}`;
	const kept = new Map<string, object>();
	let keys = [freshKey()];
	const cookieKey = randomUUID();
	let origin = "";
	let provider: Provider | undefined;

	/** Started again after each change: it reads its keys once. Its sessions and grants outlive it. */
	function make(): void {
		const count = ({ oidc }: { oidc: { params: { grant_type: string } } }) =>
			opened.granted.set(oidc.params.grant_type, (opened.granted.get(oidc.params.grant_type) ?? 0) + 1);
		const client = (client_id: string) => ({
			client_id,
			token_endpoint_auth_method: "none",
			grant_types: ["authorization_code", "refresh_token"],
			response_types: ["code"],
			redirect_uris: [`${origin}/console/signed-in/${new URL(issuer).host.replace(":", "-")}`],
		});
		provider = new Provider(issuer, {
			clients: [client(OPERATORS), client(STAFF)],
			jwks: { keys },
			adapter: keeping(kept),
			cookies: { keys: [cookieKey] },
			scopes: SCOPE.split(" "),
			claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name"], auth_time: null },
			// What the scopes ask for is in the ID token.
			conformIdTokenClaims: false,
			pkce: { required: () => true },
			clientBasedCORS: () => opened.allowsPages,
			issueRefreshToken: () => true,
			rotateRefreshToken: true,
			ttl: { AccessToken: 3600, IdToken: () => opened.tokensLast, Session: 86_400, Grant: 86_400, Interaction: 3600, RefreshToken: 86_400 },
			features: { devInteractions: { enabled: false } },
			interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
			findAccount: (_: unknown, sub: string) => ({ accountId: sub, claims: () => ({ sub, ...people[sub] }) }),
			// Nobody is asked whether the console may know who they are.
			async loadExistingGrant({ oidc }: { oidc: { client: { clientId: string }; session: { accountId: string }; provider: Provider } }) {
				const grant = new oidc.provider.Grant({ clientId: oidc.client.clientId, accountId: oidc.session.accountId });
				grant.addOIDCScope(SCOPE);
				await grant.save();
				return grant;
			},
		});
		provider.on("grant.success", count);
	}

	async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
		if (opened.state === "SILENT") return void request.socket.destroy();
		if (opened.state === "HANGING") return;
		const { pathname, searchParams } = new URL(request.url ?? "/", issuer);
		if (!provider) return void response.writeHead(503).end();
		if (pathname === "/auth") opened.asked.push(searchParams);
		if (pathname.startsWith("/interaction/")) return interact(provider, request, response);
		provider.callback()(request, response);
	}

	/** The provider's page: a name, which is enough, or no. */
	async function interact(by: Provider, request: IncomingMessage, response: ServerResponse): Promise<void> {
		const { uid, params } = await by.interactionDetails(request, response);
		const { pathname } = new URL(request.url ?? "/", issuer);
		if (pathname.endsWith("/no"))
			return by.interactionFinished(request, response, { error: "access_denied", error_description: "The person cancelled" });
		if (request.method !== "POST") {
			const hint = (params.login_hint ?? "").replaceAll(/[^\w@.+-]/g, "");
			const headers = {
				"content-type": "text/html; charset=utf-8",
				...(opened.cutsOff && { "cross-origin-opener-policy": "same-origin" }),
			};
			response.writeHead(200, headers).end(`<!doctype html>
<title>The provider</title>
<h1>Who are you?</h1>
<form method="post"><label>Name <input name="login" value="${hint}" autofocus></label> <button>Sign in</button></form>
<p><a href="/interaction/${uid}/no">Cancel</a></p>`);
			return;
		}
		let form = "";
		for await (const chunk of request) form += chunk;
		const accountId = new URLSearchParams(form).get("login") ?? "";
		const ts = Math.floor(Date.now() / 1000) - opened.signedInAgo;
		await by.interactionFinished(request, response, { login: { accountId, ts } }, { mergeWithLastSubmission: false });
	}

	const opened: OpenIdProvider = {
		issuer,
		keys: () => keys.map((key) => Object.fromEntries(Object.entries(key).filter(([name]) => PUBLIC.includes(name)))),
		allowsPages: true,
		cutsOff: false,
		state: "ANSWERS",
		signedInAgo: 0,
		tokensLast: 3600,
		asked: [],
		granted: new Map(),
		rotate() {
			keys = [freshKey(), ...keys];
			make();
		},
		serve(at) {
			origin = at;
			make();
		},
		async close() {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
	return opened;
}

type Kept = { readonly uid?: string; readonly grantId?: string; consumed?: number };

/** What the provider keeps, as its adapters do: by kind and id, without an end, because nothing here lasts that long. */
const keeping = (kept: Map<string, Kept>) =>
	class {
		readonly #kind: string;
		constructor(kind: string) {
			this.#kind = kind;
		}
		#key = (id: string) => `${this.#kind} ${id}`;
		async upsert(id: string, payload: Kept): Promise<void> {
			kept.set(this.#key(id), payload);
		}
		async find(id: string): Promise<Kept | undefined> {
			return kept.get(this.#key(id));
		}
		async findByUid(uid: string): Promise<Kept | undefined> {
			return [...kept].find(([key, one]) => key.startsWith(`${this.#kind} `) && one.uid === uid)?.[1];
		}
		async findByUserCode(): Promise<undefined> {}
		async consume(id: string): Promise<void> {
			const found = kept.get(this.#key(id));
			if (found) found.consumed = Math.floor(Date.now() / 1000);
		}
		async destroy(id: string): Promise<void> {
			kept.delete(this.#key(id));
		}
		async revokeByGrantId(grantId: string): Promise<void> {
			for (const [key, one] of kept) if (key.startsWith(`${this.#kind} `) && one.grantId === grantId) kept.delete(key);
		}
	};
