// The lender's own accounts at providers of mobile money: connected step by step, checked, paused and replaced.

import type { PageProps } from "../../route.ts";
import { Empty } from "../../ui/loaded.tsx";
import { Head } from "../../ui/page.tsx";
import { useDialogs } from "../form.tsx";
import { Daraja } from "./daraja.tsx";
import { Momo } from "./momo.tsx";

export function Page({ person }: PageProps) {
	const dialogs = useDialogs();
	const organizationId = person.acting?.id;
	if (!organizationId) return <Empty title="No organization yet" children="Make one first, under Organizations." />;
	const props = { organizationId, person, dialogs };
	return (
		<>
			<Head
				title="Connections"
				about={`Through which mobile money ${person.acting?.name} is paid and pays out. Secrets are stored sealed, and never shown again.`}
			/>
			{dialogs.shown}
			<Daraja {...props} />
			<Momo {...props} />
		</>
	);
}
