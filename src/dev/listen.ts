// `npm run listen`: for people who write a receiver of webhooks. It hands what an organization's webhooks send to that receiver, or with
// `--port` is a receiver itself, of an endpoint that you register.

import { once } from "node:events";
import { styleText } from "node:util";
import { CannotStart, reportOf } from "./cannot-start.ts";
import { misused, readCommandLine, readNumber } from "./command-line.ts";
import type { Found } from "./found-service.ts";
import type { Show } from "./handing-on.ts";
import { keptSecret } from "./listening.ts";
import { type Delivery, describeVerdict, startReceiver } from "./receiver.ts";

const usage = `npm run listen -- [options]

Hands events to a receiver of yours:

  --forward <url>       your receiver, such as http://127.0.0.1:3000/hooks; without it events are only shown
  --events <pattern>    event types, such as loan.disbursed or loan.*; repeat it for more (default: all)
  --trigger <type>      also hand your receiver an example of this type at once; repeat it for more
  --secret <whsec_…>    signs what is handed on with this secret (default: one that this checkout keeps)
  --batch <number>      hands on up to so many events in one request
  --organization <slug> whose events, of a local service; made if it does not exist (default: listen)
  --url <url>           a deployed service: reads its feed of events with the API key in the variable API_KEY

Or is a receiver, of an endpoint that you register yourself:

  --port <number>       the port on which it receives
  --secret <whsec_…>    verifies signatures with this secret; repeat it for the second secret of a rotation
  --fail <n>            answers the first n requests with an error
  --status <code>       the status of that error (default 500)
  --delay <ms>          waits this long before each answer
  --hang                never answers
`;

const readOptions = () =>
	readCommandLine(usage, {
		options: {
			secret: { type: "string", multiple: true },
			forward: { type: "string" },
			events: { type: "string", multiple: true },
			trigger: { type: "string", multiple: true },
			organization: { type: "string" },
			batch: { type: "string" },
			url: { type: "string" },
			port: { type: "string" },
			fail: { type: "string" },
			status: { type: "string" },
			delay: { type: "string" },
			hang: { type: "boolean" },
		},
	}).values;
type Values = ReturnType<typeof readOptions>;

const OF_A_RECEIVER = ["fail", "status", "delay", "hang"] as const;
const OF_HANDING_ON = ["forward", "events", "trigger", "organization", "batch", "url"] as const;

const show: Show = (line) => void process.stdout.write(`${line}\n`);

const textOf = (delivery: Delivery): string => {
	const { receivedAt, eventType, id, attempt, body } = delivery;
	const answer = delivery.answered === undefined ? "not answered" : `answered ${delivery.answered}`;
	const repeated = delivery.duplicate ? ", a duplicate" : "";
	const batch = delivery.batch === undefined ? "" : `  in batch ${delivery.batch}`;
	return `
${receivedAt.toISOString()}  ${eventType}  ${id}${batch}
  request ${attempt} of this delivery${repeated}; ${describeVerdict(delivery)}; ${answer}
  ${body}`;
};

/** Receives until the process is ended. */
async function receive(values: Values, port: string): Promise<void> {
	const receiver = await startReceiver({
		port: readNumber(usage, port, 0, 65_535),
		secrets: values.secret ?? [],
		failures: readNumber(usage, values.fail ?? "0", 0, 1_000_000),
		failStatus: readNumber(usage, values.status ?? "500", 200, 599),
		delayMs: readNumber(usage, values.delay ?? "0", 0, 600_000),
		hang: values.hang ?? false,
	}).catch((error: unknown) => {
		const taken = error instanceof Error && "code" in error && error.code === "EADDRINUSE";
		throw taken ? new CannotStart("The port is in use. Choose another with --port.") : error;
	});
	receiver.events.on("delivery", (delivery) => show(textOf(delivery)));
	show(`Receiving webhooks at ${receiver.url}  (Ctrl-C stops)`);
}

function forwardedTo(forward: string | undefined): string | undefined {
	if (forward === undefined) return undefined;
	if (!URL.canParse(forward) || !/^https?:$/.test(new URL(forward).protocol)) return misused(usage, `Not an http or https URL: ${forward}`);
	return forward;
}

/** Forwards until the process is stopped. */
async function handOn(values: Values): Promise<void> {
	const [given, another] = values.secret ?? [];
	if (another !== undefined || (given !== undefined && !/^whsec_.{8,}$/.test(given)))
		misused(usage, "--secret takes a secret that begins with whsec_, and two of them only with --port");
	const batch = values.batch === undefined ? undefined : readNumber(usage, values.batch, 1, 100);
	const forward = forwardedTo(values.forward);
	const apiKey = process.env.API_KEY;
	if (values.url !== undefined && !apiKey) misused(usage, "--url needs an API key with the scope events:read in the variable API_KEY");
	// A receiver starts without what runs a service.
	const [{ follow, listenAt, onT }, { findService }, { repository }] = await Promise.all([
		import("./listening.ts"),
		import("./found-service.ts"),
		import("./service.ts"),
	]);
	const { organization = "listen", events = [], trigger = [] } = values;
	const options = { forward, batch, organization, events, trigger, secret: given ?? keptSecret(repository) };
	const found: Found = values.url === undefined ? await findService() : { baseUrl: values.url.replace(/\/+$/, "") };
	const listening =
		values.url === undefined
			? await listenAt(found.baseUrl, options, show)
			: await follow(found.baseUrl, { apiKey: apiKey ?? "" }, options, show);
	const type = trigger[0] ?? "loan.disbursed";
	show(process.stdin.isTTY ? `t sends an example of ${type}. Ctrl-C stops.` : "Ctrl-C stops.");
	const stopped = new AbortController();
	const failed = (error: unknown) => show(styleText("red", error instanceof Error ? error.message : String(error)));
	onT(process.stdin, () => void listening.trigger(type).catch(failed), stopped.signal);
	await Promise.race([once(process, "SIGINT"), once(process, "SIGTERM")]);
	stopped.abort();
	await listening.close();
	await found.end?.();
}

try {
	const values = readOptions();
	const strange = (values.port === undefined ? OF_A_RECEIVER : OF_HANDING_ON).find((name) => values[name] !== undefined);
	if (strange !== undefined) misused(usage, `--${strange} ${values.port === undefined ? "needs" : "goes without"} --port`);
	if (values.port === undefined) await handOn(values);
	else await receive(values, values.port);
} catch (error) {
	process.stderr.write(`${reportOf(error)}\n`);
	process.exit(1);
}
