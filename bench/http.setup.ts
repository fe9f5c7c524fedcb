// Makes what the HTTP bench asks for: an organization with a brand, borrowers with open offers, and the rows of the bare
// Worker.

import { loanProduct } from "../src/dev/loan-product.ts";
import { type Fields, textOf } from "../src/dev/own-service.ts";
import { type Call, requestOf } from "./http.load.ts";

type Borrower = { readonly apply: Call; readonly repay: Call };

export type Fixture = {
	/** Bearer tokens. */
	readonly user: string;
	readonly operator: string;
	readonly organization: string;
	readonly application: string;
	readonly borrowers: readonly Borrower[];
	/** The rows that a call writes, indexes included. */
	readonly rowsOf: { readonly apply: number; readonly repay: number };
};

const AT_ONCE = 8;
const LOAN_AMOUNT = 50_000;

export async function prepare(url: string, count: number): Promise<Fixture> {
	const send = async (call: Call): Promise<{ fields: Fields; written: number }> => {
		const { path, ...request } = requestOf(call);
		const response = await fetch(`${url}${path}`, request);
		const fields = (await response.json()) as Fields;
		if (!response.ok) throw new Error(`${call.method} ${path} answered ${response.status} ${JSON.stringify(fields)}`);
		return { fields, written: Number(/written=(\d+)/.exec(response.headers.get("server-timing") ?? "")?.[1]) };
	};
	const post = async (path: string, body: Fields, token?: string) =>
		(await send({ method: "POST", path, body, ...(token !== undefined && { token }) })).fields;
	const sandboxToken = async (body: Fields) => textOf(await post("/v1/sandbox/tokens", body), "token");

	await send({ worker: "bare", method: "POST", path: "/tables", body: {} });
	const operator = await sandboxToken({ kind: "operator", subject: "bench", expires_in: 3600 });
	const slug = "bench";
	const organization = textOf(await post("/v1/platform/organizations", { name: "Bench", slug }, operator), "id");
	const brand = { primary_color: "#1d6fa5" };
	await send({ method: "PUT", path: `/v1/branding/${organization}`, token: operator, body: brand });
	const product = textOf(await post("/v1/platform/loan-products", loanProduct(organization), operator), "id");

	const newBorrower = async (index: number) => {
		const exchange = async () => {
			const partner_token = await sandboxToken({ kind: "partner", subject: `borrower-${index}`, organization: slug });
			return textOf(await post("/v1/auth/exchange", { partner_token }), "access_token");
		};
		let token = await exchange();
		const { fields: me } = await send({ method: "GET", path: "/v1/me", token });
		if (me.status === "WAITING_LIST") {
			await post(`/v1/platform/users/${textOf(me, "id")}/admit`, {}, operator);
			token = await exchange();
		}
		const offer = await post("/v1/accounts/loan/applications/partner", { loan_product_id: product, loan_amount: LOAN_AMOUNT }, token);
		const application = textOf(offer, "id");
		const apply: Call = {
			method: "POST",
			path: `/v1/accounts/loan/applications/partner/${application}/apply`,
			token,
			key: crypto.randomUUID(),
			body: { loan_amount: LOAN_AMOUNT },
		};
		const repay: Call = {
			method: "POST",
			path: "/v1/repayments",
			token: operator,
			key: crypto.randomUUID(),
			body: {
				mobile_money_transaction_id: `BENCH${index}`,
				account_id: textOf(offer, "account_id"),
				amount: { value: 1_000, currency: "KES" },
				transacted_at: new Date().toISOString(),
				details: { type: "BANK_TRANSFER", bank_code: "01", reference: `${index}` },
			},
		};
		return { token, application, apply, repay };
	};
	const first = await newBorrower(count);
	const rowsOf = { apply: (await send(first.apply)).written, repay: (await send(first.repay)).written };
	const borrowers: Borrower[] = [];
	for (let index = 0; index < count; index += AT_ONCE) {
		const some = Math.min(AT_ONCE, count - index);
		borrowers.push(...(await Promise.all(Array.from({ length: some }, (_, offset) => newBorrower(index + offset)))));
	}
	return { user: first.token, operator, organization, application: first.application, borrowers, rowsOf };
}
