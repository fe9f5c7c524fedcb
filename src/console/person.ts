// Asks the service who the person is to it.

import { call, Refused } from "./api.ts";
import { config } from "./config.ts";
import { actFor, current } from "./session.ts";
import type { Person, Role } from "./who.ts";

/** The names or number of the person's organizations have changed: the shell asks again. */
export const PERSON_CHANGED = "person-changed";
export const personChanged = (): void => void dispatchEvent(new Event(PERSON_CHANGED));

export async function whoAmI(): Promise<Person> {
	const [me, { environment }] = await Promise.all([call("GET /v1/me", { organization: null }), config()]);
	const chosen = current()?.organization;
	const personIn = (person: Omit<Person, "acting" | "hasSandbox">): Person => {
		const acting = person.organizations.find(({ id }) => id === chosen) ?? person.organizations[0];
		actFor(acting?.id);
		return { ...person, acting, hasSandbox: environment !== "production" };
	};
	if (me.kind === "OPERATOR") {
		const { data } = await call("GET /v1/platform/organizations", { query: { size: 100 }, organization: null });
		return personIn({ kind: "operator", id: `${me.issuer} ${me.subject}`, name: me.subject, organizations: data });
	}
	if (me.kind === "API_KEY") return personIn({ kind: "member", id: me.id, name: me.name, organizations: [me.organization] });
	const organizations = await Promise.all(
		me.organizations.map(async ({ id, slug, role }) => {
			const found = await call("GET /v1/organizations/{organizationId}", { path: { organizationId: id }, organization: id }).catch(
				() => null,
			);
			return { id, role, name: found?.name ?? slug };
		}),
	);
	const name = me.display_name ?? me.email ?? me.tag;
	const isWaiting = me.status === "WAITING_LIST";
	return personIn({ kind: organizations.length > 0 ? "member" : "borrower", id: me.id, name, organizations, isWaiting });
}

/** Ends the person's session at the service. An ended session has nothing left to end, and an operator's token is the issuer's. */
export async function endSession({ kind }: Person): Promise<void> {
	if (kind === "operator") return;
	await call("POST /v1/auth/sign-out", { organization: null }).catch((error: unknown) => {
		if (!(error instanceof Refused && error.status === 401)) throw error;
	});
}

export const ROLE_NAMES: Readonly<Record<Role, string>> = {
	"organization-owner": "Owner",
	"organization-admin": "Administrator",
	"organization-financing-admin": "Financing administrator",
	"organization-financing-viewer": "Financing viewer",
	"organization-lending-admin": "Lending administrator",
	"organization-lending-viewer": "Lending viewer",
	"organization-developer": "Developer",
	"organization-viewer": "Viewer",
};

/** What the person is called in the head of the page. */
export function titleOf({ kind, acting }: Person): string {
	if (kind === "operator") return "Operator";
	return kind === "borrower" ? "Borrower" : ROLE_NAMES[acting?.role ?? "organization-viewer"];
}
