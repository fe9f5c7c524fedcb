// `npm run demo`: one loan, from an empty organization to the signed webhook, printed step by step against the running
// service. It needs no setup, uses fresh names each time, and exits with 1 at the first unexpected answer. With
// `-- --databases <number>` it starts its own service on its own data: the directory and that many databases for homes.

import { randomBytes, randomUUID } from "node:crypto";
import { styleText } from "node:util";
import { reportOf } from "./cannot-start.ts";
import { loopbackCertificate } from "./certificate.ts";
import { readCommandLine } from "./command-line.ts";
import { readDatabases } from "./databases.ts";
import { check, client, currentStep, DemoFailed, dim, eventually, objects, out, parse, show, step, text } from "./demo-call.ts";
import { findService, startOn } from "./demo-service.ts";
import { firstLoanDeal, loanProduct } from "./loan-product.ts";
import { type Delivery, describeVerdict, type Receiver, startReceiver } from "./receiver.ts";

const subscribed = ["loan_application.submitted", "loan.disbursed"];

/** @param secureReceiver the same over HTTPS */
async function journey(baseUrl: string, receiver: Receiver, secureReceiver: Receiver): Promise<void> {
	const call = client(baseUrl);
	const run = randomBytes(4).toString("hex");
	const slug = `demo-${run}`;

	step("The sandbox's issuer signs in a platform operator");
	const operatorToken = { kind: "operator", subject: `operator-${run}` };
	const operator = text((await call("POST", "/v1/sandbox/tokens", { body: operatorToken, expect: [200, 201] })).body, "token");

	step("The operator creates an organization");
	const organization = await call("POST", "/v1/platform/organizations", {
		token: operator,
		body: { name: `Demo ${run}`, slug },
		expect: [201],
	});
	const organizationId = text(organization.body, "id");

	step("The operator creates a loan product with a deal");
	const product = await call("POST", "/v1/platform/loan-products", {
		token: operator,
		body: { ...loanProduct(organizationId), deals: [firstLoanDeal()] },
		expect: [201],
	});

	step("Alice gets a token from that organization's identity provider");
	const partnerToken = { kind: "partner", subject: `alice-${run}`, organization: slug };
	const partner = text((await call("POST", "/v1/sandbox/tokens", { body: partnerToken, expect: [200, 201] })).body, "token");

	step("She exchanges it for a token of this service");
	const exchanged = await call("POST", "/v1/auth/exchange", { body: { partner_token: partner }, expect: [200] });
	const alice = text(exchanged.body, "access_token");

	step("Alice reads her profile");
	const me = (await call("GET", "/v1/me", { token: alice, expect: [200] })).body;
	const userId = text(me, "id");

	if (text(me, "status") === "WAITING_LIST") {
		step("She is on the waiting list: the operator admits her");
		await call("POST", `/v1/platform/users/${userId}/admit`, { token: operator, expect: [200] });
	}

	step("The operator makes her an owner, so that she can manage webhooks");
	await call("POST", `/v1/platform/organizations/${organizationId}/members`, {
		token: operator,
		body: { user_id: userId, role: "organization-owner" },
		expect: [201],
	});

	const register = async (name: string, { url, behaviour }: Receiver): Promise<string> => {
		const body = { name, url: `${url}/webhooks`, events: subscribed };
		const webhook = await call("POST", "/v1/webhooks", { token: alice, organization: organizationId, body, expect: [201] });
		const secret = text(objects(webhook.body.signing_keys)[0] ?? {}, "secret");
		check("the answer shows the signing secret, only this once", secret.startsWith("whsec_"));
		behaviour.secrets = [secret];
		return text(webhook.body, "id");
	};
	step(`She registers a webhook for the receiver at ${receiver.url}`);
	const webhookId = await register("Demo receiver", receiver);
	step(`She registers another, for the receiver at ${secureReceiver.url}, whose certificate this service trusts`);
	await register("Demo receiver over HTTPS", secureReceiver);

	step("She asks for a loan and gets terms");
	const application = await call("POST", "/v1/accounts/loan/applications/partner", {
		token: alice,
		body: { loan_product_id: text(product.body, "id") },
		expect: [200, 201],
	});
	const applicationId = text(application.body, "id");
	check("the application is APPROVED", application.body.status === "APPROVED");
	const range = application.body.terms_range as { max_loan_amount?: number } | undefined;
	const loanAmount = range?.max_loan_amount ?? 100_000;

	step("She applies for an amount, with an Idempotency-Key");
	const idempotencyKey = randomUUID();
	const applyPath = `/v1/accounts/loan/applications/partner/${applicationId}/apply`;
	const apply = { token: alice, headers: { "Idempotency-Key": idempotencyKey }, body: { loan_amount: loanAmount }, expect: [200, 201] };
	const applied = await call("POST", applyPath, apply);
	check("the loan is DISBURSED", applied.body.status === "DISBURSED");

	step("She sends the same call again, as after a lost answer");
	const replayed = await call("POST", applyPath, apply);
	check("the first answer is replayed, and no second loan is made", replayed.headers.get("idempotent-replayed") === "true");
	check("the replay is identical byte for byte", replayed.text === applied.text);

	step("She sends the same key with another amount");
	const changed = await call("POST", applyPath, { ...apply, body: { loan_amount: loanAmount - 500 }, expect: [409] });
	check("the call is refused with IDEMPOTENCY_KEY_REUSED", changed.body.code === "IDEMPOTENCY_KEY_REUSED");

	step("Both receivers get the webhooks");
	const receivedBy = ({ waitFor }: Receiver) => Promise.all(subscribed.map((event) => waitFor(({ eventType }) => eventType === event)));
	const [received, alsoReceived] = await Promise.all([receivedBy(receiver), receivedBy(secureReceiver)]);
	for (const delivery of received) {
		out(`    ${delivery.eventType}  ${delivery.id}`);
		out(dim(`      X-Service-Signature: ${delivery.signature}`));
		out(dim(`      ${show(parse(delivery.body))}`));
	}

	step("She reads the feed of the organization's events");
	const reader = { token: alice, organization: organizationId, expect: [200] };
	const feed = await call("GET", "/v1/webhooks/events", reader);
	const fed = objects(feed.body.data).map((event) => event.event_type);
	check(
		`the feed holds ${subscribed.join(" and ")}`,
		subscribed.every((event) => fed.includes(event)),
	);

	step("She reads the delivery log");
	const log = await call("GET", `/v1/webhooks/deliveries?webhook_id=${webhookId}`, reader);
	check("the log holds both deliveries", objects(log.body.data).length === subscribed.length);

	step("She reads one delivery with its attempts");
	const [first] = received;
	const delivered = await eventually("the delivery is DELIVERED", async () => {
		const { body } = await call("GET", `/v1/webhooks/deliveries/${first?.id}`, reader);
		return body.status === "DELIVERED" ? body : undefined;
	});
	check("it took one attempt", delivered.attempts === 1);

	step("She reads the application");
	await call("GET", `/v1/accounts/loan/applications/${applicationId}`, { token: alice, expect: [200] });

	step("The receivers verified the signatures with their own code");
	report([...received, ...alsoReceived]);
}

function report(deliveries: readonly Delivery[]): void {
	for (const delivery of deliveries) check(`${delivery.eventType}: ${describeVerdict(delivery)}`, delivery.verdict?.valid === true);
}

const usage = `npm run demo -- [options]

  --databases <number>  start a service for the demo with this many databases that hold homes, and delete its data afterwards

Without it the demo calls the service at BASE_URL, else the one that runs on this data, else one that it starts.
`;

async function main(): Promise<void> {
	const databases = readDatabases(readCommandLine(usage, { options: { databases: { type: "string" } } }).values.databases);
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

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.prependListener(signal, () => process.exit(1));
try {
	await main();
	process.exit(0);
} catch (error) {
	const message = error instanceof DemoFailed ? error.message : reportOf(error);
	process.stderr.write(`\n${styleText("red", `${currentStep()}${message}`)}\n`);
	process.exit(1);
}
