// The service with providers of pushes, and a stand-in for them.

import { PushStandIn } from "../../src/dev/stand-ins/push";
import { registerDevice } from "../../src/domains/messages/devices/operations";
import { notifyUser } from "../../src/domains/messages/notices.plan";
import type { PushPlatform } from "../../src/shared/push-platforms";
import { call, expectOk } from "./client";
import { environmentWith } from "./environments";
import { answerOutbound, servicesFor } from "./outbound";

type Plan = NonNullable<ConstructorParameters<typeof PushStandIn>[0]["plan"]>;

/** The stand-in, and the variables with which the service pushes by it. */
export async function givenPushes(plan: Plan = () => undefined) {
	const standIn = new PushStandIn({ now: Date.now, plan });
	answerOutbound((input, init) => standIn.handle(new Request(input as string, init as RequestInit)));
	return { standIn, vars: (await standIn.variables()) as Partial<Env> };
}

/** Services of the user's home whose work after a commit the test can await, however it ends. */
export async function pushing(userId: string, vars: Partial<Env>) {
	const pending: Promise<unknown>[] = [];
	const services = await servicesFor({ env: environmentWith(vars), ctx: { waitUntil: (promise) => pending.push(promise) } });
	return { services: services.at(userId), settled: () => Promise.allSettled(pending) };
}

const PAID = { sum: { amount: 123_456, currency: "KES" }, left: { amount: 50, currency: "KES" } };

/** Notifies the user of a payment, and waits until what follows the commit has ended. */
export async function tell(userId: string, vars: Partial<Env>): Promise<void> {
	const { services, settled } = await pushing(userId, vars);
	const notice = await notifyUser(services, userId, "REPAYMENTS", { key: "PAYMENT_RECEIVED", values: PAID });
	await services.commit(notice).finally(settled);
}

export const deviceOf = (name: string) => `device-of-${name}`.padEnd(16, "-");

export async function givenDevice(as: string, push_token: string, platform: PushPlatform = "ANDROID", device_id = deviceOf(push_token)) {
	return expectOk(await call(registerDevice, { as, path: { device_id }, body: { platform, push_token } }));
}
