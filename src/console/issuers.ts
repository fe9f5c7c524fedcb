// Signing in at an issuer of staff or operators: authorization code with PKCE, in a window of its own, which hands the code back over a
// channel. The code and the tokens are in no storage.

import { call, Refused } from "./api.ts";
import { type Config, config } from "./config.ts";
import { invitation, invitedAs } from "./invitation.ts";
import { ofService, ofToken } from "./renewal.ts";
import { go, placeNow } from "./router.ts";
import { asksAnew, type Demand, hasLeft, type Renewal, type Session, signedInLate } from "./session.ts";
import { endpointsOf, IssuerFailed, isAnswerOf, isMadeFor, secondsOf } from "./trust.ts";

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

/** How long an answer of the issuer is waited for. */
const ANSWER_MS = 10_000;

type Answer = { readonly ok: boolean; readonly status: number; readonly body: unknown };

/** What the issuer answers; `body` is undefined if that is no JSON. Rejects with `IssuerFailed` when the page gets no answer. */
async function answerOf(label: string, url: string, form?: Record<string, string>): Promise<Answer> {
	const within = () => ({ credentials: "omit", signal: AbortSignal.timeout(ANSWER_MS) }) as const;
	try {
		const response = await fetch(url, { ...within(), ...(form && { method: "POST", body: new URLSearchParams(form) }) });
		const body: unknown = await response.json().catch(() => undefined);
		return { ok: response.ok, status: response.status, body };
	} catch (error) {
		// Without the right to read an answer, a page still learns whether there is one.
		const isLate = error instanceof DOMException && error.name === "TimeoutError";
		const answers = !isLate && (await fetch(url, { ...within(), mode: "no-cors" }).then(Boolean, () => false));
		throw new IssuerFailed(
			answers
				? `${label} does not let this page read its answer. The people who run it must allow ${location.origin} to call it (CORS).`
				: `${label} does not answer. Try again in a moment.`,
		);
	}
}

async function discover({ issuer, label, origins }: Issuer): Promise<Discovered> {
	const { ok, status, body } = await answerOf(label, `${issuer.replace(/\/+$/, "")}/.well-known/openid-configuration`);
	if (!ok || !body) throw new IssuerFailed(`${label} does not say how to sign in there: it answers with the status ${status}.`);
	const endpoints = endpointsOf({ issuer, origins }, body as Partial<Discovered> & { readonly issuer?: string });
	if (!endpoints) throw new IssuerFailed("The issuer's name or addresses are not those that this installation trusts.");
	return endpoints;
}

let gaveUp = Promise.withResolvers<undefined>();
/** No longer waits for the window. */
export const giveUp = (): void => gaveUp.resolve(undefined);

const CLOSED = "The window was closed before you were signed in. If it is still open, go on there; else try again.";

/** Opens the window, which must be done while the click lasts. Rejects when it is closed without a code. */
export async function signInAt(issuer: Issuer, demand: Demand = {}): Promise<Session> {
	const popup = open("about:blank", "console-sign-in", "popup,width=480,height=720");
	if (!popup) throw new IssuerFailed("The browser did not open a window. Allow pop-up windows of this page, and try again.");
	gaveUp = Promise.withResolvers();
	const state = random();
	const verifier = random();
	const nonce = random();
	const redirect_uri = location.origin + issuer.return_path;
	const login_hint = invitedAs();
	try {
		const endpoints = await orClosed(popup, discover(issuer));
		if (!endpoints) throw new IssuerFailed(CLOSED);
		const { authorization_endpoint, token_endpoint } = endpoints;
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
			// The issuer's own session continues after a sign-out here: without this the next click would sign the same person in again.
			...(hasLeft() && { prompt: "login" }),
			...(login_hint !== undefined && { login_hint }),
			...demand,
		}).toString();
		const handed = handedOver(state);
		const session = (answer: Handed) => sessionBy(answer, { issuer, token_endpoint, redirect_uri, verifier, nonce });
		// The issuer's page must not reach this one, not even to lead it elsewhere. Nor can this one close that window then.
		popup.opener = null;
		popup.location.href = to.href;
		const answer = await orClosed(popup, handed);
		if (answer) return await session(answer);
		// A page that cuts itself off from its opener (`Cross-Origin-Opener-Policy`) looks closed while it is open: a person who signs in
		// there is signed in all the same.
		handed.then(session).then(signedInLate, () => {});
		throw new IssuerFailed(CLOSED);
	} catch (error) {
		popup.close();
		throw error;
	}
}

