// The port to those who wake an app up. Part of `ports`.

import type { PushPlatform } from "../shared/push-platforms";

/** Says on a device that there is a message in the app. It says the message's id and category. */
export type Push = {
	readonly messageId: string;
	readonly category: string;
	readonly platform: PushPlatform;
	/** By which the provider knows the app on the device. */
	readonly token: string;
	readonly title: string;
	readonly text: string;
	/** Until when the provider may keep it for a device that is out of reach, in ms of real time. */
	readonly expiresAt: number;
};

/** DEAD: the token is nobody's any more. REFUSED: the provider will never take this push. FAILED: it may take it later, or has taken it. */
export type PushOutcome = "SENT" | "DEAD" | "REFUSED" | "FAILED";

export interface PushSender {
	readonly platforms: readonly PushPlatform[];
	/** At least once: a device shows what it gets twice in one place. Never rejects. */
	send(push: Push): Promise<{ readonly outcome: PushOutcome; readonly provider: string }>;
}
