/**
 * Reads what a DNS-over-HTTPS resolver answered in its JSON form, and says what follows at registration and at an attempt.
 * Surprising: a private address in either answer decides, even when the other question failed.
 */
import * as z from "zod";
import { type AddressVerdict, judgeAddresses, type Network, readAddress } from "../shared/addresses";

/** `NONE` covers both a name that does not exist and one without an address; `FAILURE` is a resolver that did not say. */
export type DnsAnswer = { kind: "ADDRESSES"; addresses: string[] } | { kind: "NONE" } | { kind: "FAILURE" };

export type ResolutionVerdict = AddressVerdict | "FAILURE";

const NOERROR = 0;
const NXDOMAIN = 3;
const A = 1;
const AAAA = 28;

const DnsJson = z.object({
	Status: z.int(),
	TC: z.boolean().optional(),
	Answer: z.array(z.object({ type: z.int(), data: z.string() })).nullish(),
});

/** @param json the parsed body, whatever it holds; pass undefined when there was none to parse */
export function readDnsAnswer(json: unknown): DnsAnswer {
	const parsed = DnsJson.safeParse(json);
	if (!parsed.success) return { kind: "FAILURE" };
	const { Status, TC, Answer } = parsed.data;
	if (Status === NXDOMAIN) return { kind: "NONE" };
	// A truncated answer may lack the very address that would refuse it.
	if (Status !== NOERROR || TC === true) return { kind: "FAILURE" };
	// The resolver has followed the chain of CNAMEs: its addresses stand in the same answer, under other names.
	const addresses = (Answer ?? []).filter(({ type }) => type === A || type === AAAA).map(({ data }) => data);
	// Nobody resolves into a private network by an unreadable record: it must not suspend an endpoint.
	if (addresses.some((address) => readAddress(address) === undefined)) return { kind: "FAILURE" };
	return addresses.length === 0 ? { kind: "NONE" } : { kind: "ADDRESSES", addresses };
}

/** @param answers those to the questions A and AAAA of one name */
export function judgeResolution(answers: readonly DnsAnswer[], allowedNetworks: readonly Network[]): ResolutionVerdict {
	const addresses = answers.flatMap((answer) => (answer.kind === "ADDRESSES" ? answer.addresses : []));
	const verdict = judgeAddresses(addresses, allowedNetworks);
	if (verdict === "PRIVATE") return "PRIVATE";
	return answers.some(({ kind }) => kind === "FAILURE") ? "FAILURE" : verdict;
}

/** Registration, and a changed URL. */
export const AT_REGISTRATION = {
	PUBLIC: "ACCEPT",
	PRIVATE: "NOT_PUBLIC",
	NONE: "DOES_NOT_RESOLVE",
	FAILURE: "RESOLVER_UNAVAILABLE",
} as const satisfies Record<ResolutionVerdict, string>;

/** A name that is lost or a resolver that is down says nothing about the endpoint's intent: it is a failure, not a suspension. */
export const AT_ATTEMPT = {
	PUBLIC: "SEND",
	PRIVATE: "BLOCKED_ADDRESS",
	NONE: "CONNECTION_FAILED",
	FAILURE: "CONNECTION_FAILED",
} as const satisfies Record<ResolutionVerdict, string>;
