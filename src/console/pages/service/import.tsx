// One import: its lines are sent, checked against the old balances, and imported where they are equal.

import { useState } from "preact/hooks";
import { call } from "../../api.ts";
import { count, plural } from "../../format.ts";
import type { PageProps } from "../../route.ts";
import { stateInWords } from "../../states.ts";
import type { BodyOf, ImportAccount, ImportLine, LoanImport } from "../../typed.ts";
import { Close, Confirm, Dialog, useDoing } from "../../ui/dialog.tsx";
import { Json } from "../../ui/json.tsx";
import { Loaded, Rows } from "../../ui/loaded.tsx";
import { Choice, Done, Figures, Head, Link, Section } from "../../ui/page.tsx";
import { Problem } from "../../ui/problem.tsx";
import { Badge, State } from "../../ui/state.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { useWatch } from "../../watch.ts";
import { useDialogs } from "../form.tsx";
import { List, pageOf, setFilter } from "../list.tsx";

const RUNS: ReadonlySet<string> = new Set(["CHECKING", "RUNNING"]);

export function Page({ params: { id: importId = "" }, query, person }: PageProps) {
	const line = "GET /v1/platform/imports/{importId}";
	const first = useWatch(line, { path: { importId } });
	const read = useWatch(line, { path: { importId } }, RUNS.has(first.value?.status ?? "") ? 12 : 0);
	const skeleton = (
		<>
			<Head title="Import" from={["/imports", "Imports"]} about={"\u2007"} />
			<Rows of={4} />
		</>
	);
	return (
		<Loaded of={read} skeleton={skeleton}>
			{(found) => (
				<>
					<One of={found} organization={person.organizations.find(({ id }) => id === found.organization_id)?.name} />
					<AccountsOf id={importId} query={query} />
				</>
			)}
		</Loaded>
	);
}

function One({ of, organization = "another organization" }: { readonly of: LoanImport; readonly organization: string | undefined }) {
	const { id: importId, name, status, revision, accounts, existing_users } = of;
	const path = { importId };
	const dialogs = useDialogs();
	const [busy, run, error] = useDoing();
	const [sent, setSent] = useState<string>();
	const [shape, word, note] = stateInWords("LoanImport.status", status);
	const isOpen = status === "OPEN" || status === "CHECKED" || status === "DONE";
	const check = () => run(() => call("POST /v1/platform/imports/{importId}/run", { path, body: { dry_run: true } }));
	const send = (file: File) =>
		run(async () => {
			const found = await sendLines(importId, file, (lines) => setSent(`${count(lines)} lines are sent …`));
			setSent(
				`${plural(found.lines, "line")} of ${file.name} sent${found.skipped > 0 ? `, ${count(found.skipped)} of accounts that are imported already` : ""}.`,
			);
		});
	const take = () =>
		dialogs.show(
			<Confirm
				title={`Import ${plural(accounts.equal, "account")} into ${organization}?`}
				verb="Import"
				dangerous
				onClose={dialogs.close}
				onConfirm={() => call("POST /v1/platform/imports/{importId}/run", { path, body: { dry_run: false, revision, existing_users } })}
			>
				<p>
					Those that were found equal are imported, each whole or not at all; the others stay listed with what is wrong.
					{existing_users > 0 && ` ${plural(existing_users, "account")} of them are of people who are users already.`} A second operator
					must approve it.
				</p>
			</Confirm>,
		);
	const stop = () =>
		dialogs.show(
			<Confirm
				title={`Cancel the import ${name}?`}
				verb="Cancel the import"
				dangerous
				onClose={dialogs.close}
				onConfirm={() => call("POST /v1/platform/imports/{importId}/cancel", { path })}
			>
				<p>Its lines are removed. Imported accounts stay.</p>
			</Confirm>,
		);
	return (
		<>
			<Head
				title={name}
				from={["/imports", "Imports"]}
				badge={<Badge of={shape} word={word} />}
				about={[`Into ${organization}`, note].filter(Boolean).join(" · ")}
				actions={
					isOpen && (
						<>
							<button type="button" class="danger" onClick={stop}>
								Cancel the import
							</button>
							<button type="button" disabled={busy} onClick={() => void check()}>
								Check
							</button>
							<button type="button" class="primary" disabled={status !== "CHECKED" || accounts.equal === 0} onClick={take}>
								Import
							</button>
						</>
					)
				}
			/>
			{error && <Problem error={error} />}
			{sent && <Done>{sent}</Done>}
			{dialogs.shown}
			<Figures
				of={[
					{ name: "To be checked", value: count(accounts.staged) },
					{ name: "Equal", value: count(accounts.equal), note: existing_users > 0 && `${count(existing_users)} of known users` },
					{ name: "Not equal", value: count(accounts.failed), bad: accounts.failed > 0 },
					{ name: "Imported", value: count(accounts.imported) },
				]}
			/>
			{isOpen && (
				<label class="field">
					Lines (NDJSON)
					<input
						type="file"
						accept=".ndjson,.jsonl,application/x-ndjson"
						disabled={busy}
						onChange={({ currentTarget }) => {
							const [file] = currentTarget.files ?? [];
							if (file) void send(file);
							currentTarget.value = "";
						}}
					/>
				</label>
			)}
		</>
	);
}

