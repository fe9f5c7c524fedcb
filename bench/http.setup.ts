// Makes what the HTTP bench asks for: an organization with a brand, borrowers with open offers, holders of current accounts, and the
// rows of the bare Worker.

import { answerTo, type Call, textOf, writtenBy } from "./http.load.ts";
import {
	applyCall,
	makeOrganization,
	makePair,
	offerCall,
	operatorToken,
	type Pair,
	repayCall,
	type Send,
	signIn,
	transferCall,
} from "./people.ts";

type Borrower = { readonly apply: Call; readonly repay: Call };

export type Fixture = {
	/** Bearer tokens. */
	readonly user: string;
	readonly operator: string;
	readonly organization: string;
	readonly application: string;
	readonly borrowers: readonly Borrower[];
	/** Of accounts of their own, so that no two concurrent transfers wait for each other. */
	readonly pairs: readonly Pair[];
	/** The rows that a call writes, indexes included. */
	readonly rowsOf: { readonly apply: number; readonly repay: number; readonly transfer: number };
};

const AT_ONCE = 8;
const PAIRS = 8;

export async function prepare(url: string, count: number): Promise<Fixture> {
	const send: Send = async (call) => (await answerTo(url, call)).fields;

	await send({ worker: "bare", method: "POST", path: "/tables", body: {} });
	const operator = await operatorToken(send);
	const organization = await makeOrganization(send, operator, "bench");
	const brand = { primary_color: "#1d6fa5" };
	await send({ method: "PUT", path: `/v1/branding/${organization.id}`, token: operator, body: brand });

	const newBorrower = async (index: number) => {
		const user = await signIn(send, operator, organization, `borrower-${index}`);
		const offer = await send(offerCall(user, organization));
		const application = textOf(offer, "id");
		const repay = repayCall(operator, textOf(offer, "account_id"), `BENCH${index}`);
		return { token: user.token, application, apply: applyCall(user, application), repay };
	};
	const first = await newBorrower(count);
	const pairs: Pair[] = [];
	for (let pair = 0; pair < PAIRS; pair++) pairs.push(await makePair(send, operator, organization, `pair-${pair}`));
	const [pair] = pairs;
	if (!pair) throw new Error("there is no pair");
	const rowsOf = {
		apply: writtenBy(await answerTo(url, first.apply)),
		repay: writtenBy(await answerTo(url, first.repay)),
		transfer: writtenBy(await answerTo(url, transferCall(pair, "first"))),
	};
	const borrowers: Borrower[] = [];
	for (let index = 0; index < count; index += AT_ONCE) {
		const some = Math.min(AT_ONCE, count - index);
		borrowers.push(...(await Promise.all(Array.from({ length: some }, (_, offset) => newBorrower(index + offset)))));
	}
	return { user: first.token, operator, organization: organization.id, application: first.application, borrowers, pairs, rowsOf };
}
