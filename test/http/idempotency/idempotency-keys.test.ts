// The Durable Object locks keys and keeps only what D1 has no record of.

import { describe, expect, it, vi } from "vitest";
import { type Claim, type IdempotencyKeys, KEPT_MS, MAX_RUNS } from "../../../src/http/idempotency/idempotency-keys";
import { inObject, runAlarm } from "../../support/durable-objects";
import { create, keyOf, objectOf } from "../../support/idempotency";

describe("the Durable Object of a caller's keys", () => {
	const answer = { status: 409, body: "{}" };
	const claim = async (scope = "s", fingerprint = "f") => (await objectOf()).claim(scope, fingerprint);
	const started = async (scope?: string) => {
		const claimed = await claim(scope);
		if (claimed.kind !== "run") throw new Error(`expected to run, got ${claimed.kind}`);
		return claimed;
	};
	const rows = async () =>
		inObject(await objectOf(), ({ storage }) => storage.sql.exec("select scope, id from kept order by id").toArray());

	it("frees the key of a run whose Worker is gone", async () => {
		const first = await started();
		const waiting = claim();
		first[Symbol.dispose]();
		expect(await waiting).toMatchObject({ kind: "run" });
	});

	it("answers that the first call is still running after ten seconds of waiting", async () => {
		const key = await keyOf();
		using first = await (await objectOf()).claim(key.scope, key.fingerprint);
		vi.useFakeTimers({ toFake: ["Date"] });
		const waited: number[] = [];
		vi.spyOn(scheduler, "wait").mockImplementation(async (ms) => {
			waited.push(ms);
			vi.setSystemTime(Date.now() + ms);
		});
		const refused = await create();
		expect(refused).toMatchObject({ status: 409, body: { code: "IDEMPOTENCY_IN_PROGRESS" } });
		expect(refused.headers.get("retry-after")).toBe("1");
		expect(waited).toContain(10_000);
		if (first.kind === "run")
			await first.run.endUnrecorded({ status: 403, body: '{"code":"FORBIDDEN","description":"no","reason":"FORBIDDEN"}' });
		expect(await create()).toMatchObject({ status: 403 });
	});

	it("holds no lock after a run, and refuses more than it can hold", async () => {
		const object = await objectOf();
		for (let i = 0; i < 3; i++) {
			using run = await started();
			await run.run.endRecorded(answer);
		}
		await inObject(object, async (_, instance) => {
			const kinds = async (count: number, from: number) => {
				const claims: Claim[] = [];
				for (let i = 0; i < count; i++) claims.push(await (instance as IdempotencyKeys).claim(`s${from + i}`, "f"));
				return new Set(claims.map(({ kind }) => kind));
			};
			expect(await kinds(MAX_RUNS, 0)).toEqual(new Set(["run"]));
			expect(await kinds(1, MAX_RUNS)).toEqual(new Set(["too-many"]));
		});
	});

	it("forgets an answer seven days later, and sleeps until then", async () => {
		for (const scope of ["one", "two"]) {
			using run = await started(scope);
			await run.run.endUnrecorded(answer);
		}
		const object = await objectOf();
		const expire = (scope: string) =>
			inObject(object, ({ storage }) => void storage.sql.exec("update kept set expires_at = 1 where scope = ?", scope));
		const alarm = () => inObject(object, ({ storage }) => storage.getAlarm());
		const due = await alarm();
		expect(due).toBeGreaterThan(Date.now() + KEPT_MS - 60_000);

		await expire("one");
		expect(await claim("one")).toMatchObject({ kind: "run" });
		expect(await runAlarm(object)).toBe(true);
		expect((await rows()).map(({ scope }) => scope)).toEqual(["two"]);
		expect(await alarm()).toBeGreaterThanOrEqual(due ?? 0);
		expect(await claim("two")).toEqual({ kind: "replay", answer });

		await expire("two");
		expect(await runAlarm(object)).toBe(true);
		await inObject(object, ({ storage }) => {
			expect(storage.sql.exec("select name from sqlite_master where name = 'kept'").toArray()).toEqual([]);
		});
		expect(await alarm()).toBeNull();
		using again = await started("two");
		await again.run.endUnrecorded(answer);
		expect(await claim("two")).toEqual({ kind: "replay", answer });
	});

	it("stores the last ten thousand answers", async () => {
		const keep = async (scope: string) => {
			using run = await started(scope);
			await run.run.endUnrecorded(answer);
		};
		await keep("old");
		await keep("young");
		await inObject(await objectOf(), ({ storage }) => void storage.sql.exec("update kept set id = 10001 where scope = 'young'"));
		await keep("new");
		expect((await rows()).map(({ scope }) => scope)).toEqual(["young", "new"]);
	});
});
