// Before a code for a transfer goes to a number, the mobile operator says whether its SIM card was exchanged.

import { beforeEach, expect, it } from "vitest";
import { allowErrors } from "../../support/log";
import { answerOutbound } from "../../support/outbound";
import { payeeOf, transfer } from "../../support/transfers";
import { accountOf, givenPerson, HOMES, openSecond } from "../../support/two-homes";

const vars = { TRANSFER_OTP_ABOVE: "100", SIM_SWAP_URL: "https://sim.example/check", SIM_SWAP_TOKEN: "token" };

beforeEach(openSecond);

it.each([
	["was exchanged", () => Response.json({ swapped: true }), 409, 0],
	["was not exchanged", () => Response.json({ swapped: false }), 201, 200],
	["is not told of", () => new Response(null, { status: 503 }), 201, 200],
])("a transfer that needs a code, while the payer's SIM card %s", async (_, answer, status, held) => {
	allowErrors("the SIM-swap check gave no answer before a code");
	const payer = await givenPerson(HOMES[0], 10_000);
	const { accountId } = await payeeOf(payer, { type: "BUY_GOODS", till_number: "123456" });
	let asked = 0;
	answerOutbound(async () => {
		asked++;
		return answer();
	});
	expect((await transfer(payer, accountId, 50, { vars })).status).toBe(201);
	expect(asked).toBe(0);
	const ordered = await transfer(payer, accountId, 200, { vars });
	expect(ordered).toMatchObject({ status, body: status === 201 ? { status: "AWAITING_OTP" } : { code: "INVALID_STATE" } });
	expect(asked).toBe(1);
	expect(await accountOf(payer)).toMatchObject({ balance: 9_950, held });
});
