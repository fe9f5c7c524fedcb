// Which addresses are public, in every form that they can be written in.

import ipaddr from "ipaddr.js";
import { describe, expect, it } from "vitest";
import { judgeAddresses, judgeUrl, type Network, parseNetwork, parseNetworks, parsePorts } from "../../src/shared/addresses";

const judge = (address: string, networks: readonly Network[] = []) => judgeAddresses([address], networks);
const allow = (list: string) => parseNetworks(list) ?? [];

/** The first and last address of a range and their outer neighbours, computed on integers, independently of the tested code. */
function edges(cidr: string) {
	const [network, bits] = ipaddr.parseCIDR(cidr);
	const bytes = network.toByteArray();
	const width = bytes.length * 8;
	const first = bytes.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
	const last = first + (1n << BigInt(width - bits)) - 1n;
	const show = (value: bigint) => {
		if (value < 0n || value >= 1n << BigInt(width)) return undefined;
		const parts = bytes.map((_, i) => Number((value >> BigInt(width - 8 * (i + 1))) & 255n));
		return ipaddr.fromByteArray(parts).toString();
	};
	return {
		before: show(first - 1n),
		first: show(first) ?? "",
		middle: show((first + last) / 2n) ?? "",
		last: show(last) ?? "",
		after: show(last + 1n),
	};
}

const outside = (verdict: "PUBLIC" | "PRIVATE", address: string | undefined) => {
	if (address !== undefined) expect.soft(judge(address), address).toBe(verdict);
};

describe("IPv4", () => {
	it.each([
		["0.0.0.0/8", "PUBLIC", "PUBLIC"],
		["10.0.0.0/8", "PUBLIC", "PUBLIC"],
		["100.64.0.0/10", "PUBLIC", "PUBLIC"],
		["127.0.0.0/8", "PUBLIC", "PUBLIC"],
		["169.254.0.0/16", "PUBLIC", "PUBLIC"],
		["172.16.0.0/12", "PUBLIC", "PUBLIC"],
		["192.0.0.0/24", "PUBLIC", "PUBLIC"],
		["192.0.2.0/24", "PUBLIC", "PUBLIC"],
		["192.88.99.0/24", "PUBLIC", "PUBLIC"],
		["192.168.0.0/16", "PUBLIC", "PUBLIC"],
		["198.18.0.0/15", "PUBLIC", "PUBLIC"],
		["198.51.100.0/24", "PUBLIC", "PUBLIC"],
		["203.0.113.0/24", "PUBLIC", "PUBLIC"],
		["224.0.0.0/4", "PUBLIC", "PRIVATE"],
		["240.0.0.0/4", "PRIVATE", "PUBLIC"],
		["255.255.255.255/32", "PRIVATE", "PUBLIC"],
	] as const)("refuses %s and neither the address before nor the one after", (cidr, before, after) => {
		const edge = edges(cidr);
		for (const address of [edge.first, edge.middle, edge.last]) expect.soft(judge(address), address).toBe("PRIVATE");
		outside(before, edge.before);
		outside(after, edge.after);
	});

	it.each(["1.1.1.1", "8.8.8.8", "192.31.196.1", "192.52.193.1", "192.175.48.1", "223.255.255.255"])("calls %s public", (address) => {
		expect(judge(address)).toBe("PUBLIC");
	});
});

