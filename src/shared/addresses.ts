// Decides whether a webhook may call a URL and the addresses behind it: at registration, when the URL changes, and at every attempt. The
// tables are ours because ipaddr.js, which parses addresses and matches networks, counts unassigned IPv6 space as unicast. An IPv6 address
// with any embedded IPv4 address is refused.

import ipaddr from "ipaddr.js";

export type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** A parsed range of addresses: the network and its prefix length. */
export type Network = readonly [Address, number];

/** Ports that a URL may name; `"*"` allows all. */
export type Ports = ReadonlySet<number> | "*";

const URL_REFUSALS = [
	"NOT_A_URL",
	"NOT_HTTPS",
	"USER_INFO",
	"PORT_NOT_ALLOWED",
	"NAME_MALFORMED",
	"NAME_TOO_LONG",
	"IP_LITERAL",
	"OWN_HOST",
] as const;

export type UrlRefusal = (typeof URL_REFUSALS)[number];

/** The addresses of a `name` must still be resolved and judged; a `literal` is judged already. */
export type UrlVerdict = { ok: true; kind: "name" | "literal"; hostname: string } | { ok: false; reason: UrlRefusal };

/** `NONE`: the list of addresses is empty. */
export type AddressVerdict = "PUBLIC" | "PRIVATE" | "NONE";

/** FAILURE: the resolver did not say. */
export type ResolutionVerdict = AddressVerdict | "FAILURE";

const REFUSED_V4 = networks([
	"0.0.0.0/8", // this network
	"10.0.0.0/8", // private use
	"100.64.0.0/10", // shared by carrier-grade NAT
	"127.0.0.0/8", // loopback
	"169.254.0.0/16", // link-local, and the clouds' metadata services
	"172.16.0.0/12", // private use
	"192.0.0.0/24", // protocol assignments
	"192.0.2.0/24", // documentation
	"192.88.99.0/24", // 6to4 relays
	"192.168.0.0/16", // private use
	"198.18.0.0/15", // benchmarking
	"198.51.100.0/24", // documentation
	"203.0.113.0/24", // documentation
	"224.0.0.0/4", // multicast
	"240.0.0.0/4", // reserved, and the broadcast address
]);

/** The IPv6 space that IANA assigns from for global unicast; everything outside it is refused. */
const GLOBAL_UNICAST = networks(["2000::/3"]);

const REFUSED_V6 = networks([
	"2001::/23", // protocol assignments: Teredo, ORCHID, benchmarking
	"2001:db8::/32", // documentation
	"2002::/16", // 6to4, which carries any IPv4 address
	"3fff::/20", // documentation
]);

/** The assignments within 2001::/23 that are globally reachable. */
const EXCEPTED_V6 = networks([
	"2001:1::1/128", // port control protocol anycast
	"2001:1::2/128", // TURN anycast
	"2001:3::/32", // automatic multicast tunnelling
	"2001:4:112::/48", // AS112
	"2001:20::/28", // ORCHIDv2
]);

const CARRIERS_OF_V4 = networks([
	"::ffff:0:0/96", // mapped
	"::ffff:0:0:0/96", // translated
	"64:ff9b::/96", // NAT64
	"64:ff9b:1::/48", // NAT64, for local use
	"::/96", // compatible
]);

/** Within the compatible range, but not compatible addresses: unspecified and loopback. */
const NOT_COMPATIBLE = networks(["::/128", "::1/128"]);

/** Parses decimal four-part IPv4, or IPv6 without a zone. Returns undefined for anything else, short and octal IPv4 included. */
export function readAddress(text: string): Address | undefined {
	if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text);
	if (!text.includes("%") && ipaddr.IPv6.isValid(text)) return ipaddr.IPv6.parse(text);
	return undefined;
}

/** Parses `10.0.0.0/8` or `fd00::/8`; undefined when it is malformed. */
export function parseNetwork(cidr: string): Network | undefined {
	if (ipaddr.IPv4.isValidCIDRFourPartDecimal(cidr)) return ipaddr.IPv4.parseCIDR(cidr);
	if (!cidr.includes("%") && ipaddr.IPv6.isValidCIDR(cidr)) return ipaddr.IPv6.parseCIDR(cidr);
	return undefined;
}

/** Parses a configured list, separated by commas; undefined when any entry is malformed. */
export function parseNetworks(list: string): readonly Network[] | undefined {
	const networks = entries(list).map(parseNetwork);
	return networks.every((network) => network !== undefined) ? networks : undefined;
}

/** Parses a configured list, separated by commas, or `*`; undefined when any entry is not a port. */
export function parsePorts(list: string): Ports | undefined {
	const ports = entries(list);
	if (ports.length === 1 && ports[0] === "*") return "*";
	if (!ports.every((port) => /^[1-9][0-9]{0,4}$/.test(port) && Number(port) <= 65_535)) return undefined;
	return new Set(ports.map(Number));
}

function entries(list: string): string[] {
	return list.trim() === "" ? [] : list.split(",").map((entry) => entry.trim());
}

