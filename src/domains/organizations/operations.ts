// Organizations, which operators create.

import { eq } from "drizzle-orm";
import * as z from "zod";
import { byCreation, rowsOf } from "../../db/keyset";
import { NAME_TAKEN } from "../../db/names";
import { alone, operator } from "../../http/callers/access";
import { operation } from "../../http/operation";
import { Links, listReply, paging, readPage } from "../../http/paging";
import { Slug } from "../../shared/slug";
import { newOrganization } from "./copies.plan";
import { organizations } from "./table";
import { Organization, toOrganization } from "./wire";

export const createOrganization = operation({
	id: "createOrganization",
	method: "POST",
	path: "/v1/platform/organizations",
	summary: "Create an organization",
	access: alone(operator),
	home: "directory",
	request: {
		body: z.strictObject({ name: z.string().trim().min(1).max(100), slug: Slug }).meta({ examples: [{ name: "Acme", slug: "acme" }] }),
	},
	response: Organization,
	status: 201,
	errors: ["ORGANIZATION_SLUG_TAKEN"],
	async handle({ body }, services) {
		const { row, name, owed } = newOrganization(services, body);
		const answer = await services.commit(owed.writes, toOrganization(row), {
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
		return listReply(services, found, toOrganization);
	},
});
