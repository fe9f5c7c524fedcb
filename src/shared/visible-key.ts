// Texts that people type from a receipt or an invoice, as they are compared: what looks the same is the same.

const UNSEEN = /[\s\p{Z}\p{Cf}\p{Cc}]+/gu;

/** The visible characters in capitals: case, spaces, the width of characters and those that nobody sees make no difference. */
export const visibleKey = (text: string): string =>
	// The capitals of some letters are not in normal form, so it is normalized again.
	text.normalize("NFKC").replace(UNSEEN, "").toUpperCase().normalize("NFKC");
