// The service as a process of its own, for benchmarks that kill it. Prints its address and, to stderr, its errors.

import { startOwnService } from "../src/dev/own-service.ts";

const service = await startOwnService(process.argv[2] ?? "");
process.stdout.write(`${service.url}\n`);
process.on("SIGTERM", () => void service.stop().then(() => process.exit(0)));