describe("IPv6", () => {
	it.each([
		["::/8", "PRIVATE", "PRIVATE"],
		["::/96", "PRIVATE", "PRIVATE"],
		["::ffff:0:0/96", "PRIVATE", "PRIVATE"],
		["::ffff:0:0:0/96", "PRIVATE", "PRIVATE"],
		["::5efe:0:0/96", "PRIVATE", "PRIVATE"],
		["64:ff9b::/96", "PRIVATE", "PRIVATE"],
		["64:ff9b::/32", "PRIVATE", "PRIVATE"],
		["64:ff9b:1::/48", "PRIVATE", "PRIVATE"],
		["100::/64", "PRIVATE", "PRIVATE"],
		["4000::/3", "PUBLIC", "PRIVATE"],
		["5f00::/16", "PRIVATE", "PRIVATE"],
		["6000::/3", "PRIVATE", "PRIVATE"],
		["8000::/1", "PRIVATE", "PUBLIC"],
		["fc00::/7", "PRIVATE", "PRIVATE"],
		["fe80::/10", "PRIVATE", "PRIVATE"],
		["fec0::/10", "PRIVATE", "PRIVATE"],
		["ff00::/8", "PRIVATE", "PUBLIC"],
		["2001::/32", "PUBLIC", "PRIVATE"],
		["2001:2::/48", "PRIVATE", "PRIVATE"],
		["2001:10::/28", "PRIVATE", "PUBLIC"],
		["2001:30::/28", "PUBLIC", "PRIVATE"],
		["2001:db8::/32", "PUBLIC", "PUBLIC"],
		["2002::/16", "PUBLIC", "PUBLIC"],
		["3fff::/20", "PUBLIC", "PUBLIC"],
	] as const)("refuses %s", (cidr, before, after) => {
		const edge = edges(cidr);
		for (const address of [edge.first, edge.middle, edge.last]) expect.soft(judge(address), address).toBe("PRIVATE");
		outside(before, edge.before);
		outside(after, edge.after);
	});

	it.each([
		["2001:1::1/128", "PRIVATE", "PUBLIC"],
		["2001:1::2/128", "PUBLIC", "PRIVATE"],
		["2001:3::/32", "PRIVATE", "PRIVATE"],
		["2001:4:112::/48", "PRIVATE", "PRIVATE"],
		["2001:20::/28", "PRIVATE", "PRIVATE"],
	] as const)("excepts %s from the refused 2001::/23", (cidr, before, after) => {
		const edge = edges(cidr);
		for (const address of [edge.first, edge.middle, edge.last]) expect.soft(judge(address), address).toBe("PUBLIC");
		outside(before, edge.before);
		outside(after, edge.after);
	});

	it("is public throughout 2000::/3, except for the refused ranges in it", () => {
		const edge = edges("2000::/3");
		outside("PUBLIC", edge.first);
		outside("PUBLIC", edge.last);
		outside("PRIVATE", edge.before);
		outside("PRIVATE", edge.after);
		outside("PUBLIC", edges("2001::/23").before);
		outside("PRIVATE", edges("2001::/23").first);
		outside("PRIVATE", edges("2001::/23").last);
		outside("PUBLIC", edges("2001::/23").after);
	});

	it.each(["2606:4700:4700::1111", "2001:4860:4860::8888", "2620:4f:8000::1", "2A00:1450:4001:0:0:0:0:1"])("calls %s public", (address) => {
		expect(judge(address)).toBe("PUBLIC");
	});

	it.each([
		"::ffff:127.0.0.1",
		"::ffff:1.1.1.1",
		"::ffff:7f00:1",
		"::127.0.0.1",
		"::1.1.1.1",
		"::7f00:1",
		"::ffff:0:10.0.0.1",
		"64:ff9b::169.254.169.254",
		"64:ff9b::a9fe:a9fe",
		"64:ff9b::1.1.1.1",
		"64:ff9b:1::7f00:1",
		"2002:7f00:1::1",
		"2002:101:101::1",
		"2001:0:7f00:1::",
		"::5efe:7f00:1",
		"fe80::1%eth0",
	])("refuses %s, although the IPv4 address in it may be public", (address) => {
		expect(judge(address)).toBe("PRIVATE");
	});
});

describe("judgeAddresses", () => {
	it("refuses a list when one address is not public", () => {
		expect(judgeAddresses(["1.1.1.1", "127.0.0.1"], [])).toBe("PRIVATE");
		expect(judgeAddresses(["1.1.1.1", "fe80::1"], [])).toBe("PRIVATE");
		expect(judgeAddresses(["2606:4700:4700::1111", "10.0.0.0"], [])).toBe("PRIVATE");
		expect(judgeAddresses(["1.1.1.1", "2606:4700:4700::1111"], [])).toBe("PUBLIC");
	});

	it("distinguishes an empty list from a private address", () => expect(judgeAddresses([], [])).toBe("NONE"));

	it.each([
		"",
		"localhost",
		"127.1",
		"0x7f.1",
		"010.8.8.8",
		"2130706433",
		"1.1.1.1 ",
		"1.1.1",
		"1.1.1.256",
		"1.1.1.1.1",
		":::",
		"1::2::3",
		"12345::",
		"[::1]",
	])("refuses what it cannot read: %j", (address) => expect(judge(address)).toBe("PRIVATE"));
});

