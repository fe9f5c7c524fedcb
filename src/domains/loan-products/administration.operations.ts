// Loan products as those who work for the lender manage them: an organization its own, operators all.

import { and, desc, eq } from "drizzle-orm";
import * as z from "zod";
import { orStaleUnless } from "../../db/guards";
import { byCreation, rowsOf } from "../../db/keyset";
import { actingFor, reachOfStaff } from "../../db/reach";
import { first } from "../../db/reads";
import { held } from "../../http/callers/access";
import { operation, Reply } from "../../http/operation";
import { Links, listReply, paging, readPage } from "../../http/paging";
import { owe } from "../../runtime/home-messages";
import { sha256Hex } from "../../shared/bytes";
import { ApiError, badInput, InvalidInput } from "../../shared/errors";
import { uuid } from "../loans/model/callers";
import { organizations } from "../organizations/table";
import { lendingWorker, staffReader } from "../users/model/callers";
import { isUnchanged, productChange, productCopy, servesOrganization, termsTextCopy } from "./model/store";
import { loanProducts, termsTexts } from "./model/table";
import { LoanProduct, LoanProductInput, LoanProductPatch, LoanTermsText, toLoanProduct, toLoanTermsText } from "./model/wire";
import { faultsOf, patched, productOf } from "./product.plan";

const path = z.object({ id: uuid });

export const createLoanProduct = operation({
	id: "createLoanProduct",
	method: "POST",
	path: "/v1/platform/loan-products",
	summary: "Create a loan product",
	access: held(lendingWorker),
	home: ({ body, caller }) => body.organization_id ?? actingFor(caller),
	request: { body: LoanProductInput },
	response: LoanProduct,
	status: 201,
	errors: ["NOT_FOUND"],
	async handle({ body, caller }, services) {
		const { db } = services;
		const own = actingFor(caller);
		if (own !== undefined && body.organization_id === null)
			throw badInput("organization_id", "must be the acting organization", "NOT_ALLOWED");
		const row = productOf(body, services);
		const faults = faultsOf(row, services.now);
		if (faults.length > 0) throw new InvalidInput(faults);
		if (row.organizationId !== null) {
			const organization = await db.read(
				first(
					db.orm
						.select({ id: organizations.id })
						.from(organizations)
						.where(and(eq(organizations.id, row.organizationId), reachOfStaff(caller, organizations.id))),
				),
			);
			if (!organization) throw new ApiError("NOT_FOUND", { description: "There is no such organization" });
		}
		const owed = owe(services, productCopy, row.organizationId ?? "everywhere", row);
		const answer = await services.commit(owed.writes, toLoanProduct(row));
		await owed.carry(services);
		return answer;
	},
});

export const listLoanProducts = operation({
	id: "listLoanProducts",
	method: "GET",
	path: "/v1/platform/loan-products",
	summary: "Loan products, newest first: an organization's own, for operators all",
	access: staffReader("accounts:read"),
	home: ({ query, caller }) => actingFor(caller) ?? query.organization_id,
	request: {
		query: z.object({ ...paging, organization_id: uuid.optional().meta({ description: "Products of this organization only" }) }),
	},
	response: z.object({ data: z.array(LoanProduct), links: Links }),
	async handle({ query, caller }, services) {
		const own = actingFor(caller);
		const named = [own, query.organization_id].filter((id) => id !== undefined);
		const page = await readPage(services, query, {
			list: "loan-products",
			owner: own ?? "operators",
			filters: { organization_id: query.organization_id },
			everywhere: named.length === 0,
			select: rowsOf(loanProducts),
			key: byCreation(loanProducts),
			where: and(...named.map((id) => eq(loanProducts.organizationId, id))),
		});
		return listReply(services, page, toLoanProduct);
	},
});

export const getLoanProduct = operation({
	id: "getLoanProduct",
	method: "GET",
	path: "/v1/platform/loan-products/{id}",
	summary: "A loan product: an organization's own or one for all, for operators any",
	access: staffReader("accounts:read"),
	home: ({ path }) => path.id,
	request: { path },
	response: LoanProduct,
	errors: ["NOT_FOUND"],
	async handle({ path, caller }, { db }) {
		const serves = servesOrganization(actingFor(caller));
		const product = await db.read(
			first(
				db.orm
					.select()
					.from(loanProducts)
					.where(and(eq(loanProducts.id, path.id), serves)),
			),
		);
		if (!product) throw new ApiError("NOT_FOUND");
		return toLoanProduct(product);
	},
});

