// The keys and settings of an endpoint.

import { count, duration, plural } from "../../format.ts";
import type { WebhookEndpoint } from "../../typed.ts";
import { Facts, Link, Section } from "../../ui/page.tsx";
import { Time } from "../../ui/time.tsx";
import { conditionInWords } from "./words.ts";

export function Keys({ of: { signing_keys }, onRotate }: { readonly of: WebhookEndpoint; readonly onRotate: () => void }) {
	return (
		<Section
			title="Signing keys"
			action={
				<button type="button" onClick={onRotate}>
					{signing_keys.length > 1 ? "Go on rotating" : "Rotate"}
				</button>
			}
		>
			<ul class="rows">
				{signing_keys.map(({ id, masked_secret, created_at, expires_at }) => (
					<li key={id}>
						<code>{masked_secret}</code>
						<span class="note">
							made <Time at={created_at} />
							{expires_at && (
								<>
									, ends <Time at={expires_at} />
								</>
							)}
						</span>
					</li>
				))}
			</ul>
		</Section>
	);
}

export function Settings({ of, onDelete }: { readonly of: WebhookEndpoint; readonly onDelete: () => void }) {
	const { id, timeout, max_in_flight, rate_limit, events, ordering, batch, auto_recover, filter, headers, description } = of;
	const named = Object.keys(headers);
	return (
		<Section
			title="Settings"
			action={
				<div class="buttons">
					<button type="button" class="danger" onClick={onDelete}>
						Delete
					</button>
					<Link to={`/endpoints/${id}/edit`} class="button">
						Edit
					</Link>
				</div>
			}
		>
			<Facts
				of={[
					...(description ? ([["Description", description]] as const) : []),
					["Answer within", duration(timeout)],
					["At once, at most", count(max_in_flight)],
					["A second, at most", rate_limit === null ? "no limit" : count(rate_limit)],
					["In one request", batch ? `up to ${plural(batch.max_events, "event")}, waiting ${duration(batch.max_wait)}` : "one event"],
					["Order", ordering === "ENTITY" ? "one after the other for each entity" : "any"],
					["After failures", auto_recover ? "resumes by itself" : "waits for somebody"],
					["Only if", filter ? filter.map(conditionInWords).join(", and ") : "no condition"],
					...(named.length > 0 ? ([["Headers", named.join(", ")]] as const) : []),
					["Events", plural(events.length, "type")],
				]}
			/>
			<details class="more">
				<summary>Event types</summary>
				<ul class="types">
					{events.map((event) => (
						<li key={event}>
							<code>{event}</code>
						</li>
					))}
				</ul>
			</details>
		</Section>
	);
}