describe("allowed networks", () => {
	it("allow their own addresses, first to last, and no neighbours", () => {
		for (const cidr of ["127.0.0.0/8", "10.1.2.0/24", "192.168.7.7/32", "fd00::/8", "::1/128", "fe80::/10"]) {
			const networks = allow(cidr);
			const edge = edges(cidr);
			expect.soft(judge(edge.first, networks), cidr).toBe("PUBLIC");
			expect.soft(judge(edge.last, networks), cidr).toBe("PUBLIC");
		}
		expect(judge("10.1.1.255", allow("10.1.2.0/24"))).toBe("PRIVATE");
		expect(judge("10.1.3.0", allow("10.1.2.0/24"))).toBe("PRIVATE");
		expect(judge("::2", allow("::1/128"))).toBe("PRIVATE");
	});

	it("never match an IPv6 address that embeds an IPv4 one, however wide they are", () => {
		const networks = allow("127.0.0.0/8,10.0.0.0/8,0.0.0.0/0,::/0,::ffff:0:0/96,64:ff9b::/96");
		for (const address of [
			"::ffff:127.0.0.1",
			"::ffff:10.0.0.1",
			"::10.0.0.1",
			"::7f00:1",
			"64:ff9b::10.0.0.1",
			"64:ff9b:1::1",
			"::ffff:0:10.0.0.1",
		]) {
			expect.soft(judge(address, networks), address).toBe("PRIVATE");
		}
		expect(judge("::1", networks)).toBe("PUBLIC");
	});

	it.each([
		"10.0.0.0",
		"10/8",
		"10.0.0.0/33",
		"10.0.0.0/-1",
		"10.0.0.0/8x",
		"010.0.0.0/8",
		"fd00::/129",
		"fe80::%1/10",
		"fd00::",
		"localhost/8",
		"",
	])("cannot be parsed from %j", (cidr) => expect(parseNetwork(cidr)).toBeUndefined());

	it("are parsed from a list only when every entry is valid", () => {
		expect(parseNetworks("")).toEqual([]);
		expect(parseNetworks("10.0.0.0/8, fd00::/8")).toHaveLength(2);
		expect(parseNetworks("10.0.0.0/8,")).toBeUndefined();
		expect(parseNetworks("10.0.0.0/8,nonsense")).toBeUndefined();
	});
});

describe("parsePorts", () => {
	it("parses a list or `*`", () => {
		expect(parsePorts("443,8443")).toEqual(new Set([443, 8443]));
		expect(parsePorts(" 443 , 65535 ")).toEqual(new Set([443, 65535]));
		expect(parsePorts("*")).toBe("*");
	});
	it.each(["0", "65536", "443,*", "443,", "-1", "https", "4.4", "0443"])("rejects %j", (list) => expect(parsePorts(list)).toBeUndefined());
});

describe("judgeUrl with the service's own host", () => {
	const rules = { allowedPorts: "*" as const, allowedNetworks: [], ownHost: "api.example" };
	it.each(["https://api.example/v1", "https://API.Example:8443/", "https://api.example./", "https://%61pi.example/"])("refuses %s", (url) =>
		expect(judgeUrl(url, rules)).toEqual({ ok: false, reason: "OWN_HOST" }),
	);
	it.each(["https://www.api.example/", "https://xapi.example/", "https://api.example.org/"])("allows %s", (url) =>
		expect(judgeUrl(url, rules)).toMatchObject({ ok: true }),
	);
});

describe("judgeUrl with any port", () => {
	it.each([
		"https://@partner.example/",
		"https://:@partner.example/",
		"https:\\\\@partner.example/",
		"https:@partner.example/",
		"HTTPS:///@partner.example",
	])("refuses the empty user info of %s", (url) =>
		expect(judgeUrl(url, { allowedPorts: "*", allowedNetworks: [] })).toEqual({ ok: false, reason: "USER_INFO" }),
	);
	it.each(["https://partner.example/@me", "https://partner.example?a=@", "https://partner.example#@"])("allows %s", (url) =>
		expect(judgeUrl(url, { allowedPorts: "*", allowedNetworks: [] })).toMatchObject({ ok: true }),
	);
});

