// `npm run demo`: one loan, from an empty organization to the signed webhook, printed step by step against the running
// service. It needs no setup, uses fresh names each time, and exits with 1 at the first unexpected answer. With
// `-- --databases <number>` it starts its own service on its own data: the directory and that many databases for homes.

import { randomBytes, randomUUID } from "node:crypto";
import { styleText } from "node:util";
import { createClient, isApiError } from "../client/src/index.ts";
import { CannotStart, reportOf } from "../src/dev/cannot-start.ts";
import { loopbackCertificate } from "../src/dev/certificate.ts";
import { readCommandLine } from "../src/dev/command-line.ts";
import { readDatabases } from "../src/dev/databases.ts";
import { findService, startOn } from "../src/dev/found-service.ts";
import { type Delivery, describeVerdict, type Receiver, startReceiver } from "../src/dev/receiver.ts";
import { DarajaStandIn } from "../src/dev/stand-ins/daraja.ts";
import { serve } from "../src/dev/stand-ins/serve.ts";
import { check, currentStep, DemoFailed, dim, eventually, out, parse, printing, show, step, wire } from "./demo/call.ts";
import { overDaraja } from "./demo/daraja.ts";
import { firstLoanDeal, loanProduct } from "./loan-product.ts";

const subscribed = ["loan_application.submitted", "loan.disbursed"];

/** @param secureReceiver the same over HTTPS */
async function journey(baseUrl: string, receiver: Receiver, secureReceiver: Receiver): Promise<void> {
	const clientWith = (token?: string, organization?: string) => createClient({ baseUrl, token, organization, fetch: printing });
	const anyone = clientWith();
	const run = randomBytes(4).toString("hex");
	const slug = `demo-${run}`;

	step("The sandbox's issuer signs in a platform operator");
	const operator = clientWith((await anyone.createSandboxToken({ body: { kind: "operator", subject: `operator-${run}` } })).token);

	step("The operator creates an organization");
	const { id: organizationId } = await operator.createOrganization({ body: { name: `Demo ${run}`, slug } });

	step("The operator creates a loan product with a deal");
	const product = await operator.createLoanProduct({ body: { ...loanProduct(organizationId), deals: [firstLoanDeal()] } });

	step("Alice gets a token from that organization's identity provider");
	const identity = { kind: "partner", subject: `alice-${run}`, organization: slug } as const;
	const { token: partner_token } = await anyone.createSandboxToken({ body: identity });

	step("She exchanges it for a token of this service");
	const { access_token } = await anyone.exchangePartnerToken({ body: { partner_token } });
	const alice = clientWith(access_token);

	step("Alice reads her profile");
	const me = await alice.getMe();
	if (!("tag" in me)) throw new DemoFailed("she is no user");

	if (me.status === "WAITING_LIST") {
		step("She is on the waiting list: the operator admits her");
		await operator.admitUser({ path: { userId: me.id } });
	}

	step("The operator makes her an owner, so that she can manage webhooks");
	await operator.addMember({ path: { organizationId }, body: { user_id: me.id, role: "organization-owner" } });
	const owner = clientWith(access_token, organizationId);

	const register = async (name: string, { url, behaviour }: Receiver): Promise<string> => {
		const webhook = await owner.createWebhook({ body: { name, url: `${url}/webhooks`, events: subscribed } });
		const secret = webhook.signing_keys[0]?.secret ?? "";
		check("the answer shows the signing secret, only this once", secret.startsWith("whsec_"));
		behaviour.secrets = [secret];
		return webhook.id;
	};
	step(`She registers a webhook for the receiver at ${receiver.url}`);
	const webhookId = await register("Demo receiver", receiver);
	step(`She registers another, for the receiver at ${secureReceiver.url}, whose certificate this service trusts`);
	await register("Demo receiver over HTTPS", secureReceiver);

	step("She asks for a loan and gets terms");
	const application = await alice.createLoanApplication({ body: { loan_product_id: product.id } });
	check("the application is APPROVED", application.status === "APPROVED");
	const loan_amount = application.terms_range?.max_loan_amount ?? 100_000;

	step("She applies for an amount, with an Idempotency-Key");
	const apply = { path: { application_id: application.id }, body: { loan_amount }, idempotencyKey: randomUUID() };
	const applied = await alice.applyForLoan(apply);
	check("the loan is DISBURSED", applied.status === "DISBURSED");
	const first = wire.answer;

	step("She sends the same call again, as after a lost answer");
	const replayed = await alice.applyForLoan(apply).answer();
	check("the first answer is replayed, and no second loan is made", replayed.headers.get("idempotent-replayed") === "true");
	check("the replay is identical byte for byte", wire.answer === first);

	step("She sends the same key with another amount");
	const changed = await alice.applyForLoan({ ...apply, body: { loan_amount: loan_amount - 500 } }).catch((error: unknown) => error);
	check("the call is refused with IDEMPOTENCY_KEY_REUSED", isApiError(changed) && changed.code === "IDEMPOTENCY_KEY_REUSED");

	step("Both receivers get the webhooks");
	const receivedBy = ({ waitFor }: Receiver) => Promise.all(subscribed.map((event) => waitFor(({ eventType }) => eventType === event)));
	const [received, alsoReceived] = await Promise.all([receivedBy(receiver), receivedBy(secureReceiver)]);
	for (const delivery of received) {
		out(`    ${delivery.eventType}  ${delivery.id}`);
		out(dim(`      X-Service-Signature: ${delivery.signature}`));
		out(dim(`      ${show(parse(delivery.body))}`));
	}

	step("She reads the feed of the organization's events");
	const feed = await owner.listEvents();
	const fed = feed.data.map((event) => event.event_type);
	check(
		`the feed holds ${subscribed.join(" and ")}`,
		subscribed.every((event) => fed.includes(event)),
	);

	step("She reads the delivery log");
	const log = await owner.listDeliveries({ query: { webhook_id: webhookId } });
	check("the log holds both deliveries", log.data.length === subscribed.length);

	step("She reads one delivery with its attempts");
	const delivered = await eventually("the delivery is DELIVERED", async () => {
		const delivery = await owner.getDelivery({ path: { id: received[0]?.id ?? "" } });
		return delivery.status === "DELIVERED" ? delivery : undefined;
	});
	check("it took one attempt", delivered.attempts === 1);

	step("She reads the application");
	await alice.getLoanApplication({ path: { application_id: application.id } });

	step("The receivers verified the signatures with their own code");
	report([...received, ...alsoReceived]);
}

