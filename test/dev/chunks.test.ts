import { describe, expect, it } from "vitest";
import { chunksOf } from "../../src/dev/chunks.ts";

type Imports = Readonly<Record<string, readonly string[]>>;

const graph = (imports: Imports, lazyImports: Imports) => ({
	entry: "/src/worker.ts",
	importsOf: (module: string) => imports[module] ?? [],
	lazyImportsOf: (module: string) => lazyImports[module] ?? [],
});

const parts = (names: readonly string[]) => names.map((name) => `/src/domains/${name}/operations.ts`);

describe("the chunks of the bundle", () => {
	it("put what the entry imports into one, and what one folder alone needs into one of its own", () => {
		const imports = {
			"/src/worker.ts": ["/src/app.ts"],
			"/src/domains/loans/operations.ts": ["/src/domains/loans/store.ts", "/src/money.ts"],
			"/src/app.ts": ["/src/money.ts"],
		};
		const chunks = chunksOf(
			graph(imports, { "/src/app.ts": ["/src/domains/loans/operations.ts", "/src/domains/loans/more.operations.ts"] }),
		);
		expect(Object.fromEntries(chunks)).toEqual({
			"/src/app.ts": "start",
			"/src/money.ts": "start",
			"/src/domains/loans/operations.ts": "domains-loans",
			"/src/domains/loans/more.operations.ts": "domains-loans",
			"/src/domains/loans/store.ts": "domains-loans",
		});
	});

	it("keep apart what few and what many share, and what does not import each other", () => {
		const [loans = "", payees = "", ...others] = parts(["loans", "payees", "transfers", "agents", "users", "invoices"]);
		const imports = {
			[loans]: ["/src/terms.ts", "/src/names.ts"],
			[payees]: ["/src/terms.ts", "/src/names.ts"],
			...Object.fromEntries(others.map((other) => [other, ["/src/money.ts"]])),
			"/src/terms.ts": ["/src/periods.ts", "/src/money.ts"],
		};
		const chunks = chunksOf(graph(imports, { "/src/worker.ts": [loans, payees, ...others] }));
		expect(chunks.get("/src/terms.ts")).toBe(chunks.get("/src/periods.ts"));
		expect(new Set(["/src/terms.ts", "/src/names.ts", "/src/money.ts"].map((module) => chunks.get(module))).size).toBe(3);
	});

	it("never import each other in a circle", () => {
		// Two domains that use each other's modules, and a third that uses some of both.
		const [loans = "", accounts = "", agents = ""] = parts(["loans", "accounts", "agents"]);
		const imports = {
			[loans]: ["/src/domains/loans/store.ts"],
			[accounts]: ["/src/domains/accounts/store.ts"],
			[agents]: ["/src/domains/loans/table.ts"],
			"/src/domains/loans/store.ts": ["/src/domains/accounts/table.ts"],
			"/src/domains/accounts/store.ts": ["/src/domains/loans/table.ts"],
			"/src/domains/accounts/table.ts": ["/src/domains/loans/table.ts"],
		};
		const chunks = chunksOf(graph(imports, { "/src/worker.ts": [loans, accounts, agents] }));
		const reached = new Map([...new Set(chunks.values())].map((chunk) => [chunk, new Set([chunk])]));
		for (const _ of chunks) {
			for (const [module, imported] of Object.entries(imports)) {
				for (const other of imported) {
					const from = reached.get(chunks.get(module) ?? "");
					if (chunks.get(module) !== chunks.get(other)) for (const chunk of reached.get(chunks.get(other) ?? "") ?? []) from?.add(chunk);
				}
			}
		}
		for (const [chunk, others] of reached) {
			for (const other of others) if (other !== chunk) expect(reached.get(other)).not.toContain(chunk);
		}
	});
});
