// What a brand may consist of, and whether its colours can be distinguished.

import { judgeUrl } from "../../shared/addresses";

/** `#rgb`, `#rrggbb` or `#rrggbbaa`. */
export const HEX_COLOR = /^#(?:[0-9A-Fa-f]{3}|[0-9A-Fa-f]{6}|[0-9A-Fa-f]{8})$/;

/** Names with commas between them, each quoted as a whole or not at all: nothing here ends a CSS declaration, or opens a text in it. */
export const FONT_FAMILY =
	/^(?=.{1,100}$) *(?:[A-Za-z0-9 _-]+|"[A-Za-z0-9 _-]+" *|'[A-Za-z0-9 _-]+' *)(?:, *(?:[A-Za-z0-9 _-]+|"[A-Za-z0-9 _-]+" *|'[A-Za-z0-9 _-]+' *))*$/;

/** That of an organization which has not published a brand. */
export const DEFAULT_COLOR = "#1F2937";

/** Whether apps may load images from the URL, or open it: HTTPS, a public name, no user info. The URL itself is never requested. */
export function isPublicUrl(url: string): boolean {
	const verdict = judgeUrl(url, { allowedPorts: "*", allowedNetworks: [] });
	return verdict.ok && verdict.hostname.includes(".") && !/\.(localhost|local|internal)$/.test(verdict.hostname);
}

/** The least contrast of a graphical object against its neighbours (WCAG 2, 1.4.11). */
const LEAST_CONTRAST = 3;

/** Whether the primary colour is hard to see on white, or on the secondary colour. */
export const hasLowContrast = (primary: string, secondary: string | null): boolean =>
	["#fff", ...(secondary === null ? [] : [secondary])].some((other) => contrast(primary, other) < LEAST_CONTRAST);

function contrast(first: string, second: string): number {
	const [darker = 0, lighter = 0] = [luminance(first), luminance(second)].sort((a, b) => a - b);
	return (lighter + 0.05) / (darker + 0.05);
}

/** Relative luminance (WCAG 2). A transparent colour counts as it looks on white. */
function luminance(color: string): number {
	const digits = color.slice(1);
	const long = digits.length === 3 ? [...digits].map((digit) => digit + digit).join("") : digits;
	const [red = 0, green = 0, blue = 0, alpha = 255] = (long.match(/../g) ?? []).map((pair) => Number.parseInt(pair, 16));
	const linear = (channel: number) => {
		const value = (channel * alpha) / 255 / 255 + (1 - alpha / 255);
		return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
	};
	return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}
