// Work that falls due with time: done by the sweep each minute, and at once when the sandbox's clock is moved.

import type { Services } from "./services";

/** Each runs on its own: one that fails is logged and stops no other. Safe to run twice, and at any time. */
export const dueWork: readonly { name: string; run(services: Services): Promise<void> }[] = [];
