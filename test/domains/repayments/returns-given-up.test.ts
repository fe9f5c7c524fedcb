// Operators give up the return of a payment's money, which the provider may make all the same.

import { expect, it } from "vitest";
import { HOUR_MS } from "../../../src/shared/time";
import { expectOk } from "../../support/client";
import { timePasses } from "../../support/daraja";
import { newId } from "../../support/factories";
import { beforeCommit } from "../../support/loans";
import { expectErrors } from "../../support/log";
import { givenReturning, sweepReturns } from "../../support/returns";

it("the service stops ordering a return that is given up, and counts it as returned when Daraja says so after all", async () => {
	expectErrors("a result of a return contradicts what is known of it");
	const { standIn, pay, reverse, read, giveUp, retry, told, work } = await givenReturning(() => ({ late: true }));
	const { id } = await pay();
	expectOk(await reverse(id));
	expect(expectOk(await giveUp(id))).toMatchObject({ status: "GIVEN_UP", given_up_reason: "paid back in cash" });
	expect(await giveUp(id)).toMatchObject({ status: 409 });
	expect(await giveUp(newId(id))).toMatchObject({ status: 404 });
	await timePasses(HOUR_MS);
	await sweepReturns();
	expect(standIn.reversals.asked).toHaveLength(1);
	expect(await work()).toEqual([]);
	expect(await retry(id)).toMatchObject({ status: 404 });
	standIn.reversals.reportLate();
	await standIn.deliver();
	expect(await read(id)).toMatchObject({ status: "RETURNED", contradiction: "GIVEN_UP" });
	expect(await told()).toEqual([
		["return_failed", "GIVEN_UP"],
		["money_returned", standIn.reversals.made[0]?.transaction],
	]);
});

it("giving up a return is refused when its result comes right before", async () => {
	const { standIn, pay, reverse, read, giveUp } = await givenReturning();
	const { id } = await pay();
	expectOk(await reverse(id));
	expect(
		await giveUp(
			id,
			beforeCommit(() => standIn.deliver()),
		),
	).toMatchObject({ status: 409 });
	expect(await read(id)).toMatchObject({ status: "RETURNED", contradiction: null });
});
