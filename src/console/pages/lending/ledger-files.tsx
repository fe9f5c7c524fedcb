// Files of the journals of closed days, for the lender's own ledger.

import { useState } from "preact/hooks";
import { plural } from "../../format.ts";
import { useDoing } from "../../ui/dialog.tsx";
import { Done, Field, Section } from "../../ui/page.tsx";
import { Problem } from "../../ui/problem.tsx";
import { pagesOf, saveFile } from "../save.tsx";

/** As Xero writes it. A page of days that have moved nothing has none. */
const FIRST_DAY = /,(\d\d)\/(\d\d)\/(\d{4}),/;

/** `last`: the last closed day. */
export function JournalFiles({ last }: { readonly last: string }) {
	const [from, setFrom] = useState(`${last.slice(0, 7)}-01`);
	const [to, setTo] = useState(last);
	const [rate, setRate] = useState("Tax Exempt");
	const [saved, setSaved] = useState<number>();
	const [busy, run, error] = useDoing();
	const save = () =>
		run(async () => {
			setSaved(undefined);
			let files = 0;
			const query = { from, to, tax_rate: rate, size: 31 };
			await pagesOf("GET /v1/ledger/journals", { query }, "text/csv", (text) => {
				const [, day, month, year] = FIRST_DAY.exec(text) ?? [];
				if (!day) return;
				saveFile(`journals-${year}-${month}-${day}.csv`, "text/csv", [text]);
				files++;
			});
			setSaved(files);
		});
	return (
		<Section title="For your own ledger" note="A journal for each closed day, in files that Xero imports as manual journals.">
			{saved !== undefined && <Done>{saved === 0 ? "These days have moved nothing." : `${plural(saved, "file")} saved.`}</Done>}
			{error && <Problem error={error} />}
			<form
				class="filters"
				onSubmit={(event) => {
					event.preventDefault();
					void save();
				}}
			>
				<Field label="First day">
					{(ids) => (
						<input {...ids} type="date" required max={last} value={from} onInput={({ currentTarget }) => setFrom(currentTarget.value)} />
					)}
				</Field>
				<Field label="Last day">
					{(ids) => (
						<input {...ids} type="date" required max={last} value={to} onInput={({ currentTarget }) => setTo(currentTarget.value)} />
					)}
				</Field>
				<Field label="Tax rate" hint="Its name in your ledger">
					{(ids) => <input {...ids} required maxLength={50} value={rate} onInput={({ currentTarget }) => setRate(currentTarget.value)} />}
				</Field>
				<button type="submit" disabled={busy}>
					Save for Xero
				</button>
			</form>
		</Section>
	);
}
