// What becomes of an invoice: uploaded, withdrawn, paid to its merchant, repaid by its buyer; and who acts for a merchant.

import { useState } from "preact/hooks";
import { call, Refused } from "../../api.ts";
import { now } from "../../clock.ts";
import { amountIn, day, shortId } from "../../format.ts";
import type { BodyOf, FinancingInvoice } from "../../typed.ts";
import { Confirm, Dialog, useDoing } from "../../ui/dialog.tsx";
import { Field } from "../../ui/page.tsx";
import { Problem } from "../../ui/problem.tsx";
import { useWatch } from "../../watch.ts";
import { FormDialog } from "../form.tsx";

interface Props {
	readonly onClose: () => void;
	readonly onDone: (sentence: string) => void;
}

const today = (): string => new Date(now()).toISOString().slice(0, 10);

export function Upload({ onClose, onDone }: Props) {
	return (
		<FormDialog
			title="Upload an invoice"
			verb="Upload"
			entries={{
				merchant_id: { label: "Merchant", hint: "By the buyer's own number for them" },
				invoice_number: { label: "Invoice number" },
				currency: { label: "Currency", from: "KES" },
				amount_minor_units: { label: "Amount", is: "amount", currency: ({ currency = "" }) => currency.toUpperCase() },
				issued_date: { label: "Issued", is: "day", from: today() },
				due_date: { label: "Due", is: "day" },
			}}
			onClose={onClose}
			onSend={async (entered) => {
				const body = { ...entered, currency: entered.currency.toUpperCase() };
				await call("POST /v1/financing/invoices", { body });
				onDone(`Invoice ${body.invoice_number} over ${amountIn(body.currency, body.amount_minor_units)} waits for its decision.`);
			}}
		/>
	);
}

export type OnInvoice = "cancel" | "finance" | "repay";

export function ActOnInvoice({ what, of, onClose, onDone }: Props & { readonly what: OnInvoice; readonly of: FinancingInvoice }) {
	const { id, currency, amount_minor_units: amount, due_date } = of;
	const path = { id };
	const called = `invoice ${shortId(id)} over ${amountIn(currency, amount)}`;
	if (what === "cancel") {
		return (
			<Confirm
				title={`Withdraw ${called}?`}
				verb="Withdraw"
				dangerous
				onClose={onClose}
				onConfirm={async () => {
					await call("POST /v1/financing/invoices/{id}/cancel", { path });
					onDone("It is withdrawn.");
				}}
			>
				<p>It is not decided any more, and its number may be uploaded again.</p>
			</Confirm>
		);
	}
	if (what === "finance") {
		return (
			<FormDialog
				title={`Pay ${called} to its merchant?`}
				verb="Pay"
				dangerous
				entries={{ fee: { label: "Fee", is: "amount", currency, least: 0, most: amount, from: "0" } }}
				outcome={({ fee }) => (
					<p>
						The merchant gets <strong>{amountIn(currency, amount - fee)}</strong>. The buyer owes {amountIn(currency, amount)} on{" "}
						{day(due_date)}.
					</p>
				)}
				onClose={onClose}
				onSend={async (body) => {
					await call("POST /v1/financing/invoices/{id}/finance", { path, body });
					onDone(`${amountIn(currency, amount - body.fee)} is on its way to the merchant.`);
				}}
			>
				<p>A second operator must approve it.</p>
			</FormDialog>
		);
	}
	return (
		<FormDialog
			title={`Record that the buyer has paid ${called}`}
			verb="Record it"
			entries={{
				value: { label: "Amount", is: "amount", currency },
				external_id: { label: "Receipt or reference", hint: "Its own number: a receipt is recorded once" },
				transacted_at: { label: "Paid at", is: "time" },
			}}
			onClose={onClose}
			onSend={async ({ value, ...payment }) => {
				await call("POST /v1/financing/invoices/{id}/repayments", { path, body: { ...payment, amount: { value, currency } } });
				onDone(`${amountIn(currency, value)} is recorded.`);
			}}
		/>
	);
}

type Grant = BodyOf<"GET /v1/financing/merchants/{merchantId}/grants/{userId}">["permissions"];
const MAY = [
	["org:financing.merchants:read", "See the merchant's invoices"],
	["org:financing.invoices:write", "Upload and withdraw its invoices"],
] as const;

/** Members who act for one merchant, in addition to what their role lets them do. */
export function Grants({ organizationId, onClose, onDone }: Props & { readonly organizationId: string }) {
	const members = useWatch("GET /v1/organizations/{organizationId}/members", { path: { organizationId }, query: { size: 100 } });
	const [merchantId, setMerchant] = useState("");
	const [userId, setUser] = useState("");
	const [grant, setGrant] = useState<Grant>();
	const [busy, run, error] = useDoing();
	const path = { merchantId: merchantId.trim(), userId };
	const look = async () => {
		try {
			setGrant((await call("GET /v1/financing/merchants/{merchantId}/grants/{userId}", { path })).permissions);
		} catch (failed) {
			if (!(failed instanceof Refused && failed.status === 404)) throw failed;
			setGrant([]);
		}
	};
	const save = async () => {
		const [first, ...others] = grant ?? [];
		if (first) await call("PUT /v1/financing/merchants/{merchantId}/grants/{userId}", { path, body: { permissions: [first, ...others] } });
		else await call("DELETE /v1/financing/merchants/{merchantId}/grants/{userId}", { path });
		onDone(first ? `They act for merchant ${path.merchantId} from now on.` : `They act for merchant ${path.merchantId} no more.`);
		onClose();
	};
	const change = (set: (text: string) => void) => (event: { readonly currentTarget: { readonly value: string } }) => {
		set(event.currentTarget.value);
		setGrant(undefined);
	};
	return (
		<Dialog title="Who acts for a merchant" onClose={onClose}>
			<form
				onSubmit={(event) => {
					event.preventDefault();
					void run(grant ? save : look);
				}}
			>
				<Field label="Merchant" hint="By the buyer's own number for them">
					{(ids) => <input {...ids} required maxLength={255} value={merchantId} onInput={change(setMerchant)} />}
				</Field>
				<Field label="Member">
					{(ids) => (
						<select {...ids} required value={userId} onChange={change(setUser)}>
							<option value="">–</option>
							{members.value?.data.map(({ user_id, display_name, email, tag }) => (
								<option key={user_id} value={user_id}>
									{display_name ?? email ?? tag}
								</option>
							))}
						</select>
					)}
				</Field>
				{grant &&
					MAY.map(([permission, name]) => (
						<label class="check" key={permission}>
							<input
								type="checkbox"
								checked={grant.includes(permission)}
								onChange={({ currentTarget }) =>
									setGrant(currentTarget.checked ? [...grant, permission] : grant.filter((one) => one !== permission))
								}
							/>
							{name}
						</label>
					))}
				{error && <Problem error={error} />}
				<div class="buttons end">
					<button type="button" onClick={onClose}>
						Cancel
					</button>
					<button type="submit" class="primary" disabled={busy || !merchantId.trim() || !userId}>
						{grant ? "Save" : "Look up"}
					</button>
				</div>
			</form>
		</Dialog>
	);
}
