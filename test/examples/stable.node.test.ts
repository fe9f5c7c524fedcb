// Two recordings of one example are the same.

import { expect, it } from "vitest";
import { Stable } from "./stable";

const DAY_MS = 86_400_000;

const recordedOn = (now: number, id: string, secret: string) => {
	const at = new Date(now).toISOString();
	const day = (days: number) => new Date(now + days * DAY_MS).toISOString().slice(0, 10);
	const stable = new Stable(now);
	return stable.of({
		id,
		again: `https://service.example/v1/things/${id}`,
		other: crypto.randomUUID(),
		created_at: at,
		due_date: day(30),
		due_at: `${day(30)}T20:59:59.999Z`,
		secret: `whsec_${secret}`,
		otp_code: secret.replaceAll(/\D/g, "").padEnd(6, "7").slice(0, 6),
		code: "ACCOUNT_HAS_NON_ZERO_BALANCE",
		permission: "org:financing.merchants:read",
		amount: 1_000,
	});
};

it("puts one value in the place of ids, secrets, codes and days of a run", () => {
	const first = recordedOn(Date.UTC(2027, 4, 9, 17, 3, 2, 123), crypto.randomUUID(), crypto.randomUUID().replaceAll("-", ""));
	const second = recordedOn(Date.UTC(2026, 10, 22, 3, 1, 4, 5), crypto.randomUUID(), crypto.randomUUID().replaceAll("-", ""));
	expect(second).toEqual(first);
	expect(first).toMatchObject({
		id: "01920f8e-7b1c-7a52-9a4e-3c5d8f2b6e20",
		again: "https://service.example/v1/things/01920f8e-7b1c-7a52-9a4e-3c5d8f2b6e20",
		other: "01920f8e-7b1c-7a52-9a4e-3c5d8f2b6e21",
		created_at: "2026-03-02T09:30:00.000Z",
		due_date: "2026-04-01",
		due_at: "2026-04-01T20:59:59.999Z",
		code: "ACCOUNT_HAS_NON_ZERO_BALANCE",
		permission: "org:financing.merchants:read",
		amount: 1_000,
	});
});
