// Resolves the names of webhook receivers through DNS over HTTPS. Answers are never cached: an attacker would answer
// with a public address first and with a private one a minute later.

import type { Config } from "../runtime/config";
import type { Fetch, NameResolver } from "../runtime/ports";
import { withDeadline } from "../shared/deadline";
import { type DnsAnswer, judgeResolution, readDnsAnswer } from "./dns-answer";

const TIMEOUT_MS = 3_000;

export function nameResolverBy({ DNS_OVER_HTTPS_URL, WEBHOOK_ALLOWED_NETWORKS }: Config, fetch: Fetch): NameResolver {
	async function ask(name: string, type: "A" | "AAAA"): Promise<DnsAnswer> {
		const url = new URL(DNS_OVER_HTTPS_URL);
		url.searchParams.set("name", name);
		url.searchParams.set("type", type);
		try {
			return await withDeadline(TIMEOUT_MS, async (signal) => {
				const response = await fetch(url, { headers: { Accept: "application/dns-json" }, redirect: "manual", signal });
				if (response.status === 200) return readDnsAnswer(await response.json());
				await response.body?.cancel();
				return { kind: "FAILURE" };
			});
		} catch {
			return { kind: "FAILURE" };
		}
	}
	return {
		async judge(name) {
			const answers = await Promise.all([ask(name, "A"), ask(name, "AAAA")]);
			return judgeResolution(answers, WEBHOOK_ALLOWED_NETWORKS);
		},
	};
}
