// What is being read: a skeleton of the final size first, an error above the data that there is.

import type { ComponentChildren } from "preact";
import type { Watched } from "../watch.ts";
import { Problem } from "./problem.tsx";

interface LoadedProps<Body> {
	readonly of: Watched<Body>;
	/** How many rows the skeleton has, or the skeleton itself. */
	readonly skeleton?: number | preact.JSX.Element;
	readonly children: (value: Body) => ComponentChildren;
}

export function Loaded<Body>({ of, skeleton = 3, children }: LoadedProps<Body>) {
	const { value, error, again } = of;
	return (
		<>
			{error && <Problem error={error} again={again} />}
			{value !== undefined ? children(value) : !error && (typeof skeleton === "number" ? <Rows of={skeleton} /> : skeleton)}
		</>
	);
}

/** Rows as high as those of a table, with its head. */
export function Rows({ of, two = true }: { readonly of: number; readonly two?: boolean }) {
	return (
		<div class="skeleton" aria-busy="true" role="status" aria-label="Loading">
			<div class="head" />
			{Array.from({ length: of }, (_, index) => (
				<div class={two ? "row two" : "row"} key={index}>
					<i />
					<i />
				</div>
			))}
		</div>
	);
}

/** What an empty page says: what would be here, and the next step. */
export function Empty({ title, children, action }: { title: string; children?: ComponentChildren; action?: ComponentChildren }) {
	return (
		<div class="empty">
			<strong>{title}</strong>
			{children && <p>{children}</p>}
			{action && <div class="buttons">{action}</div>}
		</div>
	);
}
