// The service as a process of its own, for benchmarks that kill it. Prints its address and, to stderr, its errors. The second argument
// `unbounded` takes the bounds of a deployment from it, the third is the number of databases with homes in addition to the directory.

import { startOwnService } from "../src/dev/own-service.ts";

const [statePath = "", profile, databases = "0"] = process.argv.slice(2);
const service = await startOwnService(statePath, {
	...(profile && { variables: { WEBHOOK_PACE: profile } }),
	...(databases !== "0" && { databases: Number(databases) }),
});
process.stdout.write(`${service.url}\n`);
process.on("SIGTERM", () => void service.stop().then(() => process.exit(0)));
