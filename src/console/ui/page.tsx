// The parts of a page: its head, sections, figures, fields.

import type { ComponentChildren } from "preact";
import { useEffect, useId } from "preact/hooks";
import { hrefOf } from "../router.ts";

interface HeadProps {
	readonly title: string;
	/** A title that is a name or code of somebody's. */
	readonly mono?: boolean;
	/** The list that it is in: its path and name. */
	readonly from?: readonly [path: string, name: string];
	readonly badge?: ComponentChildren;
	readonly about?: ComponentChildren;
	/** Buttons, the main one last. */
	readonly actions?: ComponentChildren;
}

export function Head({ title, mono, from, badge, about, actions }: HeadProps) {
	useEffect(() => {
		document.title = `${title} · Financial Account Service`;
	}, [title]);
	return (
		<header class="page-head">
			<div>
				{from && (
					<nav aria-label="Breadcrumb" class="crumbs">
						<Link to={from[0]}>{from[1]}</Link> /
					</nav>
				)}
				<div class="title">
					<h1 class={mono ? "mono" : undefined}>{title}</h1>
					{badge}
				</div>
				{about && <div class="about">{about}</div>}
			</div>
			{actions && <div class="buttons">{actions}</div>}
		</header>
	);
}

interface SectionProps {
	readonly title: string;
	readonly note?: ComponentChildren;
	/** A link or a button next to the title. */
	readonly action?: ComponentChildren;
	readonly children: ComponentChildren;
}

export function Section({ title, note, action, children }: SectionProps) {
	const id = useId();
	return (
		<section aria-labelledby={id}>
			<div class="section-head">
				<h2 id={id}>{title}</h2>
				{note && <p>{note}</p>}
				{action && <div>{action}</div>}
			</div>
			{children}
		</section>
	);
}

/** A link to another page of the console. */
export function Link({
	to,
	children,
	class: name,
}: {
	readonly to: string;
	readonly children: ComponentChildren;
	readonly class?: string;
}) {
	return (
		<a href={hrefOf(to)} class={name}>
			{children}
		</a>
	);
}

export interface Figure {
	readonly name: string;
	readonly value: ComponentChildren;
	readonly note?: ComponentChildren;
	readonly bad?: boolean;
}

/** Two to four figures side by side. */
export function Figures({ of }: { readonly of: readonly Figure[] }) {
	return (
		<dl class="figures">
			{of.map(({ name, value, note, bad }) => (
				<div key={name}>
					<dt>{name}</dt>
					<dd class={bad ? "bad" : undefined}>{value}</dd>
					{note && <dd class="note">{note}</dd>}
				</div>
			))}
		</dl>
	);
}

export function FiguresSkeleton({ of = 4 }: { readonly of?: number }) {
	return (
		<Figures of={Array.from({ length: of }, (_, index) => ({ name: `${"\u2007".repeat(8 + index)}`, value: "\u2007", note: "\u2007" }))} />
	);
}

/** Names and values of one object. */
export function Facts({ of }: { readonly of: readonly (readonly [name: string, value: ComponentChildren])[] }) {
	return (
		<dl class="facts">
			{of.map(([name, value]) => (
				<div key={name}>
					<dt>{name}</dt>
					<dd>{value}</dd>
				</div>
			))}
		</dl>
	);
}

interface FieldProps {
	readonly label: string;
	readonly hint?: ComponentChildren;
	readonly error?: string | undefined;
	/** Gets the ids that join it with its label and hint. */
	readonly children: (ids: { readonly id: string; readonly "aria-describedby": string | undefined }) => ComponentChildren;
}

export function Field({ label, hint, error, children }: FieldProps) {
	const id = useId();
	return (
		<div class="field">
			<label for={id}>{label}</label>
			{children({ id, "aria-describedby": hint || error ? `${id}-hint` : undefined })}
			{(hint || error) && (
				<p id={`${id}-hint`} class={error ? "hint bad" : "hint"}>
					{error ?? hint}
				</p>
			)}
		</div>
	);
}

/** A choice of few, of which one holds: a filter. */
export function Choice<Value extends string>(props: {
	readonly label: string;
	readonly value: Value;
	readonly of: readonly (readonly [value: Value, name: string])[];
	readonly onChange: (value: Value) => void;
}) {
	const { label, value, of, onChange } = props;
	return (
		<fieldset class="choice">
			<legend class="hidden">{label}</legend>
			{of.map(([one, name]) => (
				<button type="button" key={one} aria-pressed={one === value} onClick={() => onChange(one)}>
					{name}
				</button>
			))}
		</fieldset>
	);
}

/** The request for is not done yet. */
export const WaitsForApproval = () => (
	<p class="notice is-waiting" role="status">
		<span>
			Asked. It waits among the <Link to="/approvals">approvals</Link> until another person decides.
		</span>
	</p>
);

/** What was just done, with what it led to. */
export const Done = ({ children }: { readonly children: ComponentChildren }) => (
	<p class="notice is-good" role="status">
		<span>{children}</span>
	</p>
);
