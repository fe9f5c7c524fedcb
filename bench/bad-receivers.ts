// Receivers that never answer or always fail, in a process of their own: elsewhere in the world, they would take no time of the threads
// that are measured. Sends the process that forked it their addresses, and, whenever it is asked, the number of connections left hanging.

import { once } from "node:events";
import { createServer } from "node:net";
import { loopbackCertificate } from "../src/dev/certificate.ts";
import { startReceiver } from "../src/dev/receiver.ts";

let hanging = 0;
/** Accepts connections and says nothing, not even to agree on a key. */
const silent = createServer((connection) => {
	hanging++;
	connection.on("error", () => {});
	connection.resume();
}).listen(0, "127.0.0.1");
await once(silent, "listening");
const address = silent.address();
if (typeof address !== "object" || !address) throw new Error("the silent receiver has no port");
const failing = await startReceiver({ certificate: loopbackCertificate(), failures: Number.POSITIVE_INFINITY });

process.on("disconnect", () => process.exit(0));
process.on("message", () => process.send?.(hanging));
process.send?.({ silent: `https://127.0.0.1:${address.port}`, failing: failing.url });
