/// <reference types="vite/client" />
// What a handler may commit, and how often.

import { describe, expect, it, vi } from "vitest";
import * as z from "zod";
import type { sendMessages } from "../../src/domains/messages/job";
import { organizations } from "../../src/domains/organizations/table";
import { checkAnswers } from "../../src/http/answers/projection";
import { operator } from "../../src/http/callers/access";
import { type AnyOperation, operation } from "../../src/http/operation";
import type { Committed, HandlerServices, Services } from "../../src/runtime/services";
import { everyDatabase } from "../support/databases";
import { db, operatorToken } from "../support/factories";
import { checkIdentities } from "../support/identities";
import { expectErrors } from "../support/log";
import { probe } from "../support/probe";

type Created = { id: string };
const creating = (handle: (services: HandlerServices) => Promise<Created | Committed<Created>>, id = z.string()): AnyOperation =>
	operation({
		id: "create",
		method: "POST",
		path: "/whoami",
		summary: "Creates something",
		access: operator,
		request: {},
		response: z.object({ id }),
		handle: (_, services) => handle(services),
	});
const row = (id: string) => ({ id, slug: id, name: id, createdAt: 0 });
const insert = ({ db }: Services, id: string) => db.orm.insert(organizations).values(row(id));

describe("a handler's services", () => {
	it("have no other commit of their own than that of the answer, and are no substitute for a job's services", async () => {
		const op = creating(async (services) => {
			// @ts-expect-error only services.commit writes the idempotency record
			const { commit } = services.db;
			// @ts-expect-error the database that reads the primary cannot commit either
			const { commit: another } = services.primary();
			// @ts-expect-error work that commits by itself needs the services of a job
			const send: Parameters<typeof sendMessages> = [services];
			// @ts-expect-error the answer is recorded where the operation works, not in another home
			const { commit: elsewhere } = services.at(services.newId());
			// @ts-expect-error a plan of writes gets services that commit nothing
			const { commit: planned, commitRegardless } = services as Services;
			const unused = [commit, another, elsewhere, planned, commitRegardless, send];
			return services.commit([insert(services, "a")], { id: `${unused.length}` });
		});
		expect(await probe([op], { as: await operatorToken() })).toMatchObject({ status: 200 });
	});

	it("commit only once: a second commit fails and leaves the first one in place", async () => {
		expectErrors("request failed");
		const op = creating(async (services) => {
			await services.commit([insert(services, "a")], { id: "a" });
			return services.commit([insert(services, "b")], { id: "b" });
		});
		expect(await probe([op], { as: await operatorToken() })).toMatchObject({ status: 500 });
		expect((await db.select().from(organizations)).map(({ id }) => id)).toEqual(["a"]);
	});

	it("fail the call when its handler returns another answer than the one it committed", async () => {
		expectErrors("request failed");
		const op = creating(async (services) => {
			await services.commit([insert(services, "a")], { id: "a" });
			return { id: "a" };
		});
		expect(await probe([op], { as: await operatorToken() })).toMatchObject({ status: 500 });
	});

	it("have an answer that its schema does not allow logged, and the caller gets it as it is", async () => {
		// Every answer of a test is parsed, and this one would not come through.
		checkAnswers(undefined);
		vi.spyOn(Math, "random").mockReturnValue(0);
		expectErrors("an answer is not what its schema says", "an answer is not what its schema says");
		const committed = creating(async (services) => services.commit([insert(services, "a")], { id: "" }), z.string().min(1));
		const read = creating(async () => ({ id: "" }), z.string().min(1));
		const as = await operatorToken();
		try {
			for (const op of [committed, read]) expect(await probe([op], { as })).toMatchObject({ status: 200, body: { id: "" } });
		} finally {
			checkAnswers(checkIdentities);
		}
	});

	it("commit regardless of the answer without an idempotency record", async () => {
		const op = creating(async (services) => {
			await services.commitRegardless([insert(services, "a")]);
			return { id: "a" };
		});
		const headers = { "idempotency-key": "k" };
		expect(await probe([op], { as: await operatorToken(), headers })).toMatchObject({ status: 200 });
		expect(await everyDatabase.prepare("select count(*) as n from idempotency_records").first("n")).toBe(0);
	});

	it("refuse UNIQUE columns without an index at every commit, not only in a race", async () => {
		expectErrors("request failed");
		const op = creating((services) =>
			services.commit([insert(services, "a")], { id: "a" }, { unique: [[[organizations.name], "ORGANIZATION_SLUG_TAKEN"]] }),
		);
		expect(await probe([op], { as: await operatorToken() })).toMatchObject({ status: 500 });
		expect(await db.select().from(organizations)).toEqual([]);
	});
});

describe("commits regardless of the answer", () => {
	it("are made by these files alone", async () => {
		const sources = import.meta.glob<string>("../../src/**/*.ts", { eager: true, query: "?raw", import: "default" });
		const users = Object.entries(sources).filter(([, source]) => /\.commitRegardless\(/.test(source));
		expect(users.map(([file]) => file.replace("../../src/", "")).sort()).toEqual([
			"domains/current-accounts/closures/procedure.ts",
			"domains/disbursements/result.operations.ts",
			"domains/messages/reports.operations.ts",
			"domains/mobile-number-changes/code.operations.ts",
			"domains/mobile-number-changes/completion.procedure.ts",
			"domains/organizations/invitations/acceptance.operations.ts",
			"domains/otp/procedure.ts",
			"domains/people/export.operations.ts",
			"domains/repayments/recording/confirmations.operations.ts",
			"domains/repayments/recording/procedure.ts",
			"domains/repayments/unmatched/operations.ts",
			"domains/tokens/sessions/operations.ts",
			"domains/transfers/route.procedure.ts",
			"domains/transfers/transaction.procedure.ts",
			"domains/users/phone-name.procedure.ts",
			"runtime/home-messages.ts",
		]);
	});
});
