// Times by the service's clock. One timer writes them all, and no component renders for it.

import { useLayoutEffect, useRef } from "preact/hooks";
import { now } from "../clock.ts";
import { exact, minute, relative } from "../format.ts";

type Shown = { readonly element: HTMLElement; readonly at: number; readonly counting: boolean; text: string };

const shown = new Set<Shown>();
let exactly = false;

function write(one: Shown): void {
	const away = one.at - now();
	// A countdown that has reached now has happened, until the next read says what came of it.
	const text = exactly ? minute(one.at) : one.counting && away < 1_000 ? "now" : relative(one.at, now());
	if (text === one.text) return;
	one.text = text;
	one.element.textContent = text;
}

const writeAll = (): void => shown.forEach(write);
setInterval(writeAll, 1_000);

/** Shows all times exactly, or relatively again. */
export function toggleExact(): boolean {
	exactly = !exactly;
	writeAll();
	return exactly;
}

/** How long ago, or until then. */
export function Time({ at, counting = false }: { readonly at: string; readonly counting?: boolean }) {
	const element = useRef<HTMLTimeElement>(null);
	const time = Date.parse(at);
	// Before it is drawn, so that it moves nothing.
	useLayoutEffect(() => {
		if (!element.current) return;
		const one: Shown = { element: element.current, at: time, counting, text: "" };
		write(one);
		shown.add(one);
		return () => void shown.delete(one);
	}, [time, counting]);
	// Its text is the timer's.
	return <time ref={element} dateTime={at} title={exact(time)} />;
}
