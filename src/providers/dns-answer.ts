// Reads the JSON answers of a DNS-over-HTTPS resolver and judges the addresses in them. A private address in either
// answer decides, even when the other question failed.

import * as z from "zod";
import type { ResolutionVerdict } from "../shared/addresses";
import { judgeAddresses, type Network, readAddress } from "../shared/addresses";

/** NONE: the name does not exist or has no address. FAILURE: the resolver did not say. */
export type DnsAnswer = { kind: "ADDRESSES"; addresses: string[] } | { kind: "NONE" } | { kind: "FAILURE" };

const NOERROR = 0;
const NXDOMAIN = 3;
const A = 1;
const AAAA = 28;

const DnsJson = z.object({
	Status: z.int(),
	TC: z.boolean().optional(),
	Answer: z.array(z.object({ type: z.int(), data: z.string() })).nullish(),
});

/** @param json the parsed body, with any content */
export function readDnsAnswer(json: unknown): DnsAnswer {
	const parsed = DnsJson.safeParse(json);
	if (!parsed.success) return { kind: "FAILURE" };
	const { Status, TC, Answer } = parsed.data;
	if (Status === NXDOMAIN) return { kind: "NONE" };
	// A truncated answer may lack the one private address.
	if (Status !== NOERROR || TC === true) return { kind: "FAILURE" };
	// The resolver has followed the chain of CNAMEs: the addresses are in the same answer, under other names.
	const addresses = (Answer ?? []).filter(({ type }) => type === A || type === AAAA).map(({ data }) => data);
	// An unreadable record is no proof of a private address, so it must not suspend an endpoint.
	if (addresses.some((address) => readAddress(address) === undefined)) return { kind: "FAILURE" };
	return addresses.length === 0 ? { kind: "NONE" } : { kind: "ADDRESSES", addresses };
}

/** @param answers the answers to the questions A and AAAA about one name */
export function judgeResolution(answers: readonly DnsAnswer[], allowedNetworks: readonly Network[]): ResolutionVerdict {
	const addresses = answers.flatMap((answer) => (answer.kind === "ADDRESSES" ? answer.addresses : []));
	const verdict = judgeAddresses(addresses, allowedNetworks);
	if (verdict === "PRIVATE") return "PRIVATE";
	return answers.some(({ kind }) => kind === "FAILURE") ? "FAILURE" : verdict;
}
