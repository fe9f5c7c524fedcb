// Organizations, which operators create, suspend and resume, and members rename.

import { and, eq } from "drizzle-orm";
import * as z from "zod";
import { guarded } from "../../db/guards";
import { byCreation, rowsOf } from "../../db/keyset";
import { NAME_TAKEN } from "../../db/names";
import { first } from "../../db/reads";
import { stopAlone } from "../../http/amount-windows";
import { alone, byBody, isOnly, memberOfPath, operator, organizationPath } from "../../http/callers/access";
import { operation } from "../../http/operation";
import { Links, listReply, paging, readPage } from "../../http/paging";
import { owe } from "../../runtime/home-messages";
import type { Services } from "../../runtime/services";
import { brandTag } from "../../shared/cache-tags";
import { ApiError, badInput, forbidden } from "../../shared/errors";
import { homeOf } from "../../shared/ids";
import { isShown, MUST_BE_SHOWN } from "../../shared/shown-text";
import { Slug } from "../../shared/slug";
import { newOrganization, organizationChange } from "./copies.plan";
import { ORGANIZATION_STATES } from "./lifecycle";
import { findByReference } from "./store";
import { type OrganizationRow, organizations } from "./table";
import { Organization, toOrganization } from "./wire";

const shown = ({ databases }: Pick<Services, "databases">, row: OrganizationRow) => toOrganization(row, databases.regionAt(homeOf(row.id)));

const Name = z.string().trim().min(1).max(100).refine(isShown, MUST_BE_SHOWN);

export const createOrganization = operation({
	id: "createOrganization",
	method: "POST",
	path: "/v1/platform/organizations",
	summary: "Create an organization",
	access: alone(operator),
	home: "directory",
	request: {
		body: z
			.strictObject({
				name: Name,
				slug: Slug,
				region: z
					.string()
					.max(4)
					.optional()
					.meta({ description: "Where its data is to be, for good: one of the service's; by default its first" }),
			})
			.meta({ examples: [{ name: "Acme", slug: "acme" }] }),
	},
	response: Organization,
	status: 201,
	errors: ["ORGANIZATION_SLUG_TAKEN"],
	async handle({ body }, services) {
		const { regions } = services.databases;
		if (body.region !== undefined && !regions.includes(body.region))
			throw badInput("body.region", regions.length > 0 ? `must be one of ${regions.join(", ")}` : "is not chosen here", "NOT_ALLOWED");
		const { row, name, owed } = newOrganization(services, body);
		const answer = await services.commit(owed.writes, shown(services, row), {
			reserve: { names: [name] },
			unique: [[NAME_TAKEN, "ORGANIZATION_SLUG_TAKEN"]],
		});
		await owed.carry(services);
		return answer;
	},
});

export const listOrganizations = operation({
	id: "listOrganizations",
	method: "GET",
	path: "/v1/platform/organizations",
	summary: "Organizations, newest first",
	access: operator,
	home: "directory",
	request: { query: z.object({ ...paging, slug: z.string().min(1).max(255).optional() }) },
	response: z.object({ data: z.array(Organization), links: Links }),
	async handle({ query: { slug, ...page } }, services) {
		const found = await readPage(services, page, {
			list: "organizations",
			owner: "platform",
			filters: { slug },
			select: rowsOf(organizations),
			key: byCreation(organizations),
			where: slug === undefined ? undefined : eq(organizations.slug, slug),
		});
		return listReply(services, found, (row) => shown(services, row));
	},
});

export const getOrganization = operation({
	id: "getOrganization",
	method: "GET",
	path: "/v1/organizations/{organizationId}",
	summary: "An organization",
	access: memberOfPath("org:members:read"),
	request: { path: organizationPath },
	response: Organization,
	errors: ["NOT_FOUND"],
	async handle({ caller: { organizationId } }, services) {
		const { db } = services;
		const row = await db.read(first(findByReference(db.orm, organizationId)));
		if (!row) throw new ApiError("NOT_FOUND");
		return shown(services, row);
	},
});

const isSuspension = (sent: unknown): boolean => isOnly(sent, { status: "SUSPENDED" });

export const updateOrganization = operation({
	id: "updateOrganization",
	method: "PATCH",
	path: "/v1/organizations/{organizationId}",
	summary: "Rename an organization; suspend or resume it, for operators",
	description:
		"While an organization is SUSPENDED, its keys and members write nothing but repayments, nobody gets new credit from it, and its issuers' tokens are not exchanged: 403. Reads, repayments, reports of providers, payouts that are ordered and deliveries go on.",
	access: byBody(memberOfPath("org:members:write"), (sent) => (isSuspension(sent) ? "ALONE" : "HELD")),
	request: {
		path: organizationPath,
		body: z
			.strictObject({ name: Name.optional(), status: z.enum(ORGANIZATION_STATES).optional().meta({ description: "For operators" }) })
			.meta({ examples: [{ name: "Acme Credit" }] }),
	},
	response: Organization,
	// An organization without a brand of its own shows its name.
	keptAs: (body) => brandTag((body as z.output<typeof Organization>).id),
	errors: ["NOT_FOUND", "INVALID_STATE"],
	async handle({ body, caller }, services) {
		const { db, now } = services;
		const seen = await db.read(first(findByReference(db.orm, caller.organizationId)));
		if (!seen) throw new ApiError("NOT_FOUND");
		const { name = seen.name, status = seen.status } = body;
		if (body.status !== undefined && caller.kind !== "operator") throw forbidden("Only operators change the status");
		if (name === seen.name && status === seen.status) return shown(services, seen);
		const changed = { ...seen, name, status, updatedAt: Math.max(now, seen.updatedAt + 1) };
		const owed = owe(services, organizationChange, "everywhere", changed);
		const unchanged = db.orm
			.update(organizations)
			.set({ id: seen.id })
			.where(and(eq(organizations.id, seen.id), eq(organizations.updatedAt, seen.updatedAt)));
		const alone = isSuspension(body)
			? stopAlone(services, caller, "organizations", "send `name` too, and another operator approves it")
			: undefined;
		const answer = await services.commit([guarded(unchanged), ...owed.writes, ...(alone?.writes ?? [])], shown(services, changed), {
			overQuota: alone?.overQuota,
		});
		await owed.carry(services);
		return answer;
	},
});
