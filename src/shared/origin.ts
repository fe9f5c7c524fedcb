// The origin of an address.

/** Of an absolute HTTP address in its normal form, as requests have it: `new URL` would parse more than is needed. */
export function originOf(url: string): string {
	const end = url.indexOf("/", url.indexOf("://") + 3);
	return end < 0 ? url : url.slice(0, end);
}