/** Parsed when they are first needed, because most isolates judge no address. */
function networks(cidrs: readonly string[]): () => readonly Network[] {
	let parsed: readonly Network[] | undefined;
	return () => {
		parsed ??= cidrs.map((cidr) => {
			const network = parseNetwork(cidr);
			if (network === undefined) throw new TypeError(`not a network: ${cidr}`);
			return network;
		});
		return parsed;
	};
}

function within(address: Address, ranges: readonly Network[]): boolean {
	// Families never mix: matching across them would let ::ffff:10.0.0.1 into an allowed 10.0.0.0/8.
	return ranges.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits));
}

function carriesIpv4(address: Address): boolean {
	return within(address, CARRIERS_OF_V4()) && !within(address, NOT_COMPATIBLE());
}

function isPublic(address: Address): boolean {
	if (address.kind() === "ipv4") return !within(address, REFUSED_V4());
	return within(address, EXCEPTED_V6()) || (within(address, GLOBAL_UNICAST()) && !within(address, REFUSED_V6()));
}

function isAllowed(address: Address, allowedNetworks: readonly Network[]): boolean {
	return within(address, allowedNetworks) && !carriesIpv4(address);
}

/** `PRIVATE` as soon as one address is not public or not readable: `fetch` may connect to any of them. */
export function judgeAddresses(addresses: readonly string[], allowedNetworks: readonly Network[]): AddressVerdict {
	if (addresses.length === 0) return "NONE";
	const mayBeCalled = (text: string) => {
		const address = readAddress(text);
		return address !== undefined && (isPublic(address) || isAllowed(address, allowedNetworks));
	};
	return addresses.every(mayBeCalled) ? "PUBLIC" : "PRIVATE";
}

/** The parser drops an empty user name and password: `https://@host/` and `https://:@host/`. */
const EMPTY_USER_INFO = /^[a-z]+:[\\/]*[^\\/?#]*@/i;

const withoutDot = (hostname: string) => (hostname.endsWith(".") ? hostname.slice(0, -1) : hostname);

/** What `localhost` stands for wherever it is resolved (RFC 6761), so that nobody is asked. */
const LOCALHOST = ["127.0.0.1", "::1"];

/**
 * Judges a URL without resolving its name. Plain HTTP is accepted to an address within the allowed networks alone, which there are only in
 * `local`, and to `localhost` where they hold it. The `hostname` of the verdict is canonical, without trailing dot or brackets.
 */
export function judgeUrl(
	url: string,
	{ allowedPorts, allowedNetworks, ownHost }: { allowedPorts: Ports; allowedNetworks: readonly Network[]; ownHost?: string | undefined },
): UrlVerdict {
	// The parser drops tabs and line breaks and trims blanks: the URL that is called would differ from the one stored.
	// biome-ignore lint/suspicious/noControlCharactersInRegex: the expression refuses control characters
	if (/[\u0000-\u0020\u007f]/.test(url) || !URL.canParse(url)) return { ok: false, reason: "NOT_A_URL" };
	const { protocol, username, password, hostname, port } = new URL(url);
	// The parser has already rewritten 0x7f.1, 2130706433, 0177.0.0.1 and full-width digits as four decimal parts.
	const literal = hostname.startsWith("[") ? hostname.slice(1, -1) : hostname;
	const address = readAddress(literal);
	const addresses = address === undefined && withoutDot(hostname) === "localhost" ? LOCALHOST.map(readAddress) : [address];
	const allowed = addresses.every((one) => one !== undefined && isAllowed(one, allowedNetworks));
	if (protocol !== "https:" && !(protocol === "http:" && allowed)) return { ok: false, reason: "NOT_HTTPS" };
	if (username !== "" || password !== "" || EMPTY_USER_INFO.test(url)) return { ok: false, reason: "USER_INFO" };
	const number = port === "" ? (protocol === "https:" ? 443 : 80) : Number(port);
	if (number === 0 || (allowedPorts !== "*" && !allowedPorts.has(number))) return { ok: false, reason: "PORT_NOT_ALLOWED" };
	if (address === undefined && !allowed) {
		const verdict = judgeName(withoutDot(hostname));
		return verdict.ok && ownHost !== undefined && verdict.hostname === withoutDot(ownHost) ? { ok: false, reason: "OWN_HOST" } : verdict;
	}
	// Public literals are refused too: on Cloudflare, `fetch` does not call bare IP addresses.
	return allowed ? { ok: true, kind: "literal", hostname: withoutDot(literal) } : { ok: false, reason: "IP_LITERAL" };
}

/** The limits of RFC 1035, counted on the ASCII form that goes to the resolver. */
function judgeName(name: string): UrlVerdict {
	const labels = name.split(".");
	if (name.length > 253 || labels.some((label) => label.length > 63)) return { ok: false, reason: "NAME_TOO_LONG" };
	const wellFormed = labels.every((label) => /^[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?$/.test(label));
	return wellFormed ? { ok: true, kind: "name", hostname: name } : { ok: false, reason: "NAME_MALFORMED" };
}
