// A separate service with borrowers, for measurements of lending: organization, products, paid-out loans and payments over HTTP.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { loanProduct } from "../src/dev/loan-product.ts";
import { type Answer, ask, type Fields, startOwnService, textOf } from "../src/dev/own-service.ts";
import { databaseFile } from "../src/dev/seed-stories.ts";

export type Loan = { readonly accountId: string; readonly token: string };

const LOCK_PATIENCE_MS = 60_000;

export async function openLending() {
	const statePath = mkdtempSync(path.join(tmpdir(), "lending-"));
	const service = await startOwnService(statePath);
	const call = (method: "GET" | "POST", pathname: string, token?: string, body?: Fields): Promise<Answer> =>
		ask(
			service.url,
			method,
			pathname,
			{ ...(token !== undefined && { token }), ...(method === "POST" && { key: crypto.randomUUID() }) },
			body,
		);
	const text = (answer: Answer, name: string): string => textOf(answer.body, name);
	const tokenFor = async (of: Fields) => text(await call("POST", "/v1/sandbox/tokens", undefined, of), "token");
	// Tokens expire with the service's clock, which is moved.
	const operator = () => tokenFor({ kind: "operator", subject: "bench", expires_in: 3600 });
	const slug = "bench";
	const organization = text(await call("POST", "/v1/platform/organizations", await operator(), { name: "Bench", slug }), "id");
	let borrowers = 0;

	async function signIn(subject: string): Promise<string> {
		const partner_token = await tokenFor({ kind: "partner", subject, organization: slug });
		return text(await call("POST", "/v1/auth/exchange", undefined, { partner_token }), "access_token");
	}

	return {
		call,
		operator,
		signIn,

		async product(members: Fields): Promise<string> {
			return text(await call("POST", "/v1/platform/loan-products", await operator(), { ...loanProduct(organization), ...members }), "id");
		},

		/** A new borrower with a loan of the amount, and the name by which they sign in. */
		async lend(productId: string, amount: number): Promise<Loan & { subject: string }> {
			const subject = `borrower-${++borrowers}`;
			let token = await signIn(subject);
			const me = await call("GET", "/v1/me", token);
			if (me.body.status === "WAITING_LIST") {
				await call("POST", `/v1/platform/users/${text(me, "id")}/admit`, await operator());
				token = await signIn(subject);
			}
			const offer = await call("POST", "/v1/accounts/loan/applications/partner", token, { loan_product_id: productId });
			await call("POST", `/v1/accounts/loan/applications/partner/${text(offer, "id")}/apply`, token, { loan_amount: amount });
			return { accountId: text(offer, "account_id"), token, subject };
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
			const database = new DatabaseSync(databaseFile(statePath), { readOnly: true, timeout: LOCK_PATIENCE_MS });
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
