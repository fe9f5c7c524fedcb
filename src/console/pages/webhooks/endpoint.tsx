// One endpoint: how it goes, what was sent, its keys and settings, and the repair of a receiver that failed.

import { useState } from "preact/hooks";
import { call } from "../../api.ts";
import { Bars } from "../../charts/bars.tsx";
import { now } from "../../clock.ts";
import { count, milliseconds, percent } from "../../format.ts";
import type { PageProps } from "../../route.ts";
import { go } from "../../router.ts";
import type { BodyOf, WebhookEndpoint } from "../../typed.ts";
import { CopyIcon } from "../../ui/copy.tsx";
import { Confirm } from "../../ui/dialog.tsx";
import { Empty, Loaded, Rows } from "../../ui/loaded.tsx";
import { Done, Figures, Head, Link, Section } from "../../ui/page.tsx";
import { Badge, Mark } from "../../ui/state.tsx";
import { Time } from "../../ui/time.tsx";
import { onceRead, useWatch } from "../../watch.ts";
import { DeliveriesTable } from "./deliveries-table.tsx";
import { Keys, Settings } from "./endpoint-facts.tsx";
import { successOf } from "./endpoints-table.tsx";
import { Recover } from "./recover.tsx";
import { Rotate } from "./rotate.tsx";
import { SendTest } from "./send-test.tsx";
import { stateOf, WHY_SUSPENDED } from "./words.ts";

type Asked = "test" | "suspend" | "resume" | "recover" | "rotate" | "delete";

export function Page({ params }: PageProps) {
	const path = { webhook_id: params.id ?? "" };
	const stats = useWatch("GET /v1/webhooks/{webhook_id}/stats", { path }, 6);
	const endpoint = onceRead(useWatch("GET /v1/webhooks/{webhook_id}", { path }, 6), stats);
	const [asked, ask] = useState<Asked>();
	const [resumed, setResumed] = useState(false);
	const { value } = endpoint;
	return (
		<>
			<Head
				title={value?.name ?? "Endpoint"}
				from={["/endpoints", "Endpoints"]}
				badge={value && <Badge {...stateOf(value)} />}
				about={
					value ? (
						<>
							<code>{value.url}</code> <CopyIcon text={value.url} what="the address" />
						</>
					) : (
						"\u00a0"
					)
				}
				actions={value && <Actions of={value} ask={ask} />}
			/>
			<Loaded of={endpoint} skeleton={8}>
				{(one) => (
					<>
						<Suspended of={one} />
						{resumed && one.status === "ACTIVE" && (
							<Done>
								It is resumed, and what waited is sent. Events of the time in which it was suspended are not yet:{" "}
								<button
									type="button"
									class="plain"
									onClick={() => {
										setResumed(false);
										ask("recover");
									}}
								>
									send what it missed
								</button>
								.
							</Done>
						)}
						<Loaded of={stats}>
							{(figures) => (
								<>
									<Numbers id={one.id} of={figures} />
									<Section title="Attempts per hour">
										<Bars of={figures.buckets} now={now()} />
									</Section>
								</>
							)}
						</Loaded>
						<Latest of={one} />
						<div class="columns">
							<Keys of={one} onRotate={() => ask("rotate")} />
							<Settings of={one} onDelete={() => ask("delete")} />
						</div>
						<Asking of={one} asked={asked} onClose={() => ask(undefined)} onResumed={() => setResumed(true)} />
					</>
				)}
			</Loaded>
		</>
	);
}

function Actions({ of: { status }, ask }: { readonly of: WebhookEndpoint; readonly ask: (what: Asked) => void }) {
	const isSuspended = status === "SUSPENDED";
	return (
		<>
			<button type="button" onClick={() => ask("test")} disabled={isSuspended}>
				Send test
			</button>
			{!isSuspended && (
				<button type="button" class="danger" onClick={() => ask("suspend")}>
					Suspend
				</button>
			)}
			<button type="button" onClick={() => ask("recover")}>
				Recover
			</button>
			{isSuspended && (
				<button type="button" class="primary" onClick={() => ask("resume")}>
					Resume
				</button>
			)}
		</>
	);
}

