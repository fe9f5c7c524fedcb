// Who did what: the rows of the trail in their order, and through where they are sealed.

import { exact, words } from "../../format.ts";
import type { PageProps } from "../../route.ts";
import type { AuditRow, BodyOf } from "../../typed.ts";
import { Id } from "../../ui/copy.tsx";
import { Json } from "../../ui/json.tsx";
import { Choice, Field, Head } from "../../ui/page.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { useWatch } from "../../watch.ts";
import { List, pageOf, setFilter, startOf } from "../list.tsx";

const KINDS: Readonly<Record<AuditRow["actor_kind"], string>> = { OPERATOR: "operator", MEMBER: "member", API_KEY: "API key" };

/** `createWebhook` as words. */
const deed = (operation: string): string => words(operation.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`));

type Trail = BodyOf<"GET /v1/audit">;

const columnsFor = ({ actor_display }: Trail): readonly Column<AuditRow>[] => [
	{
		head: "What",
		cell: ({ operation, changes, target, request_id }) => (
			<details class="change">
				<summary>{deed(operation)}</summary>
				<Json text={JSON.stringify({ ...target, ...changes })} label={`What ${operation} changed`} />
				<small>
					<code>{operation}</code> · request <Id of={request_id} what="the request's id" />
				</small>
			</details>
		),
	},
	{ head: "No.", wide: true, cell: ({ sequence }) => sequence },
	{
		head: "Who",
		cell: ({ actor_id, actor_kind }) => (
			<>
				{actor_display[actor_id] ?? <code title={actor_id}>{actor_id.slice(-8)}</code>}
				<small>{KINDS[actor_kind]}</small>
			</>
		),
	},
	{ head: "About", wide: true, cell: ({ entity_id }) => (entity_id ? <Id of={entity_id} /> : "–") },
	{ head: "When", right: true, cell: ({ created_at }) => <Time at={created_at} /> },
];

export function Page({ query, person }: PageProps) {
	const from = query.get("from") ?? undefined;
	const operation = query.get("operation") ?? undefined;
	const own = person.kind === "operator" && query.get("of") === "operators";
	const filter = { ...(from && { created_from: startOf(from) }), ...(operation && { operation }) };
	const read = useWatch("GET /v1/audit", { query: { size: 25, ...filter, ...pageOf(query) }, ...(own && { organization: null }) }, 4);
	const sealed = read.value?.verified_through;
	return (
		<>
			<Head
				title="Audit trail"
				about={`Each change, who made it, and when; newest first. ${own ? "What operators did without acting for an organization." : `Of ${person.acting?.name ?? "the organization"}.`}`}
			/>
			<div class="filters">
				{person.kind === "operator" && person.acting && (
					<Choice
						label="Whose"
						value={own ? "operators" : "organization"}
						of={[
							["organization", person.acting.name],
							["operators", "Operators"],
						]}
						onChange={(of) => setFilter({ of: of === "operators" ? of : undefined })}
					/>
				)}
				<Field label="From">
					{(ids) => (
						<input {...ids} type="date" value={from ?? ""} onChange={({ currentTarget }) => setFilter({ from: currentTarget.value })} />
					)}
				</Field>
				<Field label="Operation">
					{(ids) => (
						<input
							{...ids}
							placeholder="createApiKey"
							value={operation ?? ""}
							onChange={({ currentTarget }) => setFilter({ operation: currentTarget.value.trim() })}
						/>
					)}
				</Field>
			</div>
			<List
				of={read}
				filters={[...(from ? ["from"] : []), ...(operation ? ["operation"] : [])]}
				empty={["Nothing was changed yet", "Changes by members, keys and operators will appear here, permanently."]}
			>
				{(rows) => <Table label="Audit trail" rows={rows} columns={read.value ? columnsFor(read.value) : []} keyOf={({ id }) => id} />}
			</List>
			{read.value && (
				<p class="foot-note">
					{sealed
						? `Sealed through number ${sealed.sequence}, ${exact(Date.parse(sealed.sealed_at))}: nothing up to there can be changed unnoticed.`
						: "Not sealed yet. Rows are sealed within the hour."}
				</p>
			)}
		</>
	);
}
