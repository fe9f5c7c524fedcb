// How many payees a user may make in a day, and how many of their names may be looked up.

import { describe, expect, it } from "vitest";
import { addPayeeAccount } from "../../../src/domains/payees/account.operations";
import { createPayee, deletePayee } from "../../../src/domains/payees/operations";
import { DAY_MS } from "../../../src/shared/time";
import { call, expectOk, send } from "../../support/client";
import { moveClock } from "../../support/clock";
import { everyDatabase } from "../../support/databases";
import { givenUser } from "../../support/factories";
import { beforeCommit } from "../../support/loans";
import { sendMoney } from "../../support/payees";

const NUMBER = "+254722000111";
const LIMITED = { RATE_LIMITS: "on" };

describe("the daily quota", () => {
	const accounts = (from: number) => Array.from({ length: 15 }, (_, index) => ({ type: "BUY_GOODS", till_number: `${from + index}` }));
	const create = (as: string, body: object = { label: "x" }) => send(createPayee, { as, body, vars: LIMITED });

	it("is not given back by deleting a payee, and begins again the next day", async () => {
		const { token } = await givenUser();
		for (let count = 0; count < 20; count++) {
			const { id } = expectOk(await create(token)) as { id: string };
			if (count % 2 === 0) await call(deletePayee, { as: token, path: { payeeId: id } });
		}
		const refused = await create(token);
		expect(refused).toMatchObject({ status: 429, body: { code: "TOO_MANY_REQUESTS" } });
		expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
		await moveClock(DAY_MS);
		expect((await create(token)).status).toBe(201);
	});

	it("counts every added account towards the look-ups", async () => {
		const { token } = await givenUser();
		expect((await create(token, { accounts: accounts(10_000) })).status).toBe(201);
		const { id: payeeId } = expectOk(await create(token, { accounts: accounts(20_000) })) as { id: string };
		const add = (as: string) => call(addPayeeAccount, { as, path: { payeeId }, body: sendMoney(NUMBER), vars: LIMITED });
		expect((await add(token)).status).toBe(429);
		expect((await create(token, { accounts: accounts(30_000) })).status).toBe(429);
		expect((await create(token)).status).toBe(201);
	});

	it("of look-ups is not exceeded by two concurrent calls", async () => {
		const { token } = await givenUser();
		expect((await create(token, { accounts: accounts(10_000) })).status).toBe(201);
		const other = async () => void expectOk(await create(token, { accounts: accounts(20_000) }));
		const vars = { ...LIMITED, ...beforeCommit(other) };
		expect((await send(createPayee, { as: token, body: { accounts: accounts(30_000) }, vars })).status).toBe(429);
	});

	it("is not exceeded by concurrent calls", async () => {
		const { token } = await givenUser();
		for (let count = 0; count < 18; count++) expectOk(await create(token));
		const answers = await Promise.all(Array.from({ length: 6 }, () => create(token)));
		expect(answers.filter(({ status }) => status === 201).length).toBeLessThanOrEqual(2);
		expect(await everyDatabase.prepare("select count(*) as n from payees").first("n")).toBeLessThanOrEqual(20);
		for (const { status } of answers) expect([201, 409, 429]).toContain(status);
	});
});
