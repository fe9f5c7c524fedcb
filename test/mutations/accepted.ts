// What `npm run mutations` finds and we accept, each with its reason, and the domains in which it finds nothing else, or nothing at all.

/** Domains whose guards are all noticed; the suite tries a sample of one of them. */
export const HELD: readonly string[] = [
	"events",
	"frame",
	"schema",
	"app-settings",
	"approvals",
	"audit",
	"branding",
	"commissions",
	"connections",
	"credit-accounts",
	"current-accounts",
	"disbursements",
	"imports",
	"invoices",
	"loan-products",
	"loans",
	"messages",
	"mobile-number-changes",
	"organizations",
	"otp",
	"payees",
	"portfolio",
	"repayments",
	"tokens",
	"transfers",
	"users",
	"webhooks",
];

/** Domains that state nothing which could be taken out, and why. */
export const WITHOUT_GUARDS: Readonly<Record<string, string>> = {
	work: "It reads what is open. What does it again at once is written by the domains that own it, and judged there.",
};

const ORGANIZATION_OF_RECEIPT = "\"receipt\".\"organization_id\" = unhex(replace(?, '-', ''))";

const WRITES_ENTRIES =
	"It refuses nothing. What it writes for the journal, or as a charge, is compared by test/domains/ledger and test/domains/reconciliation, which the schema's tests do not run.";

