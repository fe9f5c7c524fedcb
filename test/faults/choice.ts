// Which plans the tests take of all single faults.

import { isFlicker, type Kind, kindsAt, type Point } from "./life";

/** What the caller of an operation sees most: an answer that is lost, by an error, a death or an effect that comes late. */
const USUAL: readonly Kind[] = ["after", "dies-after", "late-mid"];
export const usual = ({ writes, seam }: Point): readonly Kind[] => (writes && seam !== "object" ? USUAL : []);

/** About the most plans of one operation; moving the clock runs all due work, and has as many points as all others together. */
const MOST = 5;
/** The same ones each time, of every kind. */
export const some = <T>(all: readonly T[]): readonly T[] => {
	const step = Math.ceil(all.length / MOST);
	return all.filter((_, index) => index % (step % USUAL.length === 0 ? step + 1 : step) === 0);
};

/** What D1 itself fails with for a moment, at each of its batches. */
export const flickers = (point: Point): readonly Kind[] => kindsAt(point).filter(isFlicker);
