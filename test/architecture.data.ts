// Who may import whom, as data. `architecture.node.test.ts` holds the sources to it.

const BELOW_DOMAINS = ["events", "http", "providers", "runtime", "db", "messages", "shared", "webhook-verify"];

/** The folders of `src`, from the top down, and which others each may import. `worker` are the files that lie in `src` itself. */
export const LAYERS: Readonly<Record<string, readonly string[]>> = {
	worker: ["wiring", "domains", ...BELOW_DOMAINS],
	wiring: ["domains", "reference", ...BELOW_DOMAINS],
	// Made when the Worker is built; what it shows, it has from the OpenAPI document.
	reference: ["console", "shared"],
	domains: BELOW_DOMAINS,
	events: ["runtime", "db", "shared"],
	http: ["runtime", "db", "messages", "shared", "webhook-verify"],
	providers: ["runtime", "db", "shared", "webhook-verify"],
	runtime: ["db", "messages", "shared"],
	db: ["shared"],
	messages: ["shared"],
	shared: [],
	"webhook-verify": [],
	// Runs in browsers: the build puts it among the Worker's assets.
	console: [],
	// Never in the Worker: nobody imports it.
	dev: [],
};

/** The only files of ours that the console's pages have in common with the Worker: data without code of the Worker's in their imports. */
export const SHARED_WITH_CONSOLE: readonly string[] = ["src/shared/currency.ts"];

/** Domains that import nothing but their own files and `shared`. */
export const LEAF_DOMAINS = ["loan-terms"];

export type Role = {
	/** The only roles and layers that it may import; any when absent. */
	imports?: readonly string[];
	/** Roles and layers of which it may import types, in addition to those. */
	types?: readonly string[];
	/** Roles and layers that it must not import. */
	not?: readonly string[];
	/** The only packages that it may import; any when absent. */
	packages?: readonly string[];
	/** What its code must not contain. */
	never?: Readonly<Record<string, RegExp>>;
	/** Who may import it: `own` files of its domain, and layers; anybody when absent. */
	importedBy?: readonly string[];
	/** The only roles and layers that may import its values; any when absent. */
	usedBy?: readonly string[];
};

