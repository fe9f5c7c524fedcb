// Requests to providers, which share the connections of an invocation with the attempts of webhooks.

import type { Connections } from "../runtime/connections";
import type { Ask, Fetch } from "../runtime/ports";
import { withDeadline } from "../shared/deadline";

export const askBy =
	(fetch: Fetch, connections: Connections): Ask =>
	(url, { timeoutMs, ...request }, read) =>
		connections.ask(() => withDeadline(timeoutMs, async (signal) => read(await fetch(url, { ...request, redirect: "manual", signal }))));
