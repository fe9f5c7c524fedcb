// Forms of described fields: amounts as people type them become minor units, rates basis points, days and times what the service takes.

import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Answer, Dialog, useDoing } from "../ui/dialog.tsx";
import { Done, Field } from "../ui/page.tsx";
import { minorOf } from "./amounts.ts";

type Typed = Readonly<Record<string, string>>;

export interface Entry {
	readonly label: string;
	/** Without it a line of text. `percent` is a rate in basis points, `lines` a list. */
	readonly is?: "amount" | "whole" | "percent" | "day" | "time" | "yes" | "lines" | "long" | "secret";
	/** One of these values, by its name. */
	readonly of?: readonly (readonly [value: string, name: string])[];
	readonly hint?: string;
	readonly optional?: true;
	/** What it begins with, as it is typed. */
	readonly from?: string;
	/** Of an amount; with others typed in, that which they say. */
	readonly currency?: string | ((typed: Typed) => string);
	/** Of whole numbers and amounts; by default more than nothing. */
	readonly least?: number;
	readonly most?: number;
	/** When it is asked for at all. */
	readonly only?: (typed: Typed) => boolean;
}
export type Entries = Readonly<Record<string, Entry>>;

type ValueOf<E> = E extends { of: readonly (readonly [infer Value, string])[] }
	? Value
	: E extends { is: "amount" | "whole" | "percent" }
		? number
		: E extends { is: "yes" }
			? boolean
			: E extends { is: "lines" }
				? string[]
				: string;
type Omissible<E> = E extends { optional: true } | { only: unknown } ? true : false;
/** What was entered; what may be left out and was, has no member. */
export type Values<F extends Entries> = {
	[Name in keyof F as Omissible<F[Name]> extends true ? never : Name]: ValueOf<F[Name]>;
} & { [Name in keyof F as Omissible<F[Name]> extends true ? Name : never]?: ValueOf<F[Name]> };

const currencyOf = ({ currency = "" }: Entry, typed: Typed): string => (typeof currency === "string" ? currency : currency(typed));

const among = ({ least = 1, most = Number.MAX_SAFE_INTEGER }: Entry, value: number | undefined): number | undefined =>
	value !== undefined && value >= least && value <= most ? value : undefined;

/** undefined for what is not such a value. */
function readAs(entry: Entry, text: string, typed: Typed): unknown {
	switch (entry.is) {
		case "amount":
			return among(entry, /^0+(\.0+)?$/.test(text) ? 0 : minorOf(text, currencyOf(entry, typed) || null));
		case "whole":
			return /^\d{1,15}$/.test(text) ? among(entry, Number(text)) : undefined;
		case "percent":
			return /^\d{1,5}(\.\d{1,2})?$/.test(text) ? Math.round(Number(text) * 100) : undefined;
		case "time":
			return Number.isNaN(Date.parse(text)) ? undefined : new Date(text).toISOString();
		case "lines":
			return text.split(/[\n,]/).flatMap((line) => line.trim() || []);
		default:
			return text;
	}
}

const EXAMPLES: Partial<Record<NonNullable<Entry["is"]>, string>> = {
	amount: "An amount such as 1250",
	whole: "A whole number",
	percent: "A rate such as 2.5",
};

export interface Form<F extends Entries> {
	readonly entries: F;
	readonly typed: Typed;
	readonly put: (name: string, text: string) => void;
	/** undefined while something is missing or wrong. */
	readonly values: Values<F> | undefined;
	/** What is entered so far and not wrong. */
	readonly entered: Partial<Values<F>>;
}

export function useForm<const F extends Entries>(entries: F): Form<F> {
	const [typed, set] = useState<Typed>(() =>
		Object.fromEntries(
			Object.entries(entries).map(([name, { from, of, optional }]) => [name, from ?? (optional ? "" : (of?.[0]?.[0] ?? ""))]),
		),
	);
	let whole = true;
	const values: Record<string, unknown> = {};
	for (const [name, entry] of Object.entries(entries)) {
		if (entry.only && !entry.only(typed)) continue;
		const text = (typed[name] ?? "").trim();
		if (entry.is === "yes") values[name] = text !== "";
		else if (text) {
			values[name] = readAs(entry, text, typed);
			if (values[name] === undefined) whole = false;
		} else if (!entry.optional) whole = false;
	}
	const put = (name: string, text: string) => set((before) => ({ ...before, [name]: text }));
	return { entries, typed, put, values: whole ? (values as Values<F>) : undefined, entered: values as Partial<Values<F>> };
}

