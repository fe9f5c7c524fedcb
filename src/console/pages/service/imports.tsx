// Books of other programs that are taken over: begun here, or gone on with by their name.

import { call } from "../../api.ts";
import type { PageProps } from "../../route.ts";
import { go } from "../../router.ts";
import { Empty } from "../../ui/loaded.tsx";
import { Head } from "../../ui/page.tsx";
import { FormDialog, useDialogs } from "../form.tsx";

export function Page({ person }: PageProps) {
	const { shown, show, close } = useDialogs();
	const { organizations, acting } = person;
	const begin = () =>
		show(
			<FormDialog
				title="Begin an import, or go on with one"
				verb="Open it"
				entries={{
					organization_id: {
						label: "For",
						of: organizations.map(({ id, name }) => [id, name] as const),
						...(acting && { from: acting.id }),
					},
					name: { label: "Name", hint: "The same name leads to the same import" },
				}}
				onClose={close}
				onSend={async (body) => go(`/imports/${(await call("POST /v1/platform/imports", { body })).id}`)}
			/>,
		);
	const button = (
		<button type="button" class="primary" onClick={begin}>
			Open an import
		</button>
	);
	return (
		<>
			<Head
				title="Imports"
				from={["/service", "Service"]}
				about="Running books of other programs. Each account is replayed, compared with its old balance, and imported whole or not at all."
			/>
			{shown}
			<Empty title="Which import?" action={button}>
				Its lines are NDJSON: an account, its facts and its balances. Nothing is imported before its check, and a second operator approves.
			</Empty>
		</>
	);
}
