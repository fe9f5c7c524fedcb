// What a credential has moved: all money that was lent, paid out, paid in or claimed.

import type { AnyOperation } from "../../../src/http/operation";
import { everyDatabase } from "../../support/databases";
import { operations } from "../../support/domains";
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

/** What a valid call of the operation by this credential moves. */
export async function movedBy(op: AnyOperation, credentialOf: (parties: Parties) => Promise<Credentials>): Promise<number> {
	const parties = await givenParties();
	const request = await validRequest(op, parties);
	const credential = await credentialOf(parties);
	const before = await moved();
	await send(op, request, credential, {});
	return (await moved()) - before;
}
