// What an endpoint subscribes to: event types by category, and conditions.

import { words } from "../../format.ts";
import type { EventType } from "../../typed.ts";
import type { Condition } from "./draft.ts";

interface EventTypesProps {
	readonly all: readonly EventType[];
	readonly chosen: readonly string[];
	readonly onChange: (chosen: readonly string[]) => void;
}

export function EventTypes({ all, chosen, onChange }: EventTypesProps) {
	const has = new Set(chosen);
	const put = (events: readonly string[], on: boolean) =>
		onChange(on ? [...new Set([...chosen, ...events])] : chosen.filter((event) => !events.includes(event)));
	return (
		<div class="categories">
			{[...Map.groupBy(all, ({ category }) => category)].map(([category, types]) => {
				const events = types.map(({ event }) => event);
				const some = events.filter((event) => has.has(event)).length;
				return (
					<fieldset key={category}>
						<legend>
							<label class="check">
								<input
									type="checkbox"
									checked={some === events.length}
									ref={(input) => {
										if (input) input.indeterminate = some > 0 && some < events.length;
									}}
									onChange={({ currentTarget }) => put(events, currentTarget.checked)}
								/>
								<strong>{words(category)}</strong>
							</label>
						</legend>
						{types.map(({ event, description }) => (
							<label key={event} class="check" title={description}>
								<input type="checkbox" checked={has.has(event)} onChange={({ currentTarget }) => put([event], currentTarget.checked)} />
								<code>{event}</code>
							</label>
						))}
					</fieldset>
				);
			})}
		</div>
	);
}

interface FilterProps {
	readonly conditions: readonly Condition[];
	readonly onChange: (conditions: readonly Condition[]) => void;
}

const TESTS = [
	["in", "is one of"],
	["min", "is at least"],
	["max", "is at most"],
] as const;
const MOST = 10;

export function Filter({ conditions, onChange }: FilterProps) {
	const change = (at: number, changes: Partial<Condition>) =>
		onChange(conditions.map((condition, index) => (index === at ? { ...condition, ...changes } : condition)));
	return (
		<>
			{conditions.map((condition, index) => (
				<div class="condition" key={index}>
					<input
						aria-label="Member"
						placeholder="amount"
						value={condition.member}
						onInput={({ currentTarget }) => change(index, { member: currentTarget.value })}
						required
					/>
					<select
						aria-label="Test"
						value={condition.test}
						onChange={({ currentTarget }) => change(index, { test: currentTarget.value as Condition["test"] })}
					>
						{TESTS.map(([value, name]) => (
							<option key={value} value={value}>
								{name}
							</option>
						))}
					</select>
					<input
						aria-label="Value"
						placeholder={condition.test === "in" ? "one, another" : "100000"}
						type={condition.test === "in" ? "text" : "number"}
						value={condition.value}
						onInput={({ currentTarget }) => change(index, { value: currentTarget.value })}
						required
					/>
					<button type="button" onClick={() => onChange(conditions.filter((_, at) => at !== index))}>
						Take out
					</button>
				</div>
			))}
			{conditions.length < MOST && (
				<button type="button" onClick={() => onChange([...conditions, { member: "", test: "in", value: "" }])}>
					Add a condition
				</button>
			)}
		</>
	);
}
