// The lender's own accounts at providers of mobile money: connected step by step, checked, paused and replaced.

import type { PageProps } from "../../route.ts";
import { Empty, Rows } from "../../ui/loaded.tsx";
import { Head } from "../../ui/page.tsx";
import { isRead, useWatch } from "../../watch.ts";
import { useDialogs } from "../form.tsx";
import { Daraja } from "./daraja.tsx";
import { Momo } from "./momo.tsx";

export function Page({ person }: PageProps) {
	const dialogs = useDialogs();
	const organizationId = person.acting?.id;
	const path = organizationId ? { path: { organizationId } } : undefined;
	// Both before either is shown: the first would move the second.
	const daraja = useWatch("GET /v1/organizations/{organizationId}/connections/daraja", path);
	const momo = useWatch("GET /v1/organizations/{organizationId}/connections/momo", path);
	if (!organizationId) return <Empty title="No organization yet" children="Make one first, under Organizations." />;
	const props = { organizationId, person, dialogs };
	return (
		<>
			<Head
				title="Connections"
				about={`Through which mobile money ${person.acting?.name} is paid and pays out. Secrets are stored sealed, and never shown again.`}
			/>
			{dialogs.shown}
			{isRead(daraja) && isRead(momo) ? (
				<>
					<Daraja {...props} />
					<Momo {...props} />
				</>
			) : (
				<Rows of={4} />
			)}
		</>
	);
}
