// Which browser the tests drive.

import { existsSync } from "node:fs";

/** Debian's, the one first that has no window, because it does the same in two thirds of the processor's time. */
const BROWSERS = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"];

/** `CHROMIUM`, else Debian's. Throws where it is missing. */
export function chromiumPath(): string {
	const named = process.env.CHROMIUM;
	const file = (named ? [named] : BROWSERS).find((each) => existsSync(each));
	if (file) return file;
	throw new Error(`There is no ${named ?? BROWSERS.join(", nor ")}. Install one (apt-get install chromium), or name one in CHROMIUM.`);
}
