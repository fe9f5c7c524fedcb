// Probes endpoints that failures have suspended and that are to recover by themselves.

import { atPresent } from "../../../runtime/making-services";
import type { JobServices } from "../../../runtime/services";
import { SLOW_MS } from "../attempts/policy";
import { attemptOnce, judge } from "../deliveries/attempt.job";
import { processId } from "../deliveries/claim.procedure";
import { sendingsOf } from "../deliveries/sending.policy";
import { type Ailing, beginProbe, dueProbes, endProbe, forsake, isAiling, makeProbe } from "./store";

/** In one turn of the sweep. */
const MAX_PROBES = 20;

/** Whether more may be due. */
export async function healEndpoints(services: JobServices): Promise<boolean> {
	const present = atPresent(services);
	const due = await present.db.read(dueProbes(present, MAX_PROBES));
	await Promise.all(
		due.map((ailing) =>
			probe(services, ailing).catch((error: unknown) =>
				services.log.error("an endpoint could not be probed", error, { webhook_id: ailing.webhookId }),
			),
		),
	);
	return due.length === MAX_PROBES;
}

async function probe(services: JobServices, ailing: Ailing): Promise<void> {
	const { connections } = services;
	const judged = await judge(services, ailing.url);
	if (judged?.next === "BLOCKED_ADDRESS") {
		const suspension = { reason: "PRIVATE_ADDRESS" as const, when: isAiling(ailing) };
		await atPresent(services).commit(forsake(atPresent(services), ailing, suspension));
		return;
	}
	// Without a connection nothing is claimed, and the next sweep probes.
	if (!judged || !(await connections.take(1, SLOW_MS))) return;
	try {
		const token = `${processId()}:${crypto.randomUUID()}`;
		const deliveryId = ailing.deliveryId ?? (await makeDelivery(services, ailing));
		const claimed = await services.db.commit(beginProbe(atPresent(services), { ...ailing, deliveryId }, token));
		const [row] = claimed.at(-1) as Awaited<ReturnType<typeof beginProbe>[3]>;
		// Its URL may have been changed during the look-up: then the claim expires, and the next probe goes there.
		if (!row || row.url !== ailing.url) return;
		const attempt = { ...row, keys: JSON.parse(row.keys) };
		const startedAt = atPresent(services).now;
		for (const sending of sendingsOf([attempt]))
			for (const [, ended] of await attemptOnce(services, sending, judged))
				await atPresent(services).commit(endProbe(atPresent(services), ailing, attempt, { ...ended, startedAt }));
	} finally {
		connections.give(1);
	}
}

/** Null when there is nothing to probe the endpoint with: it has missed nothing. */
async function makeDelivery(services: JobServices, ailing: Ailing): Promise<string | null> {
	const [[made]] = await services.db.commit(makeProbe(atPresent(services), ailing));
	return made?.id ?? null;
}