const CLOCK = { "reads the clock": /\bDate\.now\b|\bnew Date\(\s*\)|\bperformance\.now\b/ };
const PURE = { ...CLOCK, "draws at random": /\bMath\.random\b|\bcrypto\b/, "does I/O": /\bfetch\s*\(/ };

/** With every name of the database: `db.read`, `there.commit`, `services.at(home).commitRegardless`. */
const RUNS = { "runs statements": /\.(?:commit|commitRegardless|read|runDeferredCheck)\(/ };

const pure: Role = {
	imports: ["shared", "webhook-verify", "policy", "lifecycle"],
	packages: ["compare-versions", "libphonenumber-js/core/es6"],
	never: PURE,
};

/** Files of domains by the last part of their names: `apply.operations.ts` is an `operations`. */
export const ROLES = {
	policy: pure,
	lifecycle: pure,
	table: {
		// Enums stand once, in the policy or lifecycle that knows them.
		imports: ["shared", "table", "policy", "lifecycle"],
		// Of columns that hold JSON.
		types: ["wire"],
		packages: ["drizzle-orm", "drizzle-orm/sqlite-core"],
	},
	wire: {
		imports: ["shared", "http", "events", "wire", "table", "policy", "lifecycle"],
		packages: ["zod"],
		never: CLOCK,
	},
	events: { imports: ["shared", "policy", "lifecycle", "wire"], packages: ["zod"], never: CLOCK },
	// Builds single statements.
	store: { not: ["http", "operations", "job", "plan", "cache"], never: { ...CLOCK, ...RUNS } },
	// Decides, and returns the writes. A job is what follows their commit: only then are there the services that it needs.
	plan: { not: ["http", "operations"], never: { ...CLOCK, ...RUNS } },
	// What handlers and jobs share that reads or commits.
	procedure: { not: ["http", "operations"], never: CLOCK, usedBy: ["operations", "job", "procedure", "callers", "wiring"] },
	// Remembers rows and answers, in memory or in the data centre, and reads what it lacks.
	cache: { not: ["operations", "job", "procedure"], never: { ...CLOCK, commits: /\.(?:commit|commitRegardless)\(/ } },
	callers: { not: ["operations", "job"] },
	// Keys and signatures.
	crypto: { imports: ["runtime", "shared", "policy", "crypto"], packages: ["jose"], never: { ...CLOCK, "does I/O": PURE["does I/O"] } },
	// A port of `runtime/ports.ts` over our own tables.
	adapter: {
		not: ["http", "operations", "job", "procedure"],
		never: { ...CLOCK, commits: /\.(?:commit|commitRegardless)\(/ },
		importedBy: ["own", "wiring"],
	},
	// A Durable Object. It has alarms, so it reads the clock.
	object: { imports: ["shared", "policy", "lifecycle"], packages: ["cloudflare:workers"], importedBy: ["own", "worker"] },
	job: { not: ["http", "operations"], importedBy: ["own", "wiring", "worker"] },
	operations: { not: ["operations"], importedBy: ["wiring"] },
} as const satisfies Record<string, Role>;

/** The lower half of a domain, on which others may lean: a node of its own, which begins nothing by itself and does not know its upper half. */
export const MODEL = "model";

/** The roles of files that begin something, or stand for something of the platform: none of them is a model's. */
export const NOT_OF_MODELS: readonly string[] = ["operations", "job", "object", "adapter"];

/** Which domain, or which domain's model, knows which. A domain knows its own model. A new line is a decision. */
export const DOMAIN_IMPORTS: Readonly<Record<string, readonly string[]>> = {
	accounts: ["branding", "connections/model", "credit-accounts", "current-accounts", "loan-products/model", "organizations", "users/model"],
	"app-settings": [],
	approvals: [
		"credit-accounts",
		"current-accounts",
		"ledger/model",
		"loan-products",
		"loan-products/model",
		"mobile-number-changes",
		"organizations",
		"portfolio/model",
		"reconciliation",
		"repayments",
		"tokens",
		"users",
		"users/model",
	],
	audit: ["organizations", "tokens/model"],
	branding: ["organizations", "users/model"],
	collections: ["accounts", "credit-accounts", "messages", "organizations", "users/model"],
	commissions: ["organizations", "users/model"],
	connections: ["disbursements/model", "organizations", "repayments"],
	"connections/model": [],
	"credit-accounts": [
		"disbursements/model",
		"ledger/model",
		"loan-products/model",
		"loan-terms",
		"messages",
		"portfolio/model",
		"users/model",
	],
	"credit-bureau": ["credit-accounts", "ledger", "ledger/model", "messages", "portfolio", "portfolio/model", "users/model"],
	"current-accounts": ["credit-accounts", "messages", "otp", "users/model"],
	disbursements: [
		"connections/model",
		"credit-accounts",
		"current-accounts",
		"invoices",
		"loans/model",
		"payees",
		"transfers",
		"users/model",
	],
	"disbursements/model": ["connections/model", "ledger/model", "payees"],
	imports: ["credit-accounts", "loan-products/model", "loan-terms", "messages", "organizations", "repayments", "users/model"],
	invoices: ["disbursements/model", "organizations"],
	ledger: ["credit-accounts", "loan-products/model", "organizations", "portfolio/model"],
	"ledger/model": [],
	"loan-products": ["credit-accounts", "current-accounts", "loan-terms", "loans/model", "messages", "organizations", "users/model"],
	"loan-products/model": ["disbursements/model", "loan-terms", "users/model"],
	"loan-terms": [],
	loans: ["credit-accounts", "current-accounts", "disbursements", "disbursements/model", "loan-products/model", "messages", "users/model"],
	"loans/model": ["credit-accounts", "disbursements/model", "loan-products/model", "loan-terms", "users/model"],
	messages: ["users/model"],
	"mobile-number-changes": ["current-accounts", "messages", "otp", "tokens", "users", "users/model"],
	organizations: ["messages", "users/model"],
	otp: ["messages", "organizations", "tokens/model", "users/model"],
	payees: ["users/model"],
	// Knows where every domain keeps what a person is recognised by.
	people: [
		"accounts",
		"approvals",
		"collections",
		"commissions",
		"credit-accounts",
		"credit-bureau",
		"current-accounts",
		"disbursements/model",
		"imports",
		"invoices",
		"loan-products/model",
		"loans/model",
		"messages",
		"organizations",
		"otp",
		"payees",
		"reconciliation",
		"repayments",
		"tokens",
		"transfers",
		"users/model",
		"webhooks",
	],
	portfolio: ["credit-accounts"],
	"portfolio/model": [],
	reconciliation: ["connections/model", "disbursements/model", "invoices", "ledger/model", "repayments", "users/model"],
	repayments: [
		"connections/model",
		"credit-accounts",
		"current-accounts",
		"disbursements",
		"disbursements/model",
		"invoices",
		"messages",
		"users/model",
	],
	search: ["credit-accounts", "current-accounts", "invoices", "organizations", "repayments", "users/model"],
	tokens: ["current-accounts", "messages", "organizations", "users", "users/model"],
	"tokens/model": [],
	transfers: ["current-accounts", "disbursements/model", "messages", "mobile-number-changes", "otp", "payees", "users/model"],
	users: ["credit-accounts", "current-accounts", "loan-products/model", "loans/model", "messages", "organizations"],
	"users/model": [],
	webhooks: [],
	work: [
		"approvals",
		"collections",
		"connections/model",
		"credit-accounts",
		"current-accounts",
		"disbursements/model",
		"organizations",
		"portfolio",
		"portfolio/model",
		"reconciliation",
		"repayments",
		"transfers",
		"users/model",
		"webhooks",
	],
};

/** Tables of data, which stay whole: the only files of `src` and `test` that may be longer than `MOST_LINES`. */
export const LONG_TABLES: readonly string[] = ["test/contract/valid-requests.ts", "test/shared/addresses.node.test.ts"];

export const MOST_LINES = 300;

/** Engines: each is one thing, which is read whole, and may have 500 lines. */
export const ENGINES: readonly string[] = ["src/domains/webhooks/deliveries/engine.job.ts"];

export const MOST_LINES_OF_ENGINES = 500;
