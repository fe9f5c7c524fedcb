// Stands in for Firebase Cloud Messaging and for Apple's service of pushes, for tests and for `npm start -- --with push`: it checks who asks,
// and keeps what each device shows, where the second of two with the same id takes the place of the first.

import { exportPKCS8, generateKeyPair, jwtVerify } from "jose";

export type PushProvider = "fcm" | "apns";

/**
 * How a push goes. LOST: it is shown, and no answer comes. DOWN: 503. BUSY: 429. DEAD: the app is gone. FOREIGN: the token is another
 * sender's. WRONG: it is no token. FORGOTTEN: the sender's own token is unknown. INVALID: a fault of the push itself.
 */
export type PushAnswer = "LOST" | "DOWN" | "BUSY" | "DEAD" | "FOREIGN" | "WRONG" | "FORGOTTEN" | "INVALID";

type Shown = { readonly id: string; readonly title: string | undefined; readonly text: string; readonly category: string };
type Plan = (provider: PushProvider, token: string) => PushAnswer | undefined | Promise<PushAnswer | undefined>;
type Options = { readonly now: () => number; readonly plan?: Plan; readonly told?: (line: string) => void };

const TEAM = { team_id: "TEAM000001", key_id: "KEY0000001", bundle_id: "com.lender.app" } as const;
const PROJECT = "lender-app";
const MAIL = "push@lender-app.iam.gserviceaccount.com";
const SEND = `/v1/projects/${PROJECT}/messages:send`;
const HOUR_S = 3_600;
/** Apple takes none that is older. */
const OLDEST_S = HOUR_S;

let keys: ReturnType<typeof makeKeys> | undefined;
const makeKeys = () => Promise.all([generateKeyPair("RS256", { extractable: true }), generateKeyPair("ES256", { extractable: true })]);
/** Of all stand-ins of a process, because to make them takes a tenth of a second. */
const providerKeys = () => (keys ??= makeKeys());

type FirebaseMessage = {
	readonly message: {
		readonly token: string;
		readonly notification: { readonly title?: string; readonly body: string };
		readonly data: { readonly message_id: string; readonly category: string };
		readonly android: { readonly notification: { readonly tag: string } };
	};
};
type AppleMessage = {
	readonly aps: { readonly alert: { readonly title?: string; readonly body: string } };
	readonly message_id: string;
	readonly category: string;
};

export class PushStandIn {
	/** Every push that it was asked to make. */
	readonly asked: { readonly provider: PushProvider; readonly token: string }[] = [];
	/** How many of Firebase's access tokens it has given. */
	tokens = 0;
	readonly #options: Required<Options>;
	readonly #screens = new Map<string, Map<string, Shown>>();
	readonly #keys = providerKeys();
	#accessTokens = new Set<string>();

	constructor({ now, plan = byEnd, told = () => {} }: Options) {
		this.#options = { now, plan, told };
	}