export function FormFields({ entries, typed, put }: Omit<Form<Entries>, "values" | "entered">) {
	return (
		<div class="fields">
			{Object.entries(entries).map(([name, entry]) => {
				if (entry.only && !entry.only(typed)) return null;
				const text = typed[name] ?? "";
				const enter = ({ currentTarget: { value } }: { readonly currentTarget: { readonly value: string } }) => put(name, value);
				if (entry.is === "yes") {
					return (
						<label class="check" key={name}>
							<input
								type="checkbox"
								checked={text !== ""}
								onChange={({ currentTarget }) => put(name, currentTarget.checked ? "yes" : "")}
							/>
							<span>
								{entry.label}
								{entry.hint && <small>{entry.hint}</small>}
							</span>
						</label>
					);
				}
				const currency = entry.is === "amount" && currencyOf(entry, typed);
				const wrong = text.trim() !== "" && readAs(entry, text.trim(), typed) === undefined;
				return (
					<Field
						key={name}
						label={entry.label + (currency ? `, ${currency}` : entry.is === "percent" ? ", %" : "")}
						hint={entry.hint ?? (entry.optional && "May be empty")}
						error={wrong && entry.is ? EXAMPLES[entry.is] : undefined}
					>
						{(ids) =>
							entry.of ? (
								<select {...ids} value={text} onChange={enter}>
									{entry.optional && <option value="">–</option>}
									{entry.of.map(([value, called]) => (
										<option key={value} value={value}>
											{called}
										</option>
									))}
								</select>
							) : entry.is === "lines" || entry.is === "long" ? (
								<textarea {...ids} rows={4} required={!entry.optional} value={text} onInput={enter} />
							) : (
								<input
									{...ids}
									required={!entry.optional}
									type={({ day: "date", time: "datetime-local", secret: "password" } as Record<string, string>)[entry.is ?? ""] ?? "text"}
									inputMode={entry.is === "amount" || entry.is === "percent" ? "decimal" : entry.is === "whole" ? "numeric" : undefined}
									autocomplete={entry.is === "secret" ? "new-password" : "off"}
									maxLength={entry.most ? undefined : 2048}
									value={text}
									onInput={enter}
								/>
							)
						}
					</Field>
				);
			})}
		</div>
	);
}

interface FormDialogProps<F extends Entries> {
	/** Names the object: `Reschedule account 1040561060158` */
	readonly title: string;
	readonly entries: F;
	readonly verb: string;
	readonly dangerous?: boolean;
	readonly children?: ComponentChildren;
	/** Shown below the fields, by what is entered. */
	readonly outcome?: (values: Values<F>) => ComponentChildren;
	/** The same, as soon as anything is entered. */
	readonly trial?: (entered: Partial<Values<F>>) => ComponentChildren;
	readonly onSend: (values: Values<F>) => Promise<unknown>;
	readonly onClose: () => void;
	/** Instead of closing, where another dialog takes its place. */
	readonly onSent?: () => void;
}

/** Closes once what was entered is taken; a refusal is shown in place. */
export function FormDialog<const F extends Entries>(props: FormDialogProps<F>) {
	const { title, entries, verb, dangerous = false, children, outcome, trial, onSend, onClose, onSent = onClose } = props;
	const form = useForm(entries);
	const [busy, run, error] = useDoing();
	const { values } = form;
	return (
		<Dialog title={title} onClose={onClose} {...(Object.keys(entries).length > 3 && { class: "broad" })}>
			<form
				onSubmit={(event) => {
					event.preventDefault();
					if (values) void run(() => onSend(values)).then((done) => done && onSent());
				}}
			>
				{children && <div class="prose">{children}</div>}
				<FormFields {...form} />
				{values && outcome?.(values)}
				{trial?.(form.entered)}
				<Answer verb={verb} kind={dangerous ? "danger" : "primary"} disabled={busy || !values} error={error} onClose={onClose} />
			</form>
		</Dialog>
	);
}

/** Why something is done, for who asks later. */
export const REASON = { label: "Reason", hint: "Kept in the audit trail", most: 255 } as const satisfies Entry;

export interface Dialogs {
	/** The open dialog, and what the last one has done. */
	readonly shown: ComponentChildren;
	readonly show: (dialog: ComponentChildren) => void;
	readonly close: () => void;
	/** Says what is done. */
	readonly say: (sentence: ComponentChildren) => void;
}

/** One dialog at a time, and the sentence that the last one left. */
export function useDialogs(): Dialogs {
	const [dialog, show] = useState<ComponentChildren>();
	const [sentence, say] = useState<ComponentChildren>();
	return {
		show,
		close: () => show(undefined),
		say,
		shown: (
			<>
				{sentence && <Done>{sentence}</Done>}
				{dialog}
			</>
		),
	};
}
