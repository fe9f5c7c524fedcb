// The rows of each list in its crowd, and values of the filters that many of them have. The values of each column are independent of the
// others', so that an index that lacks one of the filters finds rows that the page must not show.

import { env } from "cloudflare:workers";
import { placesOf } from "../../src/db/places";
import { requestApproval } from "../../src/domains/approvals/operations";
import { APPROVAL_TYPES } from "../../src/domains/approvals/table";
import { createCommissionModel } from "../../src/domains/commissions/administration.operations";
import { createApiKey } from "../../src/domains/organizations/api-keys/operations";
import { startPhoneVerification } from "../../src/domains/otp/operations";
import { createPayee } from "../../src/domains/payees/operations";
import { MAX_PAYEES } from "../../src/domains/payees/policy";
import { recordRepayment } from "../../src/domains/repayments/recording/operations";
import { createIssuer } from "../../src/domains/tokens/issuers/operations";
import { orderTransfer } from "../../src/domains/transfers/operations";
import { homeDigits, homeOf } from "../../src/shared/ids";
import { ROLES } from "../../src/shared/permissions";
import { DAY_MS, HOUR_MS } from "../../src/shared/time";
import { call, expectOk } from "../support/client";
import { modelBody } from "../support/commissions";
import { paymentTo } from "../support/credit";
import { crowdIdOf, givenCrowdOf } from "../support/crowd";
import { givenCurrentAccount } from "../support/current-accounts";
import { databases } from "../support/databases";
import { givenOrganization, givenUser, operatorToken } from "../support/factories";
import { givenInvitation } from "../support/invitations";
import { givenLoanProduct, givenOffer } from "../support/loans";
import type { Parties } from "./valid-requests";

const COUNT = 3_000;
const UUID =
	"lower(printf('%s-4%s-8%s-%s', hex(randomblob(4)) || '-' || hex(randomblob(2)), substr(hex(randomblob(2)), 2), substr(hex(randomblob(2)), 2), hex(randomblob(6))))";

type Columns = Readonly<Record<string, string>>;

/** Adds copies of the first row that meets the condition, in each database that has one. In the columns that differ, `n` is the number of the copy. */
async function copies(table: string, of: string, columns: Columns): Promise<void> {
	const { results } = await env.DB.prepare(`pragma table_info(${table})`).all<{ name: string }>();
	const names = results.map(({ name }) => name);
	const changed: Columns = { ...(names.includes("id") && { id: UUID }), ...columns };
	const insert = `insert into ${table} (${names.join()})
		with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${COUNT})
		select ${names.map((name) => changed[name] ?? name).join()} from (select * from ${table} where ${of} limit 1), numbers`;
	const done = await everywhere(insert);
	if (done.every(({ meta }) => meta.changes === 0)) throw new Error(`${table} has no row to copy`);
}

const everywhere = (statement: string): Promise<D1Result[]> => Promise.all(databases.map((database) => database.prepare(statement).run()));

/** Each of the values, as a column of the copies; `every`: how many copies in a row have the same. */
const oneOf = (values: readonly (string | null)[], every = 1): string =>
	`case n / ${every} % ${values.length} ${values.map((value, index) => `when ${index} then ${value === null ? "null" : `'${value}'`}`).join(" ")} end`;

type Filters = Readonly<Record<string, readonly string[]>>;
/** Makes the rows of one list, and returns values of its filters. */
type Crowd = (parties: Parties) => Promise<Filters>;

/** The organization's audit trail. */
const streamOf = ({ organization }: Parties): string =>
	`${organization.id}/${homeDigits(placesOf(env).of(homeOf(organization.id)).firstHome)}`;
const NOW = Date.now();
const createdAt = `${NOW - DAY_MS} + n`;

const products: Crowd = async (parties) => {
	const elsewhere = await givenOrganization();
	for (const organization_id of [parties.organization.id, null, elsewhere.id]) {
		const { id } = await givenLoanProduct({ organization_id });
		await copies("loan_products", `id = '${id}'`, { created_at: createdAt });
	}
	return { organization_id: [parties.organization.id] };
};

const givenKey = async (parties: Parties): Promise<void> => {
	const path = { organizationId: parties.organization.id };
	expectOk(await call(createApiKey, { as: parties.owner.token, path, body: { name: "till", scopes: ["loans:write"] } }));
};

async function givenIssuer(): Promise<void> {
	const body = {
		issuer: "https://issuer.example",
		kind: "identity" as const,
		audience: "service",
		jwks_uri: "https://issuer.example/keys",
		algorithms: ["RS256" as const],
	};
	expectOk(await call(createIssuer, { as: await operatorToken(), body }));
}

