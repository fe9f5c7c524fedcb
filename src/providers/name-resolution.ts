// Where a webhook's name leads, asked of a DNS-over-HTTPS resolver. Surprising: answers are never cached, because the
// one that was public a minute ago is what an attacker changes.

import type { Config } from "../runtime/config";
import { type DnsAnswer, judgeResolution, type ResolutionVerdict, readDnsAnswer } from "./dns-answer";

const TIMEOUT_MS = 3_000;

/** Connections that a look-up holds at once. */
export const LOOKUP_CONNECTIONS = 2;

/** The verdict on all addresses of a name, A and AAAA. Never rejects: a resolver that does not answer is `FAILURE`. */
export async function resolveName(config: Config, name: string): Promise<ResolutionVerdict> {
	const answers = await Promise.all([ask(config, name, "A"), ask(config, name, "AAAA")]);
	return judgeResolution(answers, config.WEBHOOK_ALLOWED_NETWORKS);
}

async function ask(config: Config, name: string, type: "A" | "AAAA"): Promise<DnsAnswer> {
	const url = new URL(config.DNS_OVER_HTTPS_URL);
	url.searchParams.set("name", name);
	url.searchParams.set("type", type);
	try {
		const response = await fetch(url, {
			headers: { Accept: "application/dns-json" },
			redirect: "manual",
			signal: AbortSignal.timeout(TIMEOUT_MS),
		});
		if (response.status !== 200) {
			await response.body?.cancel();
			return { kind: "FAILURE" };
		}
		return readDnsAnswer(await response.json());
	} catch {
		return { kind: "FAILURE" };
	}
}
