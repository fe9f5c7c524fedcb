// The style sheet of the reference: the look that it shares with the console, and its own.

import tokens from "../console/tokens.css?raw";
import own from "./reference.css?raw";

/** Without what only people who change it read. */
export const STYLE = `${tokens}${own}`.replaceAll(/\/\*[\s\S]*?\*\/|^\s+|\n/gm, "");
