// Which imports, names and expressions the rules of `architecture.data.ts` refuse, and which they allow.

import { describe, expect, it } from "vitest";
import { importsOf, judge } from "./support/architecture.ts";

describe("the rules", () => {
	const policy = "src/domains/loan-products/model/policy.ts";
	const store = "src/domains/organizations/store.ts";

	it.each([
		["a lower layer that imports a higher one", "src/http/mount.ts", 'import { raise } from "../events/raise";', "layers"],
		["a provider that imports a domain", "src/providers/disburser.ts", 'import type { A } from "../domains/loans/table";', "layers"],
		["a provider that imports an operation", "src/providers/x.ts", 'import { a } from "../domains/loans/products/operations";', "layers"],
		["a shared file that imports ours", "src/shared/time.ts", 'import { verify } from "../webhook-verify/verify";', "layers"],
		["a verifier that imports ours", "src/webhook-verify/verify.ts", 'import { toHex } from "../shared/bytes";', "layers"],
		["development code in the Worker", "src/wiring/app.ts", 'import { start } from "../dev/start.ts";', "layers"],
		["the Worker that imports the console", "src/wiring/app.ts", 'import { go } from "../console/router.ts";', "layers"],
		["the console that imports the Worker", "src/console/ui/state.tsx", 'import type { A } from "../../shared/time";', "layers"],
		["development code that imports the Worker", "src/dev/start.ts", 'import { app } from "../wiring/app";', "layers"],
		["an import for its effect", "src/db/database.ts", 'import "../http/mount";', "layers"],
		["an import at run time", "src/db/database.ts", 'const a = await import("../http/mount");', "layers"],
		["a folder that the table does not know", "src/db/database.ts", 'import { a } from "../helpers/a";', "layers"],
		["an operation in a model", "src/domains/users/model/a.operations.ts", "", "model"],
		["a job in a model", "src/domains/users/model/job.ts", "", "model"],
		["an edge between domains that is not listed", "src/domains/messages/store.ts", 'import { users } from "../users/table";', "domains"],
		[
			"a leaf that imports more than the kernel",
			"src/domains/loan-terms/a.policy.ts",
			'import type { C } from "../../runtime/config";',
			"leaf",
		],
		["a leaf with I/O of its own", "src/domains/loan-terms/store.ts", "", "leaf"],
		["a file of a domain without a role", "src/domains/users/helpers.ts", "", "role"],
		["a policy that imports a framework", policy, 'import { ok } from "../../../http/operation";', "policy"],
		["a policy that imports types of a table", policy, 'import type { Row } from "../table";', "policy"],
		["a policy that imports a database package", policy, 'import { sql } from "drizzle-orm";', "policy"],
		["a policy that imports the platform", policy, 'import { env } from "cloudflare:workers";', "policy"],
		["a policy that reads the clock", policy, "const at = Date.now();", "policy"],
		["a policy that makes a date of now", policy, "const at = new Date();", "policy"],
		["a policy that draws at random", policy, "const a = Math.random();", "policy"],
		["a policy that draws bytes", policy, "const a = crypto.getRandomValues(b);", "policy"],
		[
			"a lifecycle that reads the clock in a template",
			"src/domains/loans/model/lifecycle.ts",
			"const a = `$" + "{Date.now()}`;",
			"lifecycle",
		],
		["a store that imports the framework", store, 'import { mount } from "../../http/mount";', "store"],
		["a store that reads the clock", store, "const a = Date.now();", "store"],
		["a store that runs a statement", store, "await services.db.read(statement);", "store"],
		["a store that commits", store, "await services.commit([statement], undefined);", "store"],
		["a store that commits in another home", store, "await services.at(home).commitRegardless([statement]);", "store"],
		["a store that imports a plan", store, 'import { post } from "../current-accounts/ledger/plan";', "store"],
		["a store that imports a procedure", store, 'import { tryCode } from "../otp/procedure";', "procedure"],
		["a plan that runs a statement", "src/domains/organizations/plan.ts", "await there.read(statement);", "plan"],
		["a plan that commits", "src/domains/organizations/plan.ts", "await services.commit(writes, answer);", "plan"],
		["a plan that imports a procedure", "src/domains/otp/plan.ts", 'import { tryCode } from "./procedure";', "procedure"],
		["a procedure that imports an operation", "src/domains/otp/procedure.ts", 'import { a } from "./operations";', "procedure"],
		["a wire that imports a store", "src/domains/organizations/wire.ts", 'import { findUser } from "./store";', "wire"],
		["a table that imports a store", "src/domains/organizations/table.ts", 'import { findUser } from "./store";', "table"],
		["a table that imports values of a wire", "src/domains/organizations/table.ts", 'import { User } from "./wire";', "table"],
		["a table of the database that imports its access", "src/db/a.table.ts", 'import { Database } from "./database";', "table"],
		["a job that imports the framework", "src/domains/users/job.ts", 'import { mount } from "../../http/mount";', "job"],
		["a job that another domain imports", "src/domains/otp/operations.ts", 'import { a } from "../users/job";', "job"],
		["an operation that a store imports", store, 'import { getMe } from "./operations";', "operations"],
		["an operation that a callers file imports", "src/domains/users/callers.ts", 'import { getMe } from "./operations";', "operations"],
		["a cache that commits", "src/domains/branding/cache.ts", "await services.commit(writes, answer);", "cache"],
		["a signature that asks the database", "src/domains/tokens/a.crypto.ts", 'import { keyset } from "../../db/keyset";', "crypto"],
		["a signature that reads the clock", "src/domains/tokens/a.crypto.ts", "const a = Date.now();", "crypto"],
		[
			"an adapter that another domain imports",
			"src/domains/branding/plan.ts",
			'import { a } from "../organizations/a.adapter";',
			"adapter",
		],
		["an adapter that commits", "src/domains/organizations/a.adapter.ts", "await databases.directory.commit(writes);", "adapter"],
		["a Durable Object that imports a store", "src/domains/webhooks/a.object.ts", 'import { a } from "./store";', "object"],
		["a Durable Object that another domain imports", "src/domains/work/plan.ts", 'import { A } from "../webhooks/a.object";', "object"],
	])("refuse %s", (_, file, text, rule) => {
		const found = judge({ [file]: text });
		expect(found.filter((one) => one.startsWith(`${rule}: ${file} `))).not.toEqual([]);
	});

	it.each([
		["imports downwards", "src/wiring/app.ts", 'import { a } from "../domains/users/operations";\nimport { b } from "../shared/time";'],
		["a job of the same domain", "src/domains/webhooks/feed/operations.ts", 'import { a } from "../deliveries/job";'],
		["a plan of what a job does after the commit", "src/domains/messages/plan.ts", 'import { sendMessages } from "./job";'],
		["a plan with a type of a procedure", "src/domains/otp/plan.ts", 'import type { SendCaps } from "./procedure";'],
		["a procedure that reads and commits", "src/domains/otp/procedure.ts", "await db.read(a); await services.commitRegardless([b]);"],
		["a policy with a date of an instant handed in", policy, "const a = new Date(now);"],
		["comments and texts that name what is forbidden", policy, '// Date.now() and the caller\'s crypto\nconst a = "Math.random()";'],
		["a commented import", policy, '/* import { sql } from "drizzle-orm"; */'],
		["a table with an enum of a lifecycle", "src/domains/loans/model/table.ts", 'import { A } from "./lifecycle";'],
		["a table with a type of a wire", "src/domains/app-settings/table.ts", 'import { type A, type B } from "./wire";'],
	])("allow %s", (_, file, text) => {
		expect(judge({ [file]: text })).toEqual([]);
	});

	it("see every form of import, on one line or many", () => {
		const text =
			'import {\n\ta,\n\ttype B,\n} from "./x";\nimport type { C } from "../y.ts";\nexport * from "./z";\nimport * as w from "zod";\n';
		expect(importsOf("src/db/a.ts", text)).toEqual([
			{ target: "src/db/x.ts", typeOnly: false },
			{ target: "src/y.ts", typeOnly: true },
			{ target: "src/db/z.ts", typeOnly: false },
			{ target: "zod", typeOnly: false },
		]);
	});
});
