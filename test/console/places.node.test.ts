// Every operation that people may call has its place in the console, or a reason why it belongs elsewhere.

import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import type { AnyOperation } from "../../src/http/operation";
import { operationsByTag } from "../../src/wiring/loading";

/** What no page calls, and who does. */
const ELSEWHERE: Readonly<Record<string, string>> = {
	decide: "the custodian's program reports its decisions",
	recordMovement: "the custodian's program reports movements",
	reportDisbursement: "the disburser's program reports how payouts end",
	reportTransfer: "the provider's program reports how transfers end",
	recordAgentEvents: "the lender's own program records what its agents do, by the hundred",
	uploadInvoices: "the merchant's own program sends many at once; the page uploads one",
	getRepaymentPrompt: "an app follows the one prompt that it has sent; the page lists all of an account",
	getCurrentAccount: "an app reads its user's one; the account's page reads it by its id",
	getActivation: "the user's app follows the activation that it began; a late one is work",
	getClosure: "the user's app follows the closure that it began; a late one is work",
	getNumberChange: "the user's app follows the change that it began",
	getTransfer: "the user's app follows the transfer that it ordered; the page lists all of an account",
	getApproval: "a lender's program asks what became of the request that it made; pages list requests whole, also by their ids",
	getIssuer: "the page lists each issuer whole",
	getErasure: "an operator's program that erases many people asks what became of each; the page erases one at once",
	exportMe: "the user's app saves what is held about them; operators save it on the user's page",
	getClock: "the sandbox's tests read the clock; the pages have it from the service's health",
	testOwnReceiver: "a developer's test calls its own receiver",
	payInSandbox: "an app's test pays as its user",
	getLedgerClosing: "the page leads from a closed month to the trial balance of its last day",
	getTreasuryRecord: "the list has all that there is of a record",
};

const root = path.resolve(import.meta.dirname, "../../src/console");
const sources = readdirSync(root, { recursive: true, encoding: "utf8" })
	.filter((file) => /\.tsx?$/.test(file))
	.map((file) => readFileSync(path.join(root, file), "utf8"))
	.join("\n");

/** Members, and operators. Users' own operations are their app's, and providers' reports come without a person. */
const isForStaff = ({ access: { operator, organization } }: AnyOperation): boolean => operator === true || organization !== undefined;

it("each operation of a member or an operator is called by a page, or its caller is named", async () => {
	const operations = [...(await operationsByTag()).values()].flatMap((group) => group.operations);
	expect(operations.length).toBeGreaterThan(200);
	const called = operations.filter(({ method, path: address }) => sources.includes(`"${method} ${address}"`)).map(({ id }) => id);
	const without = operations.filter((one) => isForStaff(one) && !called.includes(one.id)).map(({ id }) => id);
	expect(
		without.filter((id) => !(id in ELSEWHERE)),
		"no page calls these: give each its place, or name its caller in ELSEWHERE",
	).toEqual([]);
	const known = new Set(operations.map(({ id }) => id));
	expect(
		Object.keys(ELSEWHERE).filter((id) => called.includes(id) || !known.has(id)),
		"these have a page, or are gone",
	).toEqual([]);
});
