// The width of what is drawn at its real width, so that its text keeps its size.

import { useEffect, useRef, useState } from "preact/hooks";

/** The width that the element has, followed. */
export function useWidth<E extends Element>(): [ref: preact.RefObject<E>, width: number] {
	const ref = useRef<E>(null);
	const [width, set] = useState(0);
	useEffect(() => {
		if (!ref.current) return;
		const observer = new ResizeObserver(([entry]) => set(Math.floor(entry?.contentRect.width ?? 0)));
		observer.observe(ref.current);
		return () => observer.disconnect();
	}, []);
	return [ref, width];
}