/** By file, declaration and guard. A line whose guard is noticed after all fails the run. */
export const ACCEPTED: Readonly<Record<string, string>> = {
	"src/db/database.ts Database: a write": "It passes on the conditions of facts, each of which is a guard where it is declared.",
	journal_of_payments: WRITES_ENTRIES,
	journal_of_changed_payments: WRITES_ENTRIES,
	journal_of_payouts: WRITES_ENTRIES,
	journal_of_changed_payouts: WRITES_ENTRIES,
	journal_of_wallets: WRITES_ENTRIES,
	journal_of_advances: WRITES_ENTRIES,
	journal_of_changed_advances: WRITES_ENTRIES,
	journal_of_invoice_repayments: WRITES_ENTRIES,
	journal_of_treasury: WRITES_ENTRIES,
	journal_of_charges: WRITES_ENTRIES,
	journal_of_changed_charges: WRITES_ENTRIES,
	charges_of_payouts: WRITES_ENTRIES,
	charges_of_changed_payouts: WRITES_ENTRIES,
	charges_of_payments: WRITES_ENTRIES,
	charges_of_restored_payments: WRITES_ENTRIES,
	charges_of_reversed_payments: WRITES_ENTRIES,
	journal_of_tariff_charges: WRITES_ENTRIES,
	journal_of_changed_tariff_charges: WRITES_ENTRIES,
	charges_set_off: WRITES_ENTRIES,
	changed_charges_set_off: WRITES_ENTRIES,
	journal_entries_begin: WRITES_ENTRIES,
	'src/domains/current-accounts/ledger/store.ts insertWith: "current_account"."held" + n.hold >= 0':
		"No entry can come to it, because a hold ends once; the CHECK current_accounts_funds refuses it as well.",
	"src/domains/current-accounts/ledger/store.ts insertWith: \"current_account\".\"status\" in ('PENDING', 'ACTIVE', 'FROZEN', 'CLOSING')":
		"Of entries that end a hold. A CLOSED account holds nothing, by the CHECK current_accounts_closed_empty.",
	"src/domains/current-accounts/ledger/store.ts payAccrued: \"current_account\".\"status\" in ('PENDING', 'ACTIVE', 'FROZEN', 'CLOSING')":
		"A CLOSED account is empty and was paid what it had earned.",
	'src/domains/current-accounts/ledger/store.ts payAccrued: "current_account"."day" <= ?':
		"No entry is later than a payday that is still due; the trigger current_account_entries_chain refuses it as well.",
	'src/domains/imports/store.ts storeLines: "import_accounts"."status" <> \'IMPORTED\'':
		"No line of an imported account is stored by the statement before, so that none of them has changed.",
	"src/domains/imports/store.ts recordImported: guarded":
		"A borrower has one account of a product, which is UNIQUE, and an imported account gets no other verdict.",
	"src/domains/invoices/store.ts writeResult: guarded": "The report that settles an advance is recorded in the same commit, once.",
	"src/domains/mobile-number-changes/completion.procedure.ts completedWrites: guarded":
		"The same commit ends the change, which is guarded, and one change of a user is open at a time.",
	'src/domains/portfolio/model/store.ts openPosition: not "is_open"': "Saves the write of a row that is as it would be.",
	"src/domains/repayments/store.ts markMatched: guarded":
		"Two accounts of one database: markPosted is guarded there, and the transaction UNIQUE. It decides between accounts in two further databases.",
	"src/domains/repayments/store.ts markPosted: guarded": "The same commit moves the account to its next position, which is guarded.",
	"src/domains/users/model/store.ts setBlocked: guarded": "One request of this kind is pending for a user, and its decision is guarded.",
	...Object.fromEntries(
		Object.entries({
			'exists (select 1 from "webhook_deliveries" "attempted" where "attempted"."id" in (select value from json_each(?)) and "attempted"."attempt_position" > 0)':
				"Saves the choice where none of the deliveries has been attempted before.",
			'"attempted"."id" in (select value from json_each(?))': "Of the same: the choice is made more often.",
			'"attempted"."attempt_position" > 0': "Of the same.",
			'"endpoint"."id" in (select value from json_each(?))': "The deliveries are of these endpoints, which are found by their key.",
			'"sibling"."status" <> \'DELIVERED\'': "The other condition, `= 'PENDING'`, says more. The words of the partial index.",
			'"sibling"."status" <> \'DELIVERED\' #2': "The same in a batch.",
			"size is not null": "Saves the windows of endpoints without batches, of which no place is below a size that is null.",
		}).map(([condition, reason]) => [`src/domains/webhooks/deliveries/claim.store.ts keepLastAttempts: ${condition}`, reason]),
	),
	...Object.fromEntries(
		[
			...["attempt_position\" = archived.value ->> 'position'", 'created_at" <= ?', 'failed_at" <= ?', "status\" <> 'PENDING'"],
			...["status\" = 'FAILED'", 'status" = ?'],
		]
			.map((condition) => `"delivery"."${condition}`)
			.concat('"receipt"."id" < unhex(?)', ORGANIZATION_OF_RECEIPT)
			.map((condition) => [
				`src/domains/webhooks/keeping/purge.store.ts removeEvents: ${condition}`,
				"Of the portion, which the statement names twice: an event whose delivery is in it only there counts as one that another delivery needs.",
			]),
	),
	'src/domains/webhooks/keeping/purge.store.ts removeEvents: "delivery"."status" = \'FAILED\' #2':
		"`failed_at` is set on those alone. The words of the partial index.",
	[`src/domains/webhooks/keeping/purge.store.ts removeEvents: ${ORGANIZATION_OF_RECEIPT} #2`]:
		"Of the other deliveries of an event, which are of its organization.",
	[`src/domains/webhooks/keeping/receipts.store.ts restored: ${ORGANIZATION_OF_RECEIPT}`]:
		"The delivery was found in its organization. Leads to the primary key.",
	"src/domains/webhooks/keeping/receipts.store.ts restored: guarded":
		"The retry in the same commit changes the row that is given back, and is guarded.",
	'src/domains/webhooks/recovery/store.ts recoverPortion: "delivery"."id" is null':
		"The statement before has taken up those that FAILED, so that none of these is missed any more.",
	'src/domains/webhooks/recovery/store.ts recoverPortion: "event"."created_at" < ?':
		"Of what is written. Events are in the order of their time, and none after the last that was looked at is taken.",
	'src/domains/webhooks/recovery/store.ts recoverPortion: "endpoint"."organization_id" is not null':
		"Every endpoint has an organization. SQLite looks for the row only after the endpoint.",
	'src/domains/webhooks/recovery/store.ts recoverPortion: "storage_levels"."id" = 1':
		"The table has a single row, which is found by its key.",
	...Object.fromEntries(
		Object.entries({
			"keeping/archive.store.ts restoredFrom": 1,
			"keeping/receipts.store.ts restored": 1,
			"healing/store.ts makeProbe": 7,
			"recovery/store.ts recoverPortion": 7,
		}).flatMap(([statement, times]) =>
			Array.from({ length: times }, (_, nth) => (nth === 0 ? "" : ` #${nth + 1}`)).flatMap((nth) =>
				["key glob '*_id'", "typeof(value) = 'text'"].map((condition) => [
					`src/domains/webhooks/${statement}: ${condition}${nth}`,
					"Which member of a payload names its entity: a value, which test/domains/webhooks/deliveries/ordering.test.ts tries by itself.",
				]),
			),
		),
	),
	"src/domains/webhooks/statistics/store.ts countEnds: latency is not null":
		"SQLite as it is now leaves a member without a name out of an object; earlier versions did not.",
	"src/events/holdings.ts countMade: changes() > 0": "Saves the write of a row that counts nothing.",
	'src/events/holdings.ts countRemoved: "delivery"."status" = \'FAILED\'':
		"`failed_at` is set on those alone. The words of the partial index by it.",
	...Object.fromEntries(
		["insertDeliveries", "raiseAll"].flatMap((statement) =>
			Object.entries({
				'"sibling"."status" <> \'DELIVERED\'': "The other condition, `= 'PENDING'`, says more. The words of the partial index.",
				'"storage_levels"."id" = 1': "The table has a single row, which is found by its key.",
				'"endpoint"."organization_id" is not null': "Every endpoint has an organization. SQLite looks for the row only after the endpoint.",
			}).map(([condition, reason]) => [`src/events/raise.ts ${statement}: ${condition}`, reason]),
		),
	),
};

