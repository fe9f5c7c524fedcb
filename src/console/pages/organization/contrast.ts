// Contrast of a brand's colours, as WCAG 2.2 counts it.

const HEX = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i;

export const isColour = (text: string): boolean => HEX.test(text);

/** Relative luminance, from 0 to 1. */
function luminance(colour: string): number {
	const [red = 0, green = 0, blue = 0] = (HEX.exec(colour) ?? []).slice(1).map((hex) => {
		const share = Number.parseInt(hex, 16) / 255;
		return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
	});
	return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** From 1 to 21. */
export function contrast(one: string, other: string): number {
	const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
	return (light + 0.05) / (dark + 0.05);
}

/** Text on the colour: white or black, by the better contrast. */
export const textOn = (colour: string): "#ffffff" | "#000000" =>
	contrast(colour, "#ffffff") >= contrast(colour, "#000000") ? "#ffffff" : "#000000";

/** Text needs so much, by WCAG's level AA. */
export const ENOUGH = 4.5;

export interface Pair {
	readonly name: string;
	readonly ratio: number;
	readonly verdict: "good" | "large text only" | "too little";
}

const pair = (name: string, one: string, other: string): Pair => {
	const ratio = contrast(one, other);
	return { name, ratio, verdict: ratio >= ENOUGH ? "good" : ratio >= 3 ? "large text only" : "too little" };
};

/** The pairs in which apps use a brand's colours. */
export function pairsOf(primary: string, secondary: string | null): readonly Pair[] {
	return [
		pair("Button text on primary", textOn(primary), primary),
		pair("Primary as text on white", primary, "#ffffff"),
		pair("Primary as text on black", primary, "#111111"),
		...(secondary === null ? [] : [pair("Mark on secondary", textOn(secondary), secondary)]),
	];
}
