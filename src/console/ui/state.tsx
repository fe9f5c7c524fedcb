// A state by shape, word and colour, so that no one of them is needed.

export type Shape = "good" | "waiting" | "retrying" | "failing" | "ended" | "suspended" | "idle";

const SHAPES: Readonly<Record<Shape, preact.JSX.Element>> = {
	good: <circle cx="6" cy="6" r="5" />,
	waiting: <circle cx="6" cy="6" r="4" fill="none" stroke="currentColor" stroke-width="2" />,
	retrying: (
		<>
			<circle cx="6" cy="6" r="4" fill="none" stroke="currentColor" stroke-width="2" />
			<path d="M6 2a4 4 0 0 1 0 8z" />
		</>
	),
	failing: <path d="M6 1l5.5 10H.5z" />,
	ended: <path d="M1.5 1.5h9v9h-9z" />,
	suspended: <path d="M2 1.5h3v9H2zM7 1.5h3v9H7z" />,
	idle: <circle cx="6" cy="6" r="4" fill="none" stroke="currentColor" stroke-width="2" />,
};

export function Mark({ of }: { readonly of: Shape }) {
	return (
		<svg class={`mark is-${of}`} viewBox="0 0 12 12" width="10" height="10" fill="currentColor" aria-hidden="true">
			{SHAPES[of]}
		</svg>
	);
}

/** In a row of a table; `note` says why. */
export function State({ of, word, note }: { readonly of: Shape; readonly word: string; readonly note?: string | undefined }) {
	return (
		<span class="state">
			<Mark of={of} />
			<span>
				{word}
				{note && <small>{note}</small>}
			</span>
		</span>
	);
}

/** Next to a title. */
export function Badge({ of, word }: { readonly of: Shape; readonly word: string }) {
	return (
		<span class={`badge is-${of}`}>
			<Mark of={of} />
			{word}
		</span>
	);
}
