// Every statement of deliveries searches by an index.

import { beforeEach, describe, expect, it } from "vitest";
import { Databases } from "../../../../src/db/databases";
import { placesOf } from "../../../../src/db/places";
import { openClaims } from "../../../../src/domains/webhooks/deliveries/due.store";
import { endExpired, startDue, tendHeld } from "../../../../src/domains/webhooks/deliveries/job";
import { listDeliveries } from "../../../../src/domains/webhooks/deliveries/operations";
import { listWebhooks } from "../../../../src/domains/webhooks/endpoints/operations";
import { listEvents } from "../../../../src/domains/webhooks/feed/operations";
import { healEndpoints } from "../../../../src/domains/webhooks/healing/job";
import { archivePortion } from "../../../../src/domains/webhooks/keeping/archive.procedure";
import { purgeWebhooks } from "../../../../src/domains/webhooks/keeping/purge.job";
import { recoverWebhook } from "../../../../src/domains/webhooks/recovery/operations";
import { getWebhookStats } from "../../../../src/domains/webhooks/statistics/operations";
import { jobServices } from "../../../../src/runtime/making-services";
import type { JobServices } from "../../../../src/runtime/services";
import { getHealth } from "../../../../src/wiring/health.operations";
import { everyDatabase, wrapped } from "../../../support/databases";
import { handle } from "../../../support/handle";
import { planOf } from "../../../support/plans";
import { attemptAll, endpoint, fakeWorld, givenDelivery, quietQueues, raiseQuietly, services } from "../../../support/webhooks";

beforeEach(() => {
	fakeWorld();
});