/**
 * The statements of which some of these are noticed in one run and not in another, because it depends on which of several like rows comes
 * first, or on how many are claimed at once. All others must be unnoticed, or they need not be accepted.
 */
export const NOTICED_BY_CHANCE: readonly string[] = [
	"src/domains/webhooks/deliveries/claim.store.ts keepLastAttempts",
	"src/domains/webhooks/recovery/store.ts recoverPortion",
];

/** Guards that no test of `npm test` notices, with what does in `.ci/run`. */
export const NOTICED_LATE: Readonly<Record<string, string>> = {
	"src/domains/organizations/invitations/store.ts accept: guarded":
		"test/domains/organizations/invitations/acceptance.test.ts, have one outcome with one event, and a membership only after an acceptance",
	"src/domains/organizations/invitations/store.ts reserveFor: guarded":
		"test/domains/organizations/members/two-places.test.ts over three databases, accepts no invitation that is revoked before its round trip",
	"src/wiring/backup-file.ts writeFile: guarded":
		"test/wiring/backup-overtaken.test.ts, where another sweep begins a file before any round trip",
	"src/wiring/backup-file.ts readRows: guarded":
		"test/wiring/backup-overtaken.test.ts, where another sweep begins a file before any round trip",
	"src/wiring/backup-sealing.ts keysFor: orStaleUnless":
		"test/wiring/backup-overtaken.test.ts, where another sweep begins a file before any round trip",
	"src/wiring/backup.ts backUp: guarded": "test/wiring/backup-overtaken.test.ts, where another sweep begins a file before any round trip",
	"src/wiring/backup.ts watch: guarded": "test/wiring/backup-overtaken.test.ts, where another sweep begins a file before any round trip",
	"src/wiring/key-retirement.ts change: guarded":
		"test/wiring/key-retirement.test.ts, is begun once, and said to be over once, by a sweep that another overtakes before any of its round trips",
	"src/domains/connections/model/pulls.store.ts recordPull: guarded":
		"test/domains/repayments/recording/pulls.test.ts, where several sweeps search for payments at once",
	"src/domains/organizations/members/store.ts orStaleUnlessStill: orStaleUnless":
		"test/domains/organizations/members/races.test.ts, where a caller loses a role before each change's commit",
	"src/domains/mobile-number-changes/plan.ts move: guarded":
		"test/domains/mobile-number-changes/recovery.test.ts, where a number of the directory is cancelled and replaced at once",
	"src/domains/audit/seals.plan.ts addSeal: guarded":
		"test/domains/audit/seals.test.ts, are made once by concurrent sweeps, and not at all if there are no new rows",
	"src/domains/audit/seals.store.ts recordAnnounced: guarded":
		"test/domains/audit/seals.test.ts, announces the last hash at most once a day, however many sweeps run",
	"src/domains/commissions/plan.ts changeSupervisor: orStaleUnless":
		"test/domains/commissions/administration.test.ts, is never part of a cycle, even after concurrent changes",
	"src/domains/commissions/plan.ts recordEvents: orStaleUnless":
		"test/domains/commissions/events.test.ts, with an agent's first events in two currencies record only one currency",
	"src/domains/commissions/plan.ts reverse: orStaleUnless":
		"test/domains/commissions/events.test.ts, that reverse one penalty do not exceed its amount",
	"src/domains/commissions/store.ts orModelIsThere: orStaleUnless":
		"test/domains/commissions/administration.test.ts, has one version for each effective_from, even if several are created concurrently",
	"src/domains/current-accounts/closures/operations.ts resendClosureCode: orStaleUnless":
		"test/domains/current-accounts/closures/races.test.ts, is not sent again when the closure is cancelled before that is committed",
	"src/domains/current-accounts/closures/store.ts moveClosure: guarded":
		"test/domains/current-accounts/closures/races.test.ts, the cancellation before round trip 4 of the confirmation wins",
	"src/domains/imports/store.ts moveImport: guarded":
		"test/domains/imports/operations.test.ts, imports each account once, whole, and gives a borrower of two products one user, by sweeps at once that die anywhere",
	"src/domains/invoices/store.ts addRepaid: guarded":
		"test/domains/invoices/races.test.ts, that each repay 45 of 900 are accepted twenty times, and then the invoice is paid",
	"src/domains/invoices/store.ts writeMove: guarded":
		"test/domains/invoices/races.test.ts, that decide and withdraw have one outcome and one event",
	"src/domains/mobile-number-changes/recovery.plan.ts beginRecovery: guarded":
		"test/domains/mobile-number-changes/recovery.test.ts, is not replaced by a number that another user has, got at any time",
	"src/domains/mobile-number-changes/store.ts putOff: guarded":
		"test/domains/mobile-number-changes/recovery.test.ts, is replaced three days after a second operator has approved",
	'src/domains/organizations/copies.plan.ts promotionCopy: "organization_members"."membership_id" < ? or ("organization_members"."membership_id" = ? and "organization_members"."version" < ? and "organization_members"."removed_at" is null)':
		"test/domains/organizations/members/races.test.ts, have the same result in any order, and when they are repeated",
	'src/domains/organizations/copies.plan.ts promotionCopy: exists (select 1 from "organization_members" where "organization_members"."organization_id" = ? and "organization_members"."user_id" = ? and ("organization_members"."membership_id" < ? or ("organization_members"."membership_id" = ? and "organization_members"."version" < ? and "organization_members"."removed_at" is null)))':
		"test/domains/organizations/members/races.test.ts, have the same result in any order, and when they are repeated",
	"src/domains/organizations/members/store.ts changeCopy: guarded":
		"test/domains/organizations/members/races.test.ts, continues from the role that the other one has given",
	"src/domains/organizations/members/store.ts changeMembership: guarded":
		"test/domains/organizations/members/races.test.ts, makes an owner of a member whose role has changed, in the membership and in its copy",
	"src/domains/organizations/members/store.ts removeFromCopy: guarded":
		"test/domains/organizations/members/races.test.ts, is 404 for a member who has been removed, and raises no second event",
	"src/domains/repayments/prompts/operations.ts promptRepayment: orStaleUnless":
		"test/domains/repayments/prompts.test.ts, is sent once and asked about once by two who do it at the same moment",
	"src/domains/repayments/prompts/plan.ts failPrompt: \"repayment_prompt\".\"status\" not in ('SUCCEEDED', 'FAILED')":
		"test/domains/repayments/prompts.test.ts, the service credits what was collected once, over random histories in which processes die",
	'src/domains/repayments/prompts/plan.ts failPrompt: exists (select 1 from "repayment_prompts" "repayment_prompt" where "repayment_prompt"."id" = ? and "repayment_prompt"."status" not in (\'SUCCEEDED\', \'FAILED\'))':
		"test/domains/repayments/prompts.test.ts, the service credits what was collected once, over random histories in which processes die",
	"src/domains/repayments/prompts/store.ts takeStep: guarded":
		"test/domains/repayments/prompts.test.ts, is sent once and asked about once by two who do it at the same moment",
	'src/domains/repayments/recording/procedure.ts recordApart: exists (select 1 from "payments" where "payments"."id" = ?)':
		"test/domains/repayments/recording/concurrency.test.ts, reports of one payment record it once, with one row in the audit trail",
	'src/domains/webhooks/deliveries/test.store.ts demandReceiving: not exists (select 1 from "delivery_holdings" "full_holding" where "full_holding"."organization_id" = ? and "full_holding"."held" >= coalesce("full_holding"."quota", ?))':
		"test/domains/webhooks/deliveries/tests.test.ts, is not made while its organization is at its quota",
	'src/domains/webhooks/deliveries/test.store.ts demandReceiving: not exists (select 1 from "storage_levels" where "storage_levels"."id" = 1 and "storage_levels"."level" = \'CLOSED\' and ? is not null)':
		"test/domains/webhooks/deliveries/tests.test.ts, is not made while the database is nearly full",
};
