// Texts that people type from a receipt or an invoice, as they are compared: what looks the same is the same.

import * as z from "zod";

const UNSEEN = /[\s\p{Z}\p{Cf}\p{Cc}]+/gu;

/** The visible characters in capitals: case, spaces, the width of characters and those that nobody sees make no difference. */
export const visibleKey = (text: string): string =>
	// The capitals of some letters are not in normal form, so it is normalized again.
	text.normalize("NFKC").replace(UNSEEN, "").toUpperCase().normalize("NFKC");

/** A provider's id of a transaction, as people and machines type it from a receipt. */
export const Receipt = z
	.string()
	.trim()
	.min(1)
	.max(100)
	.refine((text) => visibleKey(text) !== "", "must have visible characters");
