// Requests about the files for a credit bureau that are accepted.

import { putCreditBureauIdentity } from "../../src/domains/credit-bureau/identities.operations";
import { creditBureauDisputes, creditBureauFiles, creditBureauListings, creditBureauRows } from "../../src/domains/credit-bureau/table";
import { call, expectOk } from "../support/client";
import { db, newId } from "../support/factories";
import type { ValidRequest } from "../support/valid-request";

/** As far as these requests name them. */
type Parties = {
	readonly organization: { readonly id: string };
	readonly owner: { readonly token: string };
	readonly user: { readonly id: string };
};

type Given<P extends Parties> = (parties: P) => Promise<ValidRequest> | ValidRequest;
type Account = { readonly accountId: string };

const IDENTITY = { name: "Wanjiru Kamau", document_type: "NATIONAL_ID", document_number: "12345678", document_country: "KE" } as const;

/** `account`: a loan of the user's. */
export function bureauRequests<P extends Parties>(account: (parties: P) => Promise<Account>): Readonly<Record<string, Given<P>>> {
	const by = ({ owner, organization }: P) => ({ as: owner.token, headers: { "x-organization-id": organization.id } });
	const dispute = async (parties: P) => ({ account_id: (await account(parties)).accountId, reason: "Says that it was paid." });
	const ids = async (parties: P) => ({
		...{ organizationId: parties.organization.id, accountId: (await account(parties)).accountId, userId: parties.user.id },
	});
	/** Opened by somebody else, who could not resolve it. */
	const disputed = async (parties: P) => {
		const id = newId(parties.organization.id);
		const of = { ...(await ids(parties)), id, reason: "Says that it was paid.", openedBy: crypto.randomUUID(), createdAt: 1 };
		await db.insert(creditBureauDisputes).values(of);
		return id;
	};
	const notified = async (parties: P) => {
		const told = { noticedOn: "2026-02-01", listableFrom: "2026-03-03", status: "NOTIFIED" as const };
		const of = { ...(await ids(parties)), id: newId(parties.organization.id), amount: 150_000, currency: "KES", createdAt: 1 };
		await db.insert(creditBureauListings).values({ ...of, ...told });
		return {};
	};
	const file = async (parties: P) => {
		const { organizationId, accountId, userId } = await ids(parties);
		const counts = { accounts: 1, corrections: 0, leftOut: 0, negative: 0, disputed: 0 };
		const of = { organizationId, month: "2026-01" };
		const figures = { owed: 5_000, overdue: 0, daysPastDue: 0, negative: false, disputed: false, openedOn: "2026-01-02" };
		const person = { accountId, userId, accountNumber: "1058467591027", currency: "KES" };
		const status = { part: "FILE" as const, number: 1, about: "2026-01", status: "PERFORMING" as const };
		await db.insert(creditBureauRows).values({ ...of, ...person, ...status, ...figures });
		const terms = { currency: "KES", threshold: 100_000, noticeDays: 30 };
		await db.insert(creditBureauFiles).values({ ...of, lastDay: "2026-01-31", ...terms, ...counts, madeAt: 1 });
		return { path: { month: "2026-01" } };
	};
	return {
		putCreditBureauSettings: () => ({ body: { enabled: true, currency: "KES", threshold: 100_000, notice_days: 30 } }),
		listCreditBureauFiles: async (parties) => {
			await file(parties);
			return {};
		},
		listCreditBureauRows: file,
		listCreditBureauNotices: notified,
		openCreditBureauDispute: async (parties) => ({ body: await dispute(parties) }),
		resolveCreditBureauDispute: async (parties) => ({
			path: { disputeId: await disputed(parties) },
			body: { resolution: "The payment was found and recorded." },
		}),
		listCreditBureauDisputes: async (parties) => {
			await disputed(parties);
			return {};
		},
		putCreditBureauIdentity: ({ user }) => ({ path: { userId: user.id }, body: IDENTITY }),
		getCreditBureauIdentity: async (parties) => {
			const path = { userId: parties.user.id };
			expectOk(await call(putCreditBureauIdentity, { ...by(parties), path, body: IDENTITY }));
			return { path };
		},
	};
}
