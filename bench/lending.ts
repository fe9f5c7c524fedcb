// A service of its own with borrowers, for measurements of lending: organization, products, paid-out loans and payments over HTTP.

import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { loanProduct } from "../src/dev/loan-product.ts";
import { startService } from "../src/dev/service.ts";

type Fields = { readonly [name: string]: unknown };
export type Answer = { readonly body: Fields; readonly bytes: number; readonly timing: string; readonly ms: number };
export type Loan = { readonly accountId: string; readonly token: string };

const MAX_ATTEMPTS = 5;
const LOCK_PATIENCE_MS = 60_000;

export async function openLending() {
	const statePath = mkdtempSync(path.join(tmpdir(), "lending-"));
	const service = await startService({
		port: 0,
		statePath,
		databases: 0,
		variables: { RATE_LIMITS: "off" },
		onLog: ({ level, message }) => void (level === "error" && console.error(message)),
	});

	async function call(method: "GET" | "POST", pathname: string, token?: string, sent?: Fields): Promise<Answer> {
		const key = crypto.randomUUID();
		for (let attempt = 1; ; attempt++) {
			const began = performance.now();
			const response = await fetch(`${service.url}${pathname}`, {
				method,
				headers: {
					...(sent && { "content-type": "application/json" }),
					...(method === "POST" && { "idempotency-key": key }),
					...(token !== undefined && { authorization: `Bearer ${token}` }),
				},
				...(sent && { body: JSON.stringify(sent) }),
			});
			const text = await response.text();
			const ms = performance.now() - began;
			// The local runtime may close a connection that is being used again.
			if (response.status === 503 && attempt < MAX_ATTEMPTS) continue;
			if (!response.ok) throw new Error(`${method} ${pathname} answered ${response.status} ${text}`);
			return { body: JSON.parse(text), bytes: text.length, timing: response.headers.get("server-timing") ?? "", ms };
		}
	}
	const textOf = ({ body }: Answer, name: string): string => {
		const value = body[name];
		if (typeof value !== "string") throw new Error(`the answer has no ${name}`);
		return value;
	};
	const tokenFor = async (of: Fields) => textOf(await call("POST", "/v1/sandbox/tokens", undefined, of), "token");
	// Tokens expire with the service's clock, which is moved.
	const operator = () => tokenFor({ kind: "operator", subject: "bench", expires_in: 3600 });
	const slug = "bench";
	const organization = textOf(await call("POST", "/v1/platform/organizations", await operator(), { name: "Bench", slug }), "id");
	let borrowers = 0;

	async function signIn(subject: string): Promise<string> {
		const partner_token = await tokenFor({ kind: "partner", subject, organization: slug });
		return textOf(await call("POST", "/v1/auth/exchange", undefined, { partner_token }), "access_token");
	}

	return {
		call,
		operator,
		signIn,

		async product(members: Fields): Promise<string> {
			return textOf(await call("POST", "/v1/platform/loan-products", await operator(), { ...loanProduct(organization), ...members }), "id");
		},

		/** A new borrower with a loan of the amount, and the name by which they sign in. */
		async lend(productId: string, amount: number): Promise<Loan & { subject: string }> {
			const subject = `borrower-${++borrowers}`;
			let token = await signIn(subject);
			const me = await call("GET", "/v1/me", token);
			if (me.body.status === "WAITING_LIST") {
				await call("POST", `/v1/platform/users/${textOf(me, "id")}/admit`, await operator());
				token = await signIn(subject);
			}
			const offer = await call("POST", "/v1/accounts/loan/applications/partner", token, { loan_product_id: productId });
			await call("POST", `/v1/accounts/loan/applications/partner/${textOf(offer, "id")}/apply`, token, { loan_amount: amount });
			return { accountId: textOf(offer, "account_id"), token, subject };
		},

		pay: (token: string, accountId: string, value: number, at: number) =>
			call("POST", "/v1/repayments", token, {
				mobile_money_transaction_id: crypto.randomUUID(),
				account_id: accountId,
				amount: { value, currency: "KES" },
				transacted_at: new Date(at).toISOString(),
				details: { type: "BUY_GOODS", till_number: "12345" },
			}),

		advance: async (duration: string) => call("POST", "/v1/sandbox/clock", await operator(), { advance: duration }),

		/** Runs what the cron runs each minute. */
		sweep: () => service.sweep(),

		/** The rows of a query to the service's database. */
		rows(query: string): readonly Fields[] {
			const directory = path.join(statePath, "v3", "d1", "miniflare-D1DatabaseObject");
			const [file] = readdirSync(directory).filter((name) => name.endsWith(".sqlite") && name !== "metadata.sqlite");
			const database = new DatabaseSync(path.join(directory, file ?? ""), { readOnly: true, timeout: LOCK_PATIENCE_MS });
			try {
				return database.prepare(query).all();
			} finally {
				database.close();
			}
		},

		async close(): Promise<void> {
			await service.stop();
			rmSync(statePath, { recursive: true, force: true });
		},
	};
}
