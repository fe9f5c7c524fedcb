// Writes the audit trail, in the commit of the change that a row records, so that no handler can forget it: one row for each change
// by an operator, a member or an API key. Refused calls leave no row; neither do users who change their own data.

import { type SQL, sql } from "drizzle-orm";
import { type ActorKind, auditRows, auditStreams } from "../../db/audit.table";
import { bare, bareList } from "../../db/columns";
import { type Effect, effect } from "../../db/database";
import type { Databases } from "../../db/databases";
import { ALWAYS, hole, prebuilt } from "../../db/prebuilt";
import type { JobServices } from "../../runtime/services";
import { homeDigits } from "../../shared/ids";
import { canonicalJson, type Json } from "../../shared/json";
import type { Caller } from "../callers/access";
import type { AnyOperation } from "../operation";
import { changesOf } from "./changes";

/** The owner of the streams for changes that operators make without acting for an organization. */
export const PLATFORM = "platform";

/** The stream of an organization, or of the platform, in the database of this home. */
export const streamAt = (databases: Pick<Databases, "firstHomeAt">, owner: string, home: number): string =>
	`${owner}/${homeDigits(databases.firstHomeAt(home))}`;

type Actor = { readonly kind: ActorKind; readonly id: string; readonly owner: string };

function actorOf(caller: Caller): Actor | undefined {
	switch (caller?.kind) {
		case "operator":
			return { kind: "OPERATOR", id: caller.operatorId, owner: "organizationId" in caller ? caller.organizationId : PLATFORM };
		case "member":
			return { kind: "MEMBER", id: caller.userId, owner: caller.organizationId };
		case "key":
			return { kind: "API_KEY", id: caller.keyId, owner: caller.organizationId };
		default:
			return undefined;
	}
}

export type Change = {
	readonly op: AnyOperation;
	readonly caller: Caller;
	readonly path: { readonly [name: string]: unknown } | undefined;
	/** The JSON body as sent. */
	readonly sent: Json | undefined;
};

export type AuditedCommit = {
	readonly home: number;
	/** The answer's body. */
	readonly answer: unknown;
	/** What else the target names; the last is the entity. */
	readonly about?: { readonly [name: string]: string } | undefined;
	/** An organization in whose stream the row stands too. */
	readonly trail?: string | undefined;
	/** Leaves the row only if this condition holds within the commit. */
	readonly when?: SQL | undefined;
	/** Called when the commit has written the row. */
	readonly committed: () => void;
};

const { placeholder } = sql;

const insertRow = prebuilt((orm) =>
	orm.all(sql`
		insert into ${auditRows} (${bareList(
			auditRows.stream,
			auditRows.sequence,
			auditRows.id,
			auditRows.operation,
			auditRows.actorKind,
			auditRows.actorId,
			auditRows.entityId,
			auditRows.target,
			auditRows.changes,
			auditRows.requestId,
			auditRows.createdAt,
		)})
		select ${placeholder("stream")}, coalesce((select max(${auditRows.sequence}) from ${auditRows} where ${auditRows.stream} = ${placeholder("stream")}), 0) + 1,
			${placeholder("id")}, ${placeholder("operation")}, ${placeholder("actorKind")}, ${placeholder("actorId")}, ${placeholder("entityId")},
			${placeholder("target")}, ${placeholder("changes")}, ${placeholder("requestId")}, ${placeholder("now")}
		where ${hole("when")}
		returning ${auditRows.sequence}`),
);
const markUnsealed = prebuilt((orm) =>
	orm.run(sql`
		insert into ${auditStreams} (${bareList(
			auditStreams.stream,
			auditStreams.unsealedSince,
		)}) select ${placeholder("stream")}, ${placeholder("now")} where ${hole("when")}
		on conflict (${bare(auditStreams.stream)}) do update set ${bare(auditStreams.unsealedSince)} = ${placeholder("now")} where ${auditStreams.unsealedSince} is null`),
);

/** The writes of a change's row, for a commit in the home; none if changes by this caller are not recorded. */
export async function auditOf(change: Change, services: JobServices, commit: AuditedCommit): Promise<Effect[]> {
	const actor = actorOf(change.caller);
	if (!actor) return [];
	const owners = new Set([actor.owner, commit.trail ?? actor.owner]);
	return Promise.all([...owners].map((owner) => rowIn({ ...actor, owner }, change, services, commit)));
}

async function rowIn(actor: Actor, change: Change, services: JobServices, commit: AuditedCommit): Promise<Effect> {
	const { databases, now, config, requestId } = services;
	const { home, when = ALWAYS } = commit;
	const stream = streamAt(databases, actor.owner, home);
	const target = { ...targetOf(change, entityIn(commit.answer)), ...commit.about };
	const digest = async (text: string) => `hmac:${await config.keyring.digest("audit", `${stream}\n${text}`)}`;
	const changes = await changesOf(change.op, change.sent, digest);
	const row = {
		...{ stream, now, when, requestId, operation: change.op.id, actorKind: actor.kind, actorId: actor.id },
		id: services.at(home).newId(),
		entityId: Object.values(target).at(-1) ?? null,
		target: JSON.stringify(target),
		changes: canonicalJson(changes),
	};
	const written = effect([insertRow(row), markUnsealed({ stream, now, when })], ([rows]) => {
		if ((rows as unknown[]).length > 0) commit.committed();
	});
	return when === ALWAYS ? { ...written, mark: { table: auditRows, id: row.id } } : written;
}

/** The account of the answer, the ids in the path, and the id of what was created. */
function targetOf({ path = {}, caller }: Change, { id: made, account_id }: Entity): { readonly [name: string]: string } {
	// A payment may have been sent with a number in place of its account.
	const account = typeof account_id === "string" ? [["accountId", account_id] as const] : [];
	const named = Object.entries(path).flatMap(([name, value]): [string, string][] => (typeof value === "string" ? [[name, value]] : []));
	const target: { [name: string]: string } = Object.fromEntries([...account, ...named]);
	// The path may name the organization by its slug.
	if (target.organizationId !== undefined && caller && "organizationId" in caller) target.organizationId = caller.organizationId;
	if (made === undefined || Object.values(target).includes(made)) return target;
	return { ...target, [target.id === undefined ? "id" : "made"]: made };
}

type Entity = { readonly id?: string; readonly account_id?: unknown };

/** The answer, otherwise its first member that has an id. */
function entityIn(answer: unknown): Entity {
	if (typeof answer !== "object" || answer === null) return {};
	if ("id" in answer && typeof answer.id === "string") return answer as Entity;
	const [first] = Object.values(answer).filter((member) => typeof member === "object" && member !== null && "id" in member);
	return first ? entityIn(first) : {};
}
