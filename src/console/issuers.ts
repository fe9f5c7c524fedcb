// Signing in at an issuer of staff or operators: authorization code with PKCE, in a window of its own, which hands the code back over a
// channel. The code and the tokens are in no storage.

import { call, Refused } from "./api.ts";
import { type Config, config } from "./config.ts";
import { invitation } from "./invitation.ts";
import { ofService, ofToken } from "./renewal.ts";
import { go, placeNow } from "./router.ts";
import { type Demand, hasLeft, type Renewal, type Session, signedIn } from "./session.ts";
import { endpointsOf, IssuerFailed, isAnswerOf, isMadeFor } from "./trust.ts";

type Issuer = Config["sign_in"][number];
type Discovered = { readonly authorization_endpoint: string; readonly token_endpoint: string };
type Tokens = {
	readonly access_token?: string;
	readonly id_token?: string;
	readonly refresh_token?: string;
	readonly expires_in?: number;
	readonly error?: string;
	readonly error_description?: string;
};
type Handed = {
	readonly state: string | null;
	readonly code: string | null;
	readonly error: string | null;
	readonly iss: string | null;
	/** Where the issuer has sent the window back to. */
	readonly path: string;
};

const CHANNEL = "console-sign-in";

const base64url = (bytes: Uint8Array): string =>
	btoa(String.fromCharCode(...bytes))
		.replaceAll("+", "-")
		.replaceAll("/", "_")
		.replaceAll("=", "");
const random = (): string => base64url(crypto.getRandomValues(new Uint8Array(32)));

async function discover({ issuer, origins }: Issuer): Promise<Discovered> {
	const response = await fetch(`${issuer.replace(/\/+$/, "")}/.well-known/openid-configuration`, { credentials: "omit" });
	const found = (await response.json()) as Partial<Discovered> & { readonly issuer?: string };
	const endpoints = endpointsOf({ issuer, origins }, found);
	if (!endpoints) throw new IssuerFailed("The issuer's name or addresses are not those that this installation trusts.");
	return endpoints;
}

/** Opens the window, which must be done while the click lasts. Rejects when it is closed without a code. */
export async function signInAt(issuer: Issuer, demand: Demand = {}): Promise<Session> {
	const popup = open("about:blank", "console-sign-in", "popup,width=480,height=720");
	if (!popup) throw new IssuerFailed("The browser did not open a window. Allow windows of this page, and try again.");
	const state = random();
	const verifier = random();
	const nonce = random();
	const redirect_uri = location.origin + issuer.return_path;
	try {
		const { authorization_endpoint, token_endpoint } = await discover(issuer);
		const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier));
		const to = new URL(authorization_endpoint);
		to.search = new URLSearchParams({
			...Object.fromEntries(to.searchParams),
			response_type: "code",
			client_id: issuer.client_id,
			redirect_uri,
			scope: ["openid", issuer.scope].filter(Boolean).join(" "),
			state,
			nonce,
			code_challenge: base64url(new Uint8Array(digest)),
			code_challenge_method: "S256",
			// The issuer's own session goes on after a sign-out here: without this the next click would sign the same person in again.
			...(hasLeft() && { prompt: "login" }),
			...demand,
		}).toString();
		const signedInThere = handedOver(state).then((answer) => sessionBy(answer, { issuer, token_endpoint, redirect_uri, verifier, nonce }));
		popup.location.href = to.href;
		return await orClosed(popup, signedInThere);
	} catch (error) {
		popup.close();
		throw error instanceof TypeError
			? new IssuerFailed("The issuer does not answer, or does not allow this page to call it (CORS).")
			: error;
	}
}

type Asked = {
	readonly issuer: Issuer;
	readonly token_endpoint: string;
	readonly redirect_uri: string;
	readonly verifier: string;
	readonly nonce: string;
};

async function sessionBy(answer: Handed, { issuer, token_endpoint, redirect_uri, verifier, nonce }: Asked): Promise<Session> {
	// An answer of another issuer carries a code that is not this one's: it would be handed over with the verifier.
	if (!isAnswerOf(issuer, answer)) throw new IssuerFailed("Another issuer has answered. Try again.");
	const { code, error } = answer;
	if (!code) throw new IssuerFailed(error === "access_denied" ? "The issuer did not let you in." : "The issuer sent no code.");
	const form = { grant_type: "authorization_code", code, redirect_uri, code_verifier: verifier };
	const tokens = await tokensFrom(token_endpoint, { ...form, client_id: issuer.client_id });
	if (tokens.id_token && !isMadeFor(tokens.id_token, { issuer: issuer.issuer, nonce }))
		throw new IssuerFailed("The issuer's token is of another sign-in. Try again.");
	return sessionOf(issuer, tokens);
}

