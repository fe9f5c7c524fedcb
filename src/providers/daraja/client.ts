// Asks Daraja, with a token that isolates remember. An answer comes back as it is: what it means stands in `answers`.

import type { Ask, OpenedConnection } from "../../runtime/ports";
import { toBase64, utf8 } from "../../shared/bytes";
import { BoundedCache } from "../../shared/cache";
import { SECOND_MS } from "../../shared/time";
import { askProvider, type ProviderAnswer } from "../provider-answer";
import { type Answer, isOfToken } from "./answers";

/** A token holds for 3,599 seconds, and is renewed a minute before. */
const TOKEN_MS = 3_539 * SECOND_MS;

const HOSTS = { sandbox: "https://sandbox.safaricom.co.ke", production: "https://api.safaricom.co.ke" } as const;

/** What a lender has from the portal. `securityCredential`: the initiator's password as the portal has encrypted it. */
export type DarajaSecrets = {
	readonly consumerKey: string;
	readonly consumerSecret: string;
	readonly passkey: string | null;
	readonly initiatorName: string | null;
	readonly securityCredential: string | null;
};
export type DarajaAccount = DarajaSecrets & Pick<OpenedConnection, "environment" | "shortCode">;

/** They were checked when they were entered. */
export const accountOf = ({ environment, shortCode, secrets }: OpenedConnection): DarajaAccount => ({
	...(secrets as DarajaSecrets),
	environment,
	shortCode,
});

type Asking = { readonly ask: Ask; readonly url: string | undefined; readonly realNow: number };

/** Of wrong credentials the portal says 400, and others saw 401 and 403; 429 and 5xx say nothing about them. */
const REFUSALS: readonly number[] = [400, 401, 403];

const tokens = new BoundedCache<string>(1_000, TOKEN_MS);

/** Posts a request. A token that Daraja no longer knows is renewed once. Never rejects. */
export async function ask(asking: Asking, account: DarajaAccount, path: string, body: object): Promise<Answer> {
	const first = await post(asking, account, path, body);
	if (!isOfToken(first)) return first;
	tokens.delete(nameOf(asking, account));
	return post(asking, account, path, body);
}

/** Posts a request with a token that is new, so that it is of these credentials and of no earlier version of them. */
export async function askAnew(asking: Asking, account: DarajaAccount, path: string, body: object): Promise<Answer> {
	tokens.delete(nameOf(asking, account));
	return post(asking, account, path, body);
}

/** Whether Daraja gives a token for the credentials; undefined: no answer. */
export async function hasToken(asking: Asking, account: DarajaAccount): Promise<boolean | undefined> {
	tokens.delete(nameOf(asking, account));
	const token = await tokenOf(asking, account);
	return typeof token === "string" || (token.isRefused ? false : undefined);
}

async function post(asking: Asking, account: DarajaAccount, path: string, body: object): Promise<Answer> {
	const token = await tokenOf(asking, account);
	if (typeof token !== "string") return token;
	return send(asking, account, path, {
		method: "POST",
		headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
		body: JSON.stringify(body),
	});
}

/** With the secret, so that a connection with another secret gets no token that was given for this one. */
const nameOf = ({ url }: Asking, { environment, consumerKey, consumerSecret }: DarajaAccount) =>
	JSON.stringify([url ?? HOSTS[environment], consumerKey, consumerSecret]);

async function tokenOf(asking: Asking, account: DarajaAccount): Promise<string | Extract<Answer, { kind: "NO_TOKEN" }>> {
	const name = nameOf(asking, account);
	const known = tokens.get(name, asking.realNow);
	if (known?.fresh) return known.value;
	const basic = toBase64(utf8(`${account.consumerKey}:${account.consumerSecret}`));
	const answer = await send(asking, account, "/oauth/v1/generate?grant_type=client_credentials", {
		headers: { Authorization: `Basic ${basic}` },
	});
	if (answer.kind !== "ANSWER") return { kind: "NO_TOKEN", isRefused: false };
	const token = answer.status === 200 && (answer.body as { access_token?: unknown } | null)?.access_token;
	if (typeof token !== "string" || token === "") return { kind: "NO_TOKEN", isRefused: REFUSALS.includes(answer.status) };
	tokens.set(name, token, asking.realNow);
	return token;
}

const send = ({ ask, url }: Asking, { environment }: DarajaAccount, path: string, init: RequestInit): Promise<ProviderAnswer> =>
	askProvider(ask, `${url ?? HOSTS[environment]}${path}`, init);
