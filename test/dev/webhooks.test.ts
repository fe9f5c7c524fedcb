import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type Receiver, startReceiver } from "../../src/dev/receiver.ts";
import { type Service, startService } from "../../src/dev/service.ts";

let statePath: string;
let service: Service;
let receiver: Receiver;

const start = () => startService({ port: 0, statePath, onLog: () => {} });

beforeEach(async () => {
	statePath = mkdtempSync(path.join(tmpdir(), "webhooks-"));
	receiver = await startReceiver();
	service = await start();
});

afterEach(async () => {
	await service.stop();
	await receiver.close();
	rmSync(statePath, { recursive: true, force: true });
});

async function post(pathname: string, body?: unknown, token?: string, organization?: string): Promise<Record<string, unknown>> {
	const response = await fetch(`${service.url}${pathname}`, {
		method: "POST",
		headers: {
			...(body !== undefined && { "content-type": "application/json" }),
			...(token && { authorization: `Bearer ${token}` }),
			...(organization && { "x-organization-id": organization }),
		},
		...(body !== undefined && { body: JSON.stringify(body) }),
	});
	expect(response.ok, pathname).toBe(true);
	return (await response.json()) as Record<string, unknown>;
}

it("delivers over real TLS what its receiver verifies, and after a restart what was waiting before", async () => {
	const { token } = await post("/v1/sandbox/tokens", { kind: "operator", subject: "root" });
	const as = String(token);
	const { id: organization } = await post("/v1/platform/organizations", { name: "Acme", slug: "acme" }, as);
	const webhook = await post("/v1/webhooks", { name: "a", url: `${receiver.url}/in`, events: ["webhook.test"] }, as, String(organization));
	const [key] = webhook.signing_keys as { secret: string }[];
	receiver.behaviour.secrets = [key?.secret ?? ""];

	const first = await post(`/v1/webhooks/${webhook.id}/test`, undefined, as, String(organization));
	expect(await receiver.waitFor(({ id }) => id === first.id, 10_000)).toMatchObject({ verdict: { valid: true }, answered: 200 });

	receiver.behaviour.failures = 1;
	const second = await post(`/v1/webhooks/${webhook.id}/test`, undefined, as, String(organization));
	await receiver.waitFor(({ id }) => id === second.id, 10_000);
	// An attempt whose end nobody recorded would be due only after its claim and the next sweep.
	const outcomeOfSecond = async () => {
		const headers = { authorization: `Bearer ${as}`, "x-organization-id": String(organization) };
		const delivery = (await (await fetch(`${service.url}/v1/webhooks/deliveries/${second.id}`, { headers })).json()) as {
			attempt_log: { outcome: string | null }[];
		};
		return delivery.attempt_log[0]?.outcome;
	};
	await expect.poll(outcomeOfSecond, { timeout: 10_000, interval: 100 }).toBe("HTTP_ERROR");
	await service.stop();
	service = await start();
	const again = await receiver.waitFor(({ id, attempt }) => id === second.id && attempt > 1, 40_000);
	expect(again).toMatchObject({ verdict: { valid: true }, answered: 200 });
	const [one, two] = receiver.deliveries.filter(({ id }) => id === second.id);
	expect(two?.body).toBe(one?.body);
});
