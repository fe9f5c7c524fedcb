// What a typed address says: there is no such page, or it needs what the person lacks.

import { matchPath } from "./paths.ts";
import { ROUTES } from "./routes.ts";
import { Empty } from "./ui/loaded.tsx";
import { Head, Link } from "./ui/page.tsx";
import { type Person, sandboxOperators } from "./who.ts";

export function NoPage({ path, person }: { readonly path: string; readonly person: Person }) {
	// Two rows may have one path, for borrowers and for members.
	const routes = ROUTES.filter((one) => matchPath(one.path, path));
	const route = routes.find(({ who }) => who.permission) ?? routes[0];
	const home = <Link to="/">Home</Link>;
	if (!route) {
		return (
			<>
				<Head title="No such page" />
				<Empty title="There is no page at this address." action={home} />
			</>
		);
	}
	const { permission } = route.who;
	const [what, remedy] = !permission
		? route.who === sandboxOperators && !person.hasSandbox
			? ["There is no sandbox here.", "This service is in production: its time, messages and money are real."]
			: ["This page is not for you.", "Others see it: operators of the platform, or borrowers."]
		: person.kind === "member"
			? [`Your role lacks ${permission}.`, "Ask an owner of the organization for a role that has it."]
			: [`This page needs ${permission}.`, "Members of an organization have it by their role."];
	return (
		<>
			<Head title={route.title} />
			<Empty title={what} action={home}>
				{remedy}
			</Empty>
		</>
	);
}
