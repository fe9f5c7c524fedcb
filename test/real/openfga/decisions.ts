// The same 18 operations by the same 8 people, at a service whose roles decide and at a service that asks OpenFGA.

import type { Answer, Person, Place, Results, Sent } from "./world.ts";

const ROLES = {
	owner: "organization-owner",
	admin: "organization-admin",
	viewer: "organization-viewer",
	"lending viewer": "organization-lending-viewer",
	"financing admin": "organization-financing-admin",
	developer: "organization-developer",
} as const;

type World = { readonly place: Place; readonly id: string; readonly people: ReadonlyMap<string, Person>; readonly borrower: Person };

export async function peopleAt(place: Place, slug: string): Promise<World> {
	const id = await place.organization(slug);
	const people = new Map<string, Person>();
	for (const [name, role] of Object.entries(ROLES)) {
		const person = await place.person(`${slug}-${name.replace(" ", "-")}`);
		await place.add(id, person, role);
		people.set(name, person);
	}
	people.set("stranger", await place.person(`${slug}-stranger`));
	people.set("operator", { name: "operator", id: "", token: place.operator });
	return { place, id, people, borrower: await place.person(`${slug}-borrower`) };
}

const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

type Operation = (world: World, n: string) => [method: string, path: string, sent?: Sent];

/** Each as `n`, which makes names of its own. */
const OPERATIONS: Readonly<Record<string, Operation>> = {
	"GET members": ({ id }) => ["GET", `/v1/organizations/${id}/members`],
	"PATCH organization": ({ id }, n) => ["PATCH", `/v1/organizations/${id}`, { body: { name: `Acme ${n}` } }],
	"POST invitation": ({ id }, n) => [
		"POST",
		`/v1/organizations/${id}/members/invitations`,
		{ body: { email: `anna-${n}@example.com`, role: "organization-viewer" } },
	],
	"GET webhooks": () => ["GET", "/v1/webhooks"],
	"POST webhook": (_, n) => [
		"POST",
		"/v1/webhooks",
		{ body: { name: `hook ${n}`, url: "http://127.0.0.1:9/", events: ["loan.disbursed"] } },
	],
	"PUT branding": ({ id }) => ["PUT", `/v1/branding/${id}`, { body: { primary_color: "#0A7D38" } }],
	"GET api-keys": ({ id }) => ["GET", `/v1/organizations/${id}/api-keys`],
	"POST api-key": ({ id }, n) => ["POST", `/v1/organizations/${id}/api-keys`, { body: { name: `till ${n}`, scopes: ["events:read"] } }],
	"GET approvals": () => ["GET", "/v1/approvals"],
	"POST approval": ({ borrower }) => [
		"POST",
		"/v1/approvals",
		{ body: { approval_type: "BLOCK_CHANGE", entity_type: "USER", entity_id: borrower.id, payload: { blocked: true } } },
	],
	"GET audit": () => ["GET", "/v1/audit"],
	"GET portfolio": () => ["GET", `/v1/portfolio?on=${day(-2)}`],
	"GET invoices": () => ["GET", "/v1/financing/invoices"],
	"GET a merchant's invoices": () => ["GET", "/v1/financing/merchants/m-1/invoices"],
	"POST invoice": (_, n) => [
		"POST",
		"/v1/financing/invoices",
		{
			body: {
				...{ merchant_id: "m-1", invoice_number: `INV-${n}`, amount_minor_units: 90_000, currency: "KES" },
				...{ issued_date: day(-1), due_date: day(30) },
			},
		},
	],
	"GET an agent's commissions": ({ borrower }) => ["GET", `/v1/agents/${borrower.id}/commissions`],
	"GET Daraja connection": ({ id }) => ["GET", `/v1/organizations/${id}/connections/daraja`],
	"GET /v1/me": () => ["GET", "/v1/me"],
};

const told = ({ status, body }: Answer): string => {
	const { code } = (body ?? {}) as { code?: string };
	return code === undefined ? String(status) : `${status} ${code}`;
};

async function decisions(world: World): Promise<Map<string, string>> {
	const found = new Map<string, string>();
	for (const [name, operation] of Object.entries(OPERATIONS)) {
		for (const [who, { token }] of world.people) {
			const [method, path, sent] = operation(world, who.replace(" ", "-"));
			const isOwn = path === "/v1/me" && who === "operator";
			found.set(
				`${name} / ${who}`,
				told(await world.place.ask(method, path, { as: token, ...(!isOwn && { organization: world.id }), ...sent })),
			);
		}
	}
	return found;
}

/** Both decide the same. */
export async function compare(results: Results, embedded: World, openfga: World): Promise<void> {
	results.part("decisions");
	const [one, other] = [await decisions(embedded), await decisions(openfga)];
	const differ = [...one]
		.filter(([what, found]) => other.get(what) !== found)
		.map(([what, found]) => `${what}: ${found} / ${other.get(what)}`);
	const people = [...embedded.people.keys()];
	const table = Object.fromEntries(
		Object.keys(OPERATIONS).map((name) => [
			name,
			Object.fromEntries(
				people.map((who) => [who, `${one.get(`${name} / ${who}`)?.slice(0, 3)}/${other.get(`${name} / ${who}`)?.slice(0, 3)}`]),
			),
		]),
	);
	console.log("embedded / openfga");
	console.table(table);
	results.is(`${Object.keys(OPERATIONS).length} operations × ${people.length} people that differ`, differ, []);
	const allowed = [...one.values()].filter((found) => /^2/.test(found)).length;
	results.is("some are let in and some are refused", allowed > 40 && one.size - allowed > 40, true);
}
