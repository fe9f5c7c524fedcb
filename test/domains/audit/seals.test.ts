// The tests tamper with rows and seals. They remove the triggers first, as anyone with access to the database could.
// @module-tag thorough

import { asc, desc, eq, sql } from "drizzle-orm";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { auditStreams } from "../../../src/db/audit.table";
import { first } from "../../../src/db/reads";
import { checkTrail, Line } from "../../../src/dev/audit-trail";
import { announceHeads, ROWS_OF_SEAL, rereadSeals, sealRows } from "../../../src/domains/audit/job";
import { listAudit, listAuditSeals } from "../../../src/domains/audit/operations";
import { addSeal, seal } from "../../../src/domains/audit/seals.plan";
import { findRowsAfter } from "../../../src/domains/audit/seals.store";
import { auditSeals } from "../../../src/domains/audit/table";
import { createApiKey } from "../../../src/domains/organizations/api-keys/operations";
import { getKeys } from "../../../src/domains/tokens/sessions/operations";
import { admitUser } from "../../../src/domains/users/profile.operations";
import { DAY_MS } from "../../../src/shared/time";
import { call, expectOk } from "../../support/client";
import { moveClock } from "../../support/clock";
import { everyDatabase } from "../../support/databases";
import { db, givenMember, givenOrganization, givenUser, operatorToken } from "../../support/factories";
import { eventsOf, runDueWork } from "../../support/loans";

let as: string;
let organizationId: string;
beforeEach(async () => {
	organizationId = (await givenOrganization()).id;
	as = (await givenMember(organizationId)).token;
});

async function givenRows(count: number): Promise<void> {
	for (let made = 0; made < count; made++) {
		expectOk(await call(createApiKey, { as, path: { organizationId }, body: { name: `till ${made}`, scopes: ["loans:write"] } }));
	}
}
const verified = async () => expectOk(await call(listAudit, { as, query: {} })).verified_through;
const seals = async () => expectOk(await call(listAuditSeals, { as, query: {} })).data;

/** Two seals, of rows 1 to 2 and row 3. */
async function givenSeals() {
	await givenRows(2);
	await runDueWork(sealRows);
	await givenRows(1);
	await runDueWork(sealRows);
}

/** A stream with a seal for each of its rows, which are copies of the first row that there is. */
async function givenLongTrail(rows: number): Promise<void> {
	const numbers = `(with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${rows}) select n from numbers)`;
	await everyDatabase.exec(
		`insert into audit_rows select 'long', n, id, operation, actor_kind, actor_id, entity_id, target, changes, request_id, created_at from (select * from audit_rows limit 1), ${numbers}`,
	);
	await everyDatabase.exec("insert into audit_streams (stream) values ('long')");
	await runDueWork(async (services) => {
		const { orm } = services.db;
		for (let through = 0; through < rows; through++) {
			const { stream, row } = await services.db.read({
				stream: first(orm.select().from(auditStreams).where(eq(auditStreams.stream, "long"))),
				row: first(findRowsAfter(orm, "long", through, 1)),
			});
			if (stream && row) await services.commit(addSeal(services, stream, await seal(services, stream, [row])));
		}
		return false;
	});
}

async function tamper(statement: string): Promise<void> {
	for (const trigger of ["audit_rows_append_only", "audit_rows_kept", "audit_seals_append_only", "audit_seals_kept"])
		await everyDatabase.exec(`drop trigger if exists ${trigger}`);
	await everyDatabase.exec(statement);
}

/** Verifies again for that many minutes, in each by at most so many portions: a run has time for more. Returns the faults that are logged. */
async function faultsOfReread(minutes: number, portions = 1): Promise<unknown[]> {
	const spy = vi.spyOn(console, "error").mockImplementation(() => {});
	for (let minute = 0; minute < minutes; minute++) {
		await moveClock(60_000);
		let more = true;
		for (let portion = 0; more && portion < portions; portion++) await runDueWork(async (services) => (more = await rereadSeals(services)));
	}
	const lines = spy.mock.calls.map(([line]) => (JSON.parse(String(line)) as { fault?: string }).fault);
	spy.mockRestore();
	return lines;
}

