// The five callers, and what the tester knows of the world.

import { type Cast, TEMPLATES } from "../../fuzz/cast.ts";
import type { ServiceDocument } from "../../fuzz/document.ts";
import { type Header, nameInPath } from "../../fuzz/draft.ts";
import type { Cases } from "./payments.ts";

export const CALLERS = ["operator", "owner", "key", "user", "agent"] as const;
export type CallerName = (typeof CALLERS)[number];

/** Who in the world calls, by what the path begins with; the last one calls the rest. */
const IN_THE_WORLD: Readonly<Record<CallerName, readonly (readonly [begins: string, name: string])[]>> = {
	operator: [["", "operator"]],
	owner: [["", "owner"]],
	key: [["", "API key"]],
	// A borrower; and of current accounts one who has money, one who leaves and one whose account is not active yet.
	user: [
		["/v1/user/accounts/current/close", "closing holder"],
		["/v1/user/accounts/current/activations", "new holder"],
		["/v1/user/", "account holder"],
		["", "user"],
	],
	agent: [["", "user"]],
};

/** The operations that an agent has in addition to those of every user. */
const OF_AGENTS = "^/v1/(agents|me)";

const KNOWN = 6;

/** What each operation may name, the bodies that it is known to take, and other values by the names of members. */
export function worldOf(document: ServiceDocument, { things }: Cast, { caller, round }: { caller: CallerName; round: string }): object {
	const named = (name: string): string[] => {
		const values = Array.from({ length: KNOWN }, (_, n) => things.fill(`@@${name}:${n}@@`, String));
		const isMade = (value: string) => !value.startsWith("00000000-0000-7000-8000-");
		// An organization is also known by its slug, which few operations take.
		return [...new Set(values)].filter((value) => isMade(value) && (name !== "organization_id" || value.length === 36));
	};
	const operations = document.operations.map(({ id, path, parameters }) => {
		const names = parameters.filter((one) => one.in === "path").map(({ name }) => name);
		// Each operation makes a thing with a new name each time.
		const bodies = (TEMPLATES[id] ?? []).map((body) =>
			things.fill(JSON.stringify(body).replaceAll(/@@(?:invoice_number|mobile_money_transaction_id|model_id):\d+@@/g, "@@NEW@@"), (value) =>
				JSON.stringify(value).slice(1, -1),
			),
		);
		const organization = parameters.some(({ name }) => name === "X-Organization-Id");
		return [id, { path: Object.fromEntries(names.map((name) => [name, named(nameInPath(path, name))])), bodies, organization }] as const;
	});
	const [organization] = named("organization_id");
	return {
		caller,
		round,
		organization,
		operations: Object.fromEntries(operations),
		things: Object.fromEntries(BODY_MEMBERS.map((name) => [name, named(name)])),
	};
}

/** Members of bodies whose values no schema can say: ids, codes and tokens that there are. */
const BODY_MEMBERS = [
	...["user_id", "organization_id", "account_id", "loan_product_id", "payee_account_id", "installment_id", "transaction_id"],
	...["custom_token", "partner_token", "phone_verification_token", "refresh_token", "otp_code", "merchant_id", "source_payee_id"],
];

/** The settings of a run, as TOML. */
export function settingsOf(caller: CallerName, { callers }: Cast, cases: Cases, hooks: string): string {
	const headersOf = (name: string) => toml(callers.find((one) => one.name === name)?.credentials(undefined) ?? []);
	const toml = (credentials: readonly Header[]) =>
		`headers = { ${credentials.map(([header, value]) => `${JSON.stringify(header)} = ${JSON.stringify(value)}`).join(", ")} }`;
	const calling = IN_THE_WORLD[caller];
	const [, others = ""] = calling.at(-1) ?? [];
	// Of several settings that fit an operation the first one holds.
	const particular = calling.slice(0, -1);
	return [
		`hooks = ${JSON.stringify(hooks)}`,
		headersOf(others),
		'suppress-health-check = ["all"]',
		"[generation]",
		'database = "none"',
		// One credential is sent, that of the caller.
		"with-security-parameters = false",
		"no-shrink = true",
		"[checks]",
		'negative_data_rejection.expected-statuses = ["400", "401", "403", "404", "405", "406", "409", "412", "413", "415", "422", "426", "428", "429", "5xx"]',
		// It ends its caller's session.
		...["[[operations]]", 'include-operation-id = "signOut"', headersOf("waiting user")],
		// Those for whom a call was prepared make it.
		...Object.entries(cases).flatMap(([id, [one]]) =>
			one?.as ? ["[[operations]]", `include-operation-id = ${JSON.stringify(id)}`, toml([one.as])] : [],
		),
		...particular.flatMap(([begins, name]) => ["[[operations]]", `include-path-regex = ${JSON.stringify(`^${begins}`)}`, headersOf(name)]),
		...(caller === "agent" ? ["[[operations]]", `exclude-path-regex = ${JSON.stringify(OF_AGENTS)}`, "enabled = false"] : []),
		"",
	].join("\n");
}
