// Breaks between statements and what is recorded here: they are listed, recorded as a payment, or explained in words.

import { and, eq, sql } from "drizzle-orm";
import * as z from "zod";
import type { Write } from "../../db/database";
import { byCreation, rowsOf } from "../../db/keyset";
import { first } from "../../db/reads";
import { apiKey, held, type KeyCaller, member, type OrganizationCaller, oneOf } from "../../http/callers/access";
import { operation } from "../../http/operation";
import { Links, listReply, pagingTo, readPage } from "../../http/paging";
import type { HandlerServices } from "../../runtime/services";
import { ApiError, badInput, invalidState, wrongState } from "../../shared/errors";
import { findByReference } from "../ledger/model/treasury.store";
import { raiseRecorded } from "../repayments/plan";
import { findReceived, insertPayment } from "../repayments/store";
import { payments } from "../repayments/table";
import { actorOf } from "../users/model/callers";
import { ofTreasury } from "./facts.plan";
import { BREAK_STATES } from "./lifecycle";
import { isNear } from "./match.policy";
import { paymentOf } from "./payment.plan";
import { findStatement } from "./store";
import { type BreakRow, type StatementRow, statementBreaks } from "./table";
import { findReported } from "./treasury.store";
import { ResolveBody, StatementBreak, toBreak } from "./wire";
import { decideBreak, findBreak, settleLine } from "./work.store";

/** A program that reads all breaks of a day needs few pages. */
const LONG_PAGES = 500;

export const listStatementBreaks = operation({
	id: "listStatementBreaks",
	method: "GET",
	path: "/v1/reconciliation/breaks",
	summary: "Breaks between statements and what is recorded here, oldest first",
	access: oneOf<KeyCaller, OrganizationCaller>(apiKey("repayments:read"), member("org:lending:read")),
	tabular: true,
	request: {
		query: z.object({
			...pagingTo(LONG_PAGES),
			status: z.enum(BREAK_STATES).default("OPEN"),
			statement_id: z.uuid().toLowerCase().optional(),
		}),
	},
	response: z.object({ data: z.array(StatementBreak), links: Links }),
	async handle({ caller: { organizationId }, query: { status, statement_id, ...window } }, services) {
		const page = await readPage(services, window, {
			list: "statement-breaks",
			owner: organizationId,
			filters: { status, statement_id },
			select: rowsOf(statementBreaks),
			key: byCreation(statementBreaks, "oldest"),
			where: and(
				eq(statementBreaks.status, status),
				// The `+` keeps SQLite from the organization's index, so that it uses the statement's.
				statement_id === undefined
					? eq(statementBreaks.organizationId, organizationId)
					: and(eq(statementBreaks.statementId, statement_id), sql`+${statementBreaks.organizationId} = ${organizationId}`),
			),
		});
		return listReply(services, page, toBreak);
	},
});

export const resolveStatementBreak = operation({
	id: "resolveStatementBreak",
	method: "POST",
	path: "/v1/reconciliation/breaks/{breakId}/resolve",
	summary: "Record what came in as an unmatched payment, or explain a break in words",
	description:
		"RECORD is for money that came in and is MISSING_HERE. EXPLAIN changes nothing but the break, in any state of it that is open.",
	access: held(member("org:lending:write")),
	whileSuspended: true,
	request: { path: z.object({ breakId: z.uuid().toLowerCase() }), body: ResolveBody },
	response: StatementBreak,
	errors: ["NOT_FOUND", "INVALID_STATE", "DUPLICATE_CONFLICT"],
	async handle({ path: { breakId }, body, caller }, services) {
		const { db, now } = services;
		const { organizationId } = caller;
		const { action, reason } = body;
		if (action === "EXPLAIN" && reason === undefined) throw badInput("reason", "is required to explain a break", "REQUIRED");
		if (action === "RECORD" && reason !== undefined) throw badInput("reason", "is not for a record", "NOT_ALLOWED");
		const row = await db.read(first(findBreak(db.orm, organizationId, breakId)));
		if (!row) throw new ApiError("NOT_FOUND");
		if (row.status !== "OPEN") throw wrongState("The break", row.status, ["OPEN"]);
		const decided = { decidedBy: actorOf(caller), decidedAt: now };
		if (reason !== undefined) {
			const to = { ...decided, status: "EXPLAINED", reason } as const;
			return services.commit(
				[decideBreak(db.orm, row, to), ...settleLine(db.orm, row, { status: "EXPLAINED" })],
				toBreak({ ...row, ...to, reference: null }),
			);
		}
		const { paymentId, writes } = await record(services, row);
		const to = { ...decided, status: "RECORDED", paymentId } as const;
		return services.commit([decideBreak(db.orm, row, to), ...writes], toBreak({ ...row, ...to, reference: null }), {
			// Another line of the reference was recorded meanwhile: this one decides again.
			unique: [[[payments.organizationId, payments.mobileMoneyTransactionId], "STALE"]],
		});
	},
});

/** Records the line as a payment that waits for its account. Throws if the line is not money that came in, or is recorded already. */
async function record(
	services: HandlerServices,
	row: BreakRow,
): Promise<{ readonly paymentId: string; readonly writes: readonly Write[] }> {
	const { db } = services;
	const { organizationId, kind, amount, reference } = row;
	const named = row.receipt ?? reference;
	if (kind !== "MISSING_HERE" || amount === null || amount < 0)
		throw invalidState("Only money that came in and is missing here is recorded");
	if (named === null) throw invalidState("The line has neither a receipt nor a reference by which a payment is known");
	const references = [named, ...(reference === null ? [] : [reference])];
	const [{ statement, treasury, reported }, ...places] = await Promise.all([
		db.read({
			statement: first(findStatement(db.orm, organizationId, row.statementId)),
			treasury: findByReference(db.orm, organizationId, references),
			reported: findReported(db.orm, organizationId, references),
		}),
		// A payment is in the database of its account, which may be any.
		...services.everywhere().map((there) => there.db.read(findReceived(there.db.orm, organizationId, named))),
	]);
	const of = statement as StatementRow;
	const known = places.flat();
	const ofPayments = known.flatMap(({ mobileMoneyTransactionId: key, status, currency, amount, transactedAt: at }) =>
		status === "FAILED" || currency !== of.currency ? [] : [{ kind: "PAYMENT" as const, key, receipts: [key], amount, at }],
	);
	// The next comparison finds what has the line's receipt at any time, and what has its reference if it is near.
	const isRecorded = [...ofPayments, ...ofTreasury(treasury, of)].some(
		(fact) =>
			fact.amount === amount &&
			(fact.receipts.some((each) => each === row.receipt) || isNear(fact.at, row.at)) &&
			!reported.some(({ kind, key }) => kind === fact.kind && key === fact.key),
	);
	// A receipt is of one payment. Several may have one reference, such as those of a bank's batch: then other lines report the others.
	if (isRecorded || (row.receipt !== null && known.length > 0)) {
		throw new ApiError("DUPLICATE_CONFLICT", {
			description: "A payment or a treasury record of this receipt is recorded: compare the statement again",
		});
	}
	// The break's id makes it another one for ever: lines of later statements may have the same reference.
	const receipt = known.length > 0 ? `${named}-${row.id.slice(-12)}` : named;
	const payment = await paymentOf(services, of, { ...row, amount, receipt });
	const fact = { status: "MATCHED", factKind: "PAYMENT", factKey: payment.mobileMoneyTransactionId } as const;
	return { paymentId: payment.id, writes: [insertPayment(payment), raiseRecorded(services, payment), ...settleLine(db.orm, row, fact)] };
}