const CROWDS: { readonly [list: string]: Crowd } = {
	listApiKeys: async (parties) => {
		await givenKey(parties);
		await copies("api_keys", "true", { created_at: createdAt, hash: "'h' || n", revoked_at: "iif(n % 2, null, 1)" });
		return {};
	},
	listApprovals: async (parties) => {
		const { organization } = parties;
		const body = { approval_type: "BLOCK_CHANGE", entity_type: "USER", entity_id: parties.user.id, payload: { blocked: true } } as const;
		expectOk(await call(requestApproval, { as: await operatorToken(), body }));
		const statuses = ["PENDING", "APPROVED", "REJECTED", "EXPIRED", "FAILED"];
		await copies("approvals", "true", {
			organization_id: oneOf([organization.id, (await givenOrganization()).id]),
			approval_type: oneOf(APPROVAL_TYPES, 2),
			status: oneOf(statuses, 2 * APPROVAL_TYPES.length),
			entity_id: UUID,
			created_at: createdAt,
			expires_at: String(NOW + DAY_MS),
		});
		return {};
	},
	listAudit: async (parties) => {
		// One change in the organization's home, and one in the directory, which has the platform's trail.
		await givenKey(parties);
		await givenIssuer();
		const own = streamOf(parties);
		for (const stream of [own, "platform/000"])
			await copies("audit_rows", "true", {
				stream: `'${stream}'`,
				sequence: "n + 10",
				actor_id: oneOf([parties.user.id, "another"]),
				entity_id: oneOf([parties.user.id, null], 2),
				operation: oneOf(["createApiKey", "deleteApiKey"], 4),
			});
		return { stream: [own], actor_id: [parties.user.id], entity_id: [parties.user.id], operation: ["createApiKey"] };
	},
	listAuditSeals: async (parties) => {
		const own = streamOf(parties);
		for (const stream of [own, "platform/000", "another/000"])
			await everywhere(
				`insert into audit_seals (stream, from_sequence, through_sequence, leaves, root, previous, hash, signature, sealed_at)
					with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${COUNT})
					select '${stream}', n, n, '[]', printf('%064x', n), printf('%064x', n), printf('%064x', n), 'a.b.c', ${createdAt} from numbers`,
			);
		return { stream: [own] };
	},
	listCommissionModels: async () => {
		expectOk(await call(createCommissionModel, { as: await operatorToken(), body: modelBody() as never }));
		await copies("commission_models", "true", { created_at: createdAt, model_id: "'m' || n" });
		return {};
	},
	listCurrentAccountTransactions: async (parties) => {
		await everywhere(`
			insert into current_account_entries (account_id, position, id, type, phase, amount, hold, counted, balance_after, held_after, day,
				rate_index, source_id, contra, created_at)
			with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${COUNT})
			select id, n, ${UUID}, 'MOVEMENT', 'END', 1, 0, 0, n, 0, day, 0, ${UUID}, 'CUSTODY', ${createdAt}
			from current_accounts, numbers where user_id = '${parties.user.id}' order by n`);
		return {};
	},
	listDeliveries: async ({ organization }) => {
		const now = await givenCrowdOf(organization.id, ["webhook_deliveries"], COUNT);
		return {
			webhook_id: [crowdIdOf(1)],
			event_type: ["user.admitted"],
			created_from: [new Date(now - 2_500).toISOString()],
			created_until: [new Date(now - 200).toISOString()],
		};
	},
	listEvents: async ({ organization }) => {
		const now = await givenCrowdOf(organization.id, ["webhook_events"], COUNT);
		return {
			type: ["user.admitted"],
			created_from: [new Date(now - 2_500).toISOString()],
			created_until: [new Date(now - 200).toISOString()],
		};
	},
	listInvitations: async (parties) => {
		await givenInvitation(parties.owner.token, parties.organization.id);
		await copies("invitations", "true", { created_at: createdAt, email_key: "n", role: oneOf(ROLES) });
		return { roles: ROLES.map((_, index) => ROLES.slice(0, index + 1).join("&")) };
	},
	listInvoices: async ({ organization }) => {
		await givenCrowdOf(organization.id, ["invoices"], COUNT);
		return {};
	},
	listIssuers: async () => {
		await givenIssuer();
		await copies("trusted_issuers", "issuer like '%issuer.example'", { created_at: createdAt, issuer: "'i' || n" });
		return {};
	},
	listLoanApplications: async (parties) => {
		await givenLoanProduct();
		const { id } = await givenOffer(parties.user.token);
		const elsewhere = await givenOrganization();
		const colleague = await givenUser({ organizationId: parties.organization.id });
		const stranger = await givenUser({ organizationId: elsewhere.id });
		const madeAt = `${NOW} + n - iif(n > ${COUNT / 2}, ${3 * HOUR_MS}, ${3 * DAY_MS})`;
		const statuses = ["PENDING", "APPROVED", "REJECTED", "SUBMITTED", "DISBURSED", "CANCELLED", "EXPIRED", "FAILED"];
		await copies("loan_applications", `id = '${id}'`, {
			loan_product_id: UUID,
			user_id: oneOf([parties.user.id, colleague.id, stranger.id]),
			organization_id: oneOf([parties.organization.id, parties.organization.id, elsewhere.id]),
			status: oneOf(statuses, 3),
			// Offers end after a day.
			created_at: madeAt,
			expires_at: `${madeAt} + ${DAY_MS}`,
		});
		return { user_id: [parties.user.id], organization_id: [parties.organization.id] };
	},
	listLoanProducts: products,
	listMembers: async (parties) => {
		await copies("organization_members", `organization_id = '${parties.organization.id}'`, {
			user_id: UUID,
			membership_id: UUID,
			created_at: createdAt,
			role: "'organization-viewer'",
			removed_at: "iif(n % 2, null, 1)",
		});
		return {};
	},
	listMerchantInvoices: async ({ organization }) => {
		await givenCrowdOf(organization.id, ["invoices"], COUNT);
		return {};
	},
	listMessages: async () => {
		expectOk(await call(startPhoneVerification, { body: { mobile_country_code: "254", mobile_number: "712345678" } }));
		await copies("messages", "true", { created_at: createdAt, recipient: oneOf(["+254712345678", "+254712345679"]) });
		return { recipient: ["+254712345678"] };
	},
	listOfferedProducts: products,
	listOrganizations: async ({ organization }) => {
		await copies("organizations", `id = '${organization.id}'`, { created_at: createdAt, slug: "'s' || n" });
		return { slug: [organization.slug] };
	},
	listTransfers: async (parties) => {
		await givenCurrentAccount({ user: parties.user, balance: 10_000 });
		const body = { label: "Rent", accounts: [{ type: "SEND_MONEY" as const, mobile_number: "+254722000111" }] };
		const { accounts } = expectOk(await call(createPayee, { as: parties.user.token, body }));
		expectOk(await call(orderTransfer, { as: parties.user.token, body: { payee_account_id: accounts[0]?.id ?? "", amount: 1_000 } }));
		await copies("transfers", "true", { created_at: createdAt, user_id: oneOf([parties.user.id, parties.owner.id]) });
		return {};
	},
	listUnmatchedPayments: async () => {
		const { account_id: _, ...payment } = paymentTo("", 1_000);
		expectOk(await call(recordRepayment, { as: await operatorToken(), body: { ...payment, account_number: "unknown" } }));
		await copies("payments", "true", {
			created_at: createdAt,
			mobile_money_transaction_id: "hex(randomblob(8))",
			status: oneOf(["UNMATCHED", "FAILED"]),
			account_id: oneOf([null, "a"]),
		});
		return {};
	},
	listUsers: async ({ organization }) => {
		await givenCrowdOf(organization.id, ["users"], COUNT);
		return { organization_id: [organization.id] };
	},
};

/** Lists without a crowd of their own, and why they need none. */
export const FEW: { readonly [list: string]: string } = {
	getStatement: "The changes of one account in a span of days.",
	listAccountTransactions: "The payments of one account.",
	listAccounts: "One person's accounts.",
	listInstallmentTransactions: "The payments of one installment.",
	listPayees: `One person's payees, of which they may have ${MAX_PAYEES}: a search for a part of a name reads all of them.`,
	listInstallments: "One account's installments, computed from its whole history.",
};

/** Filters that find one row. */
export const UNIQUE: readonly string[] = ["slug"];

export const crowded = async (id: string, parties: Parties): Promise<Filters> => {
	const crowd = CROWDS[id];
	if ((crowd === undefined) === (FEW[id] === undefined)) throw new Error(`${id} needs either a crowd or a reason for having none`);
	return (await crowd?.(parties)) ?? { from: ["2026-01-01"], to: ["2026-01-31"], q: ["rent"] };
};
