// Names that are shown to other people.

/** No control characters, line breaks, or marks that make a text read in another order than it is stored. */
const UNSEEN = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

export const isShown = (text: string): boolean => !UNSEEN.test(text);
export const MUST_BE_SHOWN = "must not contain control characters, line breaks or marks of direction";
