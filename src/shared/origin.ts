// The origin of an address.

/** Of an absolute HTTP address in its normal form, as requests have it: `new URL` would parse more than is needed. */
export function originOf(url: string): string {
	const end = url.indexOf("/", url.indexOf("://") + 3);
	return end < 0 ? url : url.slice(0, end);
}

const LOOPBACK_HOST = /^(?:localhost|127\.0\.0\.1|\[::1\])\.?$/;

/** Whether the address is one on this machine. */
export const isLoopback = (uri: string): boolean => URL.canParse(uri) && LOOPBACK_HOST.test(new URL(uri).hostname);