const PORTION = 500;
type Portion = BodyOf<"POST /v1/platform/imports/{importId}/lines">;

/** Sends the file by portions: a repeated portion changes nothing, so that a broken upload is done again whole. */
async function sendLines(importId: string, file: File, onSent: (lines: number) => void): Promise<Pick<Portion, "lines" | "skipped">> {
	const texts = (await file.text()).split("\n").filter((text) => text.trim() !== "");
	let skipped = 0;
	for (let from = 0; from < texts.length; from += PORTION) {
		const body = texts.slice(from, from + PORTION).map((text) => JSON.parse(text) as ImportLine);
		const portion = await call("POST /v1/platform/imports/{importId}/lines", { path: { importId }, body });
		skipped += portion.skipped;
		onSent(from + body.length);
	}
	return { lines: texts.length, skipped };
}

const STATES = [
	["all", "All"],
	["FAILED", "Not equal"],
	["EQUAL", "Equal"],
	["STAGED", "To be checked"],
	["IMPORTED", "Imported"],
] as const;

function AccountsOf({ id: importId, query }: { readonly id: string; readonly query: URLSearchParams }) {
	const status = STATES.find(([value]) => value === query.get("status"))?.[0] ?? "all";
	const filter = { size: 25, ...(status !== "all" && { status }), ...pageOf(query) };
	const read = useWatch("GET /v1/platform/imports/{importId}/accounts", { path: { importId }, query: filter }, 2);
	const { shown, show, close } = useDialogs();
	const columns: readonly Column<ImportAccount>[] = [
		{
			head: "Account",
			cell: ({ account, account_id }) => (account_id ? <Link to={`/accounts/${account_id}`}>{account}</Link> : <code>{account}</code>),
		},
		{
			head: "State",
			cell: ({ status: state, fault }) => {
				const [of, word] = stateInWords("ImportAccount.status", state);
				return <State of={of} word={word} note={fault?.description} />;
			},
		},
		{
			head: "",
			right: true,
			cell: ({ account, status: state }) =>
				state !== "IMPORTED" && (
					<button
						type="button"
						onClick={() => show(<Lines importId={importId} account={account} onClose={close} />)}
						aria-label={`Lines of ${account}`}
					>
						Lines
					</button>
				),
		},
	];
	return (
		<Section title="Accounts">
			{shown}
			<div class="filters">
				<Choice label="State" value={status} of={STATES} onChange={(next) => setFilter({ status: next === "all" ? undefined : next })} />
			</div>
			<List of={read} filters={status === "all" ? [] : ["status"]} empty={["No lines yet", "Choose a file with the book's lines."]}>
				{(rows) => <Table label="Accounts of the import" rows={rows} columns={columns} keyOf={({ account }) => account} />}
			</List>
		</Section>
	);
}

function Lines({ importId, account, onClose }: { readonly importId: string; readonly account: string; readonly onClose: () => void }) {
	const read = useWatch("GET /v1/platform/imports/{importId}/lines", { path: { importId }, query: { account } });
	return (
		<Dialog title={`The lines of ${account}`} class="broad" onClose={onClose}>
			<Loaded of={read} skeleton={4}>
				{({ data }) => <Json text={JSON.stringify(data)} label={`Lines of ${account}`} />}
			</Loaded>
			<Close onClose={onClose} first />
		</Dialog>
	);
}
