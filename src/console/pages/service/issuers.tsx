// The issuers whose tokens are accepted: registered, tried, changed and ended.

import { call } from "../../api.ts";
import { words } from "../../format.ts";
import type { PageProps } from "../../route.ts";
import type { BodyOf, TrustedIssuer } from "../../typed.ts";
import { Close, Confirm, Dialog } from "../../ui/dialog.tsx";
import { Head } from "../../ui/page.tsx";
import { State } from "../../ui/state.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { useWatch } from "../../watch.ts";
import { type Entries, FormDialog, useDialogs, type Values } from "../form.tsx";
import { List, pageOf } from "../list.tsx";

const KINDS = [
	["identity", "Identity: users sign in"],
	["partner", "Partner: their app's users"],
	["phone", "Phone: proven numbers"],
	["operator", "Operator: staff of the platform"],
] as const;

const entriesFor = (of?: TrustedIssuer) =>
	({
		audience: { label: "Audience", from: of?.audience ?? "financial-account-service", hint: "The `aud` of its tokens" },
		organization_id: {
			label: "Home organization",
			optional: true,
			from: of?.organization_id ?? "",
			hint: "Of new users: its id or short name. Empty: none",
		},
		jwks_uri: { label: "Address of its keys", optional: true, from: of?.jwks_uri ?? "", hint: "Empty: as its discovery says" },
		max_lifetime_seconds: {
			label: "Longest life of a token, seconds",
			is: "whole",
			most: 86_400,
			from: String(of?.max_lifetime_seconds ?? 3600),
		},
		required_amr: {
			label: "Required methods of sign-in",
			is: "lines",
			optional: true,
			from: (of?.required_amr ?? []).join("\n"),
			hint: "One a line, such as mfa. One of them is enough",
		},
		auto_admit: { label: "Its users skip the waiting list", is: "yes", from: of?.auto_admit ? "yes" : "" },
		emails_are_verified: { label: "Every address in its tokens is proven", is: "yes", from: of?.emails_are_verified ? "yes" : "" },
		phone_numbers_are_verified: {
			label: "Every number in its tokens is proven",
			is: "yes",
			from: of?.phone_numbers_are_verified ? "yes" : "",
		},
	}) as const satisfies Entries;

