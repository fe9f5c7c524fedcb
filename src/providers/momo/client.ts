// Asks MTN MoMo, with a token that isolates remember. An answer comes back as it is: what it means stands in `answers`.

import type { Ask, OpenedConnection } from "../../runtime/ports";
import { toBase64, utf8 } from "../../shared/bytes";
import { BoundedCache } from "../../shared/cache";
import { SECOND_MS } from "../../shared/time";
import { askProvider, type ProviderAnswer } from "../provider-answer";
import { type Answer, isOfToken } from "./answers";

/** A token holds for an hour, and is renewed a minute before. */
const TOKEN_MS = 3_540 * SECOND_MS;

const HOSTS = { sandbox: "https://sandbox.momodeveloper.mtn.com", production: "https://proxy.momoapi.mtn.com" } as const;

/** What a lender has from the portal, and in which market. */
export type MomoAccount = {
	readonly environment: keyof typeof HOSTS;
	readonly apiUser: string;
	readonly market: string;
	readonly apiKey: string;
	readonly subscriptionKey: string;
};

type MomoSecrets = Pick<MomoAccount, "apiKey" | "subscriptionKey">;

/** They were checked when they were entered. */
export const accountOf = ({ environment, shortCode, facts, secrets }: OpenedConnection): MomoAccount => ({
	...(secrets as MomoSecrets),
	environment,
	apiUser: shortCode,
	market: facts.targetEnvironment ?? "",
});

type Asking = { readonly ask: Ask; readonly url: string | undefined; readonly realNow: number };
type Request = {
	readonly method: "GET" | "POST";
	readonly path: string;
	readonly headers?: Record<string, string>;
	readonly body?: object;
};

const tokens = new BoundedCache<string>(1_000, TOKEN_MS);

/** A token that is refused is renewed once. Never rejects. */
export async function ask(asking: Asking, account: MomoAccount, request: Request): Promise<Answer> {
	const first = await askOnce(asking, account, request);
	if (!isOfToken(first)) return first;
	tokens.delete(nameOf(asking, account));
	return askOnce(asking, account, request);
}

async function askOnce(asking: Asking, account: MomoAccount, { method, path, headers, body }: Request): Promise<Answer> {
	const token = await tokenOf(asking, account);
	if (typeof token !== "string") return token;
	return send(asking, account, path, {
		method,
		headers: {
			...headers,
			Authorization: `Bearer ${token}`,
			"X-Target-Environment": account.market,
			"Ocp-Apim-Subscription-Key": account.subscriptionKey,
			...(body && { "Content-Type": "application/json" }),
		},
		...(body && { body: JSON.stringify(body) }),
	});
}

/** With the secrets, so that a connection with others gets no token that was given for these. */
const nameOf = ({ url }: Asking, { environment, apiUser, apiKey, subscriptionKey }: MomoAccount) =>
	JSON.stringify([url ?? HOSTS[environment], apiUser, apiKey, subscriptionKey]);

async function tokenOf(asking: Asking, account: MomoAccount): Promise<string | Answer> {
	const name = nameOf(asking, account);
	const known = tokens.get(name, asking.realNow);
	if (known?.fresh) return known.value;
	const answer = await send(asking, account, "/disbursement/token/", {
		method: "POST",
		headers: {
			Authorization: `Basic ${toBase64(utf8(`${account.apiUser}:${account.apiKey}`))}`,
			"Ocp-Apim-Subscription-Key": account.subscriptionKey,
		},
	});
	if (answer.kind !== "ANSWER") return { kind: "NO_TOKEN" };
	const token = (answer.body as { access_token?: unknown } | null | undefined)?.access_token;
	if (answer.status !== 200 || typeof token !== "string" || token === "") return { kind: "NO_TOKEN", status: answer.status };
	tokens.set(name, token, asking.realNow);
	return token;
}

const send = ({ ask, url }: Asking, { environment }: MomoAccount, path: string, init: RequestInit): Promise<ProviderAnswer> =>
	askProvider(ask, `${url ?? HOSTS[environment]}${path}`, init);
