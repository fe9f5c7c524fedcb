// How a lender knows its borrowers: the name and the document that stand in the file for a credit bureau.

import * as z from "zod";
import { first } from "../../db/reads";
import { alone, member } from "../../http/callers/access";
import { operation } from "../../http/operation";
import { ApiError } from "../../shared/errors";
import { actorOf } from "../users/model/callers";
import { findBorrower, putIdentity } from "./store";
import { CreditBureauIdentity, IdentityBody, toIdentity } from "./wire";

const path = z.object({ userId: z.uuid().toLowerCase() });

export const getCreditBureauIdentity = operation({
	id: "getCreditBureauIdentity",
	method: "GET",
	path: "/v1/credit-bureau/borrowers/{userId}",
	summary: "The name and the document by which a credit bureau knows a borrower",
	access: member("org:lending:read"),
	request: { path },
	response: CreditBureauIdentity,
	errors: ["NOT_FOUND"],
	async handle({ path: { userId }, caller: { organizationId } }, { db }) {
		const found = await db.read(first(findBorrower(db.orm, organizationId, userId)));
		if (!found?.identity) throw new ApiError("NOT_FOUND");
		return toIdentity(found.identity);
	},
});

export const putCreditBureauIdentity = operation({
	id: "putCreditBureauIdentity",
	method: "PUT",
	path: "/v1/credit-bureau/borrowers/{userId}",
	summary: "State the name and the document by which a credit bureau knows a borrower",
	description: "They stand in the files that are made from now on. Only those files show the whole number.",
	access: alone(member("org:lending:write")),
	request: { path, body: IdentityBody },
	response: CreditBureauIdentity,
	errors: ["NOT_FOUND"],
	async handle({ path: { userId }, body, caller }, services) {
		const { db, now } = services;
		const { organizationId } = caller;
		const found = await db.read(first(findBorrower(db.orm, organizationId, userId)));
		if (!found) throw new ApiError("NOT_FOUND");
		const { name, document_type: documentType, document_number: documentNumber, document_country: documentCountry } = body;
		const document = { name, documentType, documentNumber, documentCountry };
		const row = { userId, organizationId, ...document, statedBy: actorOf(caller), statedAt: now };
		return services.commit(putIdentity(db.orm, row), toIdentity(row));
	},
});
