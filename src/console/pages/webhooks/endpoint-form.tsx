// A new endpoint, and the settings of one.

import { useState } from "preact/hooks";
import { call } from "../../api.ts";
import { count, plural } from "../../format.ts";
import type { PageProps } from "../../route.ts";
import { go } from "../../router.ts";
import type { BodyOf, WebhookEndpoint } from "../../typed.ts";
import { CopyButton } from "../../ui/copy.tsx";
import { useDoing } from "../../ui/dialog.tsx";
import { Loaded, Rows } from "../../ui/loaded.tsx";
import { Field, Head, Link, Section } from "../../ui/page.tsx";
import { Problem } from "../../ui/problem.tsx";
import { Mark } from "../../ui/state.tsx";
import { isRead, useWatch } from "../../watch.ts";
import { conditionsOf, type Draft, draftOf, EMPTY, settingsOf } from "./draft.ts";
import { EventTypes, Filter } from "./subscription.tsx";

export function Page({ params }: PageProps) {
	const id = params.id;
	const endpoint = useWatch("GET /v1/webhooks/{webhook_id}", id ? { path: { webhook_id: id } } : undefined);
	const [made, setMade] = useState<WebhookEndpoint>();
	if (made) return <Made of={made} />;
	if (!id) {
		return (
			<>
				<Head title="Add an endpoint" from={["/endpoints", "Endpoints"]} about="An address of yours to which events are sent, signed" />
				<Form draft={EMPTY} onMade={setMade} />
			</>
		);
	}
	return (
		<>
			<Head title="Settings" from={[`/endpoints/${id}`, endpoint.value?.name ?? "Endpoint"]} about={endpoint.value?.url ?? "\u00a0"} />
			<Loaded of={endpoint}>{(one) => <Form draft={draftOf(one)} of={one} onMade={setMade} />}</Loaded>
		</>
	);
}

/** The secret, which is shown only now. */
function Made({ of: { id, name, signing_keys } }: { readonly of: WebhookEndpoint }) {
	const secret = signing_keys[0]?.secret ?? "";
	return (
		<>
			<Head title={name} from={["/endpoints", "Endpoints"]} about="The endpoint is there, and gets events from now on." />
			<Section title="Its signing secret" note="Shown only now: the receiver checks signatures with it.">
				<div class="secret">
					<code>{secret}</code>
					<CopyButton text={secret} />
				</div>
			</Section>
			<div class="buttons after">
				<Link to={`/endpoints/${id}`} class="button primary">
					The receiver has it
				</Link>
			</div>
		</>
	);
}

interface FormProps {
	readonly draft: Draft;
	/** undefined for a new one. */
	readonly of?: WebhookEndpoint;
	readonly onMade: (endpoint: WebhookEndpoint) => void;
}