describe("judgeUrl of plain HTTP", () => {
	const rules = { allowedPorts: "*" as const, allowedNetworks: parseNetworks("127.0.0.0/8,::1/128") ?? [] };
	it.each(["http://127.0.0.1:9080/in", "http://127.1/", "http://[::1]:80/"])("allows %s, which lies within the allowed networks", (url) =>
		expect(judgeUrl(url, rules)).toMatchObject({ ok: true, kind: "literal" }),
	);
	it.each([
		"http://10.0.0.1/",
		"http://8.8.8.8/",
		"http://localhost.partner.example/",
		"http://partner.example/",
		"http://[::ffff:127.0.0.1]/",
		"ftp://127.0.0.1/",
	])("refuses %s", (url) => expect(judgeUrl(url, rules)).toEqual({ ok: false, reason: "NOT_HTTPS" }));
	it("allows localhost, over HTTPS too and without a resolver, where both of its addresses are allowed", () => {
		for (const url of ["http://localhost:3000/hooks", "http://LOCALHOST./", "https://localhost:8443/"])
			expect(judgeUrl(url, { ...rules, ownHost: "localhost" })).toEqual({ ok: true, kind: "literal", hostname: "localhost" });
		for (const allowed of ["127.0.0.0/8", "::1/128", ""]) {
			const some = { ...rules, allowedNetworks: parseNetworks(allowed) ?? [] };
			expect(judgeUrl("http://localhost/", some)).toEqual({ ok: false, reason: "NOT_HTTPS" });
			expect(judgeUrl("https://localhost/", some)).toEqual({ ok: true, kind: "name", hostname: "localhost" });
		}
	});
	it("keeps the ports and user info that HTTPS has", () => {
		expect(judgeUrl("http://127.0.0.1/", { ...rules, allowedPorts: new Set([443]) })).toEqual({ ok: false, reason: "PORT_NOT_ALLOWED" });
		expect(judgeUrl("http://a@127.0.0.1/", rules)).toEqual({ ok: false, reason: "USER_INFO" });
		expect(judgeUrl("http://127.0.0.1/", { ...rules, allowedNetworks: [] })).toEqual({ ok: false, reason: "NOT_HTTPS" });
	});
});