function report(deliveries: readonly Delivery[]): void {
	for (const delivery of deliveries) check(`${delivery.eventType}: ${describeVerdict(delivery)}`, delivery.verdict?.valid === true);
}

const usage = `npm run demo -- [options]

  --with daraja         pays a loan out and has it repaid over a stand-in for Safaricom's Daraja, on a service of its own
  --databases <number>  start a service for the demo with this many databases that hold homes, and delete its data afterwards

Without it the demo calls the service at BASE_URL, else the one that runs on this data, else one that it starts.
`;

async function main(): Promise<void> {
	const { values } = readCommandLine(usage, { options: { databases: { type: "string" }, with: { type: "string" } } });
	const databases = readDatabases(values.databases);
	if (values.with !== undefined) {
		if (values.with !== "daraja") throw new CannotStart(`The demo runs over no stand-in for ${values.with}: there is daraja`);
		return withDaraja(databases ?? 0);
	}
	const { baseUrl, end } = databases === undefined ? await findService() : await startOn(databases);
	out(`Service at ${baseUrl}`);
	const [receiver, secureReceiver] = await Promise.all([startReceiver(), startReceiver({ certificate: loopbackCertificate() })]);
	try {
		await journey(baseUrl, receiver, secureReceiver);
		out(`\n${styleText(["bold", "green"], "Done: a loan was disbursed, and its signed webhooks arrived and were verified.")}`);
	} finally {
		await Promise.all([receiver.close(), secureReceiver.close()]);
		await end?.();
	}
}

async function withDaraja(databases: number): Promise<void> {
	const standIn = new DarajaStandIn({ now: () => Date.now() });
	const url = await serve(standIn);
	const { baseUrl, end } = await startOn(databases, (port) => ({
		DISBURSER: "connections",
		DARAJA_URL: url,
		BASE_URL: `http://127.0.0.1:${port}`,
	}));
	out(`Service at ${baseUrl}, and a stand-in for Daraja at ${url}`);
	try {
		await overDaraja(baseUrl, standIn);
		out(
			`\n${styleText(["bold", "green"], "Done: a loan was paid out from the lender's shortcode and repaid to it, as the stand-in's books say.")}`,
		);
	} finally {
		await end?.();
	}
}

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.prependListener(signal, () => process.exit(1));
try {
	await main();
	process.exit(0);
} catch (error) {
	const message = error instanceof DemoFailed ? error.message : reportOf(error);
	process.stderr.write(`\n${styleText("red", `${currentStep()}${message}`)}\n`);
	process.exit(1);
}