/** How often it is looked whether the window is still open, and how long after its end an answer may still come. */
const LOOKS_MS = 500;

/** What is waited for while the window is open; undefined once it is closed, or the person gives up. */
async function orClosed<T>(popup: Window, awaited: Promise<T>): Promise<T | undefined> {
	const closed = Promise.withResolvers<undefined>();
	const looking = setInterval(() => {
		if (!popup.closed) return;
		clearInterval(looking);
		setTimeout(closed.resolve, LOOKS_MS, undefined);
	}, LOOKS_MS);
	return Promise.race([awaited, closed.promise, gaveUp.promise]).finally(() => clearInterval(looking));
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
	if (!code) throw new IssuerFailed(whyNot(issuer.label, error));
	const form = { grant_type: "authorization_code", code, redirect_uri, code_verifier: verifier };
	const tokens = await tokensFrom(issuer.label, token_endpoint, { ...form, client_id: issuer.client_id });
	if (tokens.id_token && !isMadeFor(tokens.id_token, { issuer: issuer.issuer, nonce }))
		throw new IssuerFailed("The issuer's token is of another sign-in. Try again.");
	return sessionOf(issuer, tokens);
}

/** What an issuer's error (OpenID Connect Core 3.1.2.6) means to the person. */
function whyNot(label: string, error: string | null): string {
	if (error === "access_denied") return `${label} did not let you in, or you have cancelled.`;
	if (error === "temporarily_unavailable" || error === "server_error") return `${label} cannot sign anybody in just now. Try again later.`;
	return `${label} refuses the sign-in${error ? ` (${error.slice(0, 60)})` : ""}. The people who run it must correct the registration of this page.`;
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

async function tokensFrom(label: string, endpoint: string, form: Record<string, string>): Promise<Tokens> {
	const { ok, status, body } = await answerOf(label, endpoint, form);
	const tokens = body as Tokens | undefined;
	if (!ok || !tokens)
		throw new IssuerFailed(`${label} gave no token: ${tokens?.error_description ?? `it answers with the status ${status}`}.`, status < 429);
	return tokens;
}

async function sessionOf({ issuer, client_id, kind, label, token: which }: Issuer, tokens: Tokens): Promise<Session> {
	const token = tokens[which];
	if (!token) throw new IssuerFailed(`${label} gave no ${which === "id_token" ? "ID token" : "access token"}.`, true);
	const renewal: Renewal | null = tokens.refresh_token ? { by: "issuer", issuer, client: client_id, token: tokens.refresh_token } : null;
	const at = { issuer, client: client_id };
	if (kind === "identity") {
		// Whom the service does not know yet becomes somebody by accepting an invitation; those whom it knows are asked on the page.
		const exchange = () => call("POST /v1/auth/identity/exchange", { body: { identity_token: token } });
		const invited = invitation();
		const session = await exchange().catch(async (error: unknown) => {
			if (!invited || !(error instanceof Refused && error.status === 403)) throw error;
			await call("POST /v1/invitations/accept", { body: { token: invited }, token, organization: null }).catch((refusal: unknown) => {
				// Another account may: the next try asks for one.
				asksAnew();
				throw refusal;
			});
			return exchange();
		});
		return { ...ofService(session), at };
	}
	if (kind === "partner") return { ...ofToken(await call("POST /v1/auth/exchange", { body: { partner_token: token } }), renewal), at };
	// `expires_in` is the access token's.
	const expires_in = secondsOf(token) ?? tokens.expires_in ?? 300;
	return { ...ofToken({ access_token: token, token_type: "Bearer", expires_in }, renewal), at };
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
		const tokens = await tokensFrom(issuer.label, token_endpoint, form);
		return await sessionOf(issuer, { refresh_token: renewal.token, ...tokens });
	} catch (error) {
		if (error instanceof IssuerFailed && error.refuses) return undefined;
		throw error;
	}
}
