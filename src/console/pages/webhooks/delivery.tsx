// One delivery: why it is where it is. Its attempts on a time line, each answer, and the bytes that were sent.

import { call, Refused } from "../../api.ts";
import { type Moment, Track } from "../../charts/track.tsx";
import { milliseconds, plural, span } from "../../format.ts";
import type { PageProps } from "../../route.ts";
import type { DeliveryRecord, WebhookEndpoint } from "../../typed.ts";
import { CopyButton, Id } from "../../ui/copy.tsx";
import { useDoing } from "../../ui/dialog.tsx";
import { Json } from "../../ui/json.tsx";
import { Loaded, Rows } from "../../ui/loaded.tsx";
import { Head, Link, Section } from "../../ui/page.tsx";
import { Problem } from "../../ui/problem.tsx";
import { Badge, Mark, type Shape } from "../../ui/state.tsx";
import { Time } from "../../ui/time.tsx";
import { onceRead, useWatch } from "../../watch.ts";
import { deliveryState, outcomeOf } from "./words.ts";

type Attempt = DeliveryRecord["attempt_log"][number];

export function Page({ params, offers }: PageProps) {
	const endpoints = useWatch("GET /v1/webhooks", {});
	const delivery = onceRead(useWatch("GET /v1/webhooks/deliveries/{id}", { path: { id: params.id ?? "" } }, 30), endpoints);
	const { value } = delivery;
	const endpoint = endpoints.value?.find(({ id }) => id === value?.webhook_id);
	const [busy, run, error] = useDoing();
	const grey = value && endpoints.value ? notRetried(value, endpoint) : undefined;
	const retry = () => run(() => call("POST /v1/webhooks/deliveries/{delivery_id}/retry", { path: { delivery_id: params.id ?? "" } }));
	const url = endpoint?.url;
	return (
		<>
			<Head
				title={value?.event_type ?? "Delivery"}
				mono={value !== undefined}
				from={["/deliveries", "Deliveries"]}
				badge={value && <Badge {...deliveryState(value)} />}
				about={
					value ? (
						<>
							to {endpoint ? <Link to={`/endpoints/${endpoint.id}`}>{endpoint.name}</Link> : "an endpoint that was deleted"} · delivery{" "}
							<Id of={value.id} what="the delivery’s id" /> · event{" "}
							{offers(`/events/${value.event_id}`) ? (
								<Link to={`/events/${value.event_id}`}>
									<code>{value.event_id.slice(-8)}</code>
								</Link>
							) : (
								<Id of={value.event_id} what="the event’s id" />
							)}{" "}
							· made <Time at={value.created_at} />
						</>
					) : (
						"\u00a0"
					)
				}
				actions={
					value && (
						<>
							{value.body !== null && url && <CopyButton text={() => curlOf(value, url)}>Copy as curl</CopyButton>}
							<button
								type="button"
								class="primary"
								disabled={busy || grey !== undefined}
								aria-describedby={grey && "not-retried"}
								onClick={() => void retry()}
							>
								Retry now
							</button>
							{grey && (
								<small id="not-retried" class="hint">
									{grey}
								</small>
							)}
						</>
					)
				}
			/>
			{error && <RetryRefused error={error} />}
			<Loaded of={delivery} skeleton={<Rows of={6} />}>
				{(one) => (
					<>
						<Verdict of={one} />
						<Section title="Attempts" note="Time since the event, first seconds stretched">
							<Track from={Date.parse(one.created_at)} of={momentsOf(one)} />
							<ol class="attempts">
								{one.attempt_log.toReversed().map((attempt, index) => (
									<AttemptRow key={attempt.started_at} of={attempt} open={index === 0 && attempt.outcome !== "DELIVERED"} />
								))}
							</ol>
						</Section>
						{one.body !== null && (
							<Section title="Body" note="Sent byte for byte like this at every attempt" action={<CopyButton text={one.body} />}>
								<Json text={one.body} label="Body" />
							</Section>
						)}
					</>
				)}
			</Loaded>
		</>
	);
}

/** Why it cannot be retried by hand; undefined if it can. */
function notRetried({ status }: DeliveryRecord, endpoint: WebhookEndpoint | undefined): string | undefined {
	if (!endpoint) return "Its endpoint was deleted.";
	if (endpoint.status === "SUSPENDED") return "Its endpoint is suspended: resume that first.";
	return status === "PENDING" ? "It is pending: the next attempt comes by itself." : undefined;
}

