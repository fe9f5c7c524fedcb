// A test to one endpoint, of any event type.

import { useState } from "preact/hooks";
import { call } from "../../api.ts";
import { go } from "../../router.ts";
import type { WebhookEndpoint } from "../../typed.ts";
import { Confirm } from "../../ui/dialog.tsx";
import { Field } from "../../ui/page.tsx";
import { useWatch } from "../../watch.ts";

const PLAIN = "webhook.test";

export function SendTest({ to, onClose }: { readonly to: WebhookEndpoint; readonly onClose: () => void }) {
	const [event_type, set] = useState(PLAIN);
	const types = useWatch("GET /v1/webhooks/events/types", {});
	const send = async () => {
		const { id } = await call("POST /v1/webhooks/{webhook_id}/test", { path: { webhook_id: to.id }, body: { event_type } });
		go(`/deliveries/${id}`);
	};
	return (
		<Confirm title={`Send a test to ${to.name}`} verb="Send test" onConfirm={send} onClose={onClose}>
			<p>
				The example of this type goes to <code>{to.url}</code>, signed. Tests count in no figure.
			</p>
			<Field label="Event type">
				{(ids) => (
					<select {...ids} value={event_type} onChange={({ currentTarget }) => set(currentTarget.value)}>
						<option>{PLAIN}</option>
						{types.value
							?.filter(({ event }) => event !== PLAIN)
							.map(({ event }) => (
								<option key={event}>{event}</option>
							))}
					</select>
				)}
			</Field>
		</Confirm>
	);
}
