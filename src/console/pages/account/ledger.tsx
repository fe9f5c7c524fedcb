// The portfolio for the general ledger: what each account has moved in a time, and each transaction, as tables.

import { useState } from "preact/hooks";
import { calendarDay, now } from "../../clock.ts";
import { Field, Section } from "../../ui/page.tsx";
import { SaveList } from "../save.tsx";

export function Ledger() {
	const today = calendarDay();
	const [from, setFrom] = useState(`${today.slice(0, 8)}01`);
	const [to, setTo] = useState(calendarDay(now() - 86_400_000));
	const query = { from, to, size: 100 };
	return (
		<Section title="For the ledger" note="Of closed days: the figures of a day never change.">
			<div class="filters">
				<Field label="From">
					{(ids) => (
						<input {...ids} type="date" required max={today} value={from} onChange={({ currentTarget }) => setFrom(currentTarget.value)} />
					)}
				</Field>
				<Field label="To">
					{(ids) => (
						<input {...ids} type="date" required max={today} value={to} onChange={({ currentTarget }) => setTo(currentTarget.value)} />
					)}
				</Field>
			</div>
			<SaveList of={{ line: "GET /v1/portfolio", request: { query: { size: 100 } } }} what="the latest figures" />
			<SaveList of={{ line: "GET /v1/portfolio/entries", request: { query } }} what="what each account moved" />
			<SaveList of={{ line: "GET /v1/portfolio/transactions", request: { query } }} what="each transaction" />
		</Section>
	);
}
