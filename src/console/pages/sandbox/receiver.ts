// The receiver that `npm start` runs for the sandbox. No deployment has it, so it is no operation.

import { useState } from "preact/hooks";
import { useRepeated } from "../../tail.ts";

export interface Received {
	readonly delivery_id: string;
	readonly event_type: string;
	readonly received_at: string;
	readonly attempt: number;
	readonly duplicate: boolean;
	/** `VALID`, why not, or null when it was not checked. */
	readonly signature: string | null;
	/** What it answered; null when it did not. */
	readonly status: number | null;
}

export interface Receiver {
	readonly url: string;
	/** What it answers while it fails. */
	readonly status: number;
	readonly delay_ms: number;
	/** How many of the next requests fail. */
	readonly failures: number;
	readonly hang: boolean;
	/** The latest requests, newest first. */
	readonly received: readonly Received[];
}

interface Changes {
	readonly status?: number;
	readonly delay_ms?: number;
	readonly failures?: number;
	readonly hang?: boolean;
	readonly secrets?: readonly string[];
}

const PATH = "/v1/sandbox/receiver";

async function ask(init: RequestInit): Promise<Receiver | null> {
	const response = await fetch(PATH, { ...init, cache: "no-store", credentials: "omit" });
	return response.ok ? response.json() : null;
}

/** null where there is none. */
export const readReceiver = (): Promise<Receiver | null> => ask({});

export const setReceiver = (changes: Changes): Promise<Receiver | null> =>
	ask({ method: "PUT", headers: { "content-type": "application/json" }, body: JSON.stringify(changes) });

export interface Watching {
	/** undefined until it is known, null where there is none. */
	readonly receiver: Receiver | null | undefined;
	readonly set: (changes: Changes) => Promise<void>;
	readonly again: () => Promise<void>;
}

export function useReceiver(): Watching {
	const [receiver, show] = useState<Receiver | null>();
	const again = async () => show(await readReceiver());
	useRepeated(6, receiver === null, again);
	return { receiver, again, set: async (changes) => show(await setReceiver(changes)) };
}
