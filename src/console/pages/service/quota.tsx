// How many deliveries an organization may keep, and how many it keeps.

import { call } from "../../api.ts";
import { count } from "../../format.ts";
import type { Organization } from "../../typed.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { useWatch } from "../../watch.ts";
import { FormDialog } from "../form.tsx";

interface Props {
	readonly of: Organization;
	readonly onClose: () => void;
	readonly onDone: (sentence: string) => void;
}

export function Quota({ of: { id: organizationId, name }, onClose, onDone }: Props) {
	const path = { organizationId };
	const read = useWatch("GET /v1/platform/organizations/{organizationId}/delivery-quota", { path, organization: null });
	if (!read.value) {
		return (
			<Dialog title={`Deliveries of ${name}`} onClose={onClose}>
				<Loaded of={read}>{() => null}</Loaded>
			</Dialog>
		);
	}
	const { held, quota, own_quota } = read.value;
	return (
		<FormDialog
			title={`How many deliveries may ${name} keep?`}
			verb="Set the quota"
			dangerous
			entries={{
				own_quota: {
					label: "Quota",
					is: "whole",
					most: 1_000_000_000,
					optional: true,
					from: own_quota === null ? "" : String(own_quota),
					hint: "Empty: as the service is configured",
				},
			}}
			onClose={onClose}
			onSend={async ({ own_quota: next = null }) => {
				await call("PUT /v1/platform/organizations/{organizationId}/delivery-quota", {
					path,
					body: { own_quota: next },
					organization: null,
				});
				onDone(`The quota of ${name} is set.`);
			}}
		>
			<p>
				It keeps {count(held)} of {count(quota)}. Beyond its quota finished deliveries go early, then no new ones are made. A second
				operator must approve it.
			</p>
		</FormDialog>
	);
}
