// Hears what the services of this process log. A module of its own, because setup files are loaded again for each file of tests.

import { subscribe } from "node:diagnostics_channel";
import { type LogEntry, SERVICE_LOG } from "../../src/dev/log-lines.ts";
import { noteError } from "./errors.ts";

subscribe(SERVICE_LOG, (entry) => {
	const { level, message } = entry as LogEntry;
	if (level === "error") noteError(message);
});
