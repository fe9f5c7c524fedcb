// The payout provider's report on a transfer: paid or failed. A report is final; repeating the same one changes nothing.

import * as z from "zod";
import { first } from "../../db/reads";
import { held, oneOf, operator, signedBy } from "../../http/callers/access";
import { operation } from "../../http/operation";
import type { Services } from "../../runtime/services";
import { ApiError, badInput, wrongState } from "../../shared/errors";
import { uuidOf } from "../../shared/ids";
import { withoutAddresses } from "../../shared/named-persons";
import { hasText, is, when } from "../../shared/schema-rules";
import { Instant, refuseFuture } from "../../shared/timestamp";
import { FAILURES, REPORTED_STATES } from "./lifecycle";
import { complete, fail } from "./plan";
import { findAccountOf, findTransfer } from "./store";
import type { TransferRow } from "./table";
import { commitResult } from "./transaction.procedure";

const Result = z
	.object({
		transfer_id: z.string().min(1).max(255).meta({ description: "The same as in the path: the signature covers only the body" }),
		status: z.enum(REPORTED_STATES),
		reference: z.string().min(1).max(100).nullish().meta({ description: "The provider's own id of the payment" }),
		failure_reason: z.string().min(1).max(255).overwrite(withoutAddresses).nullish(),
		occurred_at: Instant,
	})
	.meta(when(is("status", "SUCCEEDED"), hasText("reference")));

type Report = {
	status: (typeof REPORTED_STATES)[number];
	providerReference: string | null;
	failureReason: string | null;
	reportedAt: number;
};

export const reportTransfer = operation({
	id: "reportTransfer",
	method: "POST",
	path: "/v1/integrations/transfers/{transfer_id}/result",
	summary: "Report the result of a payout: its provider, signed with DISBURSER_SECRET, or an operator",
	access: held(oneOf(operator, signedBy("DISBURSER_SECRET"))),
	home: ({ path }) => uuidOf("trf", path.transfer_id),
	request: { path: z.object({ transfer_id: z.string().min(1).max(255) }), body: Result },
	response: z.object({ transfer_id: z.uuid(), status: z.enum(REPORTED_STATES) }),
	errors: ["NOT_FOUND", "DUPLICATE_CONFLICT"],
	async handle({ path, body }, services) {
		const { db } = services;
		const id = uuidOf("trf", path.transfer_id);
		if ((uuidOf("trf", body.transfer_id) ?? body.transfer_id) !== (id ?? path.transfer_id)) {
			throw badInput("transfer_id", "must be the id in the path", "NOT_ALLOWED");
		}
		const report = readReport(body, services);
		if (!id) throw new ApiError("NOT_FOUND");
		const { row, account } = await db.read({
			row: first(findTransfer(db.orm, id)),
			account: first(findAccountOf(db.orm, id)),
		});
		if (row?.destination !== "PAYOUT") throw new ApiError("NOT_FOUND");
		const answer = { transfer_id: id, status: report.status };
		if (row.completedAt !== null) {
			if (!isSame(row, report)) throw new ApiError("DUPLICATE_CONFLICT");
			return answer;
		}
		// Before PENDING the provider has no instruction to report on.
		if (row.status !== "PENDING") throw wrongState("The transfer", row.status, ["PENDING"]);
		if (!account) throw new Error("the account of a transfer is missing");
		const { providerReference, reportedAt, failureReason } = report;
		const ended =
			report.status === "SUCCEEDED"
				? complete(services, row, account, { providerReference, reportedAt })
				: fail(services, row, account, failureReason ?? FAILURES.unknown, { reportedAt });
		return commitResult(services, { id, transaction: providerReference }, ended.writes, answer);
	},
});

function readReport(body: z.output<typeof Result>, services: Services): Report {
	const reportedAt = body.occurred_at;
	refuseFuture("occurred_at", reportedAt, services);
	if (body.status === "FAILED") {
		return { status: "FAILED", providerReference: null, failureReason: body.failure_reason ?? FAILURES.unknown, reportedAt };
	}
	if (!body.reference) throw badInput("reference", "is required when the status is SUCCEEDED", "REQUIRED");
	return { status: "SUCCEEDED", providerReference: body.reference, failureReason: null, reportedAt };
}

const isSame = (known: TransferRow, { status, providerReference, failureReason, reportedAt }: Report): boolean =>
	known.status === (status === "SUCCEEDED" ? "COMPLETED" : "FAILED") &&
	known.providerReference === providerReference &&
	known.failureReason === failureReason &&
	known.reportedAt === reportedAt;