describe("the seals of the audit trail", () => {
	it("cover every row once, each naming the seal before it, and pass an independent check", async () => {
		await givenSeals();
		const [second, first] = await seals();
		expect([first, second]).toMatchObject([
			{ from_sequence: 1, through_sequence: 2, previous: "0".repeat(64) },
			{ from_sequence: 3, through_sequence: 3, previous: first?.hash },
		]);
		expect(await verified()).toEqual({ sequence: 3, hash: second?.hash, sealed_at: second?.sealed_at });
		await givenRows(1);
		const { data } = expectOk(await call(listAudit, { as, query: {} }));
		const lines = [...(await seals()).map((seal) => ({ seal })), ...data.map((row) => ({ row }))].map((line) => Line.parse(line));
		const keys = expectOk(await call(getKeys, {}));
		expect(checkTrail(lines, keys, [])).toMatchObject([{ fault: undefined, sealedThrough: 3, unsealed: 1 }]);
	});

	it("are made once by concurrent sweeps, and not at all if there are no new rows", async () => {
		await givenRows(3);
		await Promise.all(Array.from({ length: 4 }, () => runDueWork(sealRows)));
		await runDueWork(sealRows);
		expect(await seals()).toMatchObject([{ from_sequence: 1, through_sequence: 3 }]);
	});

	it("take a bounded portion of many rows", async () => {
		await givenRows(1);
		await everyDatabase.exec(
			`insert into audit_rows select stream, n, id || n, operation, actor_kind, actor_id, entity_id, target, changes, request_id, created_at from audit_rows, (with recursive numbers(n) as (select 2 union all select n + 1 from numbers where n < ${ROWS_OF_SEAL + 1}) select n from numbers)`,
		);
		const more: boolean[] = [];
		await runDueWork(async (services) => void more.push(await sealRows(services)));
		await runDueWork(async (services) => void more.push(await sealRows(services)));
		expect(more.filter(Boolean)).toHaveLength(1);
		const stored = await db.select().from(auditSeals).orderBy(asc(auditSeals.throughSequence));
		expect(stored.map(({ fromSequence, throughSequence }) => [fromSequence, throughSequence])).toEqual([
			[1, ROWS_OF_SEAL],
			[ROWS_OF_SEAL + 1, ROWS_OF_SEAL + 1],
		]);
	});

	it("can be neither changed nor removed", async () => {
		await givenSeals();
		for (const statement of [
			"update audit_seals set root = 'x'",
			"delete from audit_seals",
			"insert or replace into audit_seals select * from audit_seals",
			"insert or replace into audit_seals (rowid, stream, from_sequence, through_sequence, leaves, root, previous, hash, signature, sealed_at) select rowid, 'other', from_sequence, through_sequence, leaves, root, previous, hash, signature, sealed_at from audit_seals",
			"insert or replace into audit_seals select stream, from_sequence, 9, leaves, root, previous, hash, signature, sealed_at from audit_seals",
		])
			await expect(everyDatabase.prepare(statement).run()).rejects.toThrow("append only");
	});

	it("are verified again round after round", async () => {
		await givenSeals();
		expect(await faultsOfReread(5)).toEqual([]);
		expect(await verified()).toMatchObject({ sequence: 3 });
		expect((await db.select().from(auditStreams)).map(({ rereadThrough }) => rereadThrough)).toEqual([0]);
	});

	it.each([
		["a row was changed", "update audit_rows set actor_id = 'x' where sequence = 3", 2, "a row was changed or removed"],
		["a row was removed", "delete from audit_rows where sequence = 1", 0, "a row was changed or removed"],
		["the last seal was removed", "delete from audit_seals where through_sequence = 3", 2, "a seal is missing"],
		["the first seal was removed", "delete from audit_seals where through_sequence = 2", 0, "a seal is missing"],
		["a seal was changed", "update audit_seals set root = 'x' where through_sequence = 3", 2, "the seal was changed"],
		[
			"a signature was changed",
			"update audit_seals set signature = signature || 'x' where through_sequence = 2",
			0,
			"the signature was changed",
		],
	])("keep verified_through before the damage when %s", async (_, statement, intact, fault) => {
		await givenSeals();
		await tamper(statement);
		expect((await faultsOfReread(2)).filter(Boolean)).toContain(fault);
		expect((await verified())?.sequence ?? 0).toBe(intact);
		await givenRows(1);
		await runDueWork(sealRows);
		await faultsOfReread(3);
		expect((await verified())?.sequence ?? 0).toBe(intact);
	});

	it("are verified again within an hour in a thousand streams", async () => {
		await givenRows(1);
		const numbers = "(with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < 1000) select n from numbers)";
		await everyDatabase.exec(
			`insert into audit_rows select 'many/' || n, 1, id, operation, actor_kind, actor_id, entity_id, target, changes, request_id, created_at from audit_rows, ${numbers}`,
		);
		await everyDatabase.exec(`insert into audit_streams (stream, unsealed_since) select 'many/' || n, 1 from ${numbers}`);
		for (let portion = 0; portion < 52; portion++) await runDueWork(sealRows);
		await givenLongTrail(150);
		await faultsOfReread(1);
		const [latest] = await db.select().from(auditStreams).orderBy(desc(auditStreams.rereadAt)).limit(1);
		await tamper(`update audit_rows set actor_id = 'x' where stream = '${latest?.stream}'`);
		await tamper("update audit_rows set actor_id = 'x' where stream = 'long' and sequence = 149");
		const found = (await faultsOfReread(59, 3)).filter(Boolean);
		expect(found).toEqual(expect.arrayContaining(["a row was changed or removed", "a row was changed or removed"]));
		const broken = await db.select().from(auditStreams).where(sql`verified_through < sealed_through`);
		expect(broken.map(({ stream }) => stream).sort()).toEqual(["long", latest?.stream ?? ""].sort());
	});

	it("are verified again once the change is undone", async () => {
		await givenSeals();
		await tamper("update audit_rows set operation = operation || 'x'");
		await faultsOfReread(2);
		expect(await verified()).toBeNull();
		await everyDatabase.exec("update audit_rows set operation = substr(operation, 1, length(operation) - 1)");
		expect(await faultsOfReread(2)).toEqual([]);
		expect(await verified()).toMatchObject({ sequence: 3 });
	});
});

