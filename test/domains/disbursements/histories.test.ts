// Random histories of payouts by each provider's stand-in: what it has paid is in the books or open, and nothing is paid twice.
// `SIMULATION_SEED` chooses another one.
// @module-tag thorough

import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { randomBy } from "../../../src/dev/random";
import { disbursements } from "../../../src/domains/disbursements/model/table";
import { PAYMENT_PROVIDERS } from "../../../src/shared/payment-providers";
import { HOUR_MS, MINUTE_MS } from "../../../src/shared/time";
import { dyingAt } from "../../support/crashes";
import { db } from "../../support/factories";
import { expectStoredEqualsReplay } from "../../support/ledgers";
import { eventsOf } from "../../support/loans";
import { allowErrors } from "../../support/log";
import { PROVIDERS } from "../../support/payment-providers";
import { givenLenderAt, givenOfferOf, sweepPayouts, timePasses } from "../../support/payments";

it.each(PAYMENT_PROVIDERS)(
	"%s: the books have, or open, everything that was paid, though processes die",
	{ timeout: 120_000 },
	async (name) => {
		allowErrors("a result of a payout contradicts an earlier one", "background work failed", "request failed");
		allowErrors("a receipt of a payout is that of another one", "a result of a payout does not say what was paid");
		allowErrors("a payout that was made is in no book", "a payout that was made cannot be booked", "a payout is open for more than a day");
		const provider = PROVIDERS[name];
		const seed = Number(env.SIMULATION_SEED || 7);
		const random = randomBy(seed);
		const dies = (): Partial<Env> =>
			random() < 0.3 ? dyingAt(1 + Math.floor(random() * 4), random() < 0.5 ? "before" : "after").vars : {};
		let known: string | undefined;
		const behave = (): never => {
			const drawn: { saysReceipt?: string } = provider.behaviours[Math.floor(random() * provider.behaviours.length)] ?? {};
			const { saysReceipt, ...behaviour } = drawn;
			return (saysReceipt && known ? { ...behaviour, saysReceipt: known } : behaviour) as never;
		};
		const standIn = provider.standsIn(behave, dies);
		const lender = await givenLenderAt(provider);
		const ids: string[] = [];
		const check = async (): Promise<void> => {
			const context = `seed ${seed}`;
			const rows = new Map((await db.select().from(disbursements)).map((row) => [row.id, row]));
			const paid = standIn.paidOut();
			expect(new Set(paid.map(({ id }) => id)).size, context).toBe(paid.length);
			for (const { id, receipt, amount } of paid) {
				const row = rows.get(id);
				expect(["PENDING", "ACCEPTED", "SUCCEEDED"], context).toContain(row?.status);
				expect(row, context).toMatchObject({ amount, provider: name });
				if (row?.status === "SUCCEEDED") expect(row.mobileMoneyTransactionId, context).toBe(receipt);
			}
			const succeeded = [...rows.values()].filter(({ status }) => status === "SUCCEEDED");
			expect(succeeded.length, context).toBeLessThanOrEqual(paid.length);
			known = succeeded[0]?.mobileMoneyTransactionId ?? undefined;
		};
		for (let round = 0; round < 24; round++) {
			if (round < 14) {
				const offer = await givenOfferOf(lender, provider.freshNumber());
				ids.push(offer.id);
				await offer.apply(30_000 + 100 * round, dies());
				if (random() < 0.3) await offer.apply(30_000 + 100 * round);
			}
			if (random() < 0.1) standIn.forgetTokens();
			await timePasses(Math.floor((round < 14 ? 5 * MINUTE_MS : 2 * HOUR_MS) * random()));
			await sweepPayouts(dies()).catch(() => {});
			await standIn.deliver();
			await check();
		}
		// Nothing dies any more: what was paid is found out, and what was not may still end either way.
		for (let round = 0; round < 6; round++) {
			await timePasses(2 * HOUR_MS);
			await sweepPayouts();
			await standIn.deliver();
		}
		await check();
		const ends = new Map((await db.select().from(disbursements)).map(({ id, status }) => [id, status]));
		const paid = standIn.paidOut();
		for (const { id } of paid) expect(ends.get(id), `seed ${seed}`).toBe("SUCCEEDED");
		expect(paid.length).toBeGreaterThan(3);
		const disbursed = (await eventsOf(lender.organization.id)).filter(({ type }) => type === "loan.disbursed");
		expect(disbursed).toHaveLength(paid.length);
		await expectStoredEqualsReplay();
	},
);
