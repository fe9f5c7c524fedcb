// A lender's statements: files as the portal of M-Pesa writes them, sent in portions and compared.

import { listStatementBreaks } from "../../../src/domains/reconciliation/breaks.operations";
import { setOffCharges } from "../../../src/domains/reconciliation/charges.job";
import { workOnStatements } from "../../../src/domains/reconciliation/job";
import {
	addProviderStatementLines,
	compareProviderStatement,
	createProviderStatement,
	getProviderStatement,
} from "../../../src/domains/reconciliation/operations";
import { addDays, localDate, startOfDay } from "../../../src/shared/time";
import { call, expectOk } from "../../support/client";
import { givenMember, givenOrganization } from "../../support/factories";
import { runDueWork } from "../../support/loans";

export const SHORT_CODE = "600100";
export const today = localDate(Date.now());
export const yesterday = addDays(today, -1);

/** An instant of a day, after so many minutes. */
export const atMinute = (minute: number, day = yesterday): number => startOfDay(day) + minute * 60_000;

export async function givenLenderWithStatements() {
	const organization = await givenOrganization();
	const owner = await givenMember(organization.id, "organization-owner");
	return { organization, owner, by: { as: owner.token, headers: { "x-organization-id": organization.slug } } };
}
export type Lender = Awaited<ReturnType<typeof givenLenderWithStatements>>;

export const HEADER =
	"Receipt No.,Completion Time,Initiation Time,Details,Transaction Status,Paid In,Withdrawn,Balance,Balance Confirmed,Reason Type,Other Party Info,Linked Transaction ID,A/C No.";

export type Movement = {
	readonly receipt: string;
	readonly at: number;
	/** In minor units; less than nothing for what goes out. */
	readonly amount: number;
	readonly reference?: string;
	readonly linked?: string;
	readonly reason?: string;
	readonly status?: string;
};

const shillings = (units: number): string => (units / 100).toLocaleString("en-US", { minimumFractionDigits: 2 });
const local = (at: number): string => {
	const [date = "", time = ""] = new Date(at + 3 * 3_600_000).toISOString().split("T");
	return `${date.split("-").reverse().join("-")} ${time.slice(0, 8)}`;
};

/** The rows of the file, the newest first, as the portal has them. `opening`: the balance before. */
export function rowsOf(movements: readonly Movement[], opening = 0): string[] {
	let balance = opening;
	return [...movements]
		.sort((one, other) => one.at - other.at)
		.map(({ receipt, at, amount, reference = "", linked = "", reason = "Pay Bill Online", status = "Completed" }) => {
			if (status === "Completed") balance += amount;
			const [paidIn, withdrawn] = amount > 0 ? [`"${shillings(amount)}"`, ""] : ["", `"${shillings(amount)}"`];
			const party = "254700000001 - JANE DOE";
			return `${receipt},${local(at)},${local(at)},"${reason} from ${party}",${status},${paidIn},${withdrawn},"${shillings(balance)}",true,${reason},${party},${linked},${reference}`;
		})
		.reverse();
}

const PREAMBLE = ["Account Holder:,ACME LENDING", `Short Code:,${SHORT_CODE}`, "Account:,Utility Account", ""];

type About = {
	readonly number?: string;
	readonly from?: string;
	readonly to?: string;
	readonly expects?: ("PAYMENTS" | "PAYOUTS")[];
	readonly account?: string;
};

/** Begins a statement, and sends its rows in portions. */
export async function sendStatement({ by }: Pick<Lender, "by">, rows: readonly string[], about: About = {}, portion = 100) {
	const { from = yesterday, to = yesterday, ...rest } = about;
	const sha256 = [...new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(rows.join("\n"))))]
		.map((byte) => byte.toString(16).padStart(2, "0"))
		.join("");
	const body = {
		channel: "MPESA" as const,
		number: SHORT_CODE,
		account: "UTILITY",
		currency: "KES",
		from,
		to,
		name: "statement.csv",
		sha256,
		...rest,
	};
	const { id } = expectOk(await call(createProviderStatement, { ...by, body }));
	await sendRows({ by }, id, rows, portion);
	return id;
}

export async function sendRows({ by }: Pick<Lender, "by">, statementId: string, rows: readonly string[], portion = 100) {
	for (let row = 0; row < Math.max(1, rows.length); row += portion) {
		const head = row === 0 ? [...PREAMBLE, HEADER] : [];
		const csv = [...head, ...rows.slice(row, row + portion)].join("\r\n");
		expectOk(await call(addProviderStatementLines, { ...by, path: { statementId }, body: { row, csv } }));
	}
}

export const work = () =>
	runDueWork(async (services) => {
		while (await workOnStatements(services));
		while (await setOffCharges(services));
	});

/** Compares it, and answers it with its days and its open breaks. */
export async function compare({ by }: Pick<Lender, "by">, statementId: string) {
	expectOk(await call(compareProviderStatement, { ...by, path: { statementId } }));
	await work();
	return { ...expectOk(await call(getProviderStatement, { ...by, path: { statementId } })), breaks: await breaksOf({ by }, statementId) };
}

export const breaksOf = async (
	{ by }: Pick<Lender, "by">,
	statement_id: string,
	status: "OPEN" | "RESOLVED" | "RECORDED" | "EXPLAINED" | "CONFIRMED" = "OPEN",
) => expectOk(await call(listStatementBreaks, { ...by, query: { statement_id, status, size: "500" } })).data;