	/** What the device with this token shows. */
	shownOn(token: string): Shown[] {
		return [...(this.#screens.get(token)?.values() ?? [])];
	}

	/** The configuration with which the service pushes by it; without an address at the hosts of the real ones. */
	async variables(url?: string): Promise<Record<string, string>> {
		const [firebase, apple] = await this.#keys;
		return {
			MESSAGE_SENDERS: JSON.stringify([{ provider: "fcm" }, { provider: "apns", ...TEAM }]),
			FCM_SERVICE_ACCOUNT: JSON.stringify({
				project_id: PROJECT,
				client_email: MAIL,
				private_key: await exportPKCS8(firebase.privateKey),
			}),
			APNS_KEY: (await exportPKCS8(apple.privateKey)).trim().replaceAll("\n", "\\n"),
			...(url !== undefined && { FCM_URL: url, APNS_URL: url }),
		};
	}

	/** What it says of its own accord: nothing. */
	async deliver(): Promise<void> {}

	/** Rejects where no answer comes. */
	async handle(request: Request): Promise<Response> {
		const { pathname } = new URL(request.url);
		if (pathname === "/token") return this.#accessToken(new URLSearchParams(await request.text()));
		if (pathname === SEND) return this.#byFirebase(request);
		const [, token] = /^\/3\/device\/([^/]+)$/.exec(pathname) ?? [];
		if (token !== undefined) return this.#byApple(request, decodeURIComponent(token));
		return new Response("Not Found", { status: 404 });
	}

	async #accessToken(form: URLSearchParams): Promise<Response> {
		const [{ publicKey }] = await this.#keys;
		const checks = { issuer: MAIL, audience: "https://oauth2.googleapis.com/token", currentDate: new Date(this.#options.now()) };
		try {
			if (form.get("grant_type") !== "urn:ietf:params:oauth:grant-type:jwt-bearer") throw new Error("another grant");
			const { payload } = await jwtVerify(form.get("assertion") ?? "", publicKey, checks);
			if (payload.scope !== "https://www.googleapis.com/auth/firebase.messaging") throw new Error("another scope");
		} catch {
			return Response.json({ error: "invalid_grant" }, { status: 400 });
		}
		const access_token = `ya29.${++this.tokens}`;
		this.#accessTokens.add(access_token);
		return Response.json({ access_token, expires_in: HOUR_S - 1, token_type: "Bearer" });
	}

	async #byFirebase(request: Request): Promise<Response> {
		const { message } = (await request.json()) as FirebaseMessage;
		const { token, data } = message;
		this.asked.push({ provider: "fcm", token });
		const planned = await this.#options.plan("fcm", token);
		if (planned === "FORGOTTEN") this.#accessTokens = new Set();
		const bearer = request.headers.get("authorization")?.replace(/^Bearer /, "") ?? "";
		if (!this.#accessTokens.has(bearer)) return firebaseError(401, "UNAUTHENTICATED", []);
		if (planned && planned !== "LOST") return FIREBASE_REFUSALS[planned]();
		const { title, body } = message.notification;
		this.#show(token, message.android.notification.tag, { id: data.message_id, title, text: body, category: data.category });
		if (planned === "LOST") throw new TypeError("the connection was lost");
		return Response.json({ name: `projects/${PROJECT}/messages/${this.asked.length}` });
	}

	async #byApple(request: Request, token: string): Promise<Response> {
		const { aps, message_id: id, category } = (await request.json()) as AppleMessage;
		this.asked.push({ provider: "apns", token });
		const planned = await this.#options.plan("apns", token);
		const refused = await this.#appleRefusal(request.headers);
		if (refused) return refused;
		if (planned && planned !== "LOST") return APPLE_REFUSALS[planned]();
		const { title, body } = aps.alert;
		this.#show(token, request.headers.get("apns-collapse-id") ?? "", { id, title, text: body, category });
		if (planned === "LOST") throw new TypeError("the connection was lost");
		return new Response(null, { status: 200, headers: { "apns-id": request.headers.get("apns-id") ?? "" } });
	}

	async #appleRefusal(headers: Headers): Promise<Response | undefined> {
		const [, { publicKey }] = await this.#keys;
		const now = this.#options.now();
		const token = headers.get("authorization")?.replace(/^bearer /, "") ?? "";
		const verified = await jwtVerify(token, publicKey, { issuer: TEAM.team_id, currentDate: new Date(now) }).catch(() => undefined);
		if (verified?.protectedHeader.kid !== TEAM.key_id) return Response.json({ reason: "InvalidProviderToken" }, { status: 403 });
		if (now / 1000 - (verified.payload.iat ?? 0) > OLDEST_S) return Response.json({ reason: "ExpiredProviderToken" }, { status: 403 });
		if (headers.get("apns-topic") !== TEAM.bundle_id) return Response.json({ reason: "BadTopic" }, { status: 400 });
		return headers.get("apns-push-type") === "alert" ? undefined : Response.json({ reason: "InvalidPushType" }, { status: 400 });
	}

	#show(token: string, tag: string, shown: Shown): void {
		const screen = this.#screens.get(token) ?? new Map<string, Shown>();
		this.#screens.set(token, screen.set(tag, shown));
		this.#options.told(`push to ${token.slice(0, 12)}…: ${JSON.stringify(shown)}\n`);
	}
}

/** By the end of the token, so that an app's tester can choose what goes wrong. */
const BY_END: Readonly<Record<string, PushAnswer>> = { dead: "DEAD", lost: "LOST", down: "DOWN", busy: "BUSY" };
const byEnd: Plan = (_, token) => BY_END[token.slice(-4)];

type Refusals = Readonly<Record<Exclude<PushAnswer, "LOST">, () => Response>>;

const FCM_ERROR = "type.googleapis.com/google.firebase.fcm.v1.FcmError";
const BAD_REQUEST = "type.googleapis.com/google.rpc.BadRequest";
const firebaseError = (code: number, status: string, details: readonly object[]) =>
	Response.json({ error: { code, status, message: status, details } }, { status: code });
const ofCode = (errorCode: string) => ({ "@type": FCM_ERROR, errorCode });
const ofField = (field: string) => ({ "@type": BAD_REQUEST, fieldViolations: [{ field, description: "Invalid value" }] });

const FIREBASE_REFUSALS: Refusals = {
	DOWN: () => firebaseError(503, "UNAVAILABLE", [ofCode("UNAVAILABLE")]),
	BUSY: () => firebaseError(429, "RESOURCE_EXHAUSTED", [ofCode("QUOTA_EXCEEDED")]),
	DEAD: () => firebaseError(404, "NOT_FOUND", [ofCode("UNREGISTERED")]),
	FOREIGN: () => firebaseError(403, "PERMISSION_DENIED", [ofCode("SENDER_ID_MISMATCH")]),
	WRONG: () => firebaseError(400, "INVALID_ARGUMENT", [ofCode("INVALID_ARGUMENT"), ofField("message.token")]),
	FORGOTTEN: () => firebaseError(401, "UNAUTHENTICATED", []),
	INVALID: () => firebaseError(400, "INVALID_ARGUMENT", [ofCode("INVALID_ARGUMENT"), ofField("message.android.ttl")]),
};

const appleError = (status: number, reason: string) => Response.json({ reason }, { status });
const APPLE_REFUSALS: Refusals = {
	DOWN: () => appleError(503, "ServiceUnavailable"),
	BUSY: () => appleError(429, "TooManyRequests"),
	DEAD: () => appleError(410, "Unregistered"),
	FOREIGN: () => appleError(400, "DeviceTokenNotForTopic"),
	WRONG: () => appleError(400, "BadDeviceToken"),
	FORGOTTEN: () => appleError(403, "ExpiredProviderToken"),
	INVALID: () => appleError(400, "BadCollapseId"),
};