function Form({ draft: first, of, onMade }: FormProps) {
	const [draft, set] = useState(first);
	const [busy, run, error] = useDoing();
	const types = useWatch("GET /v1/webhooks/events/types", {});
	const change = (changes: Partial<Draft>) => set((before) => ({ ...before, ...changes }));
	const text = (name: "name" | "url" | "description" | "timeout" | "max_in_flight" | "rate_limit" | "batch" | "batch_wait") => ({
		value: draft[name],
		onInput: ({ currentTarget }: preact.TargetedEvent<HTMLInputElement>) => change({ [name]: currentTarget.value }),
	});
	const save = async () => {
		if (!of) return onMade(await call("POST /v1/webhooks", { body: { ...settingsOf(draft), name: draft.name } }));
		await call("PATCH /v1/webhooks/{webhook_id}", { path: { webhook_id: of.id }, body: settingsOf(draft) });
		go(`/endpoints/${of.id}`);
	};
	// The types are most of the page: what is below them waits for them.
	if (!isRead(types)) return <Rows of={12} two={false} />;
	return (
		<form
			class="form"
			onSubmit={(event) => {
				event.preventDefault();
				void run(save);
			}}
		>
			<Section title="Address">
				{!of && (
					<Field label="Name" hint="A name for your colleagues">
						{(ids) => <input {...ids} {...text("name")} required maxLength={100} />}
					</Field>
				)}
				<Field label="URL" hint="HTTPS; it must be reachable from the internet">
					{(ids) => (
						<input {...ids} {...text("url")} type="url" class="mono" required maxLength={2048} placeholder="https://" spellcheck={false} />
					)}
				</Field>
				<Field label="Description">{(ids) => <input {...ids} {...text("description")} maxLength={255} />}</Field>
			</Section>
			<Section title="Events" note={`${plural(draft.events.length, "type")} chosen`}>
				<Loaded of={types}>{(all) => <EventTypes all={all} chosen={draft.events} onChange={(events) => change({ events })} />}</Loaded>
			</Section>
			<Section title="Only if" note="All conditions must hold for an event that it gets">
				<Filter conditions={draft.filter} onChange={(filter) => change({ filter })} />
				<DryRun draft={draft} />
			</Section>
			<Section title="Pace">
				<div class="fields">
					<Field label="Answer within, seconds" hint="From 1 to 30">
						{(ids) => <input {...ids} {...text("timeout")} type="number" min={1} max={30} required />}
					</Field>
					<Field label="At once, at most" hint="From 1 to 50 attempts">
						{(ids) => <input {...ids} {...text("max_in_flight")} type="number" min={1} max={50} required />}
					</Field>
					<Field label="A second, at most" hint="Empty: no limit">
						{(ids) => <input {...ids} {...text("rate_limit")} type="number" min={1} max={1000} />}
					</Field>
					<Field label="In one request, at most" hint="From 1 to 100 events. Empty: each has a request of its own">
						{(ids) => <input {...ids} {...text("batch")} type="number" min={1} max={100} />}
					</Field>
					{draft.batch !== "" && (
						<Field label="Waits for others, seconds" hint="From 0 to 30">
							{(ids) => <input {...ids} {...text("batch_wait")} type="number" min={0} max={30} step="any" required />}
						</Field>
					)}
				</div>
				<Check
					label="One after the other for each entity"
					hint="The next event of an account is sent when the one before it has been delivered or has failed for good."
					value={draft.ordering}
					onChange={(ordering) => change({ ordering })}
				/>
				<Check
					label="Resume by itself"
					hint="After a suspension by failures the service probes it, and resumes it when it answers 2xx. Missed deliveries follow."
					value={draft.auto_recover}
					onChange={(auto_recover) => change({ auto_recover })}
				/>
			</Section>
			{error && <Problem error={error} />}
			<div class="buttons after">
				<button type="submit" class="primary" disabled={busy || draft.events.length === 0}>
					{of ? "Save" : "Add the endpoint"}
				</button>
				<Link to={of ? `/endpoints/${of.id}` : "/endpoints"} class="button">
					Cancel
				</Link>
			</div>
		</form>
	);
}

interface CheckProps {
	readonly label: string;
	readonly hint: string;
	readonly value: boolean;
	readonly onChange: (value: boolean) => void;
}

const Check = ({ label, hint, value, onChange }: CheckProps) => (
	<div class="field">
		<label class="check">
			<input type="checkbox" checked={value} onChange={({ currentTarget }) => onChange(currentTarget.checked)} />
			{label}
		</label>
		<p class="hint indented">{hint}</p>
	</div>
);

/** How many of the last events it would have got. */
function DryRun({ draft }: { readonly draft: Draft }) {
	const [found, set] = useState<BodyOf<"POST /v1/webhooks/filters/dry-run">>();
	const [busy, run, error] = useDoing();
	const look = () =>
		run(async () => set(await call("POST /v1/webhooks/filters/dry-run", { body: { events: draft.events, filter: conditionsOf(draft) } })));
	return (
		<>
			<div class="tried">
				<button type="button" disabled={busy || draft.events.length === 0} onClick={() => void look()}>
					Try it on what happened
				</button>
				<p role="status">
					{found && (
						<>
							{found.matching > 0 && <Mark of="good" />} Of the last {plural(found.looked_at, "event")} it would have got{" "}
							<strong>{count(found.matching)}</strong>
							{found.subscribed !== found.matching && `; the conditions keep ${count(found.subscribed - found.matching)} away`}.
						</>
					)}
				</p>
			</div>
			{error && <Problem error={error} />}
		</>
	);
}
