// The book of a lender some weeks old, in a service of its own, whose clock moves: loans in time, overdue with a penalty and repaid in
// part, closed days, a payment without account, an endpoint that takes nothing.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type Api, createClient } from "../../../client/src/index.ts";
import { operatorOf, startOwnService } from "../../../src/dev/own-service.ts";
import { type Receiver, startReceiver } from "../../../src/dev/receiver.ts";
import type { Service } from "../../../src/dev/service.ts";
import { ownerOf } from "./support.ts";
import { lend, person, sixMonths } from "./world.ts";

/** With this number they call. */
export const SAID = "0712 000 100";
const PEOPLE = [
	"Baraka Mwangi",
	"Akinyi Atieno",
	"Chebet Kiptoo",
	"Daudi Hassan",
	"Esther Wambui",
	"Farah Abdi",
	"Grace Moraa",
	"Hamisi Juma",
];

export interface Borrower {
	readonly name: string;
	readonly userId: string;
	readonly accountId: string;
	readonly number: string;
}

export interface DayWorld {
	readonly at: string;
	readonly operator: Api;
	readonly owner: Api;
	readonly organizationId: string;
	readonly borrowers: readonly Borrower[];
	readonly receiver: Receiver;
	readonly webhookId: string;
	/** The last closed day. */
	readonly closed: string;
	end(): Promise<void>;
}

async function givenBorrower(at: string, operator: Api, product: string, name: string, index: number): Promise<Borrower> {
	const { api, id: userId } = await person(at, operator, name.toLowerCase().replace(" ", "."), name);
	const subject = `+2547120001${String(index).padStart(2, "0")}`;
	const { token } = await createClient({ baseUrl: at }).createSandboxToken({ body: { kind: "phone", subject } });
	await api.setMyPhone({ body: { phone_verification_token: token } });
	const account = await lend(api, product, 12_000_000 - index * 500_000);
	return { name, userId, accountId: account.id, number: account.number };
}

/** Cash that is taken at the counter, by the clock of the service. */
const cash = (operator: Api, organization: string, account_id: string, value: number, receipt: string, transacted_at: string) =>
	operator.recordRepayment({
		organization,
		body: {
			account_id,
			amount: { value, currency: "KES" },
			mobile_money_transaction_id: receipt,
			transacted_at,
			details: { type: "BUY_GOODS", till_number: "12345" },
		},
	});

export async function makeDay(): Promise<DayWorld> {
	const statePath = mkdtempSync(path.join(tmpdir(), "day-"));
	const service: Service = await startOwnService(statePath);
	const at = service.url;
	const receiver = await startReceiver({ failStatus: 410 });
	const { organizationId } = await ownerOf(at);
	const first = await operatorOf(service);
	const { id: product } = await first.createLoanProduct({ body: sixMonths(organizationId) });
	const borrowers = await Promise.all(PEOPLE.map((name, index) => givenBorrower(at, first, product, name, index)));
	// A token is of a time: after each step, another.
	let operator = first;
	for (const [step, advance] of (["P12D", "P12D", "P12D"] as const).entries()) {
		const { now } = await operator.advanceClock({ body: { advance } });
		operator = await operatorOf(service);
		const payers = borrowers.slice(6 - step);
		for (const { accountId, number } of payers)
			await cash(operator, organizationId, accountId, 250_000 + step * 100_000, `QK${step}${number.slice(-6)}`, now);
	}
	await operator.advanceClock({ body: { advance: "P2D" } });
	operator = await operatorOf(service);
	const { owner } = await ownerOf(at);
	const [webhook, portfolio] = await Promise.all([
		owner.createWebhook({ body: { name: "Core banking", url: `${receiver.url}/hooks`, events: ["branding.updated"] } }),
		owner.listPortfolios(),
	]);
	receiver.behaviour.secrets = [webhook.signing_keys[0]?.secret ?? ""];
	return {
		at,
		operator,
		owner,
		organizationId,
		borrowers,
		receiver,
		webhookId: webhook.id,
		closed: portfolio.data[0]?.as_of ?? "",
		async end() {
			await receiver.close();
			await service.stop();
			rmSync(statePath, { recursive: true, force: true });
		},
	};
}
