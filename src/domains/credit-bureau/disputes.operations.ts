// What borrowers say is wrong with what is reported of them. While a dispute is open, the account's rows have its mark, and no negative
// mark begins.

import { and, eq, isNotNull, isNull } from "drizzle-orm";
import * as z from "zod";
import { byCreation, rowsOf } from "../../db/keyset";
import { first } from "../../db/reads";
import { alone, member } from "../../http/callers/access";
import { operation } from "../../http/operation";
import { Links, listReply, paging, readPage } from "../../http/paging";
import { ApiError, invalidState, wrongState } from "../../shared/errors";
import { actorOf } from "../users/model/callers";
import { ERASED_TAG } from "../users/model/store";
import { findDispute, findLoan, insertDispute, resolve } from "./store";
import { creditBureauDisputes, type DisputeRow } from "./table";
import { CreditBureauDispute, DisputeBody, ResolutionBody, toDispute } from "./wire";

const writer = alone(member("org:lending:write"));

export const openCreditBureauDispute = operation({
	id: "openCreditBureauDispute",
	method: "POST",
	path: "/v1/credit-bureau/disputes",
	summary: "Mark a loan as disputed by its borrower",
	description: "The files that are made from now on have the mark, until the dispute is resolved. Of a loan one is open at most.",
	access: writer,
	request: { body: DisputeBody },
	response: CreditBureauDispute,
	status: 201,
	errors: ["NOT_FOUND", "INVALID_STATE"],
	async handle({ body: { account_id, reason }, caller }, services) {
		const { db, now } = services;
		const { organizationId } = caller;
		const loan = await db.read(first(findLoan(db.orm, organizationId, account_id)));
		if (!loan) throw new ApiError("NOT_FOUND", { description: "There is no such account" });
		const row: DisputeRow = {
			...{ id: services.newId(), organizationId, accountId: loan.id, userId: loan.userId, reason, resolution: null },
			...{ openedBy: actorOf(caller), resolvedBy: null, createdAt: now, resolvedAt: null },
		};
		return services.commit(insertDispute(db.orm, row), toDispute(row), {
			unique: [[[creditBureauDisputes.accountId], invalidState("The loan is disputed already")]],
		});
	},
});

export const resolveCreditBureauDispute = operation({
	id: "resolveCreditBureauDispute",
	method: "POST",
	path: "/v1/credit-bureau/disputes/{disputeId}/resolve",
	summary: "Resolve a dispute",
	description:
		"Another person resolves it than the one who opened it. A wrong payment or loan is put right where it is recorded; the next file then corrects what was reported. Of an erased person no words are stored.",
	access: writer,
	request: { path: z.object({ disputeId: z.uuid().toLowerCase() }), body: ResolutionBody },
	response: CreditBureauDispute,
	errors: ["NOT_FOUND", "SELF_APPROVAL", "INVALID_STATE"],
	async handle({ path: { disputeId }, body: { resolution }, caller }, services) {
		const { db, now } = services;
		const found = await db.read(first(findDispute(db.orm, caller.organizationId, disputeId)));
		if (!found) throw new ApiError("NOT_FOUND");
		const { dispute: row, tag } = found;
		if (row.resolvedAt !== null) throw wrongState("The dispute", "RESOLVED", ["OPEN"]);
		if (row.openedBy === actorOf(caller)) throw new ApiError("SELF_APPROVAL");
		const words = tag === ERASED_TAG ? null : resolution;
		const resolved = { ...row, resolution: words, resolvedBy: actorOf(caller), resolvedAt: now };
		return services.commit(resolve(db.orm, resolved), toDispute(resolved));
	},
});

export const listCreditBureauDisputes = operation({
	id: "listCreditBureauDisputes",
	method: "GET",
	path: "/v1/credit-bureau/disputes",
	summary: "Disputes of what is reported to a credit bureau, newest first",
	access: member("org:lending:read"),
	request: {
		query: z.object({ ...paging, status: z.enum(["OPEN", "RESOLVED"]).optional().meta({ description: "By default both" }) }),
	},
	response: z.object({ data: z.array(CreditBureauDispute), links: Links }),
	async handle({ caller: { organizationId }, query: { status, ...window } }, services) {
		const resolvedAt = creditBureauDisputes.resolvedAt;
		const page = await readPage(services, window, {
			list: "credit-bureau-disputes",
			owner: organizationId,
			filters: { status },
			select: rowsOf(creditBureauDisputes),
			key: byCreation(creditBureauDisputes),
			where: and(
				eq(creditBureauDisputes.organizationId, organizationId),
				status && (status === "OPEN" ? isNull(resolvedAt) : isNotNull(resolvedAt)),
			),
		});
		return listReply(services, page, toDispute);
	},
});
