// API keys: made, shown once, revoked.

import { useState } from "preact/hooks";
import { call } from "../../api.ts";
import { count, money } from "../../format.ts";
import type { PageProps } from "../../route.ts";
import type { ApiKey, IssuedApiKey } from "../../typed.ts";
import { Answer, Confirm, Dialog, useDoing } from "../../ui/dialog.tsx";
import { Empty } from "../../ui/loaded.tsx";
import { Field, Head } from "../../ui/page.tsx";
import { SecretDialog } from "../../ui/secret.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { useWatch } from "../../watch.ts";
import { minorOf, typed } from "../amounts.ts";
import { FormDialog, useDialogs } from "../form.tsx";
import { List, pageOf, startOf } from "../list.tsx";
import { useLendsIn } from "./lends-in.ts";

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
	"ledger:read": "Read the ledger",
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
	const currency = useLendsIn(person) ?? undefined;
	const { shown, show, close, say } = useDialogs();
	const props = { organizationId, currency, onClose: close, onDone: say };
	if (!organizationId) return <Empty title="No organization yet" children="Make one first, under Organizations." />;
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
		{
			head: currency ? `A day, ${currency}` : "A day, minor units",
			right: true,
			wide: true,
			cell: ({ daily_amount }) => (currency ? money(daily_amount, currency) : count(daily_amount)),
		},
		{ head: "Last used", right: true, cell: ({ last_used_at, expires_at }) => <Used at={last_used_at} until={expires_at} /> },
		{
			head: "",
			right: true,
			cell: (key) => (
				<span class="buttons end-of-row">
					<button type="button" class="wide" onClick={() => show(<Most {...props} of={key} />)} aria-label={`Limit ${key.name}`}>
						Limit
					</button>
					<button type="button" class="wide" onClick={() => show(<Adopt {...props} of={key} />)} aria-label={`Take over ${key.name}`}>
						Take over
					</button>
					<button type="button" class="danger" onClick={() => revoke(key)} aria-label={`Revoke ${key.name}`}>
						Revoke
					</button>
				</span>
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
			{shown}
			{making && (
				<Make
					organizationId={organizationId}
					currency={currency}
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

interface OnKeyProps {
	readonly organizationId: string;
	readonly currency: string | undefined;
	readonly of: ApiKey;
	readonly onClose: () => void;
	readonly onDone: (sentence: string) => void;
}

const daily = (currency: string | undefined) =>
	({ label: currency ? "At most a day" : "At most a day, minor units", is: "amount", least: 0, ...(currency && { currency }) }) as const;

function Most({ organizationId, currency, of: { id, name, daily_amount }, onClose, onDone }: OnKeyProps) {
	return (
		<FormDialog
			title={`How much may ${name} move in a day?`}
			verb="Save"
			entries={{ daily_amount: { ...daily(currency), from: typed(daily_amount, currency ?? null) } }}
			onClose={onClose}
			onSend={async (body) => {
				await call("PATCH /v1/organizations/{organizationId}/api-keys/{id}", { path: { organizationId, id }, body });
				onDone(`${name} may move that much in a day from now on.`);
			}}
		>
			<p>
				Beyond it the service refuses calls until the next day. Payments that the key records beyond it wait until somebody matches them.
			</p>
		</FormDialog>
	);
}

function Adopt({ organizationId, of: { id, name }, onClose, onDone }: OnKeyProps) {
	return (
		<Confirm
			title={`Take ${name} over?`}
			verb="Take it over"
			onClose={onClose}
			onConfirm={async () => {
				await call("POST /v1/organizations/{organizationId}/api-keys/{id}/adopt", { path: { organizationId, id } });
				onDone(`${name} has your powers from now on.`);
			}}
		>
			<p>For a key whose maker has left or lost a role. It may then do what you may, and programs go on with it unchanged.</p>
		</Confirm>
	);
}

interface MakeProps {
	readonly organizationId: string;
	readonly currency: string | undefined;
	readonly onClose: () => void;
	readonly onMade: (key: IssuedApiKey) => void;
}

function Make({ organizationId, currency, onClose, onMade }: MakeProps) {
	const [name, setName] = useState("");
	const [scopes, setScopes] = useState<readonly Scope[]>([]);
	const [until, setUntil] = useState("");
	const [most, setMost] = useState("");
	const daily_amount = minorOf(most, currency ?? null);
	const [busy, run, error] = useDoing();
	const toggle = (scope: Scope) => setScopes(scopes.includes(scope) ? scopes.filter((one) => one !== scope) : [...scopes, scope]);
	const make = async () => {
		const body = {
			name: name.trim(),
			scopes: [...scopes],
			...(until && { expires_at: startOf(until) }),
			...(daily_amount !== undefined && { daily_amount }),
		};
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
					<Field
						label={`At most a day, ${currency ?? "minor units"}`}
						hint="Empty: the usual"
						error={most && daily_amount === undefined ? "An amount such as 1250" : undefined}
					>
						{(ids) => <input {...ids} inputMode="decimal" value={most} onInput={({ currentTarget }) => setMost(currentTarget.value)} />}
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
				<Answer
					verb="Make the key"
					disabled={busy || scopes.length === 0 || (most !== "" && daily_amount === undefined)}
					error={error}
					onClose={onClose}
				/>
			</form>
		</Dialog>
	);
}

function Once({ of: { key, name }, onClose }: { readonly of: IssuedApiKey; readonly onClose: () => void }) {
	return (
		<SecretDialog title={`${name} is made`} secret={key} what="key" onClose={onClose}>
			Put it where it is used now: it is shown this once.
		</SecretDialog>
	);
}