export function Page({ query }: PageProps) {
	const read = useWatch("GET /v1/platform/issuers", { query: { size: 25, ...pageOf(query) } });
	const { shown, show, close, say } = useDialogs();
	const add = () =>
		show(
			<FormDialog
				title="Trust an issuer"
				verb="Trust it"
				dangerous
				entries={{
					issuer: { label: "Issuer", hint: "As `iss` of its tokens says it" },
					kind: { label: "For", of: KINDS },
					...entriesFor(),
				}}
				onClose={close}
				onSend={async (body) => {
					await call("POST /v1/platform/issuers", { body });
					say(`${body.issuer} is trusted from the next minute on. Try a token of a test account.`);
				}}
			>
				<p>The service believes every token that it signs. A second operator must approve it.</p>
			</FormDialog>,
		);
	const change = (of: TrustedIssuer) =>
		show(
			<FormDialog
				title={`Change ${of.issuer}`}
				verb="Save"
				entries={{ ...entriesFor(of), disabled: { label: "Refuse its tokens", is: "yes", from: of.disabled ? "yes" : "" } }}
				onClose={close}
				onSend={async (entered) => {
					const body = changesOf(of, entered);
					if (Object.keys(body).length === 0) return;
					await call("PATCH /v1/platform/issuers/{id}", { path: { id: of.id }, body });
					say(`${of.issuer} is changed, everywhere within a minute.`);
				}}
			/>,
		);
	const end = ({ id, issuer }: TrustedIssuer) =>
		show(
			<Confirm
				title={`Trust ${issuer} no more?`}
				verb="End it"
				dangerous
				onClose={close}
				onConfirm={() => call("DELETE /v1/platform/issuers/{id}", { path: { id } })}
			>
				<p>Its tokens are refused everywhere within a minute. Sessions that began with them go on until they end.</p>
			</Confirm>,
		);
	const attempt = (of: TrustedIssuer) =>
		show(
			<FormDialog
				title={`Try a token of ${of.issuer}`}
				verb="Try it"
				entries={{ token: { label: "Token", is: "long", hint: "Of a test account. Nothing of it is kept" } }}
				onClose={close}
				onSent={() => {}}
				onSend={async (body) => {
					const found = await call("POST /v1/platform/issuers/{id}/try", { path: { id: of.id }, body });
					show(<Tried of={found} issuer={of.issuer} onClose={close} />);
				}}
			/>,
		);
	const columns: readonly Column<TrustedIssuer>[] = [
		{
			head: "Issuer",
			cell: ({ issuer, audience }) => (
				<>
					<span class="breaks">{issuer}</span>
					<small>for {audience}</small>
				</>
			),
		},
		{ head: "For", wide: true, cell: ({ kind }) => words(kind) },
		{
			head: "State",
			wide: true,
			cell: ({ disabled }) => (disabled ? <State of="suspended" word="Refused" /> : <State of="good" word="Trusted" />),
		},
		{ head: "Changed", right: true, wide: true, cell: ({ updated_at }) => <Time at={updated_at} /> },
		{
			head: "",
			right: true,
			cell: (of) => (
				<span class="buttons end-of-row">
					<button type="button" onClick={() => attempt(of)} aria-label={`Try a token of ${of.issuer}`}>
						Try
					</button>
					<button type="button" onClick={() => change(of)} aria-label={`Change ${of.issuer}`}>
						Change
					</button>
					<button type="button" class="danger" onClick={() => end(of)} aria-label={`End ${of.issuer}`}>
						End
					</button>
				</span>
			),
		},
	];
	return (
		<>
			<Head
				title="Issuers"
				from={["/service", "Service"]}
				about="Whose tokens are believed: of identity providers, partners' apps and the operators' own sign-in."
				actions={
					<button type="button" class="primary" onClick={add}>
						Trust an issuer
					</button>
				}
			/>
			{shown}
			<List of={read} empty={["No issuer yet", "Users sign in by phone until one is trusted."]}>
				{(rows) => <Table label="Issuers" rows={rows} columns={columns} keyOf={({ id }) => id} />}
			</List>
		</>
	);
}

type Changes = Partial<Values<ReturnType<typeof entriesFor>> & { disabled: boolean }>;

/** Only what differs is sent, so that nothing is replaced by what this form does not show. */
function changesOf(of: TrustedIssuer, entered: Changes): Changes {
	const same = (one: unknown, other: unknown) => JSON.stringify(one ?? []) === JSON.stringify(other ?? []);
	return Object.fromEntries(Object.entries(entered).filter(([name, value]) => !same(value, of[name as keyof TrustedIssuer])));
}

type Trial = BodyOf<"POST /v1/platform/issuers/{id}/try">;
type Rule = Trial["rules"][number];

const RULES: readonly Column<Rule>[] = [
	{ head: "Rule", cell: ({ rule, passed }) => <State of={passed ? "good" : "failing"} word={words(rule)} /> },
	{ head: "Expected", wide: true, cell: ({ expected }) => <span class="breaks">{expected}</span> },
	{ head: "Found", wide: true, cell: ({ found }) => <span class="breaks">{found}</span> },
	{ head: "Set", cell: ({ set }) => set ?? "–" },
];

function Tried({ of, issuer, onClose }: { readonly of: Trial; readonly issuer: string; readonly onClose: () => void }) {
	return (
		<Dialog
			title={of.accepted ? `The token of ${issuer} is accepted` : `The token of ${issuer} is refused`}
			class="broad"
			onClose={onClose}
		>
			<Table label="Rules" rows={of.rules} columns={RULES} keyOf={({ rule }) => rule} />
			<Close onClose={onClose} first />
		</Dialog>
	);
}