describe("every query of the work and the lists", () => {
	/** The statements that reach D1 while something runs, with their values. */
	async function recorded(run: (recording: JobServices) => Promise<unknown>): Promise<[string, unknown[]][]> {
		const queries: [string, unknown[]][] = [];
		const recording = (database: D1Database) =>
			({
				withSession: (constraint: string) => {
					const session = database.withSession(constraint);
					return {
						prepare(query: string) {
							const statement = session.prepare(query);
							const bind = statement.bind.bind(statement);
							const entry: [string, unknown[]] = [query, []];
							queries.push(entry);
							return Object.assign(statement, {
								bind(...values: unknown[]) {
									entry[1] = values;
									return bind(...values);
								},
							});
						},
						batch: (statements: D1PreparedStatement[]) => session.batch(statements),
						getBookmark: () => session.getBookmark(),
					};
				},
			}) as unknown as D1Database;
		const made = await services();
		const bindings = { ...quietQueues(), ...wrapped(recording) };
		await run(jobServices({ ...made, env: bindings }, new Databases(placesOf(bindings)), made.home));
		return queries;
	}

	const caller = (organizationId: string) => ({ kind: "operator" as const, operatorId: "root", organizationId });
	const nowhere = { write: async () => {}, names: async () => [], line: async () => undefined };
	const window = { size: 20, after: undefined, before: undefined };

	it("uses an index, without scanning a table or sorting", async () => {
		const { organization, webhook, delivery } = await givenDelivery();
		const by = caller(organization.id);
		const filters = {
			webhook_id: webhook.id,
			event_type: "user.admitted" as const,
			status: "FAILED" as const,
			created_from: 1,
			created_until: 2,
		};
		const queries = [
			...(await recorded((s) => handle(listEvents, { query: { ...window }, caller: by }, s))),
			...(await recorded((s) => handle(listEvents, { query: { ...window, type: "user.admitted", created_from: 1 }, caller: by }, s))),
			...(await recorded((s) => handle(listDeliveries, { query: { ...window }, caller: by }, s))),
			...(await recorded((s) => handle(listDeliveries, { query: { ...window, ...filters }, caller: by }, s))),
			...(await recorded((s) => handle(listWebhooks, { caller: by }, s))),
			...(await recorded((s) => handle(getHealth, {}, s))),
			...(await recorded((s) =>
				handle(getWebhookStats, { path: { webhook_id: webhook.id }, query: { window: "P7D", buckets: 24 }, caller: by }, s),
			)),
			...(await recorded((s) => handle(recoverWebhook, { path: { webhook_id: webhook.id }, body: { since: 0 }, caller: by }, s))),
			...(await recorded((s) => attemptAll(s, [delivery.id]))),
			...(await recorded((s) => endExpired(s))),
			...(await recorded((s) => startDue(s))),
			...(await recorded((s) => tendHeld(s))),
			...(await recorded((s) => purgeWebhooks(s))),
			...(await recorded((s) => s.db.read(openClaims(s)))),
			...(await recorded((s) => archivePortion(s, nowhere, { organizationId: organization.id, before: s.now + 60_000, failedToo: true }))),
		];
		await raiseQuietly(organization.id);
		await everyDatabase.exec("update webhook_deliveries set next_attempt_at = null where status = 'PENDING'");
		await everyDatabase.exec(
			"update webhook_endpoints set status = 'SUSPENDED', suspension_reason = 'TEN_FAILED_DELIVERIES', suspended_at = 1, probe_at = 1",
		);
		queries.push(...(await recorded((s) => healEndpoints(s))));
		expect((await endpoint(webhook.id)).status).toBe("ACTIVE");
		expect(queries.length).toBeGreaterThan(25);
		for (const [query, values] of queries) {
			const plan = await planOf(query, ...values);
			// Allowed scans: the values passed to the statement, a constant row, the rows that statistics, recovery and the sweep select first, one
			// row for each organization that has events, one for each endpoint at which something waits or is claimed, the last event, and the 300
			// deliveries that a page of the log looks at.
			const scans = plan.filter(
				(step) =>
					/^SCAN /.test(step) &&
					!/^SCAN (CONSTANT ROW|json_each|\w+ VIRTUAL TABLE|\(subquery-\d+\)|delivery$|due$|held$|ended$|answered$|both$|there$|waking$|looked$|edge$|missed$|deleted_endpoints( USING COVERING INDEX deleted_endpoints_of)?$|portion$|arrived$|backlog$|limits$|last$|latency$)/.test(
						step,
					),
			);
			expect(scans, `${query}\n${plan.join("\n")}`).toEqual([]);
			// Allowed sorts: the ends of one commit are grouped for the statistics and the endpoints, what is due
			// next at their endpoints is put in order, a claim ranks the few deliveries that it names, and the purge
			// and the archive group the events, deliveries and attempts of what they remove.
			if (
				![
					'insert into "webhook_statistics"',
					"with ended as",
					'order by "queued"."next_attempt_at" limit',
					'insert into "event_purges"',
					"group_concat(webhook_id, '')",
					'as "position"',
					'insert into "delivery_holdings"',
					'partition by "delivery"."webhook_id"',
				].some((part) => query.includes(part))
			)
				expect(plan.join("\n"), query).not.toContain("TEMP B-TREE");
		}
	});

	it.each([
		[["webhook_id"], "webhook_deliveries_of_by_status"],
		[["webhook_id", "status"], "webhook_deliveries_of_by_status"],
		[["status"], "webhook_deliveries_by_status"],
		[[], "webhook_deliveries_by_status"],
		[["event_type", "status"], "webhook_deliveries_failed_by_type"],
		[["webhook_id", "event_type", "status"], "webhook_deliveries_of_failed_by_type"],
	] as const)("reads the delivery log filtered by %j through index %s", async (named, index) => {
		const all = { webhook_id: crypto.randomUUID(), event_type: "user.admitted", status: "FAILED" };
		const filters = Object.fromEntries(named.map((name) => [name, all[name]]));
		for (const range of [{}, { created_from: 1, created_until: 2 }]) {
			const query = { ...window, ...filters, ...range };
			const [[statement = "", values = []] = []] = await recorded((s) => handle(listDeliveries, { query, caller: caller("o") }, s));
			const plan = await planOf(statement, ...values);
			// Without the endpoints of pending ones.
			const reads = plan.filter((step) => !/^(MERGE|LEFT|RIGHT|CORRELATED|SEARCH (endpoint|deleted) )/.test(step));
			expect(reads, statement).toHaveLength("status" in filters || "event_type" in filters ? 1 : 3);
			for (const step of reads) expect(step).toContain(`USING INDEX ${index} `);
		}
	});
});
