// One loan from nothing, step by step: what `npm run demo` does, in the organization that the operator looks at.

import { call } from "../../api.ts";
import { ofSandbox } from "../../renewal.ts";
import { askForLoan, prepareProduct, takeLoan } from "../../sandbox-loan.ts";
import type { LoanApplication } from "../../typed.ts";
import type { Belonging } from "../../who.ts";
import { readReceiver, setReceiver } from "./receiver.ts";

export const STEPS = [
	"The receiver’s endpoint is registered, and the receiver gets its secret",
	"A loan product is there",
	"A borrower signs in",
	"The borrower asks for a loan, and gets terms",
	"The borrower accepts, and the money is paid out",
	"The receiver gets the webhook, and checks its signature",
] as const;

export interface Loan {
	readonly application: LoanApplication;
	readonly endpointId: string;
	/** That of `loan.disbursed`. */
	readonly deliveryId: string;
	readonly signature: string | null;
}

/** Something did not come as it should. */
export class LoanFailed extends Error {}

const NAME = "Local receiver";
const EVENTS = [
	"loan_application.submitted",
	"loan.disbursed",
	"credit_account.cycle_started",
	"credit_account.installment_due",
	"credit_account.installment_overdue",
	"credit_account.penalty_applied",
];

/** @param onStep is called with each step that is done */
export async function startLoan({ id: organization }: Belonging, onStep: (done: number) => void): Promise<Loan> {
	const { endpointId } = await prepareReceiver(organization);
	onStep(1);
	const productId = await prepareProduct(organization);
	onStep(2);
	const borrower = await ofSandbox({ by: "sandbox", kind: "partner", subject: `njeri-${crypto.randomUUID().slice(0, 8)}`, organization });
	const me = await call("GET /v1/me", { token: borrower.token, organization: null });
	if (me.kind === "USER" && me.status === "WAITING_LIST") {
		await call("POST /v1/platform/users/{userId}/admit", { path: { userId: me.id }, organization: null });
	}
	onStep(3);
	const asked = await askForLoan(borrower.token, productId);
	if (asked.status !== "APPROVED") throw new LoanFailed(`The application is ${asked.status}.`);
	onStep(4);
	const application = await takeLoan(borrower.token, asked);
	onStep(5);
	const { delivery_id: deliveryId, signature } = await disbursedAfter(application.id, endpointId);
	onStep(6);
	return { application, endpointId, deliveryId, signature };
}

/** The endpoint of the receiver, with a key that the receiver knows. */
async function prepareReceiver(organization: string): Promise<{ readonly endpointId: string }> {
	const receiver = await readReceiver();
	if (!receiver) throw new LoanFailed("There is no local receiver. npm start runs one.");
	const url = `${receiver.url}/webhooks`;
	const found = (await call("GET /v1/webhooks", { organization })).find(({ name }) => name === NAME);
	if (!found) {
		const made = await call("POST /v1/webhooks", { organization, body: { name: NAME, url, events: EVENTS } });
		await setReceiver({ failures: 0, hang: false, delay_ms: 0, secrets: [made.signing_keys[0]?.secret ?? ""] });
		return { endpointId: made.id };
	}
	// The receiver forgets its secrets when it stops, and a secret is shown once: it gets a new key.
	const path = { webhook_id: found.id };
	const [, second] = found.signing_keys;
	if (second) {
		await call("DELETE /v1/webhooks/{webhook_id}/secrets/{signing_key_id}", { organization, path: { ...path, signing_key_id: second.id } });
	}
	const { secret = "" } = await call("POST /v1/webhooks/{webhook_id}/secrets", { organization, path, body: {} });
	await setReceiver({ failures: 0, hang: false, delay_ms: 0, secrets: [secret] });
	await call("PATCH /v1/webhooks/{webhook_id}", { organization, path, body: { url, status: "ACTIVE", events: EVENTS } });
	return { endpointId: found.id };
}

const PATIENCE_MS = 20_000;

/** Received deliveries of this loan. */
async function disbursedAfter(
	applicationId: string,
	webhook_id: string,
): Promise<{ readonly delivery_id: string; readonly signature: string | null }> {
	const until = Date.now() + PATIENCE_MS;
	while (Date.now() < until) {
		const { received = [] } = (await readReceiver()) ?? {};
		for (const one of received.filter(({ event_type }) => event_type === "loan.disbursed")) {
			const { body, webhook_id: to } = await call("GET /v1/webhooks/deliveries/{id}", { path: { id: one.delivery_id } });
			if (to === webhook_id && body?.includes(applicationId)) return one;
		}
		await new Promise((resolve) => setTimeout(resolve, 500));
	}
	throw new LoanFailed("The loan is paid out, but the receiver has got no webhook. Look at its endpoint.");
}