describe("audit.sealed", () => {
	const sealed = async () => (await eventsOf(organizationId)).filter(({ type }) => type === "audit.sealed").map(({ data }) => data);

	it("announces the last hash at most once a day, however many sweeps run", async () => {
		const announce = () => runDueWork(announceHeads);
		await givenSeals();
		await Promise.all(Array.from({ length: 4 }, announce));
		await announce();
		const [head] = await seals();
		expect(await sealed()).toEqual([{ stream: head?.stream, through_sequence: 3, hash: head?.hash }]);
		await givenRows(1);
		await runDueWork(sealRows);
		await announce();
		expect(await sealed()).toHaveLength(1);
		await moveClock(DAY_MS);
		await announce();
		await moveClock(DAY_MS);
		await announce();
		const [last] = await seals();
		expect((await sealed()).slice(1)).toEqual([{ stream: head?.stream, through_sequence: 4, hash: last?.hash }]);
	});

	it("is not raised for the platform's trail, which has no event feed", async () => {
		const user = await givenUser({ status: "WAITING_LIST" });
		expectOk(await call(admitUser, { as: await operatorToken(), path: { userId: user.id } }));
		await runDueWork(sealRows);
		await runDueWork(announceHeads);
		expect((await db.select().from(auditStreams)).map(({ announceAt }) => announceAt)).toEqual([null]);
		expect(await db.select().from(auditSeals)).toHaveLength(1);
	});
});
