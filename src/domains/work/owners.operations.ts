// The work of a lender's own people, and who of them looks after which piece of it.

import { and, eq } from "drizzle-orm";
import * as z from "zod";
import type { Keyset } from "../../db/keyset";
import { rowsOf } from "../../db/keyset";
import { first } from "../../db/reads";
import { alone, member, type OrganizationCaller } from "../../http/callers/access";
import { memberMay } from "../../http/callers/member-may";
import { lacksPermission } from "../../http/callers/missing-credentials";
import { operation } from "../../http/operation";
import { Links, listReply, paging, readPage } from "../../http/paging";
import type { Services } from "../../runtime/services";
import { idsOf } from "../../shared/bounded";
import { ApiError, badInput } from "../../shared/errors";
import { assignTo, assignToNobody, findCustomer, findLoan, findOwners } from "../collections/store";
import { workOwners } from "../collections/table";
import { Owner, OwnerBody } from "../collections/wire";
import { findMember, findMembership } from "../organizations/members/store";
import { LENDER_KINDS, type LenderKind, SUBJECT_OF } from "./kinds.policy";
import { workNamed, workOf } from "./lender-work.store";
import { findWork, SOURCES, waitsSince } from "./store";
import { OwnedWork, toWorkItem, type WorkRow } from "./wire";

const uuid = z.uuid().toLowerCase();

type OwnerRow = typeof workOwners.$inferSelect;
const byAssignment: Keyset<OwnerRow> = {
	at: workOwners.assignedAt,
	id: workOwners.subjectId,
	of: (row) => [row.assignedAt, row.subjectId],
	order: "newest",
};

/** Those of the pieces of work that still wait, from wherever they are. */
async function waiting(services: Services, kind: LenderKind, ids: readonly string[], organizationId: string): Promise<WorkRow[]> {
	const { rows, where } = workNamed(kind, ids);
	const found = await Promise.all(services.everywhere().map(({ db }) => db.read(rows(db.orm).where(where))));
	const own = found.flat().filter((row) => row.organizationId === organizationId && row.since <= waitsSince(kind, services.now));
	return ids.flatMap((id) => own.find((row) => row.id === id) ?? []);
}

/** Requests for approval are for those who may read them. */
async function refuseUnlessApprovals(services: Services, caller: OrganizationCaller): Promise<void> {
	if (caller.kind !== "member") return;
	const { userId, organizationId } = caller;
	const home = services.at(userId).db;
	const membership = await home.read(first(findMembership(home.orm, organizationId, userId)));
	const permission = "org:approvals:read";
	const decision = membership && (await memberMay(services, { userId, membership, permission, write: false }));
	if (decision !== "ALLOW") throw lacksPermission([permission], membership?.role);
}

export const listOwnedWork = operation({
	id: "listOwnedWork",
	method: "GET",
	path: "/v1/work",
	summary: "Work of a kind that waits for the lender's people, with who looks after it",
	description:
		"Oldest first; with an owner, what was assigned to them last. With `owner`, pages may have fewer rows than `size`, or none: follow `links.next` until it is null. Overdue loans are at `listCalls`.",
	access: member("org:lending:read"),
	home: "everywhere",
	request: {
		query: z.object({
			kind: z.enum(LENDER_KINDS),
			owner: z
				.union([z.literal("NONE"), uuid])
				.optional()
				.meta({ description: "The member who looks after it, or NONE" }),
			...paging,
		}),
	},
	response: z.object({ data: z.array(OwnedWork), links: Links }),
	async handle({ query: { kind, owner, ...window }, caller }, services) {
		const { organizationId } = caller;
		const { now } = services;
		if (kind === "APPROVAL") await refuseUnlessApprovals(services, caller);
		const bound = { list: "lender-work", owner: organizationId, filters: { kind, owner } };
		const there = services.at(organizationId);
		if (owner !== undefined && owner !== "NONE") {
			const isTheirs = and(
				eq(workOwners.organizationId, organizationId),
				eq(workOwners.ownerId, owner),
				eq(workOwners.kind, SUBJECT_OF[kind]),
			);
			const page = await readPage(there, window, { ...bound, select: rowsOf(workOwners), key: byAssignment, where: isTheirs });
			const ids = page.rows.map(({ subjectId }) => subjectId);
			const rows = ids.length === 0 ? [] : await waiting(services, kind, ids, organizationId);
			return listReply(services, { ...page, rows }, (row) => ({ ...toWorkItem(kind, row), owner_id: owner }));
		}
		const { id, since } = SOURCES[kind];
		const page = await readPage(services, window, {
			...bound,
			...workOf(kind, organizationId, now),
			everywhere: true,
			key: { at: since, id, of: (row: WorkRow) => [row.since, row.id], order: "oldest" },
			range: { until: waitsSince(kind, now) + 1 },
		});
		const ids = page.rows.map((row) => row.id);
		const owners = new Map(
			(ids.length === 0 ? [] : await there.db.read(findOwners(there.db.orm, organizationId, ids))).map((row) => [
				row.subjectId,
				row.ownerId,
			]),
		);
		const rows = owner === "NONE" ? page.rows.filter((row) => !owners.has(row.id)) : page.rows;
		return listReply(services, { ...page, rows }, (row) => ({ ...toWorkItem(kind, row), owner_id: owners.get(row.id) ?? null }));
	},
});

