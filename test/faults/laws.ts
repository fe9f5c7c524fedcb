// What must hold once all due work is done, after everything that has happened before.

import { databases } from "../support/databases";
import { expectSoundEvents } from "../support/events";
import { expectRowsAtHome } from "../support/homes";
import { expectStoredEqualsReplay } from "../support/ledgers";

/** Each selects what breaks a law. */
const LAWS: { readonly [law: string]: string } = {
	"the balance of a current account is the sum of its entries, and its hold that of its open transfers": `
		select a.id from current_accounts a where
			a.balance <> (select coalesce(sum(e.amount), 0) from current_account_entries e where e.account_id = a.id)
			or a.held <> (select coalesce(sum(e.hold), 0) from current_account_entries e where e.account_id = a.id)`,
	"the events of an organization are numbered without a gap": `
		select organization_id as id from webhook_events group by organization_id
		having max(sequence) - min(sequence) + 1 <> count(*)`,
	"an unfinished delivery is due, or held for a suspended endpoint": `
		select id from webhook_deliveries where status = 'PENDING' and next_attempt_at is null and claimed_until is null
			and webhook_id not in (select id from webhook_endpoints where status = 'SUSPENDED')`,
	"each seal of the audit trail follows the one before": `
		select s.hash as id from audit_seals s where s.from_sequence > 1 and not exists (
			select 1 from audit_seals p where p.stream = s.stream and p.through_sequence = s.from_sequence - 1 and p.hash = s.previous)`,
	"a message to another home is carried": "select id from home_messages",
	"a name is final, or reserved for a change": "select value as id from names where reserved_for is null and reserved_at is not null",
	"a number is reserved for an open change only": `
		select n.value as id from names n where n.reserved_for is not null and not exists (
			select 1 from mobile_number_changes c where c.id = n.reserved_for and c.status in ('INITIALIZING', 'AUTHORIZED'))`,
};

/** The laws that are broken, each with what breaks it. */
export async function broken(): Promise<string[]> {
	const found: string[] = [];
	for (const [law, select] of Object.entries(LAWS)) {
		if (databases.length > 1 && select.includes("mobile_number_changes")) continue;
		for (const database of databases) {
			const { results } = await database.prepare(select).all<{ id: string }>();
			if (results.length > 0) found.push(`${law}: ${results.map(({ id }) => id).join()}`);
		}
	}
	for (const expected of [expectStoredEqualsReplay, expectSoundEvents, expectRowsAtHome]) {
		try {
			await expected();
		} catch (error) {
			found.push(error instanceof Error ? error.message : String(error));
		}
	}
	return found;
}