export const updateLoanProduct = operation({
	id: "updateLoanProduct",
	method: "PATCH",
	path: "/v1/platform/loan-products/{id}",
	summary: "Rename, suspend, retire or resume a loan product, end its deals, and choose the text of its terms",
	description:
		"RETIRED: no quotes, offers or applications; open offers are cancelled, and draws go on. SUSPENDED: no draws either. ACTIVE resumes it. Terms never change: make another product. With terms_version null, offers from then on need no accepted_terms.",
	access: held(lendingWorker),
	home: ({ path }) => path.id,
	request: { path, body: LoanProductPatch },
	response: LoanProduct,
	errors: ["NOT_FOUND", "INVALID_STATE"],
	async handle({ path, body, caller }, services) {
		const { db, now } = services;
		const own = reachOfStaff(caller, loanProducts.organizationId);
		const { seen, text } = await db.read({
			seen: first(
				db.orm
					.select()
					.from(loanProducts)
					.where(and(eq(loanProducts.id, path.id), own)),
			),
			text: first(
				db.orm
					.select({ version: termsTexts.version, sha256: termsTexts.sha256 })
					.from(termsTexts)
					.where(and(eq(termsTexts.loanProductId, path.id), eq(termsTexts.version, body.terms_version ?? 0))),
			),
		});
		if (!seen) throw new ApiError("NOT_FOUND");
		const { changed, unknown } = patched(seen, body, now, text);
		if (unknown.length > 0) throw badInput("end_deals", `has names that no deal of the product has: ${unknown.join(", ")}`, "NOT_ALLOWED");
		if (body.terms_version != null && !text)
			throw badInput("terms_version", "is no published version of the product's terms", "NOT_ALLOWED");
		const owed = owe(services, productChange, seen.organizationId ?? "everywhere", changed);
		const answer = await services.commit([orStaleUnless(isUnchanged(seen)), ...owed.writes], toLoanProduct(changed));
		await owed.carry(services);
		return answer;
	},
});

/** Some fifteen printed pages. */
const MAX_CHARACTERS = 40_000;

export const publishLoanTermsText = operation({
	id: "publishLoanTermsText",
	method: "POST",
	path: "/v1/platform/loan-products/{id}/terms",
	summary: "Publish the text of a loan product's terms, as borrowers agree to it",
	description:
		"Offers from then on name it, and apps that do not send accepted_terms cannot accept them: publish it once all apps of the product send it. updateLoanProduct names an older version again, or none. Open offers keep the text that they were made with. Blanks at both ends of the text are removed before its SHA-256 is made.",
	access: held(lendingWorker),
	home: ({ path }) => path.id,
	request: {
		path,
		body: z
			.strictObject({ text: z.string().trim().min(1).max(MAX_CHARACTERS) })
			.meta({ examples: [{ text: "1. We lend you the amount that you accept.\n2. You repay it on the due dates." }] }),
	},
	response: LoanTermsText,
	status: 201,
	otherStatuses: { 200: "It is the newest text already: offers name it" },
	errors: ["NOT_FOUND"],
	async handle({ path: { id }, body: { text }, caller }, services) {
		const { db, now } = services;
		const { product, newest } = await db.read({
			product: first(
				db.orm
					.select()
					.from(loanProducts)
					.where(and(eq(loanProducts.id, id), reachOfStaff(caller, loanProducts.organizationId))),
			),
			newest: first(db.orm.select().from(termsTexts).where(eq(termsTexts.loanProductId, id)).orderBy(desc(termsTexts.version)).limit(1)),
		});
		if (!product) throw new ApiError("NOT_FOUND");
		const sha256 = await sha256Hex(text);
		const known = newest?.sha256 === sha256 ? newest : undefined;
		if (known && known.version === product.termsText?.version) return new Reply(toLoanTermsText(known), { status: 200 });
		const version = known?.version ?? (newest?.version ?? 0) + 1;
		const row = known ?? { loanProductId: id, version, sha256, text, publishedAt: now };
		const changed = { ...product, termsText: { version, sha256 }, updatedAt: Math.max(now, product.updatedAt + 1) };
		const owed = owe(services, termsTextCopy, product.organizationId ?? "everywhere", { product: changed, text: row });
		const answer = await services.commit(
			[orStaleUnless(isUnchanged(product)), ...owed.writes],
			new Reply(toLoanTermsText(row), { status: known ? 200 : 201 }),
		);
		await owed.carry(services);
		return answer;
	},
});