const Ids = idsOf("what is looked after");

export const listOwners = operation({
	id: "listOwners",
	method: "GET",
	path: "/v1/collections/owners",
	summary: "Who looks after which of these loans, borrowers and pieces of work",
	description: "The answer leaves out what nobody looks after, and what members of another organization look after.",
	access: member("org:lending:read"),
	request: { query: z.object({ ids: Ids.nonoptional().meta({ description: "May be repeated, a hundred times" }) }) },
	response: z.object({ data: z.array(Owner) }),
	async handle({ query: { ids }, caller: { organizationId } }, { db }) {
		const found = await db.read(findOwners(db.orm, organizationId, ids));
		return { data: found.map(({ subjectId, kind, ownerId }) => ({ subject_id: subjectId, kind, owner_id: ownerId })) };
	},
});

const OTHERS = new Map(LENDER_KINDS.filter((kind) => kind !== "WAITING_USER").map((kind) => [SUBJECT_OF[kind], kind] as const));

export const assignWork = operation({
	id: "assignWork",
	method: "PUT",
	path: "/v1/collections/owners/{subjectId}",
	summary: "Say which member looks after a loan, a borrower, or another piece of work that waits",
	description: "Whose work has ended, or was assigned 90 days ago, is forgotten. A loan and a borrower keep their owner.",
	access: alone(member("org:lending:write")),
	request: { path: z.object({ subjectId: uuid }), body: OwnerBody },
	response: Owner,
	errors: ["NOT_FOUND"],
	async handle({ path: { subjectId }, body: { kind, owner_id: ownerId }, caller: { organizationId } }, services) {
		const { db, now } = services;
		const other = OTHERS.get(kind as never);
		const there = services.at(subjectId);
		const apart = other && there.db !== db ? await there.db.read(first(findWork(other, subjectId, now))) : undefined;
		const member = { owner: first(findMember(db.orm, organizationId, ownerId ?? "")) };
		const { subject, owner } = other
			? await db.read({ ...member, subject: first(findWork(other, subjectId, now)) })
			: await db.read({ ...member, subject: first((kind === "ACCOUNT" ? findLoan : findCustomer)(db.orm, organizationId, subjectId)) });
		const found = subject ?? apart;
		if (!found || ("organizationId" in found && found.organizationId !== organizationId)) throw new ApiError("NOT_FOUND");
		if (ownerId !== null && !owner) throw badInput("body.owner_id", "is no member of the organization", "NOT_ALLOWED");
		const write =
			ownerId === null
				? assignToNobody(db.orm, organizationId, subjectId)
				: assignTo(db.orm, { organizationId, subjectId, kind, ownerId, assignedAt: now });
		return services.commit([write], { subject_id: subjectId, kind, owner_id: ownerId });
	},
});
