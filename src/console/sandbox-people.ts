// The people whom the sandbox has for a first look: who does not exist yet is made, with the means that anybody has in `local`.

import { call, Refused } from "./api.ts";
import { ofSandbox, type SandboxPerson } from "./renewal.ts";
import { askForLoan, prepareProduct, takeLoan } from "./sandbox-loan.ts";
import type { Session } from "./session.ts";

const SLUG = "umoja-savings";
const OPERATOR: SandboxPerson = { by: "sandbox", kind: "operator", subject: "amina.otieno" };
const partner = (subject: string): SandboxPerson => ({ by: "sandbox", kind: "partner", subject, organization: SLUG });

export const signInOperator = async (): Promise<Session> => {
	const session = await ofSandbox(OPERATOR);
	await ensureOrganization(session.token);
	return session;
};

export const signInOwner = (): Promise<Session> => signInPartner("wanjiru.maina", "Wanjiru Maina", true);
export const signInBorrower = async (): Promise<Session> => {
	const session = await signInPartner("njeri.kariuki", "Njeri Kariuki", false);
	// Where it cannot be paid out, there is none to look at, and the borrower is signed in nevertheless.
	await ensureLoan(session.token).catch(() => {});
	return session;
};

async function ensureLoan(token: string): Promise<void> {
	const asBorrower = { token, organization: null };
	const { data } = await call("GET /v1/accounts", { ...asBorrower, query: { size: 1 } });
	const me = await call("GET /v1/me", asBorrower);
	if (data.length > 0 || me.kind !== "USER" || !me.home_organization) return;
	const { token: operator } = await ofSandbox(OPERATOR);
	await takeLoan(token, await askForLoan(token, await prepareProduct(me.home_organization.id, operator)));
}

async function ensureOrganization(operator: string): Promise<void> {
	const asOperator = { token: operator, organization: null };
	const { data } = await call("GET /v1/platform/organizations", { ...asOperator, query: { size: 100 } });
	if (data.some(({ slug }) => slug === SLUG)) return;
	try {
		await call("POST /v1/platform/organizations", { ...asOperator, body: { name: "Umoja Savings", slug: SLUG } });
	} catch (error) {
		// Another tab was first, or there are more organizations than were listed.
		if (!(error instanceof Refused && error.status === 409)) throw error;
	}
}

async function signInPartner(subject: string, display_name: string, isOwner: boolean): Promise<Session> {
	const { token: operator } = await ofSandbox(OPERATOR);
	await ensureOrganization(operator);
	const session = await ofSandbox(partner(subject));
	const { token } = session;
	const me = await call("GET /v1/me", { token, organization: null });
	if (me.kind !== "USER") return session;
	if (me.status === "WAITING_LIST")
		await call("POST /v1/platform/users/{userId}/admit", { token: operator, organization: null, path: { userId: me.id } });
	if (me.display_name === null) await call("PATCH /v1/me", { token, organization: null, body: { display_name } });
	const organizationId = me.home_organization?.id;
	if (isOwner && organizationId && me.organizations.length === 0) {
		await call("POST /v1/platform/organizations/{organizationId}/members", {
			token: operator,
			organization: null,
			path: { organizationId },
			body: { user_id: me.id, role: "organization-owner" },
		});
	}
	return session;
}
