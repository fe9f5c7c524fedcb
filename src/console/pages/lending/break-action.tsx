// The one action of a break between a statement and what is recorded here.

import { call, LeadsNowhere } from "../../api.ts";
import { amountIn } from "../../format.ts";
import type { StatementBreak } from "../../typed.ts";
import { Confirm } from "../../ui/dialog.tsx";
import { Link, WaitsForApproval } from "../../ui/page.tsx";
import type { Person } from "../../who.ts";
import { type Dialogs, FormDialog, REASON } from "../form.tsx";
import { reachOf } from "../list.tsx";

const VERBS = { RECORD: "Record it", ASK: "Ask the provider", MOVE: "Correct it", REVERSE: "Reverse it", EXPLAIN: "Explain it" } as const;

interface Props {
	readonly of: StatementBreak;
	readonly person: Person;
	readonly dialogs: Dialogs;
}

export function BreakAction({ of, person, dialogs }: Props) {
	const { action, receipt, reference } = of;
	if (action === "WAIT") return <>Waits for the provider</>;
	return (
		<button
			type="button"
			aria-label={`${VERBS[action]}: ${receipt ?? reference ?? "without receipt"}`}
			onClick={() => dialogs.show(<Deed of={of} action={action} person={person} dialogs={dialogs} />)}
		>
			{VERBS[action]}
		</button>
	);
}

const OwnMoney = () => (
	<p>
		Money of the lender, such as a withdrawal to its bank, is recorded on the page <Link to="/ledger/treasury">Treasury</Link> by the same
		receipt or reference. Then compare again.
	</p>
);

function Deed({ of, action, person, dialogs }: Props & { readonly action: keyof typeof VERBS }) {
	const { id: breakId, kind, amount, recorded, currency, receipt, recorded_id } = of;
	const own = kind === "MISSING_HERE" && <OwnMoney />;
	const path = { breakId };
	const { close, say } = dialogs;
	const what = `${amountIn(currency, amount ?? recorded ?? 0)}${receipt ? `, ${receipt}` : ""}`;
	const ask = async (
		approval_type: "REPAYMENT_MOVE" | "REPAYMENT_REVERSAL",
		payload: Readonly<Record<string, unknown>>,
		reason: string,
	) => {
		const entity = { entity_type: "TRANSACTION" as const, entity_id: recorded_id ?? "" };
		await call("POST /v1/approvals", { body: { approval_type, ...entity, payload, reason } });
		say(<WaitsForApproval />);
	};
	switch (action) {
		case "RECORD":
			return (
				<Confirm
					title={`Record ${what}?`}
					verb="Record it"
					onClose={close}
					onConfirm={() => call("POST /v1/reconciliation/breaks/{breakId}/resolve", { path, body: { action } })}
				>
					<p>It is recorded as a payment without account, which you then match.</p>
					{own}
				</Confirm>
			);
		case "ASK":
			return (
				<Confirm
					title={`Ask the provider about ${what}?`}
					verb="Ask"
					onClose={close}
					onConfirm={() => call("POST /v1/reconciliation/breaks/{breakId}/ask", { path })}
				>
					<p>If no connection can ask, explain the break once you have asked the provider yourself.</p>
				</Confirm>
			);
		case "EXPLAIN":
			return (
				<FormDialog
					title={`Explain ${what}?`}
					verb="Explain it"
					entries={{ reason: REASON }}
					onClose={close}
					onSend={({ reason }) => call("POST /v1/reconciliation/breaks/{breakId}/resolve", { path, body: { action, reason } })}
				>
					<p>Nothing is posted.</p>
					{own}
				</FormDialog>
			);
		case "REVERSE":
			return (
				<FormDialog
					title={`Reverse ${what}?`}
					verb="Ask for approval"
					dangerous
					entries={{ reason: REASON }}
					onClose={close}
					onSend={({ reason }) => ask("REPAYMENT_REVERSAL", {}, reason)}
				>
					<p>The provider says that it was not made so. Another person must approve it; then compare again.</p>
				</FormDialog>
			);
		case "MOVE":
			return (
				<FormDialog
					title={`Correct ${amountIn(currency, recorded ?? 0)} to ${what}?`}
					verb="Ask for approval"
					dangerous
					entries={{
						number: { label: "Number of the account", hint: "Of its own account, or of the account that it was meant for" },
						reason: REASON,
					}}
					onClose={close}
					onSend={async ({ number, reason }) => {
						const query = { account_number: number.replaceAll(/\s/g, "") };
						const [account] = (await call("GET /v1/accounts", { query, ...reachOf(person) })).data;
						if (!account) throw new LeadsNowhere(`No account has the number ${number}.`);
						await ask("REPAYMENT_MOVE", { account_id: account.id, ...(amount !== null && { amount }) }, reason);
					}}
				>
					<p>The statement's amount takes the place of the recorded one. Another person must approve it; then compare again.</p>
				</FormDialog>
			);
	}
}