function RetryRefused({ error }: { readonly error: Error }) {
	if (!(error instanceof Refused && error.retryAfter)) return <Problem error={error} />;
	return (
		<p class="notice is-waiting" role="alert">
			<Mark of="waiting" />
			<span>It was retried within the last minute. It can be again in {error.retryAfter} s.</span>
		</p>
	);
}

/** The state in a sentence, with what follows. */
function Verdict({ of }: { readonly of: DeliveryRecord }) {
	const { status, attempts, last_error, remedy, next_attempt_at, delivered_at, created_at } = of;
	if (status === "DELIVERED" && delivered_at) {
		return (
			<div class="notice is-good">
				<Mark of="good" />
				<div>
					<strong>The receiver took it.</strong> {attempts === 1 ? "The first attempt" : `Attempt ${attempts}`} was answered with 2xx,{" "}
					{span(Math.max(Date.parse(delivered_at) - Date.parse(created_at), 1_000))} after it was made.
				</div>
			</div>
		);
	}
	if (status === "FAILED") {
		return (
			<div class="notice is-ended">
				<Mark of="ended" />
				<div>
					<strong>{!last_error || /^[A-Z_]+$/.test(last_error) ? "It was given up." : sentence(last_error)}</strong>
					{remedy && <div class="remedy">{remedy}</div>}
					<div>{attempts === 0 ? "No attempt was made." : `${plural(attempts, "attempt")} failed.`} A retry starts a new round.</div>
				</div>
			</div>
		);
	}
	const under = of.attempt_log.at(-1)?.outcome === null;
	return (
		<div class="notice is-waiting">
			<Mark of={attempts > 0 ? "retrying" : "waiting"} />
			<div>
				<strong>{last_error ? sentence(last_error) : "It waits for its first attempt."}</strong>
				{remedy && <div class="remedy">{remedy}</div>}
				<div>
					{under ? (
						"An attempt is under way."
					) : next_attempt_at ? (
						<>
							The next attempt is <Time at={next_attempt_at} counting />.
						</>
					) : (
						"It is not due while its endpoint is suspended, or an older one of its entity has not been delivered."
					)}
				</div>
			</div>
		</div>
	);
}

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}`;

const shapeOf = ({ outcome }: Attempt): Shape => (outcome === "DELIVERED" ? "good" : outcome === null ? "waiting" : "failing");

function momentsOf({ attempt_log, next_attempt_at }: DeliveryRecord): Moment[] {
	const made = attempt_log.map((attempt): Moment => {
		const of = shapeOf(attempt);
		return { at: Date.parse(attempt.started_at), of: of === "good" || of === "failing" ? of : "waiting", what: outcomeOf(attempt)[0] };
	});
	return next_attempt_at ? [...made, { at: Date.parse(next_attempt_at), of: "waiting", what: "Next attempt" }] : made;
}

const TRIGGERS: Readonly<Partial<Record<Attempt["trigger"], string>>> = { MANUAL: "by hand", PROBE: "to try a suspended endpoint" };

function AttemptRow({ of, open }: { readonly of: Attempt; readonly open: boolean }) {
	const { number, trigger, started_at, duration_ms, response_status, response_body } = of;
	const [word, why] = outcomeOf(of);
	return (
		<li>
			<details open={open}>
				<summary>
					<span class="number">{number ?? "–"}</span>
					<Mark of={shapeOf(of)} />
					<span class="outcome">
						{word} {response_status !== null && <code class="status">{response_status}</code>}
					</span>
					<span class="why">{[why, TRIGGERS[trigger]].filter(Boolean).join(", ")}</span>
					<span class="took">{duration_ms === null ? "" : milliseconds(duration_ms)}</span>
					<span class="when">
						<Time at={started_at} />
					</span>
				</summary>
				<div class="answer">
					{response_body ? (
						<>
							<p class="hint">It answered:</p>
							<Json text={response_body} label={`Answer of attempt ${number}`} />
						</>
					) : (
						<p class="hint">{response_status === null ? "No answer came." : "The answer had no body."}</p>
					)}
				</div>
			</details>
		</li>
	);
}

/** In single quotes, which a shell takes literally. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

function curlOf({ id, event_type, body }: DeliveryRecord, url: string): string {
	return [
		`curl -X POST ${quoted(url)}`,
		"-H 'Content-Type: application/json'",
		`-H ${quoted(`X-Service-Delivery-Id: ${id}`)}`,
		`-H ${quoted(`X-Service-Event-Type: ${event_type}`)}`,
		"-H 'X-Service-Signature: t=<seconds>,v1=<hex of HMAC-SHA256 over t.body>'",
		`--data-raw ${quoted(body ?? "")}`,
	].join(" \\\n  ");
}
