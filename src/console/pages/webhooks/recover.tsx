// Recovering what an endpoint missed: first the count, then the deliveries.

import { useEffect, useState } from "preact/hooks";
import { call } from "../../api.ts";
import { now } from "../../clock.ts";
import { count, plural } from "../../format.ts";
import type { BodyOf, WebhookEndpoint } from "../../typed.ts";
import { Dialog, useDoing } from "../../ui/dialog.tsx";
import { Field } from "../../ui/page.tsx";
import { Problem } from "../../ui/problem.tsx";
import { Mark } from "../../ui/state.tsx";

type Found = BodyOf<"POST /v1/webhooks/{webhook_id}/recover">;

const PERIODS = [
	["1", "The last hour"],
	["24", "The last 24 hours"],
	["168", "The last seven days"],
	["720", "The last thirty days"],
] as const;
const HOUR_MS = 3_600_000;

export function Recover({ of, onClose }: { readonly of: WebhookEndpoint; readonly onClose: () => void }) {
	const [hours, setHours] = useState("24");
	const [found, setFound] = useState<Found>();
	const [done, setDone] = useState<Found>();
	const [busy, run, error] = useDoing();
	const recover = (dry_run: boolean) => {
		const since = new Date(now() - Number(hours) * HOUR_MS).toISOString();
		return call("POST /v1/webhooks/{webhook_id}/recover", { path: { webhook_id: of.id }, body: { since, dry_run } });
	};
	useEffect(() => {
		setFound(undefined);
		void run(async () => setFound(await recover(true)));
	}, [hours]);
	const total = found && found.created + found.retried + found.remaining;
	return (
		<Dialog title={`Recover what ${of.name} missed`} onClose={onClose}>
			{done ? (
				<p class="notice is-good">
					<Mark of="good" />
					<span>
						{done.remaining > 0 && "At least "}
						{plural(done.created + done.retried + done.remaining, "delivery", "deliveries")} will be sent, ten a second.
						{of.status === "SUSPENDED" && " They wait until the endpoint is resumed."}
					</span>
				</p>
			) : (
				<>
					<Field label="Events of">
						{(ids) => (
							<select {...ids} value={hours} onChange={({ currentTarget }) => setHours(currentTarget.value)}>
								{PERIODS.map(([value, name]) => (
									<option key={value} value={value}>
										{name}
									</option>
								))}
							</select>
						)}
					</Field>
					<div class="prose counted" aria-live="polite">
						{total === undefined ? (
							<p>{error ? "" : "Counting …"}</p>
						) : total === 0 ? (
							<p>Nothing was missed: each event that it subscribes to was delivered, or is on its way.</p>
						) : (
							<p>
								<strong>
									{found && found.remaining > 0 && "At least "}
									{plural(total, "delivery", "deliveries")}
								</strong>{" "}
								would be sent: {count(found?.created ?? 0)} that it never got, {count(found?.retried ?? 0)} that failed
								{found && found.remaining > 0 && `, and ${count(found.remaining)} or more that follow`}. They go out ten a second, with the
								ids that they had.
							</p>
						)}
					</div>
					{error && <Problem error={error} />}
				</>
			)}
			<div class="buttons end">
				<button type="button" onClick={onClose}>
					{done ? "Close" : "Cancel"}
				</button>
				{!done && (
					<button
						type="button"
						class="primary"
						disabled={busy || !total}
						onClick={() => void run(async () => setDone(await recover(false)))}
					>
						{total ? `Recover ${count(total)}${found?.remaining ? " or more" : ""}` : "Recover"}
					</button>
				)}
			</div>
		</Dialog>
	);
}
