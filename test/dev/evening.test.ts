// The app of the guide with a service that is killed in each of its writes, and starts again.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { type Client, startClient } from "../../bench/webhooks.client.ts";
import { ConnectionError, isApiError } from "../../client/src/index.ts";
import { loanProduct } from "../../tools/loan-product.ts";
import { App, newDevice } from "../client/evening/app.ts";
import { openProxy } from "../client/evening/proxy.ts";

it("an evening of the app does each thing once, however often the service is killed in its writes", { timeout: 600_000 }, async () => {
	const statePath = mkdtempSync(path.join(tmpdir(), "evening-"));
	let starting: Promise<Client> = startClient(statePath);
	const ended = new Set<string>();
	const proxy = await openProxy({
		service: async () => (await starting).url,
		befalls(called) {
			const operation = called.replaceAll(/[0-9a-f-]{36}/g, "{id}");
			if (operation.startsWith("GET") || ended.has(operation)) return undefined;
			ended.add(operation);
			return "ends";
		},
		async restart() {
			// Each time at another instant of a write, which takes some twenty milliseconds.
			await sleep((ended.size * 7) % 30);
			const service = await starting;
			await service.end("SIGKILL");
			starting = startClient(statePath);
			await starting;
		},
	});
	try {
		const { api: operator } = await starting;
		const { id: organization } = await operator.createOrganization({ body: { name: "Umoja Savings", slug: "umoja" } });
		await operator.createLoanProduct({ body: loanProduct(organization) });
		const device = newDevice();
		// The proxy ends a call once the service has started again, which takes as long as the machine is busy.
		const open = () => new App(device, { baseUrl: proxy.url, timeoutMs: 120_000 });

		/** Taps until there is an answer, in an app that may have been closed meanwhile. */
		const tap = async <T>(step: (app: App) => Promise<T>): Promise<T> => {
			for (let times = 1; ; times++)
				try {
					return await step(open());
				} catch (error) {
					if (!(error instanceof ConnectionError) || times === 5) throw error;
				}
		};
		/** What was sent before and has no answer yet is sent again, instead of another one. */
		const change = async <T>(step: (app: App) => Promise<T>): Promise<void> => {
			await step(open()).catch((error) => {
				if (!(error instanceof ConnectionError)) throw error;
			});
			await tap((app) => app.resume());
		};
		/** From the number to a session; with another number where a restart took longer than the steps of a sign-in wait. */
		const signIn = async (number = 712_345_678): Promise<void> => {
			const { id } = await tap((app) => app.askForCode(String(number), "umoja"));
			const { data } = await (await starting).api.listMessages({ query: { recipient: `+254${number}` } });
			const code = data.find(({ otp_code }) => otp_code !== null)?.otp_code ?? "";
			const app = open();
			await tap(() => app.signIn(id, code)).catch((error) => {
				if (!isApiError(error) || error.status !== 400) throw error;
				return signIn(number + 1);
			});
		};
		await signIn();
		const me = await tap((app) => app.me());
		await (await starting).api.admitUser({ path: { userId: me.id } });
		await change((app) => app.speak("sw"));
		await change((app) => app.offer());
		const offer = await tap((app) => app.offer());
		await change((app) => app.apply(offer.id, 60_000));
		await change((app) => app.pay(offer.account_id, 20_000));
		const { data: messages } = await tap((app) => app.inbox());
		await change((app) => app.read(messages[0]?.id ?? ""));

		const account = await tap((app) => app.account(offer.account_id));
		expect(account).toMatchObject({ balance: { total_outstanding: 40_000, total_paid: 20_000 } });
		expect((await tap((app) => app.application(offer.id))).status).toBe("DISBURSED");
		expect(await tap((app) => app.me())).toMatchObject({ status: "ACTIVE", locale: "sw" });
		const { data: payments } = await (await starting).api.listRepayments({ organization: "umoja" });
		expect(payments.map(({ amount }) => amount)).toEqual([{ value: 20_000, currency: "KES" }]);
		expect(messages.map(({ category }) => category)).toEqual(["REPAYMENTS", "PAYMENTS", "ACCOUNT"]);
		expect((await tap((app) => app.inbox())).unread).toBe(0);
		expect(device.changes).toEqual([]);
		await tap((app) => app.signOut());
		expect([...ended]).toHaveLength(11);
	} finally {
		await (await starting).end("SIGKILL");
		await proxy.close();
		rmSync(statePath, { recursive: true, force: true });
	}
});
