// Home of borrowers: their accounts.

import { personChanged } from "../../person.ts";
import type { PageProps } from "../../route.ts";
import { Empty } from "../../ui/loaded.tsx";
import { Head } from "../../ui/page.tsx";
import { useWatch } from "../../watch.ts";
import { Accounts } from "./accounts.tsx";

export function Page({ person }: PageProps) {
	const { isWaiting } = person;
	const read = useWatch("GET /v1/accounts", isWaiting ? undefined : { query: { size: 25 } }, 2);
	const again = (
		<button type="button" onClick={personChanged}>
			Look again
		</button>
	);
	return (
		<>
			<Head title="Home" about="Your loans and the amounts due" />
			{isWaiting ? (
				<Empty title="You are on the waiting list" action={again}>
					Your accounts will be here once you are admitted.
				</Empty>
			) : (
				<Accounts of={read} person={person} empty="Your first loan opens one." />
			)}
		</>
	);
}
