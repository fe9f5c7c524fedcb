// What a credential has moved: all money that was lent, paid out, paid in or claimed.

import type { AnyOperation } from "../../../src/http/operation";
import { forgetAll } from "../../../src/shared/cache";
import { everyDatabase } from "../../support/databases";
import { operations } from "../../support/domains";
import type { Probed } from "../../support/probe";
import { emptyStorage } from "../../support/storage";
import type { ValidRequest } from "../../support/valid-request";
import { fakeWorld } from "../../support/webhooks";
import { type Credentials, send } from "../senders";
import { givenParties, type Parties, validRequest } from "../valid-requests";

/** A GET has no effect for anybody, as the test of the guards sees. */
export const changes = operations.filter(({ method }) => method !== "GET");

/** All money that has been lent, paid out, paid in, or claimed as paid. */
export async function moved(): Promise<number> {
	const row = await everyDatabase
		.prepare(`select
			(select coalesce(sum(loan_amount), 0) from loan_applications where status in ('SUBMITTED', 'DISBURSED'))
			+ (select coalesce(sum(amount), 0) from disbursements where kind = 'DRAW')
			+ (select coalesce(sum(amount), 0) from payments where status in ('CONFIRMED', 'POSTED'))
			+ (select coalesce(sum(amount), 0) from invoice_repayments) + (select coalesce(sum(advance), 0) from invoice_advances)
			+ (select coalesce(sum(amount), 0) from transfers)
			+ (select coalesce(sum(amount), 0) from custodian_movements where direction = 'CREDIT') as total`)
		.first<{ total: number }>();
	return row?.total ?? Number.NaN;
}

/**
 * Lets several callers send a valid request of the operation, each in a world where nobody has sent it yet. A refused call has no
 * effect, as the test of the guards sees: after one, the next caller gets the same request.
 */
export function validRequests(op: AnyOperation) {
	let unused: { parties: Parties; request: ValidRequest } | undefined;
	return async <T>(use: (parties: Parties, call: (credentials: Credentials) => Promise<Probed>) => Promise<T>): Promise<T> => {
		if (!unused) {
			await emptyStorage();
			forgetAll();
			fakeWorld();
			const parties = await givenParties();
			unused = { parties, request: await validRequest(op, parties) };
		}
		const { parties, request } = unused;
		return use(parties, async (credentials) => {
			const answer = await send(op, request, credentials, {});
			if (answer.status < 400 || answer.status >= 500) unused = undefined;
			return answer;
		});
	};
}