function Suspended({ of: { status, suspension_reason, suspended_at, next_probe_at } }: { readonly of: WebhookEndpoint }) {
	if (status === "ACTIVE" || !suspended_at) return null;
	const isByHand = suspension_reason === "MANUAL";
	return (
		<div class={isByHand ? "notice" : "notice is-ended"}>
			<Mark of={isByHand ? "suspended" : "ended"} />
			<div>
				<strong>
					Suspended <Time at={suspended_at} />.
				</strong>{" "}
				{suspension_reason && WHY_SUSPENDED[suspension_reason]}{" "}
				{isByHand ? "Resume it, then recover what it missed." : "Repair the receiver, resume, then recover what it missed."}
				{next_probe_at && (
					<small>
						It is tried by itself <Time at={next_probe_at} counting />, and resumed when it answers with 2xx.
					</small>
				)}
			</div>
		</div>
	);
}

function Numbers({ id, of }: { readonly id: string; readonly of: BodyOf<"GET /v1/webhooks/{webhook_id}/stats"> }) {
	const { deliveries, latency_ms, failures_in_row, buckets, oldest_pending_at } = of;
	const success = successOf(buckets);
	const waiting = deliveries.pending >= 50 ? "50 or more" : count(deliveries.pending);
	return (
		<Figures
			of={[
				{
					name: "Delivered, 24 h",
					value: count(deliveries.delivered),
					note: (
						<>
							{count(deliveries.failed)} failed, {waiting} <Link to={`/deliveries?webhook_id=${id}&status=PENDING`}>pending</Link>
							{oldest_pending_at && (
								<>
									, the oldest made <Time at={oldest_pending_at} />
								</>
							)}
						</>
					),
				},
				{ name: "Attempts that succeeded", value: success === null ? "–" : percent(success), note: "retries included" },
				{
					name: "Answer, p50",
					value: latency_ms ? milliseconds(latency_ms.p50) : "–",
					note: latency_ms ? `p95 ${milliseconds(latency_ms.p95)}, p99 ${milliseconds(latency_ms.p99)}` : "no answer yet",
				},
				{
					name: "Deliveries failed in a row",
					value: count(failures_in_row),
					note: "none counts while it is retried; suspended at ten",
					bad: failures_in_row > 0,
				},
			]}
		/>
	);
}

function Latest({ of: { id } }: { readonly of: WebhookEndpoint }) {
	const deliveries = useWatch("GET /v1/webhooks/deliveries", { query: { webhook_id: id, size: 8 } }, 6);
	return (
		<Section title="Latest deliveries" action={<Link to={`/deliveries?webhook_id=${id}`}>All deliveries</Link>}>
			<Loaded of={deliveries} skeleton={<Rows of={8} />}>
				{({ data }) =>
					data.length > 0 ? (
						<DeliveriesTable rows={data} />
					) : (
						<Empty title="Nothing was sent yet">A test shows within a second whether the receiver answers.</Empty>
					)
				}
			</Loaded>
		</Section>
	);
}

interface AskingProps {
	readonly of: WebhookEndpoint;
	readonly asked: Asked | undefined;
	readonly onClose: () => void;
	readonly onResumed: () => void;
}

function Asking({ of, asked, onClose, onResumed }: AskingProps) {
	const path = { webhook_id: of.id };
	const change = (status: WebhookEndpoint["status"]) => call("PATCH /v1/webhooks/{webhook_id}", { path, body: { status } });
	switch (asked) {
		case "test":
			return <SendTest to={of} onClose={onClose} />;
		case "recover":
			return <Recover of={of} onClose={onClose} />;
		case "rotate":
			return <Rotate of={of} onClose={onClose} />;
		case "suspend":
			return (
				<Confirm
					title={`Suspend ${of.name}?`}
					verb={`Suspend ${of.name}`}
					dangerous
					onConfirm={() => change("SUSPENDED")}
					onClose={onClose}
				>
					<p>
						Nothing is sent to <code>{of.url}</code> until somebody resumes it. Events are kept meanwhile, and you can recover them.
					</p>
				</Confirm>
			);
		case "resume":
			return (
				<Confirm title={`Resume ${of.name}?`} verb="Resume" onConfirm={() => change("ACTIVE").then(onResumed)} onClose={onClose}>
					<p>
						Waiting deliveries are sent to <code>{of.url}</code> at once. Recover the endpoint to send events of the time it was suspended.
					</p>
				</Confirm>
			);
		case "delete": {
			const remove = async () => {
				await call("DELETE /v1/webhooks/{webhook_id}", { path });
				go("/endpoints");
			};
			return (
				<Confirm title={`Delete ${of.name}?`} verb={`Delete ${of.name}`} dangerous onConfirm={remove} onClose={onClose}>
					<p>
						<code>{of.url}</code> gets nothing more, its keys end, and its deliveries can no longer be retried. This cannot be undone.
					</p>
				</Confirm>
			);
		}
		default:
			return null;
	}
}
