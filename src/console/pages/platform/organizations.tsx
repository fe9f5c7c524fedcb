// Organizations: made, suspended, resumed and renamed.

import { useState } from "preact/hooks";
import { call } from "../../api.ts";
import { personChanged } from "../../person.ts";
import type { PageProps } from "../../route.ts";
import { stateInWords } from "../../states.ts";
import type { Organization } from "../../typed.ts";
import { Confirm } from "../../ui/dialog.tsx";
import { late } from "../../ui/late.tsx";
import { Field, Head } from "../../ui/page.tsx";
import { State } from "../../ui/state.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { useWatch } from "../../watch.ts";
import { useDialogs } from "../form.tsx";
import { List, pageOf, setFilter } from "../list.tsx";

const Quota = late(async () => (await import("../service/quota.tsx")).Quota);

type Doing = { readonly is: "rename" | "suspend" | "resume"; readonly of: Organization };

export function Page({ query }: PageProps) {
	const slug = query.get("slug") ?? undefined;
	const [text, set] = useState(slug ?? "");
	const read = useWatch(
		"GET /v1/platform/organizations",
		{ query: { size: 25, ...(slug && { slug }), ...pageOf(query) }, organization: null },
		1,
	);
	const [doing, act] = useState<Doing>();
	const [making, make] = useState(false);
	const { shown, show, close, say } = useDialogs();
	const add = (
		<button type="button" class="primary" onClick={() => make(true)}>
			Make an organization
		</button>
	);
	const columns: Column<Organization>[] = [
		{
			head: "Organization",
			cell: ({ name, slug }) => (
				<>
					<strong>{name}</strong>
					<small>
						<code>{slug}</code>
					</small>
				</>
			),
		},
		{
			head: "State",
			cell: ({ status }) => {
				const [of, word] = stateInWords("Organization.status", status);
				return <State of={of} word={word} />;
			},
		},
		{ head: "Since", right: true, wide: true, cell: ({ created_at }) => <Time at={created_at} /> },
		{
			head: "",
			right: true,
			cell: (of) => (
				<span class="buttons end-of-row">
					<button type="button" class="wide" onClick={() => act({ is: "rename", of })} aria-label={`Rename ${of.name}`}>
						Rename
					</button>
					<button
						type="button"
						class="wide"
						onClick={() => show(<Quota of={of} onClose={close} onDone={say} />)}
						aria-label={`Deliveries of ${of.name}`}
					>
						Deliveries
					</button>
					{of.status === "ACTIVE" ? (
						<button type="button" class="danger" onClick={() => act({ is: "suspend", of })} aria-label={`Suspend ${of.name}`}>
							Suspend
						</button>
					) : (
						<button type="button" onClick={() => act({ is: "resume", of })} aria-label={`Resume ${of.name}`}>
							Resume
						</button>
					)}
				</span>
			),
		},
	];
	return (
		<>
			<Head title="Organizations" about="Those that lend and finance by this service, newest first" actions={add} />
			<form
				class="filters"
				onSubmit={(event) => {
					event.preventDefault();
					setFilter({ slug: text.trim() || undefined });
				}}
			>
				<Field label="Short name">
					{(ids) => (
						<div class="joined">
							<input {...ids} class="mono" value={text} onInput={({ currentTarget }) => set(currentTarget.value)} />
							<button type="submit">Find</button>
						</div>
					)}
				</Field>
			</form>
			<List
				of={read}
				filters={slug ? ["slug"] : []}
				empty={["No organizations yet", "An organization lends, finances, and has members.", add]}
			>
				{(rows) => <Table label="Organizations" rows={rows} columns={columns} keyOf={({ id }) => id} />}
			</List>
			{shown}
			{making && <Make onClose={() => make(false)} />}
			{doing && <Act doing={doing} onClose={() => act(undefined)} />}
		</>
	);
}

/** `Umoja Savings` gives `umoja-savings`. */
const slugOf = (name: string): string =>
	name
		.normalize("NFKD")
		.toLowerCase()
		.replace(/[^a-z0-9]+/g, "-")
		.replace(/^-|-$/g, "");

function Make({ onClose }: { readonly onClose: () => void }) {
	const [name, setName] = useState("");
	const [chosen, choose] = useState<string>();
	const slug = chosen ?? slugOf(name);
	return (
		<Confirm
			title="Make an organization"
			verb="Make it"
			onClose={onClose}
			onConfirm={() =>
				call("POST /v1/platform/organizations", { body: { name: name.trim(), slug }, organization: null }).then(personChanged)
			}
		>
			<p>It has no members and no products yet. Choose it at the top of the navigation to invite its owner.</p>
			<Field label="Name">
				{(ids) => <input {...ids} required maxLength={100} value={name} onInput={({ currentTarget }) => setName(currentTarget.value)} />}
			</Field>
			<Field label="Short name" hint="Programs know it by this. It never changes.">
				{(ids) => <input {...ids} class="mono" required value={slug} onInput={({ currentTarget }) => choose(currentTarget.value)} />}
			</Field>
		</Confirm>
	);
}

function Act({ doing: { is, of }, onClose }: { readonly doing: Doing; readonly onClose: () => void }) {
	const [name, setName] = useState(of.name);
	const change = (body: { name: string } | { status: Organization["status"] }) =>
		call("PATCH /v1/organizations/{organizationId}", { path: { organizationId: of.id }, body });
	if (is === "rename") {
		return (
			<Confirm
				title={`Rename ${of.name}?`}
				verb="Rename"
				onClose={onClose}
				onConfirm={() => change({ name: name.trim() }).then(personChanged)}
			>
				<p>Members and borrowers see the new name at once. Its short name stays.</p>
				<Field label="Name">
					{(ids) => <input {...ids} required maxLength={100} value={name} onInput={({ currentTarget }) => setName(currentTarget.value)} />}
				</Field>
			</Confirm>
		);
	}
	const suspend = is === "suspend";
	return (
		<Confirm
			title={suspend ? `Suspend ${of.name}?` : `Resume ${of.name}?`}
			verb={suspend ? "Suspend" : "Resume"}
			dangerous={suspend}
			onClose={onClose}
			onConfirm={() => change({ status: suspend ? "SUSPENDED" : "ACTIVE" })}
		>
			<p>
				{suspend
					? "Its keys and members write nothing but repayments, and nobody gets new credit from it. Reads, repayments, payouts that are ordered and deliveries go on."
					: "Its keys and members may write again, and it may lend again."}
			</p>
		</Confirm>
	);
}