describe("judgeUrl", () => {
	const rules = { allowedPorts: new Set([443, 8443]), allowedNetworks: [] };
	const reason = (url: string) => {
		const verdict = judgeUrl(url, rules);
		return verdict.ok ? "OK" : verdict.reason;
	};

	it.each([
		["https://partner.example/hooks?a=b#c", "partner.example"],
		["https://PARTNER.Example", "partner.example"],
		["https://partner.example.:8443/", "partner.example"],
		["https://partner.example:443/", "partner.example"],
		["https:partner.example", "partner.example"],
		["https://localhost/", "localhost"],
		["https://receiver.test/", "receiver.test"],
		["https://a_b.partner.example/", "a_b.partner.example"],
		["https://münchen.example/", "xn--mnchen-3ya.example"],
		["https://例え.テスト/", "xn--r8jz45g.xn--zckzah"],
		["https://partner%2Eexample/", "partner.example"],
		["https://partner。example/", "partner.example"],
		["https://1.1.1.1.example/", "1.1.1.1.example"],
		["https://127.0.0.1.nip.example/", "127.0.0.1.nip.example"],
		["https://7f000001/", "7f000001"],
	])("asks the resolver for the name in %s", (url, hostname) => {
		expect(judgeUrl(url, rules)).toEqual({ ok: true, kind: "name", hostname });
	});

	it.each([
		["", "NOT_A_URL"],
		["partner.example", "NOT_A_URL"],
		["//partner.example/", "NOT_A_URL"],
		["https://", "NOT_A_URL"],
		["https:///", "NOT_A_URL"],
		["https://?x", "NOT_A_URL"],
		["https://:443/", "NOT_A_URL"],
		["https://partner.example:65536/", "NOT_A_URL"],
		["https://partner.example:x/", "NOT_A_URL"],
		["https://par tner.example/", "NOT_A_URL"],
		[" https://partner.example/", "NOT_A_URL"],
		["https://part\nner.example/", "NOT_A_URL"],
		["https://partner.example/\t", "NOT_A_URL"],
		["https://256.1.1.1/", "NOT_A_URL"],
		["https://1.2.3.4.5/", "NOT_A_URL"],
		["https://[::1/", "NOT_A_URL"],
		["https://[fe80::1%25eth0]/", "NOT_A_URL"],
		["http://partner.example/", "NOT_HTTPS"],
		["ftp://partner.example/", "NOT_HTTPS"],
		["file:///etc/passwd", "NOT_HTTPS"],
		["javascript:alert(1)", "NOT_HTTPS"],
		["data:text/plain,x", "NOT_HTTPS"],
		["wss://partner.example/", "NOT_HTTPS"],
		["https://user@partner.example/", "USER_INFO"],
		["https://user:pass@partner.example/", "USER_INFO"],
		["https://:pass@partner.example/", "USER_INFO"],
		["https://partner.example@127.0.0.1/", "USER_INFO"],
		["https://partner.example:80/", "PORT_NOT_ALLOWED"],
		["https://partner.example:444/", "PORT_NOT_ALLOWED"],
		["https://partner.example:0/", "PORT_NOT_ALLOWED"],
		["https://partner.example../", "NAME_MALFORMED"],
		["https://.partner.example/", "NAME_MALFORMED"],
		["https://partner..example/", "NAME_MALFORMED"],
		["https://./", "NAME_MALFORMED"],
		["https://-partner.example/", "NAME_MALFORMED"],
		["https://partner-.example/", "NAME_MALFORMED"],
		["https://par*tner.example/", "NAME_MALFORMED"],
		["https://par'tner.example/", "NAME_MALFORMED"],
	])("refuses %j: %s", (url, expected) => expect(reason(url)).toBe(expected));

	it.each([
		"https://127.0.0.1/",
		"https://127.0.0.1./",
		"https://127.1/",
		"https://127.0.1/",
		"https://0x7f.0.0.1/",
		"https://0x7f000001/",
		"https://0x7F.1/",
		"https://0177.0.0.1/",
		"https://017700000001/",
		"https://2130706433/",
		"https://0/",
		"https://0x/",
		"https://\uff11\uff12\uff17.0.0.1/",
		"https://①②⑦.0.0.1/",
		"https://127。0。0。1/",
		"https://%31%32%37.0.0.1/",
		"https://1.1.1.1/",
		"https://[::1]/",
		"https://[::]/",
		"https://[0:0:0:0:0:0:0:1]/",
		"https://[::ffff:127.0.0.1]/",
		"https://[::127.0.0.1]/",
		"https://[64:ff9b::7f00:1]/",
		"https://[fe80::1]/",
		"https://[2606:4700:4700::1111]/",
		"https://169.254.169.254/latest/meta-data",
	])("refuses the literal %s in each spelling, public or not", (url) => expect(reason(url)).toBe("IP_LITERAL"));

	it("counts the 253 characters of a name and the 63 of a label without the trailing dot", () => {
		const label = "a".repeat(63);
		const longest = `${label}.${label}.${label}.${"a".repeat(61)}`;
		expect(longest).toHaveLength(253);
		expect(reason(`https://${longest}/`)).toBe("OK");
		expect(reason(`https://${longest}./`)).toBe("OK");
		expect(reason(`https://${longest}a/`)).toBe("NAME_TOO_LONG");
		expect(reason(`https://${label}a.example/`)).toBe("NAME_TOO_LONG");
		// 60 characters as written, but over 63 in the ASCII form that goes to the resolver.
		expect(reason(`https://${"ü".repeat(60)}.example/`)).not.toBe("OK");
	});

	it("accepts any port but 0 when all are allowed", () => {
		const all = { allowedPorts: "*", allowedNetworks: [] } as const;
		expect(judgeUrl("https://partner.example:9999/", all)).toMatchObject({ ok: true });
		expect(judgeUrl("https://partner.example:0/", all)).toMatchObject({ ok: false });
	});

	it("requires port 443 to be allowed for a URL without a port", () => {
		expect(judgeUrl("https://partner.example/", { allowedPorts: new Set([8443]), allowedNetworks: [] })).toMatchObject({ ok: false });
	});

	it("accepts literals in the allowed networks only", () => {
		const local = { allowedPorts: "*", allowedNetworks: allow("127.0.0.0/8,::1/128,fd00::/8") } as const;
		expect(judgeUrl("https://127.0.0.1:9000/", local)).toEqual({ ok: true, kind: "literal", hostname: "127.0.0.1" });
		expect(judgeUrl("https://0x7f.1:9000/", local)).toEqual({ ok: true, kind: "literal", hostname: "127.0.0.1" });
		expect(judgeUrl("https://[::1]/", local)).toEqual({ ok: true, kind: "literal", hostname: "::1" });
		expect(judgeUrl("https://[fd00::7]/", local)).toMatchObject({ ok: true, kind: "literal" });
		for (const url of [
			"https://128.0.0.0/",
			"https://10.0.0.1/",
			"https://1.1.1.1/",
			"https://[::2]/",
			"https://[::ffff:127.0.0.1]/",
			"https://[::127.0.0.1]/",
		]) {
			expect.soft(judgeUrl(url, local), url).toEqual({ ok: false, reason: "IP_LITERAL" });
		}
	});
});
