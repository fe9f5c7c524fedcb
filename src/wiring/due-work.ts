// What falls due with time: done by the sweep each minute, and immediately when the sandbox's clock is moved.

import { purge } from "../db/purge";
import { expireApprovals } from "../domains/approvals/job";
import { announceHeads, sealRows } from "../domains/audit/job";
import { settleEndedPromises } from "../domains/collections/job";
import { expiredOwners } from "../domains/collections/store";
import { askDueBalances } from "../domains/connections/balances.job";
import { replaceDue } from "../domains/connections/replacement.job";
import { workOnAccounts } from "../domains/credit-accounts/job";
import { makeCreditBureauFiles } from "../domains/credit-bureau/job";
import { sendDueCustodianInstructions } from "../domains/current-accounts/custodian/procedure";
import { payDueInterest } from "../domains/current-accounts/ledger/job";
import { bookPaidPayouts, sendDueInstructions } from "../domains/disbursements/job";
import { workOnImports } from "../domains/imports/job";
import { expiredLines } from "../domains/imports/store";
import { markOverdueInvoices } from "../domains/invoices/job";
import { closeLedgers } from "../domains/ledger/job";
import { cancelRetiredOffers, expireOffers } from "../domains/loans/job";
import { sendPushes } from "../domains/messages/devices/job";
import { expiredInbox } from "../domains/messages/inbox.store";
import { sendMessages } from "../domains/messages/job";
import { expiredMessages } from "../domains/messages/store";
import { clearReservations, expireChanges, failRefused, finishChanges } from "../domains/mobile-number-changes/job";
import { workOnRecoveries } from "../domains/mobile-number-changes/recovery.job";
import { sendDueSyncs } from "../domains/organizations/authorization/job";
import { expiredSyncs } from "../domains/organizations/authorization/store";
import { endAcceptances, expireInvitations } from "../domains/organizations/invitations/job";
import { expiredSends } from "../domains/organizations/invitations/store";
import { expiredOtp } from "../domains/otp/store";
import { lookUpNames } from "../domains/payees/job";
import { expiredQuotas } from "../domains/payees/store";
import { eraseAgain } from "../domains/people/again.job";
import { workOnErasures } from "../domains/people/job";
import { closePortfolios } from "../domains/portfolio/job";
import { askProviders } from "../domains/reconciliation/asking.job";
import { setOffCharges } from "../domains/reconciliation/charges.job";
import { workOnStatements } from "../domains/reconciliation/job";
import { workOnPrompts } from "../domains/repayments/prompts/job";
import { verifyConfirmations } from "../domains/repayments/recording/confirmations.job";
import { expiredConfirmations } from "../domains/repayments/recording/confirmations.store";
import { postWaitingPayments } from "../domains/repayments/recording/job";
import { pullPayments } from "../domains/repayments/recording/pulls.job";
import { sendDueReturns } from "../domains/repayments/returns/procedure";
import { expiredTokens } from "../domains/tokens/exchange/store";
import { workOnTransfers } from "../domains/transfers/job";
import { expiredDeadLetters } from "../domains/webhooks/deliveries/dead-letters.store";
import { expireSigningKeys } from "../domains/webhooks/signing/job";
import { expiredSlots, sumUpSlots } from "../domains/webhooks/statistics/store";
import type { Step } from "./turns";
import { settleNames } from "./unsettled-names";

/** Safe to run twice, and at any time. */
export const dueWork: readonly Step[] = [
	{ name: "approvals.expire", run: expireApprovals },
	{ name: "loans.expire-offers", run: expireOffers },
	{ name: "loans.cancel-retired-offers", run: cancelRetiredOffers },
	{ name: "loans.send-disbursements", run: sendDueInstructions },
	{ name: "loans.book-paid", run: bookPaidPayouts },
	{ name: "payouts.ask-balances", run: askDueBalances },
	{ name: "payment-connections.replace", run: replaceDue },
	{ name: "repayments.post", run: postWaitingPayments },
	{ name: "repayments.pull", run: pullPayments },
	{ name: "repayments.verify", run: verifyConfirmations },
	{ name: "repayments.prompts", run: workOnPrompts },
	{ name: "repayments.returns", run: sendDueReturns },
	{ name: "repayments.purge", run: ({ db, now }) => purge(db, [expiredConfirmations(db.orm, now)]) },
	{ name: "credit-accounts.work", run: workOnAccounts },
	{ name: "collections.settle-promises", run: settleEndedPromises },
	{ name: "collections.purge-owners", run: ({ db, now }) => purge(db, [expiredOwners(db.orm, now)]) },
	{ name: "portfolios.close", run: closePortfolios },
	{ name: "ledgers.close", run: closeLedgers },
	{ name: "credit-bureau.make-files", run: makeCreditBureauFiles },
	{ name: "imports.purge", run: ({ db, now }) => purge(db, [expiredLines(db.orm, now)]) },
	{ name: "mobile-number-changes.fail-refused", run: failRefused },
	{ name: "mobile-number-changes.recover", run: workOnRecoveries },
	{ name: "mobile-number-changes.expire", run: expireChanges },
	{ name: "mobile-number-changes.finish", run: finishChanges },
	{ name: "mobile-number-changes.clear-reservations", run: clearReservations },
	{ name: "transfers.work", run: workOnTransfers },
	{ name: "current-accounts.interest", run: payDueInterest },
	{ name: "current-accounts.tell-custodian", run: sendDueCustodianInstructions },
	{ name: "invoices.mark-overdue", run: markOverdueInvoices },
	{ name: "webhooks.expire-keys", run: expireSigningKeys },
	{ name: "webhooks.sum-up-statistics", run: ({ db, now }) => purge(db, [sumUpSlots(db.orm, now), expiredSlots(db.orm, now)]) },
	{ name: "webhooks.purge-dead-letters", run: ({ db, now }) => purge(db, [expiredDeadLetters(db.orm, now)]) },
	{ name: "audit.seal", run: sealRows },
	{ name: "audit.announce", run: announceHeads },
	{ name: "payees.look-up-names", run: (services) => lookUpNames(services) },
	{ name: "payees.purge", run: ({ db, now }) => purge(db, [expiredQuotas(db.orm, now)]) },
	{ name: "invitations.expire", run: expireInvitations },
	{ name: "invitations.end-acceptances", run: endAcceptances },
	{ name: "invitations.purge-sends", run: ({ db, now }) => purge(db, [expiredSends(db.orm, now)]) },
	{ name: "authorization.tell", run: sendDueSyncs },
	{ name: "authorization.purge", run: ({ db, realNow }) => purge(db, [expiredSyncs(db.orm, realNow)]) },
	{ name: "messages.send", run: (services) => sendMessages(services) },
	{ name: "messages.push", run: (services) => sendPushes(services) },
	{ name: "messages.purge", run: ({ db, now }) => purge(db, [expiredMessages(db.orm, now), expiredInbox(db.orm, now)]) },
	{ name: "otp.purge", run: ({ db, now }) => purge(db, expiredOtp(db.orm, now)) },
	{ name: "names.settle", run: settleNames },
	{ name: "tokens.purge", run: ({ db, realNow }) => purge(db, expiredTokens(db.orm, realNow)) },
	{ name: "people.erase", run: workOnErasures },
	{ name: "people.erase-again", run: eraseAgain },
	{ name: "reconciliation.ask", run: askProviders },
	{ name: "reconciliation.compare", run: workOnStatements },
	{ name: "reconciliation.set-off", run: setOffCharges },
	// Last, because it computes most: where the platform ends the run for it, everything else has had its portion.
	{ name: "imports.work", run: workOnImports },
];
