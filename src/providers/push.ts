// Pushes by Firebase and by Apple. Where Apple's own service is configured, iPhones get theirs by it, and Firebase those of Android.

import type { Config } from "../runtime/config";
import { type ApnsSettings, pushSendersOf } from "../runtime/config.messages";
import type { Log } from "../runtime/log";
import type { Ask, Push, PushOutcome, PushSender } from "../runtime/ports";
import type { PushPlatform } from "../shared/push-platforms";

/** By their names in `MESSAGE_SENDERS`. */
export const FCM = "fcm";
export const APNS = "apns";

/** Undefined where neither is configured. */
export function pushSenderBy(config: Config, ask: Ask, { realNow, log }: { realNow: number; log: Log }): PushSender | undefined {
	const settings = pushSendersOf(config);
	const apns = settings.find((one): one is ApnsSettings => one.provider === APNS);
	const hasFcm = settings.some(({ provider }) => provider === FCM);
	if (!apns && !hasFcm) return undefined;
	// Loaded when something is pushed, which no request waits for.
	async function sendBy(apple: ApnsSettings | undefined, push: Push): Promise<PushOutcome> {
		const { APNS_KEY: key = "", APNS_URL, FCM_SERVICE_ACCOUNT: account, FCM_URL } = config;
		if (apple) return (await import("./apns/push")).pushByApple({ ...apple, key }, { ask, url: APNS_URL, realNow }, push);
		return account ? (await import("./fcm/push")).pushByFirebase(account, { ask, url: FCM_URL, realNow }, push) : "FAILED";
	}
	const platforms: readonly PushPlatform[] = [...(hasFcm ? (["ANDROID"] as const) : []), "IOS"];
	return {
		platforms,
		async send(push: Push) {
			const provider = push.platform === "IOS" && apns ? APNS : FCM;
			try {
				return { outcome: await sendBy(provider === APNS ? apns : undefined, push), provider };
			} catch {
				log.error("the key of a provider of pushes cannot sign", undefined, { provider });
				return { outcome: "FAILED", provider };
			}
		},
	};
}