/** How often it is looked whether the window is still open, and how long after its end an answer may still come. */
const LOOKS_MS = 500;

/**
 * The session, or a rejection once the window is closed. A page that cuts itself off from the one that opened it
 * (`Cross-Origin-Opener-Policy`) looks closed while it is open: who signs in there all the same is signed in.
 */
async function orClosed(popup: Window, session: Promise<Session>): Promise<Session> {
	const closed = Promise.withResolvers<undefined>();
	const looking = setInterval(() => {
		if (!popup.closed) return;
		clearInterval(looking);
		setTimeout(closed.resolve, LOOKS_MS, undefined);
	}, LOOKS_MS);
	const first = await Promise.race([session, closed.promise]).finally(() => clearInterval(looking));
	if (first) return first;
	session.then(signedIn, () => {});
	throw new IssuerFailed("The window was closed before you were signed in. If it is still open, go on there; else try again.");
}

/** How long a person may take at the issuer. */
const PATIENCE_MS = 600_000;

function handedOver(state: string): Promise<Handed> {
	return new Promise((resolve, reject) => {
		const channel = new BroadcastChannel(CHANNEL);
		const late = setTimeout(() => {
			channel.close();
			reject(new IssuerFailed("The sign-in took too long. Try again."));
		}, PATIENCE_MS);
		channel.addEventListener("message", ({ data }: MessageEvent<Handed>) => {
			if (data.state !== state) return;
			clearTimeout(late);
			channel.close();
			resolve(data);
		});
	});
}

/** In the window that came back: hands the code over, and closes it. */
export function handOver(query: URLSearchParams): void {
	const handed: Handed = {
		state: query.get("state"),
		code: query.get("code"),
		error: query.get("error"),
		iss: query.get("iss"),
		path: location.pathname,
	};
	// Neither the history nor the address keeps the code.
	go(placeNow().path, { replace: true });
	const channel = new BroadcastChannel(CHANNEL);
	channel.postMessage(handed);
	channel.close();
	close();
}

async function tokensFrom(endpoint: string, form: Record<string, string>): Promise<Tokens> {
	const response = await fetch(endpoint, { method: "POST", credentials: "omit", body: new URLSearchParams(form) });
	const tokens = (await response.json()) as Tokens;
	if (!response.ok) throw new IssuerFailed(tokens.error_description ?? "The issuer gave no token.");
	return tokens;
}

async function sessionOf({ issuer, client_id, kind, token: which }: Issuer, tokens: Tokens): Promise<Session> {
	const token = tokens[which];
	if (!token) throw new IssuerFailed("The issuer gave no token.");
	const renewal: Renewal | null = tokens.refresh_token ? { by: "issuer", issuer, client: client_id, token: tokens.refresh_token } : null;
	const at = { issuer, client: client_id };
	if (kind === "identity") {
		// Whom the service does not know yet becomes somebody by accepting an invitation; those whom it knows are asked on the page.
		const exchange = () => call("POST /v1/auth/identity/exchange", { body: { identity_token: token } });
		const invited = invitation();
		const session = await exchange().catch(async (error: unknown) => {
			if (!invited || !(error instanceof Refused && error.status === 401)) throw error;
			await call("POST /v1/invitations/accept", { body: { token: invited }, token, organization: null });
			return exchange();
		});
		return { ...ofService(session), at };
	}
	if (kind === "partner") return { ...ofToken(await call("POST /v1/auth/exchange", { body: { partner_token: token } }), renewal), at };
	return { ...ofToken({ access_token: token, token_type: "Bearer", expires_in: tokens.expires_in ?? 300 }, renewal), at };
}

/** What the installation says of the issuer; undefined if it offers it no longer. */
export async function issuerAt({ issuer, client }: NonNullable<Session["at"]>): Promise<Issuer | undefined> {
	const { sign_in } = await config();
	return sign_in.find((one) => one.issuer === issuer && one.client_id === client);
}

export async function renewAtIssuer(renewal: Extract<Renewal, { by: "issuer" }>): Promise<Session | undefined> {
	const issuer = await issuerAt(renewal);
	if (!issuer) return undefined;
	const { token_endpoint } = await discover(issuer);
	const form = { grant_type: "refresh_token", refresh_token: renewal.token, client_id: issuer.client_id };
	try {
		const tokens = await tokensFrom(token_endpoint, form);
		return await sessionOf(issuer, { refresh_token: renewal.token, ...tokens });
	} catch (error) {
		if (error instanceof IssuerFailed) return undefined;
		throw error;
	}
}
