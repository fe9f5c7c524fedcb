// What may be done about a user: each names them, and what is not one person's to decide is asked for.

import { useState } from "preact/hooks";
import { call } from "../../api.ts";
import type { PlatformUser } from "../../typed.ts";
import { Confirm } from "../../ui/dialog.tsx";
import { Field } from "../../ui/page.tsx";
import type { Person } from "../../who.ts";
import { minorOf, typed } from "../amounts.ts";
import { reachOf } from "../list.tsx";
import { pagesOf, saveFile } from "../save.tsx";
import { useAccountsOf } from "./accounts-of.ts";

export type OnUser = "limit" | "block" | "sessions" | "export" | "erase";

interface Props {
	readonly doing: OnUser;
	readonly user: PlatformUser;
	readonly person: Person;
	readonly onClose: () => void;
	readonly onAsked: () => void;
}

export function ActOnUser({ doing, user, person, onClose, onAsked }: Props) {
	const { id: userId, blocked, display_name, tag, credit_limit } = user;
	const name = display_name ?? tag;
	const [reason, setReason] = useState("");
	const [again, setAgain] = useState("");
	// Members get no message about the limit, only about the accounts that it holds for.
	const accounts = useAccountsOf(userId, reachOf(person));
	const currency = credit_limit?.currency ?? accounts.value?.data[0]?.currency ?? null;
	const [limit, setLimit] = useState(credit_limit?.override == null ? "" : typed(credit_limit.override, currency));
	const value = minorOf(limit, currency);
	const alone = person.kind === "operator";
	const reasonField = (
		<Field label="Reason" hint="Kept in the audit trail">
			{(ids) => <input {...ids} required maxLength={255} value={reason} onInput={({ currentTarget }) => setReason(currentTarget.value)} />}
		</Field>
	);
	const ask = async (approval_type: "BLOCK_CHANGE" | "LIMIT_CHANGE", payload: Record<string, boolean | number | null>) => {
		await call("POST /v1/approvals", { body: { approval_type, entity_type: "USER", entity_id: userId, payload, reason } });
		onAsked();
	};
	if (doing === "sessions") {
		return (
			<Confirm
				title={`End all sessions of ${name}?`}
				verb="End sessions"
				dangerous
				onClose={onClose}
				onConfirm={() => call("POST /v1/platform/users/{userId}/sessions/revoke", { path: { userId } })}
			>
				<p>They are signed out everywhere at once, and may sign in again.</p>
			</Confirm>
		);
	}
	if (doing === "export") {
		return (
			<Confirm title={`Save what is held about ${name}?`} verb="Save" onClose={onClose} onConfirm={() => saveExport(userId)}>
				<p>A file with a line for each record, for them alone. The audit trail says that you had it.</p>
			</Confirm>
		);
	}
	if (doing === "erase") {
		return (
			<Confirm
				title={`Erase ${name}?`}
				verb="Erase"
				dangerous
				disabled={again !== tag}
				onClose={onClose}
				onConfirm={() => call("POST /v1/platform/users/{userId}/erasure", { path: { userId } })}
			>
				<p>
					Their sessions end at once. Names, numbers, mail addresses, payees, messages and identities are removed everywhere; the ledger and
					the audit trail keep ids. Nobody can undo it.
				</p>
				<Field label="Their tag" hint={`Type ${tag}`}>
					{(ids) => <input {...ids} autocomplete="off" value={again} onInput={({ currentTarget }) => setAgain(currentTarget.value)} />}
				</Field>
			</Confirm>
		);
	}
	if (doing === "block") {
		return (
			<Confirm
				title={blocked ? `Lift the block of ${name}?` : `Block ${name}?`}
				verb="Ask for approval"
				dangerous={!blocked}
				onClose={onClose}
				onConfirm={() => ask("BLOCK_CHANGE", { blocked: !blocked })}
			>
				<p>
					{blocked ? "They can sign in again." : "All their sessions end at once, and they cannot sign in."} Another person must approve it.
				</p>
				{reasonField}
			</Confirm>
		);
	}
	return (
		<Confirm
			title={`Set the limit of ${name}?`}
			verb={alone ? "Set the limit" : "Ask for approval"}
			dangerous
			onClose={onClose}
			onConfirm={async () => {
				if (limit && value === undefined) throw new Error("no amount");
				if (alone) await call("PUT /v1/platform/users/{userId}/credit-profile", { path: { userId }, body: { limit: value ?? null } });
				else await ask("LIMIT_CHANGE", { limit: value ?? null });
			}}
		>
			<p>It holds for the next loan and the next draw.{!alone && " An operator must approve it."}</p>
			<Field
				label={`Limit, ${currency ?? "minor units"}`}
				hint="Empty: the limit that follows from loans repaid on time"
				error={limit && value === undefined ? `An amount such as ${typed(150_000, currency)}` : undefined}
			>
				{(ids) => <input {...ids} inputMode="decimal" value={limit} onInput={({ currentTarget }) => setLimit(currentTarget.value)} />}
			</Field>
			{!alone && reasonField}
		</Confirm>
	);
}

/** Reads the export page by page, and has the browser save it. */
async function saveExport(userId: string): Promise<void> {
	const pages: string[] = [];
	const type = "application/x-ndjson";
	await pagesOf("GET /v1/platform/users/{userId}/export", { path: { userId }, query: { size: 500 } }, type, (text) => pages.push(text));
	saveFile(`${userId}.ndjson`, type, pages);
}
