// The static headers that an endpoint's deliveries carry: which are allowed, and what a read shows of them.

/** By name, as the receiver gets them. */
export type StaticHeaders = Readonly<Record<string, string>>;

export const MAX_HEADERS = 10;
export const MAX_NAME_LENGTH = 100;
export const MAX_VALUE_LENGTH = 1_024;

/** Prefixes of what deliveries and the network they cross set. */
const RESERVED_PREFIXES = ["x-service-", "webhook-", "proxy-", "cf-"];

/** Set by us or by the connection, or changing how the request is read. */
const RESERVED = new Set([
	"connection",
	"content-encoding",
	"content-length",
	"content-type",
	"cdn-loop",
	"expect",
	"host",
	"http2-settings",
	"keep-alive",
	"te",
	"trailer",
	"transfer-encoding",
	"upgrade",
	"user-agent",
]);

/** What the name of a header consists of (RFC 9110). */
export const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
/** Printable ASCII without spaces at its ends: HTTP drops those. */
const VALUE = /^[!-~](?:[ -~]*[!-~])?$/;

export type HeaderRefusal = "NAME_MALFORMED" | "NAME_TOO_LONG" | "NAME_RESERVED" | "NAME_REPEATED" | "VALUE_MALFORMED" | "VALUE_TOO_LONG";

/** Every header that is not allowed, with the reason. */
export function refusedHeaders(headers: StaticHeaders): { name: string; refusal: HeaderRefusal }[] {
	const seen = new Set<string>();
	return Object.entries(headers).flatMap(([name, value]) => {
		const refusal = refusalOf(name, value, seen);
		seen.add(name.toLowerCase());
		return refusal ? [{ name, refusal }] : [];
	});
}

function refusalOf(name: string, value: string, seen: ReadonlySet<string>): HeaderRefusal | undefined {
	const lowerCase = name.toLowerCase();
	if (name.length > MAX_NAME_LENGTH) return "NAME_TOO_LONG";
	if (!TOKEN.test(name)) return "NAME_MALFORMED";
	if (RESERVED.has(lowerCase) || RESERVED_PREFIXES.some((prefix) => lowerCase.startsWith(prefix))) return "NAME_RESERVED";
	if (seen.has(lowerCase)) return "NAME_REPEATED";
	if (value.length > MAX_VALUE_LENGTH) return "VALUE_TOO_LONG";
	return VALUE.test(value) ? undefined : "VALUE_MALFORMED";
}

const TAIL = 4;
/** The end of a shorter value would reveal too much of it. */
const SHOWS_TAIL_FROM = 16;

export const maskedValue = (value: string): string => (value.length >= SHOWS_TAIL_FROM ? `...${value.slice(-TAIL)}` : "...");
