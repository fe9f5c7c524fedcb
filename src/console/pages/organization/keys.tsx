// API keys: made, shown once, revoked.

import { useState } from "preact/hooks";
import { call } from "../../api.ts";
import { count } from "../../format.ts";
import type { PageProps } from "../../route.ts";
import type { ApiKey, IssuedApiKey } from "../../typed.ts";
import { CopyButton } from "../../ui/copy.tsx";
import { Answer, Confirm, Dialog, useDoing } from "../../ui/dialog.tsx";
import { Empty } from "../../ui/loaded.tsx";
import { Field, Head } from "../../ui/page.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { useWatch } from "../../watch.ts";
import { List, pageOf, startOf } from "../list.tsx";

type Scope = ApiKey["scopes"][number];

/** What a key may do by each scope. */
export const SCOPES: Readonly<Record<Scope, string>> = {
	"loans:write": "Ask for loans in users' names",
	"repayments:write": "Record payments",
	"agents:write": "Record agents' events",
	"agents:read": "Read commissions",
	"invoices:write": "Upload invoices",
	"invoices:read": "Read invoices",
	"approvals:write": "Ask for approvals",
	"events:read": "Read the feed of events",
	"accounts:read": "Read accounts and applications",
	"repayments:read": "Read payments",
	"users:read": "Read users",
	"portfolio:read": "Read the portfolio",
};

export function Page({ query, person }: PageProps) {
	const organizationId = person.acting?.id ?? "";
	const read = useWatch(
		"GET /v1/organizations/{organizationId}/api-keys",
		organizationId ? { path: { organizationId }, query: { size: 50, ...pageOf(query) } } : undefined,
		1,
	);
	const [making, make] = useState(false);
	const [made, setMade] = useState<IssuedApiKey>();
	const [revoking, revoke] = useState<ApiKey>();
	if (!organizationId) return <Empty title="No organization yet" children="Create one first: POST /v1/platform/organizations." />;
	const columns: Column<ApiKey>[] = [
		{
			head: "Key",
			cell: ({ name, masked_key }) => (
				<>
					<strong>{name}</strong>
					<small>
						<code>{masked_key}</code>
					</small>
				</>
			),
		},
		{ head: "May", wide: true, cell: ({ scopes }) => scopes.map((scope) => SCOPES[scope] ?? scope).join(", ") },
		{ head: "A day, minor units", right: true, wide: true, cell: ({ daily_amount }) => count(daily_amount) },
		{ head: "Last used", right: true, cell: ({ last_used_at, expires_at }) => <Used at={last_used_at} until={expires_at} /> },
		{
			head: "",
			right: true,
			cell: (key) => (
				<button type="button" class="danger" onClick={() => revoke(key)} aria-label={`Revoke ${key.name}`}>
					Revoke
				</button>
			),
		},
	];
	return (
		<>
			<Head
				title="API keys"
				about={`By which programs act for ${person.acting?.name}. A key may do what its maker may, and no more.`}
				actions={
					<button type="button" class="primary" onClick={() => make(true)}>
						Make a key
					</button>
				}
			/>
			<List of={read} empty={["No keys yet", "A program needs one to record payments or read accounts."]}>
				{(rows) => <Table label="API keys" rows={rows} columns={columns} keyOf={({ id }) => id} />}
			</List>
			{making && (
				<Make
					organizationId={organizationId}
					onClose={() => make(false)}
					onMade={(key) => {
						make(false);
						setMade(key);
					}}
				/>
			)}
			{made && <Once of={made} onClose={() => setMade(undefined)} />}
			{revoking && (
				<Confirm
					title={`Revoke ${revoking.name}?`}
					verb="Revoke"
					dangerous
					onClose={() => revoke(undefined)}
					onConfirm={() => call("DELETE /v1/organizations/{organizationId}/api-keys/{id}", { path: { organizationId, id: revoking.id } })}
				>
					<p>
						Programs that send <code>{revoking.masked_key}</code> are refused at once. It cannot be taken back.
					</p>
				</Confirm>
			)}
		</>
	);
}

function Used({ at, until }: { readonly at: string | null; readonly until: string | null }) {
	return (
		<>
			{at ? <Time at={at} /> : "never"}
			{until && (
				<small>
					ends <Time at={until} />
				</small>
			)}
		</>
	);
}

interface MakeProps {
	readonly organizationId: string;
	readonly onClose: () => void;
	readonly onMade: (key: IssuedApiKey) => void;
}

function Make({ organizationId, onClose, onMade }: MakeProps) {
	const [name, setName] = useState("");
	const [scopes, setScopes] = useState<readonly Scope[]>([]);
	const [until, setUntil] = useState("");
	const [busy, run, error] = useDoing();
	const toggle = (scope: Scope) => setScopes(scopes.includes(scope) ? scopes.filter((one) => one !== scope) : [...scopes, scope]);
	const make = async () => {
		const body = { name: name.trim(), scopes: [...scopes], ...(until && { expires_at: startOf(until) }) };
		onMade(await call("POST /v1/organizations/{organizationId}/api-keys", { path: { organizationId }, body }));
	};
	return (
		<Dialog title="Make an API key" class="broad" onClose={onClose}>
			<form
				onSubmit={(event) => {
					event.preventDefault();
					void run(make);
				}}
			>
				<div class="fields">
					<Field label="Name" hint="Where it is used">
						{(ids) => (
							<input
								{...ids}
								required
								maxLength={100}
								autocomplete="off"
								value={name}
								onInput={({ currentTarget }) => setName(currentTarget.value)}
							/>
						)}
					</Field>
					<Field label="Ends" hint="Empty: when it is revoked">
						{(ids) => <input {...ids} type="date" value={until} onInput={({ currentTarget }) => setUntil(currentTarget.value)} />}
					</Field>
				</div>
				<fieldset>
					<legend>
						<strong>It may</strong>
					</legend>
					<div class="checks">
						{(Object.keys(SCOPES) as Scope[]).map((scope) => (
							<label class="check" key={scope}>
								<input type="checkbox" checked={scopes.includes(scope)} onChange={() => toggle(scope)} />
								<span>
									{SCOPES[scope]} <code class="faint">{scope}</code>
								</span>
							</label>
						))}
					</div>
				</fieldset>
				<Answer verb="Make the key" disabled={busy || scopes.length === 0} error={error} onClose={onClose} />
			</form>
		</Dialog>
	);
}

function Once({ of: { key, name }, onClose }: { readonly of: IssuedApiKey; readonly onClose: () => void }) {
	return (
		<Dialog title={`${name} is made`} onClose={onClose}>
			<p class="about">Put it where it is used now: it is shown this once.</p>
			<p class="secret">
				<code>{key ?? "It was shown before."}</code>
			</p>
			<div class="buttons end">
				{key && <CopyButton text={key}>Copy the key</CopyButton>}
				<button type="button" class="primary" onClick={onClose}>
					Done
				</button>
			</div>
		</Dialog>
	);
}
