// The service as a process of its own, for benchmarks that kill it. Prints its address and, to stderr, its errors.

import { startService } from "../src/dev/service.ts";

const service = await startService({
	port: 0,
	statePath: process.argv[2] ?? "",
	databases: 0,
	variables: { RATE_LIMITS: "off" },
	onLog: ({ level, message }) => void (level === "error" && process.stderr.write(`${message}\n`)),
});
process.stdout.write(`${service.url}\n`);
process.on("SIGTERM", () => void service.stop().then(() => process.exit(0)));
