// Made from the OpenAPI document by `npm run client`: a change by hand is lost.

import type { Answer, Call, Keyed, List, Matched, Options, Organizational, Page, Printed, Tagged, Verbatim } from "./types.ts";

/** A line an operation: its path, its method, its name, and whether it takes no credentials. */
export const OPERATIONS = `\
/.well-known/jwks.json GET getKeys public
/console/config.json GET getConsoleConfig public
/healthz GET getHealth public
/v1/accounts GET listAccounts
/v1/accounts/loan/applications GET listLoanApplications
/v1/accounts/loan/applications/partner POST createLoanApplication
/v1/accounts/loan/applications/partner/{application_id}/apply POST applyForLoan
/v1/accounts/loan/applications/{application_id} GET getLoanApplication
/v1/accounts/loan/applications/{application_id}/cancel POST cancelLoanApplication
/v1/accounts/loan/quotes POST quoteLoan
/v1/accounts/{accountId} GET getAccount
/v1/accounts/{accountId}/draws POST draw
/v1/accounts/{accountId}/explain GET explainBalance
/v1/accounts/{accountId}/installments GET listInstallments
/v1/accounts/{accountId}/installments/transactions GET listAccountTransactions
/v1/accounts/{accountId}/installments/{id}/transactions GET listInstallmentTransactions
/v1/accounts/{accountId}/payoff GET getPayoff
/v1/accounts/{accountId}/repayment-prompts GET listRepaymentPrompts
/v1/accounts/{accountId}/repayment-prompts POST promptRepayment
/v1/accounts/{accountId}/repayment-prompts/{promptId} GET getRepaymentPrompt
/v1/accounts/{accountId}/repayments POST repayFromWallet
/v1/accounts/{accountId}/reschedule GET previewReschedule
/v1/accounts/{accountId}/statement GET getStatement
/v1/accounts/{accountId}/statements POST issueStatement
/v1/accounts/{accountId}/statements GET listIssuedStatements
/v1/accounts/{accountId}/statements/{statementId} GET getIssuedStatement
/v1/accounts/{accountId}/tenure PATCH changeTenure
/v1/agents/events POST recordAgentEvents
/v1/agents/{userId}/commissions GET getCommissionReport
/v1/agents/{userId}/supervisor PUT setSupervisor
/v1/app/settings GET getAppSettings public
/v1/approvals GET listApprovals
/v1/approvals POST requestApproval
/v1/approvals/{id} GET getApproval
/v1/approvals/{id}/decision POST decideApproval
/v1/attention GET getLenderAttention
/v1/audit GET listAudit
/v1/audit/seals GET listAuditSeals
/v1/auth/exchange POST exchangePartnerToken public
/v1/auth/identity/exchange POST exchangeIdentityToken public
/v1/auth/public/exchange/phone POST exchangePhoneToken public
/v1/auth/public/phone/verifications POST startPhoneVerification public
/v1/auth/public/phone/verifications/{id}/confirm POST confirmPhoneVerification public
/v1/auth/sign-in POST signIn public
/v1/auth/sign-out POST signOut
/v1/auth/token/refresh POST refreshSession public
/v1/branding/{organizationId} GET getBrand public
/v1/branding/{organizationId} PUT putBrand
/v1/collections/calls GET listCalls
/v1/collections/follow-ups GET listFollowUps
/v1/collections/follow-ups POST recordFollowUp
/v1/collections/follow-ups/{followUpId}/withdraw POST withdrawPromise
/v1/collections/owners GET listOwners
/v1/collections/owners/{subjectId} PUT assignWork
/v1/credit-bureau/borrowers/{userId} GET getCreditBureauIdentity
/v1/credit-bureau/borrowers/{userId} PUT putCreditBureauIdentity
/v1/credit-bureau/disputes GET listCreditBureauDisputes
/v1/credit-bureau/disputes POST openCreditBureauDispute
/v1/credit-bureau/disputes/{disputeId}/resolve POST resolveCreditBureauDispute
/v1/credit-bureau/files GET listCreditBureauFiles
/v1/credit-bureau/files/{month}/rows GET listCreditBureauRows
/v1/credit-bureau/notices GET listCreditBureauNotices
/v1/credit-bureau/settings GET getCreditBureauSettings
/v1/credit-bureau/settings PUT putCreditBureauSettings
/v1/disbursements GET listDisbursements
/v1/disbursements/{id}/returned POST recordPayoutReturned
/v1/disbursements/{id}/second-receipts/dismiss POST dismissSecondReceipts
/v1/financing/invoices GET listInvoices
/v1/financing/invoices POST uploadInvoice
/v1/financing/invoices/batch POST uploadInvoices
/v1/financing/invoices/{id} GET getInvoice
/v1/financing/invoices/{id}/cancel POST cancelInvoice
/v1/financing/invoices/{id}/decision POST decideInvoice
/v1/financing/invoices/{id}/finance POST financeInvoice
/v1/financing/invoices/{id}/repayments POST repayInvoice
/v1/financing/merchants/{merchantId}/grants/{userId} DELETE deleteMerchantGrant
/v1/financing/merchants/{merchantId}/grants/{userId} GET getMerchantGrant
/v1/financing/merchants/{merchantId}/grants/{userId} PUT putMerchantGrant
/v1/financing/merchants/{merchantId}/invoices GET listMerchantInvoices
/v1/integrations/custodian/decisions POST decide
/v1/integrations/custodian/movements POST recordMovement
/v1/integrations/disbursements/{disbursement_id}/result POST reportDisbursement
/v1/integrations/messages/africastalking/{code} POST reportAfricasTalkingMessage public
/v1/integrations/messages/twilio/{messageId}/{code} POST reportTwilioMessage public
/v1/integrations/mobile-money/daraja/balances/{id}/{code} POST reportDarajaBalance public
/v1/integrations/mobile-money/daraja/breaks/{id}/{code} POST answerDarajaBreak public
/v1/integrations/mobile-money/daraja/checks/{id}/{code} POST reportDarajaStatus public
/v1/integrations/mobile-money/daraja/confirmations/{id}/{code} POST verifyDarajaConfirmation public
/v1/integrations/mobile-money/daraja/prompts/{id}/{code} POST reportDarajaPrompt public
/v1/integrations/mobile-money/daraja/results/{question}/{id}/{code} POST reportDarajaResult public
/v1/integrations/mobile-money/daraja/returns/{id}/{code} POST reportDarajaReturn public
/v1/integrations/mobile-money/daraja/{secret}/confirmation POST confirmDaraja public
/v1/integrations/mobile-money/daraja/{secret}/validation POST validateDarajaPayment public
/v1/integrations/mobile-money/momo/results/{id}/{code} POST postMomoResult public
/v1/integrations/mobile-money/momo/results/{id}/{code} PUT putMomoResult public
/v1/integrations/transfers/{transfer_id}/result POST reportTransfer
/v1/invitations/accept POST acceptInvitation
/v1/ledger/accounts GET listLedgerAccounts
/v1/ledger/closings GET listLedgerClosings
/v1/ledger/closings POST requestLedgerClosing
/v1/ledger/closings/{month} GET getLedgerClosing
/v1/ledger/entries GET listLedgerEntries
/v1/ledger/journals GET listLedgerJournals
/v1/ledger/mappings GET listLedgerMappings
/v1/ledger/mappings POST requestLedgerMapping
/v1/ledger/provider-tariffs GET listProviderTariffs
/v1/ledger/provider-tariffs POST requestProviderTariff
/v1/ledger/provisioning-rules GET listProvisioningRules
/v1/ledger/provisioning-rules POST requestProvisioningRules
/v1/ledger/provisions GET listProvisions
/v1/ledger/treasury-records GET listTreasuryRecords
/v1/ledger/treasury-records POST requestTreasuryRecord
/v1/ledger/treasury-records/{recordId} GET getTreasuryRecord
/v1/ledger/trial-balance GET getTrialBalance
/v1/loan/products GET listOfferedProducts
/v1/loan/products/{id}/terms GET getLoanTermsText
/v1/me GET getMe
/v1/me PATCH updateMe
/v1/me/current-account POST openCurrentAccountDeprecated
/v1/me/devices GET listDevices
/v1/me/devices/{device_id} DELETE deleteDevice
/v1/me/devices/{device_id} PUT registerDevice
/v1/me/export GET exportMe
/v1/me/messages GET listMyMessages
/v1/me/messages/read POST readMyMessages
/v1/me/phone PUT setMyPhone
/v1/organizations/{organizationId} GET getOrganization
/v1/organizations/{organizationId} PATCH updateOrganization
/v1/organizations/{organizationId}/api-keys POST createApiKey
/v1/organizations/{organizationId}/api-keys GET listApiKeys
/v1/organizations/{organizationId}/api-keys/{id} DELETE deleteApiKey
/v1/organizations/{organizationId}/api-keys/{id} PATCH updateApiKey
/v1/organizations/{organizationId}/api-keys/{id}/adopt POST adoptApiKey
/v1/organizations/{organizationId}/connections/daraja DELETE deleteDarajaConnection
/v1/organizations/{organizationId}/connections/daraja GET getDarajaConnection
/v1/organizations/{organizationId}/connections/daraja PUT putDarajaConnection
/v1/organizations/{organizationId}/connections/daraja/check POST checkDarajaConnection
/v1/organizations/{organizationId}/connections/daraja/confirmation-urls POST registerDarajaConfirmations
/v1/organizations/{organizationId}/connections/daraja/replacement DELETE discardDarajaReplacement
/v1/organizations/{organizationId}/connections/daraja/replacement/activate POST activateDarajaReplacement
/v1/organizations/{organizationId}/connections/daraja/resume POST resumeDarajaConnection
/v1/organizations/{organizationId}/connections/momo DELETE deleteMomoConnection
/v1/organizations/{organizationId}/connections/momo GET getMomoConnection
/v1/organizations/{organizationId}/connections/momo PUT putMomoConnection
/v1/organizations/{organizationId}/connections/momo/replacement DELETE discardMomoReplacement
/v1/organizations/{organizationId}/connections/momo/replacement/activate POST activateMomoReplacement
/v1/organizations/{organizationId}/connections/momo/resume POST resumeMomoConnection
/v1/organizations/{organizationId}/members GET listMembers
/v1/organizations/{organizationId}/members/invitations POST createInvitation
/v1/organizations/{organizationId}/members/invitations GET listInvitations
/v1/organizations/{organizationId}/members/invitations/{id}/resend POST resendInvitation
/v1/organizations/{organizationId}/members/invitations/{id}/revoke POST revokeInvitation
/v1/organizations/{organizationId}/members/{userId} PATCH changeRole
/v1/organizations/{organizationId}/members/{userId} DELETE removeMember
/v1/organizations/{organizationId}/texts GET getOrganizationTexts
/v1/organizations/{organizationId}/texts PUT putOrganizationTexts
/v1/platform/accounts/{accountId}/close POST closeAccount
/v1/platform/accounts/{accountId}/freeze POST freezeAccount
/v1/platform/accounts/{accountId}/overpayment/refund POST refundOverpayment
/v1/platform/accounts/{accountId}/reschedules POST rescheduleAccount
/v1/platform/accounts/{accountId}/settlements POST settleAccount
/v1/platform/accounts/{accountId}/transactions/{transactionId}/reverse POST reverseTransaction
/v1/platform/accounts/{accountId}/unfreeze POST unfreezeAccount
/v1/platform/accounts/{accountId}/waivers POST waive
/v1/platform/app/settings PUT putAppSettings
/v1/platform/attention GET getAttention
/v1/platform/commission-models POST createCommissionModel
/v1/platform/commission-models GET listCommissionModels
/v1/platform/confirmations GET listConfirmations
/v1/platform/confirmations/{id}/dismiss POST dismissConfirmation
/v1/platform/imports POST createImport
/v1/platform/imports/{importId} GET getImport
/v1/platform/imports/{importId}/accounts GET listImportAccounts
/v1/platform/imports/{importId}/cancel POST cancelImport
/v1/platform/imports/{importId}/lines POST addImportLines
/v1/platform/imports/{importId}/lines GET listImportLines
/v1/platform/imports/{importId}/run POST runImport
/v1/platform/issuers POST createIssuer
/v1/platform/issuers GET listIssuers
/v1/platform/issuers/{id} DELETE deleteIssuer
/v1/platform/issuers/{id} GET getIssuer
/v1/platform/issuers/{id} PATCH updateIssuer
/v1/platform/issuers/{id}/try POST tryIssuer
/v1/platform/loan-products POST createLoanProduct
/v1/platform/loan-products GET listLoanProducts
/v1/platform/loan-products/{id} GET getLoanProduct
/v1/platform/loan-products/{id} PATCH updateLoanProduct
/v1/platform/loan-products/{id}/terms POST publishLoanTermsText
/v1/platform/messages/statistics GET getMessageStatistics
/v1/platform/organizations POST createOrganization
/v1/platform/organizations GET listOrganizations
/v1/platform/organizations/{organizationId}/delivery-quota GET getDeliveryQuota
/v1/platform/organizations/{organizationId}/delivery-quota PUT setDeliveryQuota
/v1/platform/organizations/{organizationId}/members POST addMember
/v1/platform/unmatched-payments GET listUnmatchedPayments
/v1/platform/unmatched-payments/{id}/match POST matchPayment
/v1/platform/users GET listUsers
/v1/platform/users/{userId} GET getUser
/v1/platform/users/{userId} PATCH updateUser
/v1/platform/users/{userId}/admit POST admitUser
/v1/platform/users/{userId}/credit-profile PUT putCreditProfile
/v1/platform/users/{userId}/erasure POST eraseUser
/v1/platform/users/{userId}/erasure GET getErasure
/v1/platform/users/{userId}/export GET exportUser
/v1/platform/users/{userId}/identities POST linkIdentity
/v1/platform/users/{userId}/recoveries POST requestRecovery
/v1/platform/users/{userId}/recoveries/{id} GET getRecovery
/v1/platform/users/{userId}/recoveries/{id}/cancel POST cancelRecovery
/v1/platform/users/{userId}/sessions/revoke POST revokeSessions
/v1/platform/work GET listWork
/v1/platform/work/{kind}/{id}/retry POST retryWork
/v1/portfolio GET listPortfolios
/v1/portfolio/accounts GET listPortfolioAccounts
/v1/portfolio/entries GET listPortfolioEntries
/v1/portfolio/transactions GET listPortfolioTransactions
/v1/portfolio/trend GET getPortfolioTrend
/v1/reconciliation/breaks GET listStatementBreaks
/v1/reconciliation/breaks/{breakId}/ask POST askAboutStatementBreak
/v1/reconciliation/breaks/{breakId}/resolve POST resolveStatementBreak
/v1/reconciliation/statements POST createProviderStatement
/v1/reconciliation/statements GET listProviderStatements
/v1/reconciliation/statements/{statementId} GET getProviderStatement
/v1/reconciliation/statements/{statementId}/compare POST compareProviderStatement
/v1/reconciliation/statements/{statementId}/discard POST discardProviderStatement
/v1/reconciliation/statements/{statementId}/lines POST addProviderStatementLines
/v1/repayments GET listRepayments
/v1/repayments POST recordRepayment
/v1/repayments/{id} GET getRepayment
/v1/repayments/{id}/move POST moveRepayment
/v1/repayments/{id}/restore POST restoreRepayment
/v1/repayments/{id}/return/give-up POST giveUpReturn
/v1/repayments/{id}/reverse POST reverseRepayment
/v1/sandbox/clock POST advanceClock
/v1/sandbox/clock GET getClock
/v1/sandbox/deliveries POST testOwnReceiver
/v1/sandbox/messages GET listMessages
/v1/sandbox/payments POST payInSandbox
/v1/sandbox/tokens POST createSandboxToken public
/v1/search GET search
/v1/user/accounts/current GET getCurrentAccount
/v1/user/accounts/current POST openCurrentAccount
/v1/user/accounts/current/activations POST startActivation
/v1/user/accounts/current/activations/{activationId} GET getActivation
/v1/user/accounts/current/activations/{activationId}/confirm POST confirmActivation
/v1/user/accounts/current/activations/{activationId}/otp/resend POST resendActivationCode
/v1/user/accounts/current/close GET getClosure
/v1/user/accounts/current/close POST startClosure
/v1/user/accounts/current/close/cancel POST cancelClosure
/v1/user/accounts/current/close/otp/confirm POST confirmClosure
/v1/user/accounts/current/close/otp/resend POST resendClosureCode
/v1/user/accounts/current/phone/changes POST startNumberChange
/v1/user/accounts/current/phone/changes/{mobileNumberChangeId} GET getNumberChange
/v1/user/accounts/current/phone/changes/{mobileNumberChangeId}/authorize POST authorizeNumberChange
/v1/user/accounts/current/phone/changes/{mobileNumberChangeId}/cancel POST cancelNumberChange
/v1/user/accounts/current/phone/changes/{mobileNumberChangeId}/confirm POST confirmNumberChange
/v1/user/accounts/current/phone/changes/{mobileNumberChangeId}/otp/resend POST resendNumberChangeCode
/v1/user/accounts/current/transactions GET listCurrentAccountTransactions
/v1/user/notifications/preferences PUT changeNotificationPreferences
/v1/user/notifications/preferences GET getNotificationPreferences
/v1/user/payees POST createPayee
/v1/user/payees GET listPayees
/v1/user/payees/{payeeId} DELETE deletePayee
/v1/user/payees/{payeeId} GET getPayee
/v1/user/payees/{payeeId} PATCH updatePayee
/v1/user/payees/{payeeId}/accounts POST addPayeeAccount
/v1/user/payees/{payeeId}/accounts/{accountId} DELETE removePayeeAccount
/v1/user/payees/{payeeId}/accounts/{accountId}/verify POST verifyPayeeAccount
/v1/user/payees/{payeeId}/block POST blockPayee
/v1/user/payees/{payeeId}/combine POST combinePayees
/v1/user/payees/{payeeId}/unblock POST unblockPayee
/v1/user/transfers GET listTransfers
/v1/user/transfers POST orderTransfer
/v1/user/transfers/{transferId} GET getTransfer
/v1/user/transfers/{transferId}/confirm POST confirmTransfer
/v1/webhooks POST createWebhook
/v1/webhooks GET listWebhooks
/v1/webhooks/deliveries GET listDeliveries
/v1/webhooks/deliveries/{delivery_id}/retry POST retryDelivery
/v1/webhooks/deliveries/{id} GET getDelivery
/v1/webhooks/events GET listEvents
/v1/webhooks/events/types GET listEventTypes
/v1/webhooks/events/{event_id} GET getEvent
/v1/webhooks/filters/dry-run POST tryWebhookFilter
/v1/webhooks/stats GET listWebhookStats
/v1/webhooks/{webhook_id} DELETE deleteWebhook
/v1/webhooks/{webhook_id} GET getWebhook
/v1/webhooks/{webhook_id} PATCH updateWebhook
/v1/webhooks/{webhook_id}/recover POST recoverWebhook
/v1/webhooks/{webhook_id}/secrets POST createSigningKey
/v1/webhooks/{webhook_id}/secrets/{signing_key_id} DELETE revokeSigningKey
/v1/webhooks/{webhook_id}/stats GET getWebhookStats
/v1/webhooks/{webhook_id}/test POST testWebhook
/v1/webhooks/{webhook_id}/verify POST verifySignature
/v1/work GET listOwnedWork
`;

/** Of each operation its method and its path. */
export interface Lines {
	acceptInvitation: "POST /v1/invitations/accept";
	activateDarajaReplacement: "POST /v1/organizations/{organizationId}/connections/daraja/replacement/activate";
	activateMomoReplacement: "POST /v1/organizations/{organizationId}/connections/momo/replacement/activate";
	addImportLines: "POST /v1/platform/imports/{importId}/lines";
	addMember: "POST /v1/platform/organizations/{organizationId}/members";
	addPayeeAccount: "POST /v1/user/payees/{payeeId}/accounts";
	addProviderStatementLines: "POST /v1/reconciliation/statements/{statementId}/lines";
	admitUser: "POST /v1/platform/users/{userId}/admit";
	adoptApiKey: "POST /v1/organizations/{organizationId}/api-keys/{id}/adopt";
	advanceClock: "POST /v1/sandbox/clock";
	answerDarajaBreak: "POST /v1/integrations/mobile-money/daraja/breaks/{id}/{code}";
	applyForLoan: "POST /v1/accounts/loan/applications/partner/{application_id}/apply";
	askAboutStatementBreak: "POST /v1/reconciliation/breaks/{breakId}/ask";
	assignWork: "PUT /v1/collections/owners/{subjectId}";
	authorizeNumberChange: "POST /v1/user/accounts/current/phone/changes/{mobileNumberChangeId}/authorize";
	blockPayee: "POST /v1/user/payees/{payeeId}/block";
	cancelClosure: "POST /v1/user/accounts/current/close/cancel";
	cancelImport: "POST /v1/platform/imports/{importId}/cancel";
	cancelInvoice: "POST /v1/financing/invoices/{id}/cancel";
	cancelLoanApplication: "POST /v1/accounts/loan/applications/{application_id}/cancel";
	cancelNumberChange: "POST /v1/user/accounts/current/phone/changes/{mobileNumberChangeId}/cancel";
	cancelRecovery: "POST /v1/platform/users/{userId}/recoveries/{id}/cancel";
	changeNotificationPreferences: "PUT /v1/user/notifications/preferences";
	changeRole: "PATCH /v1/organizations/{organizationId}/members/{userId}";
	changeTenure: "PATCH /v1/accounts/{accountId}/tenure";
	checkDarajaConnection: "POST /v1/organizations/{organizationId}/connections/daraja/check";
	closeAccount: "POST /v1/platform/accounts/{accountId}/close";
	combinePayees: "POST /v1/user/payees/{payeeId}/combine";
	compareProviderStatement: "POST /v1/reconciliation/statements/{statementId}/compare";
	confirmActivation: "POST /v1/user/accounts/current/activations/{activationId}/confirm";
	confirmClosure: "POST /v1/user/accounts/current/close/otp/confirm";
	confirmDaraja: "POST /v1/integrations/mobile-money/daraja/{secret}/confirmation";
	confirmNumberChange: "POST /v1/user/accounts/current/phone/changes/{mobileNumberChangeId}/confirm";
	confirmPhoneVerification: "POST /v1/auth/public/phone/verifications/{id}/confirm";
	confirmTransfer: "POST /v1/user/transfers/{transferId}/confirm";
	createApiKey: "POST /v1/organizations/{organizationId}/api-keys";
	createCommissionModel: "POST /v1/platform/commission-models";
	createImport: "POST /v1/platform/imports";
	createInvitation: "POST /v1/organizations/{organizationId}/members/invitations";
	createIssuer: "POST /v1/platform/issuers";
	createLoanApplication: "POST /v1/accounts/loan/applications/partner";
	createLoanProduct: "POST /v1/platform/loan-products";
	createOrganization: "POST /v1/platform/organizations";
	createPayee: "POST /v1/user/payees";
	createProviderStatement: "POST /v1/reconciliation/statements";
	createSandboxToken: "POST /v1/sandbox/tokens";
	createSigningKey: "POST /v1/webhooks/{webhook_id}/secrets";
	createWebhook: "POST /v1/webhooks";
	decide: "POST /v1/integrations/custodian/decisions";
	decideApproval: "POST /v1/approvals/{id}/decision";
	decideInvoice: "POST /v1/financing/invoices/{id}/decision";
	deleteApiKey: "DELETE /v1/organizations/{organizationId}/api-keys/{id}";
	deleteDarajaConnection: "DELETE /v1/organizations/{organizationId}/connections/daraja";
	deleteDevice: "DELETE /v1/me/devices/{device_id}";
	deleteIssuer: "DELETE /v1/platform/issuers/{id}";
	deleteMerchantGrant: "DELETE /v1/financing/merchants/{merchantId}/grants/{userId}";
	deleteMomoConnection: "DELETE /v1/organizations/{organizationId}/connections/momo";
	deletePayee: "DELETE /v1/user/payees/{payeeId}";
	deleteWebhook: "DELETE /v1/webhooks/{webhook_id}";
	discardDarajaReplacement: "DELETE /v1/organizations/{organizationId}/connections/daraja/replacement";
	discardMomoReplacement: "DELETE /v1/organizations/{organizationId}/connections/momo/replacement";
	discardProviderStatement: "POST /v1/reconciliation/statements/{statementId}/discard";
	dismissConfirmation: "POST /v1/platform/confirmations/{id}/dismiss";
	dismissSecondReceipts: "POST /v1/disbursements/{id}/second-receipts/dismiss";
	draw: "POST /v1/accounts/{accountId}/draws";
	eraseUser: "POST /v1/platform/users/{userId}/erasure";
	exchangeIdentityToken: "POST /v1/auth/identity/exchange";
	exchangePartnerToken: "POST /v1/auth/exchange";
	exchangePhoneToken: "POST /v1/auth/public/exchange/phone";
	explainBalance: "GET /v1/accounts/{accountId}/explain";
	exportMe: "GET /v1/me/export";
	exportUser: "GET /v1/platform/users/{userId}/export";
	financeInvoice: "POST /v1/financing/invoices/{id}/finance";
	freezeAccount: "POST /v1/platform/accounts/{accountId}/freeze";
	getAccount: "GET /v1/accounts/{accountId}";
	getActivation: "GET /v1/user/accounts/current/activations/{activationId}";
	getAppSettings: "GET /v1/app/settings";
	getApproval: "GET /v1/approvals/{id}";
	getAttention: "GET /v1/platform/attention";
	getBrand: "GET /v1/branding/{organizationId}";
	getClock: "GET /v1/sandbox/clock";
	getClosure: "GET /v1/user/accounts/current/close";
	getCommissionReport: "GET /v1/agents/{userId}/commissions";
	getConsoleConfig: "GET /console/config.json";
	getCreditBureauIdentity: "GET /v1/credit-bureau/borrowers/{userId}";
	getCreditBureauSettings: "GET /v1/credit-bureau/settings";
	getCurrentAccount: "GET /v1/user/accounts/current";
	getDarajaConnection: "GET /v1/organizations/{organizationId}/connections/daraja";
	getDelivery: "GET /v1/webhooks/deliveries/{id}";
	getDeliveryQuota: "GET /v1/platform/organizations/{organizationId}/delivery-quota";
	getErasure: "GET /v1/platform/users/{userId}/erasure";
	getEvent: "GET /v1/webhooks/events/{event_id}";
	getHealth: "GET /healthz";
	getImport: "GET /v1/platform/imports/{importId}";
	getInvoice: "GET /v1/financing/invoices/{id}";
	getIssuedStatement: "GET /v1/accounts/{accountId}/statements/{statementId}";
	getIssuer: "GET /v1/platform/issuers/{id}";
	getKeys: "GET /.well-known/jwks.json";
	getLedgerClosing: "GET /v1/ledger/closings/{month}";
	getLenderAttention: "GET /v1/attention";
	getLoanApplication: "GET /v1/accounts/loan/applications/{application_id}";
	getLoanProduct: "GET /v1/platform/loan-products/{id}";
	getLoanTermsText: "GET /v1/loan/products/{id}/terms";
	getMe: "GET /v1/me";
	getMerchantGrant: "GET /v1/financing/merchants/{merchantId}/grants/{userId}";
	getMessageStatistics: "GET /v1/platform/messages/statistics";
	getMomoConnection: "GET /v1/organizations/{organizationId}/connections/momo";
	getNotificationPreferences: "GET /v1/user/notifications/preferences";
	getNumberChange: "GET /v1/user/accounts/current/phone/changes/{mobileNumberChangeId}";
	getOrganization: "GET /v1/organizations/{organizationId}";
	getOrganizationTexts: "GET /v1/organizations/{organizationId}/texts";
	getPayee: "GET /v1/user/payees/{payeeId}";
	getPayoff: "GET /v1/accounts/{accountId}/payoff";
	getPortfolioTrend: "GET /v1/portfolio/trend";
	getProviderStatement: "GET /v1/reconciliation/statements/{statementId}";
	getRecovery: "GET /v1/platform/users/{userId}/recoveries/{id}";
	getRepayment: "GET /v1/repayments/{id}";
	getRepaymentPrompt: "GET /v1/accounts/{accountId}/repayment-prompts/{promptId}";
	getStatement: "GET /v1/accounts/{accountId}/statement";
	getTransfer: "GET /v1/user/transfers/{transferId}";
	getTreasuryRecord: "GET /v1/ledger/treasury-records/{recordId}";
	getTrialBalance: "GET /v1/ledger/trial-balance";
	getUser: "GET /v1/platform/users/{userId}";
	getWebhook: "GET /v1/webhooks/{webhook_id}";
	getWebhookStats: "GET /v1/webhooks/{webhook_id}/stats";
	giveUpReturn: "POST /v1/repayments/{id}/return/give-up";
	issueStatement: "POST /v1/accounts/{accountId}/statements";
	linkIdentity: "POST /v1/platform/users/{userId}/identities";
	listAccountTransactions: "GET /v1/accounts/{accountId}/installments/transactions";
	listAccounts: "GET /v1/accounts";
	listApiKeys: "GET /v1/organizations/{organizationId}/api-keys";
	listApprovals: "GET /v1/approvals";
	listAudit: "GET /v1/audit";
	listAuditSeals: "GET /v1/audit/seals";
	listCalls: "GET /v1/collections/calls";
	listCommissionModels: "GET /v1/platform/commission-models";
	listConfirmations: "GET /v1/platform/confirmations";
	listCreditBureauDisputes: "GET /v1/credit-bureau/disputes";
	listCreditBureauFiles: "GET /v1/credit-bureau/files";
	listCreditBureauNotices: "GET /v1/credit-bureau/notices";
	listCreditBureauRows: "GET /v1/credit-bureau/files/{month}/rows";
	listCurrentAccountTransactions: "GET /v1/user/accounts/current/transactions";
	listDeliveries: "GET /v1/webhooks/deliveries";
	listDevices: "GET /v1/me/devices";
	listDisbursements: "GET /v1/disbursements";
	listEventTypes: "GET /v1/webhooks/events/types";
	listEvents: "GET /v1/webhooks/events";
	listFollowUps: "GET /v1/collections/follow-ups";
	listImportAccounts: "GET /v1/platform/imports/{importId}/accounts";
	listImportLines: "GET /v1/platform/imports/{importId}/lines";
	listInstallmentTransactions: "GET /v1/accounts/{accountId}/installments/{id}/transactions";
	listInstallments: "GET /v1/accounts/{accountId}/installments";
	listInvitations: "GET /v1/organizations/{organizationId}/members/invitations";
	listInvoices: "GET /v1/financing/invoices";
	listIssuedStatements: "GET /v1/accounts/{accountId}/statements";
	listIssuers: "GET /v1/platform/issuers";
	listLedgerAccounts: "GET /v1/ledger/accounts";
	listLedgerClosings: "GET /v1/ledger/closings";
	listLedgerEntries: "GET /v1/ledger/entries";
	listLedgerJournals: "GET /v1/ledger/journals";
	listLedgerMappings: "GET /v1/ledger/mappings";
	listLoanApplications: "GET /v1/accounts/loan/applications";
	listLoanProducts: "GET /v1/platform/loan-products";
	listMembers: "GET /v1/organizations/{organizationId}/members";
	listMerchantInvoices: "GET /v1/financing/merchants/{merchantId}/invoices";
	listMessages: "GET /v1/sandbox/messages";
	listMyMessages: "GET /v1/me/messages";
	listOfferedProducts: "GET /v1/loan/products";
	listOrganizations: "GET /v1/platform/organizations";
	listOwnedWork: "GET /v1/work";
	listOwners: "GET /v1/collections/owners";
	listPayees: "GET /v1/user/payees";
	listPortfolioAccounts: "GET /v1/portfolio/accounts";
	listPortfolioEntries: "GET /v1/portfolio/entries";
	listPortfolioTransactions: "GET /v1/portfolio/transactions";
	listPortfolios: "GET /v1/portfolio";
	listProviderStatements: "GET /v1/reconciliation/statements";
	listProviderTariffs: "GET /v1/ledger/provider-tariffs";
	listProvisioningRules: "GET /v1/ledger/provisioning-rules";
	listProvisions: "GET /v1/ledger/provisions";
	listRepaymentPrompts: "GET /v1/accounts/{accountId}/repayment-prompts";
	listRepayments: "GET /v1/repayments";
	listStatementBreaks: "GET /v1/reconciliation/breaks";
	listTransfers: "GET /v1/user/transfers";
	listTreasuryRecords: "GET /v1/ledger/treasury-records";
	listUnmatchedPayments: "GET /v1/platform/unmatched-payments";
	listUsers: "GET /v1/platform/users";
	listWebhookStats: "GET /v1/webhooks/stats";
	listWebhooks: "GET /v1/webhooks";
	listWork: "GET /v1/platform/work";
	matchPayment: "POST /v1/platform/unmatched-payments/{id}/match";
	moveRepayment: "POST /v1/repayments/{id}/move";
	openCreditBureauDispute: "POST /v1/credit-bureau/disputes";
	openCurrentAccount: "POST /v1/user/accounts/current";
	openCurrentAccountDeprecated: "POST /v1/me/current-account";
	orderTransfer: "POST /v1/user/transfers";
	payInSandbox: "POST /v1/sandbox/payments";
	postMomoResult: "POST /v1/integrations/mobile-money/momo/results/{id}/{code}";
	previewReschedule: "GET /v1/accounts/{accountId}/reschedule";
	promptRepayment: "POST /v1/accounts/{accountId}/repayment-prompts";
	publishLoanTermsText: "POST /v1/platform/loan-products/{id}/terms";
	putAppSettings: "PUT /v1/platform/app/settings";
	putBrand: "PUT /v1/branding/{organizationId}";
	putCreditBureauIdentity: "PUT /v1/credit-bureau/borrowers/{userId}";
	putCreditBureauSettings: "PUT /v1/credit-bureau/settings";
	putCreditProfile: "PUT /v1/platform/users/{userId}/credit-profile";
	putDarajaConnection: "PUT /v1/organizations/{organizationId}/connections/daraja";
	putMerchantGrant: "PUT /v1/financing/merchants/{merchantId}/grants/{userId}";
	putMomoConnection: "PUT /v1/organizations/{organizationId}/connections/momo";
	putMomoResult: "PUT /v1/integrations/mobile-money/momo/results/{id}/{code}";
	putOrganizationTexts: "PUT /v1/organizations/{organizationId}/texts";
	quoteLoan: "POST /v1/accounts/loan/quotes";
	readMyMessages: "POST /v1/me/messages/read";
	recordAgentEvents: "POST /v1/agents/events";
	recordFollowUp: "POST /v1/collections/follow-ups";
	recordMovement: "POST /v1/integrations/custodian/movements";
	recordPayoutReturned: "POST /v1/disbursements/{id}/returned";
	recordRepayment: "POST /v1/repayments";
	recoverWebhook: "POST /v1/webhooks/{webhook_id}/recover";
	refreshSession: "POST /v1/auth/token/refresh";
	refundOverpayment: "POST /v1/platform/accounts/{accountId}/overpayment/refund";
	registerDarajaConfirmations: "POST /v1/organizations/{organizationId}/connections/daraja/confirmation-urls";
	registerDevice: "PUT /v1/me/devices/{device_id}";
	removeMember: "DELETE /v1/organizations/{organizationId}/members/{userId}";
	removePayeeAccount: "DELETE /v1/user/payees/{payeeId}/accounts/{accountId}";
	repayFromWallet: "POST /v1/accounts/{accountId}/repayments";
	repayInvoice: "POST /v1/financing/invoices/{id}/repayments";
	reportAfricasTalkingMessage: "POST /v1/integrations/messages/africastalking/{code}";
	reportDarajaBalance: "POST /v1/integrations/mobile-money/daraja/balances/{id}/{code}";
	reportDarajaPrompt: "POST /v1/integrations/mobile-money/daraja/prompts/{id}/{code}";
	reportDarajaResult: "POST /v1/integrations/mobile-money/daraja/results/{question}/{id}/{code}";
	reportDarajaReturn: "POST /v1/integrations/mobile-money/daraja/returns/{id}/{code}";
	reportDarajaStatus: "POST /v1/integrations/mobile-money/daraja/checks/{id}/{code}";
	reportDisbursement: "POST /v1/integrations/disbursements/{disbursement_id}/result";
	reportTransfer: "POST /v1/integrations/transfers/{transfer_id}/result";
	reportTwilioMessage: "POST /v1/integrations/messages/twilio/{messageId}/{code}";
	requestApproval: "POST /v1/approvals";
	requestLedgerClosing: "POST /v1/ledger/closings";
	requestLedgerMapping: "POST /v1/ledger/mappings";
	requestProviderTariff: "POST /v1/ledger/provider-tariffs";
	requestProvisioningRules: "POST /v1/ledger/provisioning-rules";
	requestRecovery: "POST /v1/platform/users/{userId}/recoveries";
	requestTreasuryRecord: "POST /v1/ledger/treasury-records";
	rescheduleAccount: "POST /v1/platform/accounts/{accountId}/reschedules";
	resendActivationCode: "POST /v1/user/accounts/current/activations/{activationId}/otp/resend";
	resendClosureCode: "POST /v1/user/accounts/current/close/otp/resend";
	resendInvitation: "POST /v1/organizations/{organizationId}/members/invitations/{id}/resend";
	resendNumberChangeCode: "POST /v1/user/accounts/current/phone/changes/{mobileNumberChangeId}/otp/resend";
	resolveCreditBureauDispute: "POST /v1/credit-bureau/disputes/{disputeId}/resolve";
	resolveStatementBreak: "POST /v1/reconciliation/breaks/{breakId}/resolve";
	restoreRepayment: "POST /v1/repayments/{id}/restore";
	resumeDarajaConnection: "POST /v1/organizations/{organizationId}/connections/daraja/resume";
	resumeMomoConnection: "POST /v1/organizations/{organizationId}/connections/momo/resume";
	retryDelivery: "POST /v1/webhooks/deliveries/{delivery_id}/retry";
	retryWork: "POST /v1/platform/work/{kind}/{id}/retry";
	reverseRepayment: "POST /v1/repayments/{id}/reverse";
	reverseTransaction: "POST /v1/platform/accounts/{accountId}/transactions/{transactionId}/reverse";
	revokeInvitation: "POST /v1/organizations/{organizationId}/members/invitations/{id}/revoke";
	revokeSessions: "POST /v1/platform/users/{userId}/sessions/revoke";
	revokeSigningKey: "DELETE /v1/webhooks/{webhook_id}/secrets/{signing_key_id}";
	runImport: "POST /v1/platform/imports/{importId}/run";
	search: "GET /v1/search";
	setDeliveryQuota: "PUT /v1/platform/organizations/{organizationId}/delivery-quota";
	setMyPhone: "PUT /v1/me/phone";
	setSupervisor: "PUT /v1/agents/{userId}/supervisor";
	settleAccount: "POST /v1/platform/accounts/{accountId}/settlements";
	signIn: "POST /v1/auth/sign-in";
	signOut: "POST /v1/auth/sign-out";
	startActivation: "POST /v1/user/accounts/current/activations";
	startClosure: "POST /v1/user/accounts/current/close";
	startNumberChange: "POST /v1/user/accounts/current/phone/changes";
	startPhoneVerification: "POST /v1/auth/public/phone/verifications";
	testOwnReceiver: "POST /v1/sandbox/deliveries";
	testWebhook: "POST /v1/webhooks/{webhook_id}/test";
	tryIssuer: "POST /v1/platform/issuers/{id}/try";
	tryWebhookFilter: "POST /v1/webhooks/filters/dry-run";
	unblockPayee: "POST /v1/user/payees/{payeeId}/unblock";
	unfreezeAccount: "POST /v1/platform/accounts/{accountId}/unfreeze";
	updateApiKey: "PATCH /v1/organizations/{organizationId}/api-keys/{id}";
	updateIssuer: "PATCH /v1/platform/issuers/{id}";
	updateLoanProduct: "PATCH /v1/platform/loan-products/{id}";
	updateMe: "PATCH /v1/me";
	updateOrganization: "PATCH /v1/organizations/{organizationId}";
	updatePayee: "PATCH /v1/user/payees/{payeeId}";
	updateUser: "PATCH /v1/platform/users/{userId}";
	updateWebhook: "PATCH /v1/webhooks/{webhook_id}";
	uploadInvoice: "POST /v1/financing/invoices";
	uploadInvoices: "POST /v1/financing/invoices/batch";
	validateDarajaPayment: "POST /v1/integrations/mobile-money/daraja/{secret}/validation";
	verifyDarajaConfirmation: "POST /v1/integrations/mobile-money/daraja/confirmations/{id}/{code}";
	verifyPayeeAccount: "POST /v1/user/payees/{payeeId}/accounts/{accountId}/verify";
	verifySignature: "POST /v1/webhooks/{webhook_id}/verify";
	waive: "POST /v1/platform/accounts/{accountId}/waivers";
	withdrawPromise: "POST /v1/collections/follow-ups/{followUpId}/withdraw";
}

/** Every operation of the service, by its name. */
export interface Api {
	/**
	 * Accept an invitation to become a member.
	 *
	 * Only for the invited address, which must be the verified address of the user or of the identity issuer's token. A user is created for an identity that has none.
	 *
	 * Credentials: a user, also on the waiting list.
	 *
	 * `POST /v1/invitations/accept`
	 */
	acceptInvitation(request: AcceptInvitationRequest): Call<AcceptedMembership>;
	/**
	 * Agree that another M-Pesa shortcode takes the place of the connected one.
	 *
	 * For another member than the one who asked, and not for operators. While payouts or returns of money by the connected one are open, it is refused.
	 *
	 * Credentials: a member whose role has org:connections:write, or an operator. At most 3600 seconds after the sign-in.
	 *
	 * `POST /v1/organizations/{organizationId}/connections/daraja/replacement/activate`
	 */
	activateDarajaReplacement(request: ActivateDarajaReplacementRequest): Call<DarajaConnection>;
	/**
	 * Agree that another MTN MoMo wallet takes the place of the connected one.
	 *
	 * For another member than the one who asked, and not for operators. While payouts or returns of money by the connected one are open, it is refused.
	 *
	 * Credentials: a member whose role has org:connections:write, or an operator. At most 3600 seconds after the sign-in.
	 *
	 * `POST /v1/organizations/{organizationId}/connections/momo/replacement/activate`
	 */
	activateMomoReplacement(request: ActivateMomoReplacementRequest): Call<MomoConnection>;
	/**
	 * Send a portion of an import's lines, as NDJSON.
	 *
	 * One JSON object a line: an ACCOUNT, its FACTs and its BALANCEs, in any order and in any portions. A line that was sent before is replaced if it differs; a portion that is sent again changes nothing.
	 *
	 * Credentials: an operator.
	 *
	 * `POST /v1/platform/imports/{importId}/lines`
	 */
	addImportLines(request: AddImportLinesRequest): Call<ImportPortion>;
	/**
	 * Add a user to an organization.
	 *
	 * Credentials: an operator.
	 *
	 * `POST /v1/platform/organizations/{organizationId}/members`
	 */
	addMember(request: AddMemberRequest): Call<Member, Answer<201, Member> | Answer<202, Approval>>;
	/**
	 * Add an account to a payee.
	 *
	 * Credentials: a user.
	 *
	 * `POST /v1/user/payees/{payeeId}/accounts`
	 */
	addPayeeAccount(request: AddPayeeAccountRequest): Call<Payee, Answer<201, Payee>>;
	/**
	 * Send a portion of a statement's file, as it is.
	 *
	 * A portion that is sent again changes nothing. A record that differs takes the place of the one before, and opens the statement again. Names and numbers of the other party are not kept.
	 *
	 * Credentials: a member whose role has org:lending:write, or an API key with repayments:write, or an operator.
	 *
	 * `POST /v1/reconciliation/statements/{statementId}/lines`
	 */
	addProviderStatementLines(request: AddProviderStatementLinesRequest): Call<StatementPortion>;
	/**
	 * Admit a user from the waiting list.
	 *
	 * Credentials: a member whose role has org:lending:write, or an operator.
	 *
	 * `POST /v1/platform/users/{userId}/admit`
	 */
	admitUser(request: AdmitUserRequest): Call<User>;
	/**
	 * Take over an API key: it has the caller's powers from then on.
	 *
	 * For the keys of members who leave, or have lost a role. The caller must hold all scopes of the key.
	 *
	 * Credentials: a member whose role has org:api-keys:write, or an operator. At most 3600 seconds after the sign-in.
	 *
	 * `POST /v1/organizations/{organizationId}/api-keys/{id}/adopt`
	 */
	adoptApiKey(request: AdoptApiKeyRequest): Call<ApiKey>;
	/**
	 * Move the service's clock forward and do the work that has fallen due.
	 *
	 * Waits until open attempts end, then makes one attempt of each delivery that is due, in due order.
	 *
	 * Credentials: an operator.
	 *
	 * `POST /v1/sandbox/clock`
	 */
	advanceClock(request: AdvanceClockRequest): Call<{
		/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
		now: string;
	}>;
	/**
	 * Say whether a transaction was made that is missing on a statement or on it twice: Daraja, at the address that it was given.
	 *
	 * The code is good for the questions about one break. A result without a clear meaning changes nothing, and the service asks again.
	 *
	 * Credentials: none.
	 *
	 * `POST /v1/integrations/mobile-money/daraja/breaks/{id}/{code}`
	 */
	answerDarajaBreak(request: AnswerDarajaBreakRequest): Call<DarajaAccepted>;
	/**
	 * Accept the offer of an application, for a chosen amount.
	 *
	 * Credentials: a user, or an API key with loans:write, or an operator.
	 *
	 * `POST /v1/accounts/loan/applications/partner/{application_id}/apply`
	 */
	applyForLoan(request: ApplyForLoanRequest): Call<LoanApplication, Answer<200, LoanApplication> | Answer<202, Approval>>;
	/**
	 * Ask the provider whether what is missing on the statement, or is on it twice, was made.
	 *
	 * By the organization's connection to the provider. While it has not answered, `action` is WAIT; a CONFIRMED answer ends what is missing on the statement. If no connection can ask, the answer is NONE.
	 *
	 * Credentials: a member whose role has org:lending:write, or an operator.
	 *
	 * `POST /v1/reconciliation/breaks/{breakId}/ask`
	 */
	askAboutStatementBreak(request: AskAboutStatementBreakRequest): Call<StatementBreak>;
	/**
	 * Say which member looks after a loan, a borrower, or another piece of work that waits.
	 *
	 * Whose work has ended, or was assigned 90 days ago, is forgotten. A loan and a borrower keep their owner.
	 *
	 * Credentials: a member whose role has org:lending:write, or an operator.
	 *
	 * `PUT /v1/collections/owners/{subjectId}`
	 */
	assignWork(request: AssignWorkRequest): Call<WorkOwner>;
	/**
	 * Authorize the change with the one-time password that the user got.
	 *
	 * Commits the change at the provider and sends a one-time password to the new number.
	 *
	 * Credentials: a user.
	 *
	 * `POST /v1/user/accounts/current/phone/changes/{mobileNumberChangeId}/authorize`
	 */
	authorizeNumberChange(request: AuthorizeNumberChangeRequest): Call<MobileNumberChange>;
	/**
	 * Block a payee: no transfers to it, and none from the users whose numbers or tags it has.
	 *
	 * Blocking again adds the reasons.
	 *
	 * Credentials: a user.
	 *
	 * `POST /v1/user/payees/{payeeId}/block`
	 */
	blockPayee(request: BlockPayeeRequest): Call<Payee>;
	/**
	 * Cancel the closure that waits for its code.
	 *
	 * Credentials: a user.
	 *
	 * `POST /v1/user/accounts/current/close/cancel`
	 */
	cancelClosure(request?: CancelClosureRequest): Call<Closure>;
	/**
	 * End an import for good.
	 *
	 * No account is checked or imported after the answer, also of a portion that is under way. Accounts that are imported stay. Its lines are removed after 90 days. Cancelled again it answers the same.
	 *
	 * Credentials: an operator.
	 *
	 * `POST /v1/platform/imports/{importId}/cancel`
	 */
	cancelImport(request: CancelImportRequest): Call<LoanImport>;
	/**
	 * Withdraw an invoice that is not decided yet; its number may be uploaded again.
	 *
	 * Credentials: a member with org:financing.invoices:write, or an API key with invoices:write, or an operator.
	 *
	 * `POST /v1/financing/invoices/{id}/cancel`
	 */
	cancelInvoice(request: CancelInvoiceRequest): Call<FinancingInvoice>;
	/**
	 * Withdraw an application that is still open.
	 *
	 * Credentials: a user, or an API key with loans:write, or an operator.
	 *
	 * `POST /v1/accounts/loan/applications/{application_id}/cancel`
	 */
	cancelLoanApplication(request: CancelLoanApplicationRequest): Call<LoanApplication, Answer<200, LoanApplication> | Answer<202, Approval>>;
	/**
	 * Cancel a change that is not completed yet.
	 *
	 * Credentials: a user.
	 *
	 * `POST /v1/user/accounts/current/phone/changes/{mobileNumberChangeId}/cancel`
	 */
	cancelNumberChange(request: CancelNumberChangeRequest): Call<MobileNumberChange>;
	/**
	 * Cancel a recovery that is not completed yet.
	 *
	 * The account stays frozen: release it once you know its owner.
	 *
	 * Credentials: an operator.
	 *
	 * `POST /v1/platform/users/{userId}/recoveries/{id}/cancel`
	 */
	cancelRecovery(request: CancelRecoveryRequest): Call<NumberRecovery>;
	/**
	 * Change some of the user's notification preferences.
	 *
	 * Only the entries that are sent change. If one is of a mandatory category, the call is refused and changes nothing.
	 *
	 * Credentials: a user, also on the waiting list.
	 *
	 * `PUT /v1/user/notifications/preferences`
	 */
	changeNotificationPreferences(request: ChangeNotificationPreferencesRequest): Call<NotificationPreferences>;
	/**
	 * Change the role of a member.
	 *
	 * Members cannot give a role above their own, or change a member whose role is above theirs. The last owner keeps their role.
	 *
	 * Credentials: a member whose role has org:members:write, or an operator. At most 3600 seconds after the sign-in.
	 *
	 * `PATCH /v1/organizations/{organizationId}/members/{userId}`
	 */
	changeRole(request: ChangeRoleRequest): Call<Member, Answer<200, Member> | Answer<202, Approval>>;
	/**
	 * Choose the tenure of the next cycle.
	 *
	 * The interest rate is that of the account's own rate schedule. The last choice before the cycle starts wins.
	 *
	 * Credentials: a user.
	 *
	 * `PATCH /v1/accounts/{accountId}/tenure`
	 */
	changeTenure(request: ChangeTenureRequest): Call<CreditAccount>;
	/**
	 * Check the credentials of the organization's M-Pesa shortcode, and ask for its balance and about a transaction.
	 *
	 * Within a minute or two the results are in `last_check` and `balances` of the connection. The check also runs while the connection is paused, and does not resume it. The initiator needs the roles Balance Query and Transaction Status query: without the second no payment is verified.
	 *
	 * Credentials: a member whose role has org:connections:write, or an operator.
	 *
	 * `POST /v1/organizations/{organizationId}/connections/daraja/check`
	 */
	checkDarajaConnection(request: CheckDarajaConnectionRequest): Call<DarajaConnection, Answer<202, DarajaConnection>>;
	/**
	 * Close a credit account on which nothing is owed.
	 *
	 * Credentials: an operator.
	 *
	 * `POST /v1/platform/accounts/{accountId}/close`
	 */
	closeAccount(request: CloseAccountRequest): Call<CreditAccount, Answer<200, CreditAccount> | Answer<202, Approval>>;
	/**
	 * Move another payee's accounts to this one, and delete the other.
	 *
	 * The payee is blocked if either was. Of an account that both have, one remains, with the uses of both.
	 *
	 * Credentials: a user.
	 *
	 * `POST /v1/user/payees/{payeeId}/combine`
	 */
	combinePayees(request: CombinePayeesRequest): Call<Payee>;
	/**
	 * Compare a statement with what is recorded here.
	 *
	 * Each line is looked for by its receipt, else by its reference, amount and time; then what must be on the statement. Compared again, breaks that are over become RESOLVED.
	 *
	 * Credentials: a member whose role has org:lending:write, or an API key with repayments:write, or an operator.
	 *
	 * `POST /v1/reconciliation/statements/{statementId}/compare`
	 */
	compareProviderStatement(request: CompareProviderStatementRequest): Call<ProviderStatement, Answer<202, ProviderStatement>>;
	/**
	 * Confirm an activation with the one-time password.
	 *
	 * The account becomes ACTIVE once the custodian agrees, in the sandbox at once.
	 *
	 * Credentials: a user.
	 *
	 * `POST /v1/user/accounts/current/activations/{activationId}/confirm`
	 */
	confirmActivation(request: ConfirmActivationRequest): Call<Activation>;
	/**
	 * Confirm the closure in progress with the one-time password.
	 *
	 * From then on the account spends nothing, and waits for the custodian's decision. Money that has arrived meanwhile must be withdrawn first; the same code is valid then.
	 *
	 * Credentials: a user.
	 *
	 * `POST /v1/user/accounts/current/close/otp/confirm`
	 */
	confirmClosure(request: ConfirmClosureRequest): Call<Closure>;
	/**
	 * Confirm a mobile-money payment: Daraja, by the secret path.
	 *
	 * The account is found by its number in BillRefNumber, else by the payer's own number; otherwise the payment is kept as unmatched. Sent again, it changes nothing.
	 *
	 * Credentials: none.
	 *
	 * `POST /v1/integrations/mobile-money/daraja/{secret}/confirmation`
	 */
	confirmDaraja(request: ConfirmDarajaRequest): Call<DarajaAccepted>;
	/**
	 * Complete the change with the one-time password that the new number got.
	 *
	 * Ends all other sessions of the user. Answers 503 while the provider has not confirmed the change.
	 *
	 * Credentials: a user.
	 *
	 * `POST /v1/user/accounts/current/phone/changes/{mobileNumberChangeId}/confirm`
	 */
	confirmNumberChange(request: ConfirmNumberChangeRequest): Call<MobileNumberChange>;
	/**
	 * Confirm a phone number with the one-time password.
	 *
	 * A caller who lost the answer can repeat the call within a minute and gets the same token.
	 *
	 * Credentials: none.
	 *
	 * `POST /v1/auth/public/phone/verifications/{id}/confirm`
	 */
	confirmPhoneVerification(request: ConfirmPhoneVerificationRequest): Call<{
		phone_verification_token: string;
		expires_in: number;
	}>;
	/**
	 * Confirm a transfer with the one-time password.
	 *
	 * Credentials: a user.
	 *
	 * `POST /v1/user/transfers/{transferId}/confirm`
	 */
	confirmTransfer(request: ConfirmTransferRequest): Call<Transfer>;
	/**
	 * Create an API key.
	 *
	 * Credentials: a member whose role has org:api-keys:write, or an operator. At most 3600 seconds after the sign-in.
	 *
	 * `POST /v1/organizations/{organizationId}/api-keys`
	 */
	createApiKey(request: CreateApiKeyRequest): Call<IssuedApiKey, Answer<201, IssuedApiKey>>;
	/**
	 * Create a commission model, or another version of one.
	 *
	 * An event is paid by the version, of any model in its currency, that took effect last before the event happened.
	 *
	 * Credentials: an operator.
	 *
	 * `POST /v1/platform/commission-models`
	 */
	createCommissionModel(request: CreateCommissionModelRequest): Call<CommissionModel, Answer<201, CommissionModel> | Answer<202, Approval>>;
	/**
	 * Begin the import of a running book.
	 *
	 * Sent again with the same name it answers the import that there is, so that an interrupted one can be resumed.
	 *
	 * Credentials: an operator.
	 *
	 * `POST /v1/platform/imports`
	 */
	createImport(request: CreateImportRequest): Call<LoanImport, Answer<200 | 201, LoanImport>>;
	/**
	 * Invite somebody to become a member.
	 *
	 * Sends a mail with a single-use token, which is valid for seven days and for the invited address only. Members cannot invite to a role above their own. At most 50 mails a day by an organization, and 3 to an address.
	 *
	 * Credentials: a member whose role has org:members:write, or an operator. At most 3600 seconds after the sign-in.
	 *
	 * `POST /v1/organizations/{organizationId}/members/invitations`
	 */
	createInvitation(request: CreateInvitationRequest): Call<MemberInvitation, Answer<201, MemberInvitation> | Answer<202, Approval>>;
	/**
	 * Register a trusted issuer.
	 *
	 * Its URL is enough for a provider of OpenID Connect: where its keys are and how it signs is in its own configuration, which is read now, and again every ten minutes while its tokens come.
	 *
	 * Credentials: an operator.
	 *
	 * `POST /v1/platform/issuers`
	 */
	createIssuer(request: CreateIssuerRequest): Call<TrustedIssuer, Answer<201, TrustedIssuer> | Answer<202, Approval>>;
	/**
	 * Ask for a loan: eligibility and terms.
	 *
	 * Credentials: a user, or an API key with loans:write, or an operator.
	 *
	 * `POST /v1/accounts/loan/applications/partner`
	 */
	createLoanApplication(request: CreateLoanApplicationRequest): Call<LoanApplication, Answer<200 | 201, LoanApplication> | Answer<202, Approval>>;
	/**
	 * Create a loan product.
	 *
	 * Credentials: a member whose role has org:lending:write, or an operator.
	 *
	 * `POST /v1/platform/loan-products`
	 */
	createLoanProduct(request: CreateLoanProductRequest): Call<LoanProduct, Answer<201, LoanProduct> | Answer<202, Approval>>;
	/**
	 * Create an organization.
	 *
	 * Credentials: an operator.
	 *
	 * `POST /v1/platform/organizations`
	 */
	createOrganization(request: CreateOrganizationRequest): Call<Organization, Answer<201, Organization>>;
	/**
	 * Save a payee with its accounts.
	 *
	 * At most 500 payees with 20 accounts each. A day at most 20 new payees and 30 look-ups; each added account counts as one.
	 *
	 * Credentials: a user.
	 *
	 * `POST /v1/user/payees`
	 */
	createPayee(request: CreatePayeeRequest): Call<Payee, Answer<201, Payee>>;
	/**
	 * Begin the import of a statement of a provider or a bank.
	 *
	 * A statement covers at most 92 whole days, all of them past. The same sha256 again returns the existing statement. Two statements of an account share no day.
	 *
	 * Credentials: a member whose role has org:lending:write, or an API key with repayments:write, or an operator.
	 *
	 * `POST /v1/reconciliation/statements`
	 */
	createProviderStatement(request: CreateProviderStatementRequest): Call<ProviderStatement, Answer<200 | 201, ProviderStatement>>;
	/**
	 * A token to try the service without an identity provider.
	 *
	 * On your machine the embedded issuer signs tokens of every kind. On a deployed sandbox the tokens are those of a test issuer that the lender has registered, of the kind `partner`.
	 *
	 * Credentials: none.
	 *
	 * `POST /v1/sandbox/tokens`
	 */
	createSandboxToken(request: CreateSandboxTokenRequest): Call<{
		token: string;
	}>;
	/**
	 * Create a signing secret; only this response contains it.
	 *
	 * Credentials: a member whose role has org:webhooks:write, or an operator.
	 *
	 * `POST /v1/webhooks/{webhook_id}/secrets`
	 */
	createSigningKey(request: CreateSigningKeyRequest): Call<SigningKey, Answer<201, SigningKey>>;
	/**
	 * Register a webhook endpoint.
	 *
	 * Credentials: a member whose role has org:webhooks:write, or an operator.
	 *
	 * `POST /v1/webhooks`
	 */
	createWebhook(request: CreateWebhookRequest): Call<WebhookEndpoint, Answer<201, WebhookEndpoint>>;
	/**
	 * Report a decision about an onboarding, an activation or a closure: the custodian, signed with CUSTODIAN_SECRET, or an operator.
	 *
	 * The same decision again answers 200 and changes nothing.
	 *
	 * Credentials: an operator, or a signature of the raw body under CUSTODIAN_SECRET.
	 *
	 * `POST /v1/integrations/custodian/decisions`
	 */
	decide(request: DecideRequest): Call<{
		decision_id: string;
		subject: "CLOSURE" | "ACTIVATION" | "ONBOARDING";
		/** A UUID. */
		subject_id: string;
		decision: "APPROVED" | "REJECTED";
	}, Answer<200, {
		decision_id: string;
		subject: "CLOSURE" | "ACTIVATION" | "ONBOARDING";
		/** A UUID. */
		subject_id: string;
		decision: "APPROVED" | "REJECTED";
	}> | Answer<202, Approval>>;
	/**
	 * Approve or reject a request, once; an approval is executed at once.
	 *
	 * The person who made the request cannot decide it with any credentials. If the entity has changed since the request, or the operation that was held refuses, an approval ends as FAILED.
	 *
	 * Credentials: a member whose role has org:approvals:decide or org:lending.approvals:decide or org:ledger:close, or an operator. At most 3600 seconds after the sign-in.
	 *
	 * `POST /v1/approvals/{id}/decision`
	 */
	decideApproval(request: DecideApprovalRequest): Call<DecidedApproval>;
	/**
	 * Approve or reject an invoice that somebody else uploaded.
	 *
	 * Credentials: a member whose role has org:financing.approvals:decide, or an operator. At most 3600 seconds after the sign-in.
	 *
	 * `POST /v1/financing/invoices/{id}/decision`
	 */
	decideInvoice(request: DecideInvoiceRequest): Call<FinancingInvoice>;
	/**
	 * Revoke an API key, immediately and permanently.
	 *
	 * Credentials: a member whose role has org:api-keys:write, or an operator.
	 *
	 * `DELETE /v1/organizations/{organizationId}/api-keys/{id}`
	 */
	deleteApiKey(request: DeleteApiKeyRequest): Call<undefined, Answer<204, undefined>>;
	/**
	 * Forget the organization's M-Pesa shortcode and its secrets.
	 *
	 * For a day only the same shortcode can be connected again. The service informs the owners.
	 *
	 * Credentials: a member whose role has org:connections:write, or an operator. At most 3600 seconds after the sign-in.
	 *
	 * `DELETE /v1/organizations/{organizationId}/connections/daraja`
	 */
	deleteDarajaConnection(request: DeleteDarajaConnectionRequest): Call<Approval, Answer<202, Approval> | Answer<204, undefined>>;
	/**
	 * Get no pushes on a device any more.
	 *
	 * By its `device_id`, or its `id` of the list. A sign-out does the same.
	 *
	 * Credentials: a user, also on the waiting list.
	 *
	 * `DELETE /v1/me/devices/{device_id}`
	 */
	deleteDevice(request: DeleteDeviceRequest): Call<undefined, Answer<204, undefined>>;
	/**
	 * Stop trusting an issuer.
	 *
	 * Its users and their identities stay. Takes effect everywhere within a minute.
	 *
	 * Credentials: an operator.
	 *
	 * `DELETE /v1/platform/issuers/{id}`
	 */
	deleteIssuer(request: DeleteIssuerRequest): Call<undefined, Answer<204, undefined>>;
	/**
	 * Take back what a member was granted for a merchant.
	 *
	 * Credentials: a member whose role has org:members:write, or an operator.
	 *
	 * `DELETE /v1/financing/merchants/{merchantId}/grants/{userId}`
	 */
	deleteMerchantGrant(request: DeleteMerchantGrantRequest): Call<undefined, Answer<204, undefined>>;
	/**
	 * Forget the organization's MTN MoMo wallet and its secrets.
	 *
	 * For a day only the same wallet can be connected again. The service informs the owners.
	 *
	 * Credentials: a member whose role has org:connections:write, or an operator. At most 3600 seconds after the sign-in.
	 *
	 * `DELETE /v1/organizations/{organizationId}/connections/momo`
	 */
	deleteMomoConnection(request: DeleteMomoConnectionRequest): Call<Approval, Answer<202, Approval> | Answer<204, undefined>>;
	/**
	 * Delete a payee.
	 *
	 * Transfers that are under way continue.
	 *
	 * Credentials: a user.
	 *
	 * `DELETE /v1/user/payees/{payeeId}`
	 */
	deletePayee(request: DeletePayeeRequest): Call<undefined, Answer<204, undefined>>;
	/**
	 * Delete a webhook endpoint.
	 *
	 * Its pending deliveries become FAILED. Delivery records stay readable, and the name can be used again.
	 *
	 * Credentials: a member whose role has org:webhooks:write, or an operator.
	 *
	 * `DELETE /v1/webhooks/{webhook_id}`
	 */
	deleteWebhook(request: DeleteWebhookRequest): Call<undefined, Answer<204, undefined>>;
	/**
	 * Keep the connected M-Pesa shortcode, and discard its waiting replacement.
	 *
	 * Credentials: a member whose role has org:connections:write, or an operator.
	 *
	 * `DELETE /v1/organizations/{organizationId}/connections/daraja/replacement`
	 */
	discardDarajaReplacement(request: DiscardDarajaReplacementRequest): Call<undefined, Answer<204, undefined>>;
	/**
	 * Keep the connected MTN MoMo wallet, and discard its waiting replacement.
	 *
	 * Credentials: a member whose role has org:connections:write, or an operator.
	 *
	 * `DELETE /v1/organizations/{organizationId}/connections/momo/replacement`
	 */
	discardMomoReplacement(request: DiscardMomoReplacementRequest): Call<undefined, Answer<204, undefined>>;
	/**
	 * Take a statement back, with its lines and its open breaks.
	 *
	 * Breaks that somebody has recorded or explained stay. Its days are free for another one once status is DISCARDED.
	 *
	 * Credentials: a member whose role has org:lending:write, or an API key with repayments:write, or an operator.
	 *
	 * `POST /v1/reconciliation/statements/{statementId}/discard`
	 */
	discardProviderStatement(request: DiscardProviderStatementRequest): Call<ProviderStatement, Answer<202, ProviderStatement>>;
	/**
	 * Take a confirmation off the list that somebody has seen to.
	 *
	 * Nothing is posted or undone by it. One whose payment is being verified waits for that: 409.
	 *
	 * Credentials: a member whose role has org:lending:write, or an operator.
	 *
	 * `POST /v1/platform/confirmations/{id}/dismiss`
	 */
	dismissConfirmation(request: DismissConfirmationRequest): Call<PaymentConfirmation, Answer<200, PaymentConfirmation> | Answer<202, Approval>>;
	/**
	 * Take a payout off the list of work that somebody has compared with the provider's statement.
	 *
	 * For a payout that the provider reports as paid by more than one transaction. It posts and undoes nothing, and the receipts stay with the payout. A further receipt puts the payout on the list again.
	 *
	 * Credentials: a member whose role has org:lending:write, or an operator.
	 *
	 * `POST /v1/disbursements/{id}/second-receipts/dismiss`
	 */
	dismissSecondReceipts(request: DismissSecondReceiptsRequest): Call<Disbursement, Answer<200, Disbursement> | Answer<202, Approval>>;
	/**
	 * Draw on the limit of a credit account.
	 *
	 * Before the final due date of the newest open cycle the amount joins that cycle, whose open installments are computed again; otherwise it starts a cycle.
	 *
	 * Credentials: a user.
	 *
	 * `POST /v1/accounts/{accountId}/draws`
	 */
	draw(request: DrawRequest): Call<CreditAccount, Answer<200 | 202, CreditAccount>>;
	/**
	 * Erase a user.
	 *
	 * Their sessions end at once. Within minutes, of a large database within hours, names, numbers, mail addresses, payees, messages and identities are gone everywhere; the ledger and the audit trail keep ids. It cannot be undone. Refused while money is open or a retention period runs.
	 *
	 * Credentials: an operator.
	 *
	 * `POST /v1/platform/users/{userId}/erasure`
	 */
	eraseUser(request: EraseUserRequest): Call<Erasure, Answer<200, Erasure> | Answer<202, Approval>>;
	/**
	 * Exchange an identity issuer's token for a session of its user.
	 *
	 * For the user to whom the token's subject is linked, by an invitation that they accepted or by an operator. The session ends after the issuer's `max_session_seconds`.
	 *
	 * Credentials: none.
	 *
	 * `POST /v1/auth/identity/exchange`
	 */
	exchangeIdentityToken(request: ExchangeIdentityTokenRequest): Call<SignedIn>;
	/**
	 * Exchange a partner's token for a service token.
	 *
	 * Credentials: none.
	 *
	 * `POST /v1/auth/exchange`
	 */
	exchangePartnerToken(request: ExchangePartnerTokenRequest): Call<TokenResponse>;
	/**
	 * Exchange a phone-verification token for a one-time custom token.
	 *
	 * For the user with that phone; if there is none, a new user is put on the waiting list. Send the custom token to sign-in. A caller who lost the answer can repeat the call within a minute and gets the same token.
	 *
	 * Credentials: none.
	 *
	 * `POST /v1/auth/public/exchange/phone`
	 */
	exchangePhoneToken(request: ExchangePhoneTokenRequest): Call<TokenResponse>;
	/**
	 * Explain a balance: the lines that add up to it on any day, as known now or on a day.
	 *
	 * Credentials: a user, or a member whose role has org:lending:read, or an API key with accounts:read, or an operator.
	 *
	 * `GET /v1/accounts/{accountId}/explain`
	 */
	explainBalance(request: ExplainBalanceRequest): Call<Explanation, Answer<200, Explanation> | Answer<304, undefined>>;
	/**
	 * Everything that is held about the caller.
	 *
	 * With `Accept: application/x-ndjson` a line for each record, and the next page in the `Link` header. Records about others, such as the payer of a transfer to the user, appear as the user sees them.
	 *
	 * Credentials: a user, also on the waiting list.
	 *
	 * `GET /v1/me/export`
	 */
	exportMe(request?: ExportMeRequest): List<HeldRecord, Page<HeldRecord>, Answer<200, Page<HeldRecord>> | Answer<304, undefined>>;
	/**
	 * Everything that is held about the caller.
	 *
	 * With `Accept: application/x-ndjson` a line for each record, and the next page in the `Link` header. Records about others, such as the payer of a transfer to the user, appear as the user sees them.
	 *
	 * Credentials: a user, also on the waiting list.
	 *
	 * `GET /v1/me/export`
	 */
	exportMe(request: ExportMeRequest & Verbatim): List<string, string>;
	/**
	 * Everything that is held about a user, for them.
	 *
	 * With `Accept: application/x-ndjson` a line for each record, and the next page in the `Link` header. Records about others, such as the payer of a transfer to the user, appear as the user sees them. Each call leaves a row in the audit trail.
	 *
	 * Credentials: an operator.
	 *
	 * `GET /v1/platform/users/{userId}/export`
	 */
	exportUser(request: ExportUserRequest): List<HeldRecord, Page<HeldRecord>, Answer<200, Page<HeldRecord>> | Answer<304, undefined>>;
	/**
	 * Everything that is held about a user, for them.
	 *
	 * With `Accept: application/x-ndjson` a line for each record, and the next page in the `Link` header. Records about others, such as the payer of a transfer to the user, appear as the user sees them. Each call leaves a row in the audit trail.
	 *
	 * Credentials: an operator.
	 *
	 * `GET /v1/platform/users/{userId}/export`
	 */
	exportUser(request: ExportUserRequest & Verbatim): List<string, string>;
	/**
	 * Pay an approved invoice, less the fee, to its merchant before the due date.
	 *
	 * With an outside disburser the invoice stays APPROVED until the payment is reported; if it fails, or its money comes back, it may be financed again.
	 *
	 * Credentials: an operator.
	 *
	 * `POST /v1/financing/invoices/{id}/finance`
	 */
	financeInvoice(request: FinanceInvoiceRequest): Call<FinancingInvoice, Answer<200, FinancingInvoice> | Answer<202, Approval>>;
	/**
	 * Freeze a current account.
	 *
	 * It takes money and spends nothing until it is released. Transfers that are on their way end as usual.
	 *
	 * Credentials: an operator.
	 *
	 * `POST /v1/platform/accounts/{accountId}/freeze`
	 */
	freezeAccount(request: FreezeAccountRequest): Call<CurrentAccount>;
	/**
	 * One account, closed or not.
	 *
	 * `as_of` and `known_at` are for credit accounts; their terms and limit are those of today.
	 *
	 * Credentials: a user, or a member whose role has org:lending:read, or an API key with accounts:read, or an operator.
	 *
	 * `GET /v1/accounts/{accountId}`
	 */
	getAccount(request: GetAccountRequest): Call<Account, Answer<200, Account> | Answer<304, undefined>>;
	/**
	 * An activation of a current account.
	 *
	 * Credentials: a user, or a member whose role has org:lending:read, or an API key with accounts:read, or an operator.
	 *
	 * `GET /v1/user/accounts/current/activations/{activationId}`
	 */
	getActivation(request: GetActivationRequest): Call<Activation, Answer<200, Activation> | Answer<304, undefined>>;
	/**
	 * App settings, including the minimum supported version.
	 *
	 * With `platform`, the versions are those of that platform. With `version`, the response says whether that version must or should be updated. Answers may be five minutes old; a change shows at once. While the service fails, copies near readers are answered for a day, and what the service remembers at any age.
	 *
	 * Credentials: none.
	 *
	 * `GET /v1/app/settings`
	 */
	getAppSettings(request?: GetAppSettingsRequest): Call<AppSettings, Answer<200, AppSettings> | Answer<304, undefined>>;
	/**
	 * A request for approval.
	 *
	 * Credentials: a member whose role has org:approvals:read, or an API key with approvals:write, or an operator.
	 *
	 * `GET /v1/approvals/{id}`
	 */
	getApproval(request: GetApprovalRequest): Call<ShownApproval, Answer<200, ShownApproval> | Answer<304, undefined>>;
	/**
	 * How much work of each kind waits for people, and since when.
	 *
	 * Payouts, transfers, returns of money, instructions to the custodian and what the authorization provider is told usually end by themselves; they count after ten minutes.
	 *
	 * Credentials: an operator.
	 *
	 * `GET /v1/platform/attention`
	 */
	getAttention(request?: GetAttentionRequest): Call<{
		data: Attention[];
	}, Answer<200, {
		data: Attention[];
	}> | Answer<304, undefined>>;
	/**
	 * The brand of an organization.
	 *
	 * Needs no credentials and ignores those that are sent. Answers may be a minute old, of a brand that is rarely read eleven minutes; a change shows at once. While the service fails, copies near readers are answered for a day, and what the service remembers at any age. An organization that has not published a brand has its name on a neutral colour.
	 *
	 * Credentials: none.
	 *
	 * `GET /v1/branding/{organizationId}`
	 */
	getBrand(request: GetBrandRequest): Call<Brand, Answer<200, Brand> | Answer<304, undefined>>;
	/**
	 * The service's clock.
	 *
	 * Credentials: an operator.
	 *
	 * `GET /v1/sandbox/clock`
	 */
	getClock(request?: GetClockRequest): Call<{
		/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
		now: string;
	}, Answer<200, {
		/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
		now: string;
	}> | Answer<304, undefined>>;
	/**
	 * The user's most recent closure, in any state.
	 *
	 * Credentials: a user, or a member whose role has org:lending:read, or an API key with accounts:read, or an operator.
	 *
	 * `GET /v1/user/accounts/current/close`
	 */
	getClosure(request?: GetClosureRequest): Call<Closure, Answer<200, Closure> | Answer<304, undefined>>;
	/**
	 * Get the earnings of an agent in a period.
	 *
	 * For the agent, for their supervisors (only the agent's own lines), for members with the permission, for API keys, and for operators. With `model_id`, what the agent would have earned by that model.
	 *
	 * Credentials: a user, also on the waiting list, or a member whose role has org:agents:read, or an API key with agents:read, or an operator.
	 *
	 * `GET /v1/agents/{userId}/commissions`
	 */
	getCommissionReport(request: GetCommissionReportRequest): Call<CommissionReport, Answer<200, CommissionReport> | Answer<304, undefined>>;
	/**
	 * Get the console's sign-in settings.
	 *
	 * Credentials: none.
	 *
	 * `GET /console/config.json`
	 */
	getConsoleConfig(request?: GetConsoleConfigRequest): Call<{
		environment: "local" | "sandbox" | "production";
		version: string;
		sign_in: ConsoleSignIn[];
	}, Answer<200, {
		environment: "local" | "sandbox" | "production";
		version: string;
		sign_in: ConsoleSignIn[];
	}> | Answer<304, undefined>>;
	/**
	 * The name and the document by which a credit bureau knows a borrower.
	 *
	 * Credentials: a member whose role has org:lending:read, or an operator.
	 *
	 * `GET /v1/credit-bureau/borrowers/{userId}`
	 */
	getCreditBureauIdentity(request: GetCreditBureauIdentityRequest): Call<CreditBureauIdentity, Answer<200, CreditBureauIdentity> | Answer<304, undefined>>;
	/**
	 * Whether monthly files for a credit bureau are made, and by which amounts and days.
	 *
	 * Credentials: a member whose role has org:lending:read, or an operator.
	 *
	 * `GET /v1/credit-bureau/settings`
	 */
	getCreditBureauSettings(request?: GetCreditBureauSettingsRequest): Call<CreditBureauSettings, Answer<200, CreditBureauSettings> | Answer<304, undefined>>;
	/**
	 * The user's current account.
	 *
	 * Closed accounts are not returned here; fetch them by id.
	 *
	 * Credentials: a user, or a member whose role has org:lending:read, or an API key with accounts:read, or an operator.
	 *
	 * `GET /v1/user/accounts/current`
	 */
	getCurrentAccount(request?: GetCurrentAccountRequest): Call<CurrentAccount, Answer<200, CurrentAccount> | Answer<304, undefined>>;
	/**
	 * The organization's M-Pesa shortcode, without its secrets.
	 *
	 * Credentials: a member whose role has org:connections:write, or an operator.
	 *
	 * `GET /v1/organizations/{organizationId}/connections/daraja`
	 */
	getDarajaConnection(request: GetDarajaConnectionRequest): Call<DarajaConnection, Answer<200, DarajaConnection> | Answer<304, undefined>>;
	/**
	 * A delivery with all its attempts.
	 *
	 * Credentials: a member whose role has org:webhooks:read, or an operator.
	 *
	 * `GET /v1/webhooks/deliveries/{id}`
	 */
	getDelivery(request: GetDeliveryRequest): Call<DeliveryRecord, Answer<200, DeliveryRecord> | Answer<304, undefined>>;
	/**
	 * How many webhook deliveries an organization holds, and may hold.
	 *
	 * Credentials: an operator.
	 *
	 * `GET /v1/platform/organizations/{organizationId}/delivery-quota`
	 */
	getDeliveryQuota(request: GetDeliveryQuotaRequest): Call<DeliveryQuota, Answer<200, DeliveryQuota> | Answer<304, undefined>>;
	/**
	 * How far the erasure of a user has come.
	 *
	 * Credentials: an operator.
	 *
	 * `GET /v1/platform/users/{userId}/erasure`
	 */
	getErasure(request: GetErasureRequest): Call<Erasure, Answer<200, Erasure> | Answer<304, undefined>>;
	/**
	 * An event.
	 *
	 * Credentials: a member whose role has org:webhooks:read, or an API key with events:read, or an operator.
	 *
	 * `GET /v1/webhooks/events/{event_id}`
	 */
	getEvent(request: GetEventRequest): Call<WebhookEvent, Answer<200, WebhookEvent> | Answer<304, undefined>>;
	/**
	 * Health of the service.
	 *
	 * At most five seconds old, except `now`.
	 *
	 * Credentials: none.
	 *
	 * `GET /healthz`
	 */
	getHealth(request?: GetHealthRequest): Call<{
		status: "ok";
		/** The service's clock, which in a sandbox may be ahead. A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
		now: string;
		/** The version of the service. */
		version: string;
		/** The deployment, as `npm run deploy` has named it; null for another. */
		release: string | null;
		/** The beginning of the hash of the migrations that this version needs, and all databases have, perhaps with later ones. */
		schema: string;
		/** How long the oldest overdue webhook delivery has been due, in seconds; 0 when none is overdue. */
		oldest_overdue_seconds: number;
		/** How full the fullest database is. From 90 finished webhook deliveries are kept for a week at most; from 95 for a day, and no new ones are made. */
		storage_percent: number;
	}, Answer<200, {
		status: "ok";
		/** The service's clock, which in a sandbox may be ahead. A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
		now: string;
		/** The version of the service. */
		version: string;
		/** The deployment, as `npm run deploy` has named it; null for another. */
		release: string | null;
		/** The beginning of the hash of the migrations that this version needs, and all databases have, perhaps with later ones. */
		schema: string;
		/** How long the oldest overdue webhook delivery has been due, in seconds; 0 when none is overdue. */
		oldest_overdue_seconds: number;
		/** How full the fullest database is. From 90 finished webhook deliveries are kept for a week at most; from 95 for a day, and no new ones are made. */
		storage_percent: number;
	}> | Answer<304, undefined>>;
	/**
	 * An import, and how many of its accounts are in each state.
	 *
	 * Credentials: an operator.
	 *
	 * `GET /v1/platform/imports/{importId}`
	 */
	getImport(request: GetImportRequest): Call<LoanImport, Answer<200, LoanImport> | Answer<304, undefined>>;
	/**
	 * One invoice, with its repayments and its latest advance.
	 *
	 * Credentials: a member with org:financing.merchants:read, or an API key with invoices:read or invoices:write, or an operator.
	 *
	 * `GET /v1/financing/invoices/{id}`
	 */
	getInvoice(request: GetInvoiceRequest): Call<FinancingInvoiceDetail, Answer<200, FinancingInvoiceDetail> | Answer<304, undefined>>;
	/**
	 * An issued statement, as it was known on the day of its issue.
	 *
	 * Also as CSV, the entries alone, and as a PDF file in the language that the holder had then.
	 *
	 * Credentials: a user, or a member whose role has org:lending:read, or an API key with accounts:read, or an operator.
	 *
	 * `GET /v1/accounts/{accountId}/statements/{statementId}`
	 */
	getIssuedStatement(request: GetIssuedStatementRequest): Call<IssuedStatementContent, Answer<200, IssuedStatementContent> | Answer<304, undefined>>;
	/**
	 * An issued statement, as it was known on the day of its issue.
	 *
	 * Also as CSV, the entries alone, and as a PDF file in the language that the holder had then.
	 *
	 * Credentials: a user, or a member whose role has org:lending:read, or an API key with accounts:read, or an operator.
	 *
	 * `GET /v1/accounts/{accountId}/statements/{statementId}`
	 */
	getIssuedStatement(request: GetIssuedStatementRequest & Printed): Call<string>;
	/**
	 * A registered issuer.
	 *
	 * Credentials: an operator.
	 *
	 * `GET /v1/platform/issuers/{id}`
	 */
	getIssuer(request: GetIssuerRequest): Call<TrustedIssuer, Answer<200, TrustedIssuer> | Answer<304, undefined>>;
	/**
	 * The public keys of the service's tokens.
	 *
	 * Credentials: none.
	 *
	 * `GET /.well-known/jwks.json`
	 */
	getKeys(request?: GetKeysRequest): Call<{
		keys: {
			kty: string;
			n: string;
			e: string;
			kid: string;
			alg: string;
			use: string;
		}[];
	}, Answer<200, {
		keys: {
			kty: string;
			n: string;
			e: string;
			kid: string;
			alg: string;
			use: string;
		}[];
	}> | Answer<304, undefined>>;
	/**
	 * A closed month of the ledger, with its trial balance.
	 *
	 * The balances are those at the end of the month's last day. They never change.
	 *
	 * Credentials: a member whose role has org:ledger:read, or an API key with ledger:read, or an operator.
	 *
	 * `GET /v1/ledger/closings/{month}`
	 */
	getLedgerClosing(request: GetLedgerClosingRequest): Call<LedgerClosingFigures, Answer<200, LedgerClosingFigures> | Answer<304, undefined>>;
	/**
	 * Count the open work of the acting organization by kind, with the amounts due and overdue.
	 *
	 * Days are those of Africa/Nairobi.
	 *
	 * Credentials: a member whose role has org:lending:read, or an operator.
	 *
	 * `GET /v1/attention`
	 */
	getLenderAttention(request?: GetLenderAttentionRequest): Call<LenderAttention, Answer<200, LenderAttention> | Answer<304, undefined>>;
	/**
	 * One loan application.
	 *
	 * Credentials: a user, or a member whose role has org:lending:read, or an API key with loans:write or accounts:read, or an operator.
	 *
	 * `GET /v1/accounts/loan/applications/{application_id}`
	 */
	getLoanApplication(request: GetLoanApplicationRequest): Call<LoanApplication, Answer<200, LoanApplication> | Answer<304, undefined>>;
	/**
	 * A loan product: an organization's own or one for all, for operators any.
	 *
	 * Credentials: a member whose role has org:lending:read, or an API key with accounts:read, or an operator.
	 *
	 * `GET /v1/platform/loan-products/{id}`
	 */
	getLoanProduct(request: GetLoanProductRequest): Call<LoanProduct, Answer<200, LoanProduct> | Answer<304, undefined>>;
	/**
	 * The text of a loan product's terms: that of its offers now, or the version that an offer or a loan names.
	 *
	 * Credentials: a user, or a member whose role has org:lending:read, or an API key with loans:write or accounts:read, or an operator.
	 *
	 * `GET /v1/loan/products/{id}/terms`
	 */
	getLoanTermsText(request: GetLoanTermsTextRequest): Call<LoanTermsText, Answer<200, LoanTermsText> | Answer<304, undefined>>;
	/**
	 * Get the caller: a user, an API key or an operator.
	 *
	 * Credentials: a user, also on the waiting list, or an API key with loans:write or repayments:write or agents:write or agents:read or invoices:write or invoices:read or approvals:write or events:read or accounts:read or repayments:read or users:read or portfolio:read or ledger:read, or an operator.
	 *
	 * `GET /v1/me`
	 */
	getMe(request?: GetMeRequest): Call<Caller, Answer<200, Caller> | Answer<304, undefined>>;
	/**
	 * Get the grants of a member for a merchant, in addition to their role.
	 *
	 * Credentials: a member whose role has org:members:write, or an operator.
	 *
	 * `GET /v1/financing/merchants/{merchantId}/grants/{userId}`
	 */
	getMerchantGrant(request: GetMerchantGrantRequest): Call<MerchantGrant, Answer<200, MerchantGrant> | Answer<304, undefined>>;
	/**
	 * Messages sent, delivered and paid for, by provider and day, newest first.
	 *
	 * Only with `MESSAGE_SENDER=list`. At most 92 days.
	 *
	 * Credentials: an operator.
	 *
	 * `GET /v1/platform/messages/statistics`
	 */
	getMessageStatistics(request: GetMessageStatisticsRequest): Call<{
		data: MessageDay[];
		/** Addresses that you must enter at the providers. Each is a secret. */
		reports_to: {
			/** The address for its dashboard's delivery reports; null where it is not used. A URL. */
			africastalking: string | null;
		};
	}, Answer<200, {
		data: MessageDay[];
		/** Addresses that you must enter at the providers. Each is a secret. */
		reports_to: {
			/** The address for its dashboard's delivery reports; null where it is not used. A URL. */
			africastalking: string | null;
		};
	}> | Answer<304, undefined>>;
	/**
	 * The organization's MTN MoMo wallet, without its secrets.
	 *
	 * Credentials: a member whose role has org:connections:write, or an operator.
	 *
	 * `GET /v1/organizations/{organizationId}/connections/momo`
	 */
	getMomoConnection(request: GetMomoConnectionRequest): Call<MomoConnection, Answer<200, MomoConnection> | Answer<304, undefined>>;
	/**
	 * The user's notification preferences.
	 *
	 * Credentials: a user, also on the waiting list.
	 *
	 * `GET /v1/user/notifications/preferences`
	 */
	getNotificationPreferences(request?: GetNotificationPreferencesRequest): Call<NotificationPreferences, Answer<200, NotificationPreferences> | Answer<304, undefined>>;
	/**
	 * A mobile-number change.
	 *
	 * Credentials: a user, or a member whose role has org:lending:read, or an API key with accounts:read, or an operator.
	 *
	 * `GET /v1/user/accounts/current/phone/changes/{mobileNumberChangeId}`
	 */
	getNumberChange(request: GetNumberChangeRequest): Call<MobileNumberChange, Answer<200, MobileNumberChange> | Answer<304, undefined>>;
	/**
	 * An organization.
	 *
	 * Credentials: a member whose role has org:members:read, or an operator.
	 *
	 * `GET /v1/organizations/{organizationId}`
	 */
	getOrganization(request: GetOrganizationRequest): Call<Organization, Answer<200, Organization> | Answer<304, undefined>>;
	/**
	 * The texts of messages to the organization's customers.
	 *
	 * Texts are written as ICU messages: `{sum}` stands for a value, and `{minutes, plural, one {# minute} other {# minutes}}` counts. A text without `{lender}` begins with the lender's name.
	 *
	 * Credentials: a member whose role has org:members:read, or an operator.
	 *
	 * `GET /v1/organizations/{organizationId}/texts`
	 */
	getOrganizationTexts(request: GetOrganizationTextsRequest): Call<OrganizationTexts, Answer<200, OrganizationTexts> | Answer<304, undefined>>;
	/**
	 * A payee.
	 *
	 * Credentials: a user.
	 *
	 * `GET /v1/user/payees/{payeeId}`
	 */
	getPayee(request: GetPayeeRequest): Call<Payee, Answer<200, Payee> | Answer<304, undefined>>;
	/**
	 * Get the amount that pays the account off on a day, if nothing is paid or drawn before.
	 *
	 * Credentials: a user, or a member whose role has org:lending:read, or an API key with accounts:read, or an operator.
	 *
	 * `GET /v1/accounts/{accountId}/payoff`
	 */
	getPayoff(request: GetPayoffRequest): Call<Payoff, Answer<200, Payoff> | Answer<304, undefined>>;
	/**
	 * Amounts disbursed, collected and overdue on the last thirty closed days, of all loan products.
	 *
	 * Credentials: a member whose role has org:lending:read, or an API key with portfolio:read, or an operator.
	 *
	 * `GET /v1/portfolio/trend`
	 */
	getPortfolioTrend(request?: GetPortfolioTrendRequest): Call<PortfolioTrend, Answer<200, PortfolioTrend> | Answer<304, undefined>>;
	/**
	 * A statement, and whether each of its days ties out.
	 *
	 * Credentials: a member whose role has org:lending:read, or an API key with repayments:read, or an operator.
	 *
	 * `GET /v1/reconciliation/statements/{statementId}`
	 */
	getProviderStatement(request: GetProviderStatementRequest): Call<{
		statement: ProviderStatement;
		days: StatementDay[];
	}, Answer<200, {
		statement: ProviderStatement;
		days: StatementDay[];
	}> | Answer<304, undefined>>;
	/**
	 * The recovery of a lost number, from its approval on.
	 *
	 * Credentials: an operator.
	 *
	 * `GET /v1/platform/users/{userId}/recoveries/{id}`
	 */
	getRecovery(request: GetRecoveryRequest): Call<NumberRecovery, Answer<200, NumberRecovery> | Answer<304, undefined>>;
	/**
	 * A payment, what it settled when it was posted, what of it counts, and whether its money was returned.
	 *
	 * `id` is the payment's, its resource_id or the provider's id of the transaction; operators who use it must name an organization. A moved payment is shown as it counts now.
	 *
	 * Credentials: a member whose role has org:lending:read, or an API key with repayments:read, or an operator.
	 *
	 * `GET /v1/repayments/{id}`
	 */
	getRepayment(request: GetRepaymentRequest): Call<ShownRepayment, Answer<200, ShownRepayment> | Answer<304, undefined>>;
	/**
	 * Get a prompt to repay and its outcome.
	 *
	 * Credentials: a user, or a member whose role has org:lending:read, or an API key with accounts:read, or an operator.
	 *
	 * `GET /v1/accounts/{accountId}/repayment-prompts/{promptId}`
	 */
	getRepaymentPrompt(request: GetRepaymentPromptRequest): Call<RepaymentPrompt, Answer<200, RepaymentPrompt> | Answer<304, undefined>>;
	/**
	 * Every change of the balance in a span of days, oldest first.
	 *
	 * Credentials: a user, or a member whose role has org:lending:read, or an API key with accounts:read, or an operator.
	 *
	 * `GET /v1/accounts/{accountId}/statement`
	 */
	getStatement(request: GetStatementRequest): List<{
		/** A date, such as 2026-03-02. */
		date: string;
		/** The part of a credit account's balance that changed; BALANCE for a current account. */
		component: "PRINCIPAL" | "INTEREST" | "ARREARS" | "PENALTY" | "OVERPAYMENT" | "REFUND_UNCOVERED" | "BALANCE";
		amount: number;
		/** Why it changed; for a current account the type of the transaction. */
		rule: string;
		/** A UUID. */
		transaction_id: string | null;
		/** A UUID. */
		installment_id: string | null;
		running_balance: number;
	}, Statement, Answer<200, Statement> | Answer<304, undefined>>;
	/**
	 * A transfer.
	 *
	 * For the payer, and once the money has arrived for the payee.
	 *
	 * Credentials: a user, or a member whose role has org:lending:read, or an API key with accounts:read, or an operator.
	 *
	 * `GET /v1/user/transfers/{transferId}`
	 */
	getTransfer(request: GetTransferRequest): Call<Transfer, Answer<200, Transfer> | Answer<304, undefined>>;
	/**
	 * A treasury record.
	 *
	 * Credentials: a member whose role has org:ledger:read, or an API key with ledger:read, or an operator.
	 *
	 * `GET /v1/ledger/treasury-records/{recordId}`
	 */
	getTreasuryRecord(request: GetTreasuryRecordRequest): Call<TreasuryRecord, Answer<200, TreasuryRecord> | Answer<304, undefined>>;
	/**
	 * The balances of all accounts at the end of a closed day.
	 *
	 * Debits equal credits in each currency. A closed day's balances never change. The list is empty before the first closed day.
	 *
	 * Credentials: a member whose role has org:ledger:read, or an API key with ledger:read, or an operator.
	 *
	 * `GET /v1/ledger/trial-balance`
	 */
	getTrialBalance(request?: GetTrialBalanceRequest): List<TrialBalanceRow, Page<TrialBalanceRow>, Answer<200, Page<TrialBalanceRow>> | Answer<304, undefined>>;
	/**
	 * The balances of all accounts at the end of a closed day.
	 *
	 * Debits equal credits in each currency. A closed day's balances never change. The list is empty before the first closed day.
	 *
	 * Credentials: a member whose role has org:ledger:read, or an API key with ledger:read, or an operator.
	 *
	 * `GET /v1/ledger/trial-balance`
	 */
	getTrialBalance(request: GetTrialBalanceRequest & Verbatim): List<string, string>;
	/**
	 * A user.
	 *
	 * Operators also see the user's identities and their credit limit.
	 *
	 * Credentials: a member whose role has org:lending:read, or an API key with users:read, or an operator.
	 *
	 * `GET /v1/platform/users/{userId}`
	 */
	getUser(request: GetUserRequest): Call<PlatformUser, Answer<200, PlatformUser> | Answer<304, undefined>>;
	/**
	 * A webhook endpoint.
	 *
	 * Credentials: a member whose role has org:webhooks:read, or an operator.
	 *
	 * `GET /v1/webhooks/{webhook_id}`
	 */
	getWebhook(request: GetWebhookRequest): Call<WebhookEndpoint, Answer<200, WebhookEndpoint> | Answer<304, undefined>>;
	/**
	 * Delivery statistics of the last hour, day or week.
	 *
	 * Latencies are accurate to 5 %. Tests are left out.
	 *
	 * Credentials: a member whose role has org:webhooks:read, or an operator.
	 *
	 * `GET /v1/webhooks/{webhook_id}/stats`
	 */
	getWebhookStats(request: GetWebhookStatsRequest): Call<{
		deliveries: {
			delivered: number;
			failed: number;
			/** Now, whenever they were created; at most 50 are counted. */
			pending: number;
		};
		/** Share of finished deliveries that succeeded, from 0 to 1; null when none has finished. */
		success_rate: number | null;
		/** Time from request to response, over all attempts that got a response. */
		latency_ms: {
			p50: number;
			p95: number;
			p99: number;
		} | null;
		/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
		oldest_pending_at: string | null;
		/** FAILED deliveries since the last DELIVERED one; attempts that are retried are none. */
		failures_in_row: number;
		buckets: {
			/** Inclusive; the bucket ends where the next one begins, the last one now. A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
			from: string;
			/** Attempts that ended. */
			attempts: number;
			/** Deliveries that succeeded. */
			delivered: number;
			/** Deliveries that failed for good. */
			failed: number;
			p50_ms: number | null;
			p95_ms: number | null;
		}[];
	}, Answer<200, {
		deliveries: {
			delivered: number;
			failed: number;
			/** Now, whenever they were created; at most 50 are counted. */
			pending: number;
		};
		/** Share of finished deliveries that succeeded, from 0 to 1; null when none has finished. */
		success_rate: number | null;
		/** Time from request to response, over all attempts that got a response. */
		latency_ms: {
			p50: number;
			p95: number;
			p99: number;
		} | null;
		/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
		oldest_pending_at: string | null;
		/** FAILED deliveries since the last DELIVERED one; attempts that are retried are none. */
		failures_in_row: number;
		buckets: {
			/** Inclusive; the bucket ends where the next one begins, the last one now. A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
			from: string;
			/** Attempts that ended. */
			attempts: number;
			/** Deliveries that succeeded. */
			delivered: number;
			/** Deliveries that failed for good. */
			failed: number;
			p50_ms: number | null;
			p95_ms: number | null;
		}[];
	}> | Answer<304, undefined>>;
	/**
	 * Give up returning the money of a reversed payment.
	 *
	 * The service stops sending the request. The provider may still act on earlier requests: then the return becomes RETURNED. `POST /v1/platform/work/RETURN/{id}/retry` sends it again.
	 *
	 * Credentials: an operator.
	 *
	 * `POST /v1/repayments/{id}/return/give-up`
	 */
	giveUpReturn(request: GiveUpReturnRequest): Call<MoneyReturn, Answer<200, MoneyReturn> | Answer<202, Approval>>;
	/**
	 * Issue a statement of an account: it gets a number, and says for ever what is known now.
	 *
	 * If the account's last statement of the same days says the same, the answer is that statement, with 200. Otherwise the new statement replaces it: a correction is another statement, which names the corrected statement.
	 *
	 * Credentials: a user, or a member whose role has org:lending:write, or an operator.
	 *
	 * `POST /v1/accounts/{accountId}/statements`
	 */
	issueStatement(request: IssueStatementRequest): Call<IssuedStatement, Answer<200 | 201, IssuedStatement>>;
	/**
	 * Link a user to a subject of an identity issuer.
	 *
	 * From then on, the issuer's tokens for this subject authenticate the user.
	 *
	 * Credentials: an operator.
	 *
	 * `POST /v1/platform/users/{userId}/identities`
	 */
	linkIdentity(request: LinkIdentityRequest): Call<{
		/** A UUID. */
		user_id: string;
		issuer: string;
		subject: string;
		/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
		created_at: string;
	}, Answer<201, {
		/** A UUID. */
		user_id: string;
		issuer: string;
		subject: string;
		/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
		created_at: string;
	}> | Answer<202, Approval>>;
	/**
	 * List payments, waivers, agreements and reversals of an account with their allocations, newest first.
	 *
	 * Credentials: a user, or a member whose role has org:lending:read, or an API key with accounts:read, or an operator.
	 *
	 * `GET /v1/accounts/{accountId}/installments/transactions`
	 */
	listAccountTransactions(request: ListAccountTransactionsRequest): List<{
		transaction: RepaymentTransaction;
		installments: Allocation[];
	}, Page<{
		transaction: RepaymentTransaction;
		installments: Allocation[];
	}>, Answer<200, Page<{
		transaction: RepaymentTransaction;
		installments: Allocation[];
	}>> | Answer<304, undefined>>;
	/**
	 * Accounts, newest first: the user's own, those of a borrower, or those of an organization.
	 *
	 * Closed accounts, and credit accounts that were never used, are not listed, except by their number. Operators who act for no organization name a user or a number. With `sort` or a filter from `due_on` on, the credit accounts of the acting organization; pages may have fewer rows than `size`, or none: follow `links.next` until it is null.
	 *
	 * Credentials: a user, or a member whose role has org:lending:read, or an API key with accounts:read, or an operator.
	 *
	 * `GET /v1/accounts`
	 */
	listAccounts(request?: ListAccountsRequest): List<Account, Page<Account>, Answer<200, Page<Account>> | Answer<304, undefined>>;
	/**
	 * Active API keys of the organization, newest first.
	 *
	 * Credentials: a member whose role has org:api-keys:write, or an operator.
	 *
	 * `GET /v1/organizations/{organizationId}/api-keys`
	 */
	listApiKeys(request: ListApiKeysRequest): List<ApiKey, Page<ApiKey>, Answer<200, Page<ApiKey>> | Answer<304, undefined>>;
	/**
	 * Requests for approval, newest first.
	 *
	 * The requests of the acting organization; of all organizations for operators who act for none.
	 *
	 * Credentials: a member whose role has org:approvals:read, or an API key with approvals:write, or an operator.
	 *
	 * `GET /v1/approvals`
	 */
	listApprovals(request?: ListApprovalsRequest): List<ShownApproval, Page<ShownApproval>, Answer<200, Page<ShownApproval>> | Answer<304, undefined>>;
	/**
	 * The audit trail: changes by operators, members and API keys, newest first.
	 *
	 * The trail of the acting organization. For operators who act for none: what operators did without acting for an organization. A page by actor or operation looks through 5,000 rows at most, so it may have fewer than were asked for, or none, and still a next one. `actor_display` has the present names of the actors; rows do not contain it, because rows never change.
	 *
	 * Credentials: a member whose role has org:audit:read, or an operator.
	 *
	 * `GET /v1/audit`
	 */
	listAudit(request?: ListAuditRequest): List<AuditRow, {
		data: AuditRow[];
		links: PageLinks;
		/** The last seal up to which the trail is verified; null before the first one. */
		verified_through: {
			sequence: number;
			hash: string;
			/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
			sealed_at: string;
		} | null;
		/** By actor_id: a member's name, address or tag, a key's name, an operator's subject. */
		actor_display: {
			[name: string]: string | null;
		};
	}, Answer<200, {
		data: AuditRow[];
		links: PageLinks;
		/** The last seal up to which the trail is verified; null before the first one. */
		verified_through: {
			sequence: number;
			hash: string;
			/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
			sealed_at: string;
		} | null;
		/** By actor_id: a member's name, address or tag, a key's name, an operator's subject. */
		actor_display: {
			[name: string]: string | null;
		};
	}> | Answer<304, undefined>>;
	/**
	 * The seals of the audit trail, newest first.
	 *
	 * Each seal signs the hashes of the rows since the seal before it, and the hash of that seal.
	 *
	 * Credentials: a member whose role has org:audit:read, or an operator.
	 *
	 * `GET /v1/audit/seals`
	 */
	listAuditSeals(request?: ListAuditSealsRequest): List<AuditSeal, Page<AuditSeal>, Answer<200, Page<AuditSeal>> | Answer<304, undefined>>;
	/**
	 * Whom to call: overdue loans, those overdue for longest first.
	 *
	 * Pages may have fewer rows than `size`, or none: follow `links.next` until it is null.
	 *
	 * Credentials: a member whose role has org:lending:read, or an operator.
	 *
	 * `GET /v1/collections/calls`
	 */
	listCalls(request?: ListCallsRequest): List<LateLoan, Page<LateLoan>, Answer<200, Page<LateLoan>> | Answer<304, undefined>>;
	/**
	 * The versions of all commission models, newest first.
	 *
	 * Credentials: an operator.
	 *
	 * `GET /v1/platform/commission-models`
	 */
	listCommissionModels(request?: ListCommissionModelsRequest): List<CommissionModel, Page<CommissionModel>, Answer<200, Page<CommissionModel>> | Answer<304, undefined>>;
	/**
	 * Confirmations that no payment came of, or that contradict what is known, oldest first.
	 *
	 * Credentials: a member whose role has org:lending:write, or an operator.
	 *
	 * `GET /v1/platform/confirmations`
	 */
	listConfirmations(request?: ListConfirmationsRequest): List<PaymentConfirmation, Page<PaymentConfirmation>, Answer<200, Page<PaymentConfirmation>> | Answer<304, undefined>>;
	/**
	 * Disputes of what is reported to a credit bureau, newest first.
	 *
	 * Credentials: a member whose role has org:lending:read, or an operator.
	 *
	 * `GET /v1/credit-bureau/disputes`
	 */
	listCreditBureauDisputes(request?: ListCreditBureauDisputesRequest): List<CreditBureauDispute, Page<CreditBureauDispute>, Answer<200, Page<CreditBureauDispute>> | Answer<304, undefined>>;
	/**
	 * The monthly files for a credit bureau, the last one first.
	 *
	 * Credentials: a member whose role has org:lending:read, or an operator.
	 *
	 * `GET /v1/credit-bureau/files`
	 */
	listCreditBureauFiles(request?: ListCreditBureauFilesRequest): List<CreditBureauFile, Page<CreditBureauFile>, Answer<200, Page<CreditBureauFile>> | Answer<304, undefined>>;
	/**
	 * Notices to borrowers that a negative mark will follow, and what became of them, newest first.
	 *
	 * Credentials: a member whose role has org:lending:read, or an operator.
	 *
	 * `GET /v1/credit-bureau/notices`
	 */
	listCreditBureauNotices(request?: ListCreditBureauNoticesRequest): List<CreditBureauNotice, Page<CreditBureauNotice>, Answer<200, Page<CreditBureauNotice>> | Answer<304, undefined>>;
	/**
	 * Notices to borrowers that a negative mark will follow, and what became of them, newest first.
	 *
	 * Credentials: a member whose role has org:lending:read, or an operator.
	 *
	 * `GET /v1/credit-bureau/notices`
	 */
	listCreditBureauNotices(request: ListCreditBureauNoticesRequest & Verbatim): List<string, string>;
	/**
	 * The rows of a monthly file for a credit bureau, or the accounts that it leaves out.
	 *
	 * A file never changes. If a figure turns out otherwise later, the next file has a row that names and corrects the earlier row. The rows have names and documents, so it takes the permission to change loans.
	 *
	 * Credentials: a member whose role has org:lending:write, or an operator.
	 *
	 * `GET /v1/credit-bureau/files/{month}/rows`
	 */
	listCreditBureauRows(request: ListCreditBureauRowsRequest): List<CreditBureauRow, Page<CreditBureauRow>, Answer<200, Page<CreditBureauRow>> | Answer<304, undefined>>;
	/**
	 * The rows of a monthly file for a credit bureau, or the accounts that it leaves out.
	 *
	 * A file never changes. If a figure turns out otherwise later, the next file has a row that names and corrects the earlier row. The rows have names and documents, so it takes the permission to change loans.
	 *
	 * Credentials: a member whose role has org:lending:write, or an operator.
	 *
	 * `GET /v1/credit-bureau/files/{month}/rows`
	 */
	listCreditBureauRows(request: ListCreditBureauRowsRequest & Verbatim): List<string, string>;
	/**
	 * List the movements of the user's current account, newest first.
	 *
	 * Credentials: a user, or a member whose role has org:lending:read, or an API key with accounts:read, or an operator.
	 *
	 * `GET /v1/user/accounts/current/transactions`
	 */
	listCurrentAccountTransactions(request?: ListCurrentAccountTransactionsRequest): List<CurrentAccountTransaction, Page<CurrentAccountTransaction>, Answer<200, Page<CurrentAccountTransaction>> | Answer<304, undefined>>;
	/**
	 * Deliveries, newest first.
	 *
	 * With `event_type` a page may have fewer rows than `size`, or none: follow `next` until it is null.
	 *
	 * Credentials: a member whose role has org:webhooks:read, or an operator.
	 *
	 * `GET /v1/webhooks/deliveries`
	 */
	listDeliveries(request?: ListDeliveriesRequest): List<DeliverySummary, {
		data: DeliverySummary[];
		next: string | null;
		prev: string | null;
		/** Finished deliveries made before this may be missing: archived ones are found by their id. null: all that are kept are in the list. A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
		complete_from: string | null;
	}, Answer<200, {
		data: DeliverySummary[];
		next: string | null;
		prev: string | null;
		/** Finished deliveries made before this may be missing: archived ones are found by their id. null: all that are kept are in the list. A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
		complete_from: string | null;
	}> | Answer<304, undefined>>;
	/**
	 * List the devices on which the signed-in user gets pushes.
	 *
	 * Credentials: a user, also on the waiting list.
	 *
	 * `GET /v1/me/devices`
	 */
	listDevices(request?: ListDevicesRequest): Call<{
		data: Device[];
	}, Answer<200, {
		data: Device[];
	}> | Answer<304, undefined>>;
	/**
	 * Payouts of an account, or those on their way, newest first.
	 *
	 * Credentials: a member whose role has org:lending:read, or an API key with accounts:read, or an operator.
	 *
	 * `GET /v1/disbursements`
	 */
	listDisbursements(request?: ListDisbursementsRequest): List<Disbursement, Page<Disbursement>, Answer<200, Page<Disbursement>> | Answer<304, undefined>>;
	/**
	 * Event types that an endpoint can subscribe to.
	 *
	 * Credentials: a member whose role has org:webhooks:read, or an API key with events:read, or an operator.
	 *
	 * `GET /v1/webhooks/events/types`
	 */
	listEventTypes(request?: ListEventTypesRequest): Call<EventType[], Answer<200, EventType[]> | Answer<304, undefined>>;
	/**
	 * Events of the organization, oldest first.
	 *
	 * Credentials: a member whose role has org:webhooks:read, or an API key with events:read, or an operator.
	 *
	 * `GET /v1/webhooks/events`
	 */
	listEvents(request?: ListEventsRequest): List<WebhookEvent, {
		data: WebhookEvent[];
		next: string;
		prev: string | null;
	}, Answer<200, {
		data: WebhookEvent[];
		next: string;
		prev: string | null;
	}> | Answer<304, undefined>>;
	/**
	 * Notes, promises and reminders of a loan or a borrower, or promises by their status, newest first.
	 *
	 * Credentials: a member whose role has org:lending:read, or an operator.
	 *
	 * `GET /v1/collections/follow-ups`
	 */
	listFollowUps(request?: ListFollowUpsRequest): List<FollowUp, {
		data: FollowUp[];
		/** The member who looks after the loan or the borrower. A UUID. */
		owner_id: string | null;
		links: PageLinks;
	}, Answer<200, {
		data: FollowUp[];
		/** The member who looks after the loan or the borrower. A UUID. */
		owner_id: string | null;
		links: PageLinks;
	}> | Answer<304, undefined>>;
	/**
	 * The accounts of an import in one state, oldest first: those that failed, with the first difference of each.
	 *
	 * Credentials: an operator.
	 *
	 * `GET /v1/platform/imports/{importId}/accounts`
	 */
	listImportAccounts(request: ListImportAccountsRequest): List<ImportAccount, Page<ImportAccount>, Answer<200, Page<ImportAccount>> | Answer<304, undefined>>;
	/**
	 * The lines of one account of an import, as they were sent.
	 *
	 * For the operator who approves the import. The lines of an imported account have been removed.
	 *
	 * Credentials: an operator.
	 *
	 * `GET /v1/platform/imports/{importId}/lines`
	 */
	listImportLines(request: ListImportLinesRequest): Call<{
		/** Lines as `addImportLines` takes them. */
		data: JsonValue[];
	}, Answer<200, {
		/** Lines as `addImportLines` takes them. */
		data: JsonValue[];
	}> | Answer<304, undefined>>;
	/**
	 * The allocations of one installment with their transactions, newest first.
	 *
	 * `id` is the installment's or that of one of its allocations. Installments of earlier cycles answer too.
	 *
	 * Credentials: a user, or a member whose role has org:lending:read, or an API key with accounts:read, or an operator.
	 *
	 * `GET /v1/accounts/{accountId}/installments/{id}/transactions`
	 */
	listInstallmentTransactions(request: ListInstallmentTransactionsRequest): List<{
		transaction: RepaymentTransaction;
		allocation: Allocation;
	}, Page<{
		transaction: RepaymentTransaction;
		allocation: Allocation;
	}>, Answer<200, Page<{
		transaction: RepaymentTransaction;
		allocation: Allocation;
	}>> | Answer<304, undefined>>;
	/**
	 * The installments of an account as they stand today, or stood on a day, by cycle and position.
	 *
	 * Credentials: a user, or a member whose role has org:lending:read, or an API key with accounts:read, or an operator.
	 *
	 * `GET /v1/accounts/{accountId}/installments`
	 */
	listInstallments(request: ListInstallmentsRequest): List<Installment, Page<Installment>, Answer<200, Page<Installment>> | Answer<304, undefined>>;
	/**
	 * The organization's invitations, newest first.
	 *
	 * Credentials: a member whose role has org:members:read, or an operator.
	 *
	 * `GET /v1/organizations/{organizationId}/members/invitations`
	 */
	listInvitations(request: ListInvitationsRequest): List<MemberInvitation, Page<MemberInvitation>, Answer<200, Page<MemberInvitation>> | Answer<304, undefined>>;
	/**
	 * The invoices of all merchants of the organization, newest first.
	 *
	 * With due_before, those that the buyer still owes, earliest due date first.
	 *
	 * Credentials: a member whose role has org:financing.merchants:read, or an API key with invoices:read, or an operator.
	 *
	 * `GET /v1/financing/invoices`
	 */
	listInvoices(request?: ListInvoicesRequest): List<FinancingInvoice, Page<FinancingInvoice>, Answer<200, Page<FinancingInvoice>> | Answer<304, undefined>>;
	/**
	 * The statements of an account that were issued, newest first.
	 *
	 * Credentials: a user, or a member whose role has org:lending:read, or an API key with accounts:read, or an operator.
	 *
	 * `GET /v1/accounts/{accountId}/statements`
	 */
	listIssuedStatements(request: ListIssuedStatementsRequest): List<IssuedStatement, Page<IssuedStatement>, Answer<200, Page<IssuedStatement>> | Answer<304, undefined>>;
	/**
	 * Registered issuers, newest first.
	 *
	 * Credentials: an operator.
	 *
	 * `GET /v1/platform/issuers`
	 */
	listIssuers(request?: ListIssuersRequest): List<TrustedIssuer, Page<TrustedIssuer>, Answer<200, Page<TrustedIssuer>> | Answer<304, undefined>>;
	/**
	 * The chart of accounts.
	 *
	 * Credentials: a member whose role has org:ledger:read, or an API key with ledger:read, or an operator.
	 *
	 * `GET /v1/ledger/accounts`
	 */
	listLedgerAccounts(request?: ListLedgerAccountsRequest): List<LedgerAccount, Page<LedgerAccount>, Answer<200, Page<LedgerAccount>> | Answer<304, undefined>>;
	/**
	 * The chart of accounts.
	 *
	 * Credentials: a member whose role has org:ledger:read, or an API key with ledger:read, or an operator.
	 *
	 * `GET /v1/ledger/accounts`
	 */
	listLedgerAccounts(request: ListLedgerAccountsRequest & Verbatim): List<string, string>;
	/**
	 * The closed months of the ledger, the last one first.
	 *
	 * Credentials: a member whose role has org:ledger:read, or an API key with ledger:read, or an operator.
	 *
	 * `GET /v1/ledger/closings`
	 */
	listLedgerClosings(request?: ListLedgerClosingsRequest): List<LedgerClosing, Page<LedgerClosing>, Answer<200, Page<LedgerClosing>> | Answer<304, undefined>>;
	/**
	 * The closed months of the ledger, the last one first.
	 *
	 * Credentials: a member whose role has org:ledger:read, or an API key with ledger:read, or an operator.
	 *
	 * `GET /v1/ledger/closings`
	 */
	listLedgerClosings(request: ListLedgerClosingsRequest & Verbatim): List<string, string>;
	/**
	 * The lines of the journal, by day and entry.
	 *
	 * Nothing is added to a day that is closed. Pages may have fewer rows than `size`, or none: follow `links.next` until it is null.
	 *
	 * Credentials: a member whose role has org:ledger:read, or an API key with ledger:read, or an operator.
	 *
	 * `GET /v1/ledger/entries`
	 */
	listLedgerEntries(request?: ListLedgerEntriesRequest): List<LedgerLine, Page<LedgerLine>, Answer<200, Page<LedgerLine>> | Answer<304, undefined>>;
	/**
	 * The lines of the journal, by day and entry.
	 *
	 * Nothing is added to a day that is closed. Pages may have fewer rows than `size`, or none: follow `links.next` until it is null.
	 *
	 * Credentials: a member whose role has org:ledger:read, or an API key with ledger:read, or an operator.
	 *
	 * `GET /v1/ledger/entries`
	 */
	listLedgerEntries(request: ListLedgerEntriesRequest & Verbatim): List<string, string>;
	/**
	 * A journal for each closed day and currency, by the numbers of the lender's own ledger.
	 *
	 * As CSV it is the file of manual journals that Xero imports. A page has at most 300 lines, of whole journals, and may have fewer journals than `size`, or none: follow `links.next` until it is null.
	 *
	 * Credentials: a member whose role has org:ledger:read, or an API key with ledger:read, or an operator.
	 *
	 * `GET /v1/ledger/journals`
	 */
	listLedgerJournals(request?: ListLedgerJournalsRequest): List<LedgerJournal, Page<LedgerJournal>, Answer<200, Page<LedgerJournal>> | Answer<304, undefined>>;
	/**
	 * A journal for each closed day and currency, by the numbers of the lender's own ledger.
	 *
	 * As CSV it is the file of manual journals that Xero imports. A page has at most 300 lines, of whole journals, and may have fewer journals than `size`, or none: follow `links.next` until it is null.
	 *
	 * Credentials: a member whose role has org:ledger:read, or an API key with ledger:read, or an operator.
	 *
	 * `GET /v1/ledger/journals`
	 */
	listLedgerJournals(request: ListLedgerJournalsRequest & Verbatim): List<string, string>;
	/**
	 * The versions of the mapping to the lender's own ledger, the newest first.
	 *
	 * Without any version for all products, each account has its number of the chart. The first version counts for the days before it too.
	 *
	 * Credentials: a member whose role has org:ledger:read, or an API key with ledger:read, or an operator.
	 *
	 * `GET /v1/ledger/mappings`
	 */
	listLedgerMappings(request?: ListLedgerMappingsRequest): List<LedgerMapping, Page<LedgerMapping>, Answer<200, Page<LedgerMapping>> | Answer<304, undefined>>;
	/**
	 * Loan applications, newest first.
	 *
	 * Credentials: a user, or a member whose role has org:lending:read, or an API key with loans:write or accounts:read, or an operator.
	 *
	 * `GET /v1/accounts/loan/applications`
	 */
	listLoanApplications(request?: ListLoanApplicationsRequest): List<LoanApplication, Page<LoanApplication>, Answer<200, Page<LoanApplication>> | Answer<304, undefined>>;
	/**
	 * Loan products, newest first: an organization's own, for operators all.
	 *
	 * Credentials: a member whose role has org:lending:read, or an API key with accounts:read, or an operator.
	 *
	 * `GET /v1/platform/loan-products`
	 */
	listLoanProducts(request?: ListLoanProductsRequest): List<LoanProduct, Page<LoanProduct>, Answer<200, Page<LoanProduct>> | Answer<304, undefined>>;
	/**
	 * The members of an organization, newest first.
	 *
	 * Credentials: a member whose role has org:members:read, or an operator.
	 *
	 * `GET /v1/organizations/{organizationId}/members`
	 */
	listMembers(request: ListMembersRequest): List<Member, Page<Member>, Answer<200, Page<Member>> | Answer<304, undefined>>;
	/**
	 * The invoices of one merchant, newest first.
	 *
	 * Credentials: a member with org:financing.merchants:read, or an API key with invoices:read or invoices:write, or an operator.
	 *
	 * `GET /v1/financing/merchants/{merchantId}/invoices`
	 */
	listMerchantInvoices(request: ListMerchantInvoicesRequest): List<FinancingInvoice, Page<FinancingInvoice>, Answer<200, Page<FinancingInvoice>> | Answer<304, undefined>>;
	/**
	 * Messages in the sandbox mailbox, newest first.
	 *
	 * Credentials: an operator.
	 *
	 * `GET /v1/sandbox/messages`
	 */
	listMessages(request?: ListMessagesRequest): List<SandboxMessage, Page<SandboxMessage>, Answer<200, Page<SandboxMessage>> | Answer<304, undefined>>;
	/**
	 * List the messages to the signed-in user, newest first.
	 *
	 * Kept for 180 days. One-time passwords are never among them.
	 *
	 * Credentials: a user, also on the waiting list.
	 *
	 * `GET /v1/me/messages`
	 */
	listMyMessages(request?: ListMyMessagesRequest): List<InboxMessage, {
		data: InboxMessage[];
		/** How many are unread, counted up to 100. */
		unread: number;
		links: PageLinks;
	}, Answer<200, {
		data: InboxMessage[];
		/** How many are unread, counted up to 100. */
		unread: number;
		links: PageLinks;
	}> | Answer<304, undefined>>;
	/**
	 * The loan products that the caller may quote and apply for, newest first.
	 *
	 * Credentials: a user, or an API key with loans:write, or an operator.
	 *
	 * `GET /v1/loan/products`
	 */
	listOfferedProducts(request?: ListOfferedProductsRequest): List<LoanProduct, Page<LoanProduct>, Answer<200, Page<LoanProduct>> | Answer<304, undefined>>;
	/**
	 * Organizations, newest first.
	 *
	 * Credentials: an operator.
	 *
	 * `GET /v1/platform/organizations`
	 */
	listOrganizations(request?: ListOrganizationsRequest): List<Organization, Page<Organization>, Answer<200, Page<Organization>> | Answer<304, undefined>>;
	/**
	 * Work of a kind that waits for the lender's people, with who looks after it.
	 *
	 * Oldest first; with an owner, what was assigned to them last. With `owner`, pages may have fewer rows than `size`, or none: follow `links.next` until it is null. Overdue loans are at `listCalls`.
	 *
	 * Credentials: a member whose role has org:lending:read, or an operator.
	 *
	 * `GET /v1/work`
	 */
	listOwnedWork(request: ListOwnedWorkRequest): List<OwnedWork, Page<OwnedWork>, Answer<200, Page<OwnedWork>> | Answer<304, undefined>>;
	/**
	 * Who looks after which of these loans, borrowers and pieces of work.
	 *
	 * The answer leaves out what nobody looks after, and what members of another organization look after.
	 *
	 * Credentials: a member whose role has org:lending:read, or an operator.
	 *
	 * `GET /v1/collections/owners`
	 */
	listOwners(request: ListOwnersRequest): Call<{
		data: WorkOwner[];
	}, Answer<200, {
		data: WorkOwner[];
	}> | Answer<304, undefined>>;
	/**
	 * The user's payees, newest first.
	 *
	 * Credentials: a user.
	 *
	 * `GET /v1/user/payees`
	 */
	listPayees(request?: ListPayeesRequest): List<Payee, Page<Payee>, Answer<200, Page<Payee>> | Answer<304, undefined>>;
	/**
	 * The accounts behind the figures of a closed day.
	 *
	 * Their sums are the figures of the day. Those of earlier days, and of facts that became known later (`known_at`), are computed from the accounts' facts; their pages may have fewer rows than `size`, or none: follow `links.next` until it is null.
	 *
	 * Credentials: a member whose role has org:lending:read, or an API key with portfolio:read, or an operator.
	 *
	 * `GET /v1/portfolio/accounts`
	 */
	listPortfolioAccounts(request?: ListPortfolioAccountsRequest): List<PortfolioAccount, Page<PortfolioAccount>, Answer<200, Page<PortfolioAccount>> | Answer<304, undefined>>;
	/**
	 * The accounts behind the figures of a closed day.
	 *
	 * Their sums are the figures of the day. Those of earlier days, and of facts that became known later (`known_at`), are computed from the accounts' facts; their pages may have fewer rows than `size`, or none: follow `links.next` until it is null.
	 *
	 * Credentials: a member whose role has org:lending:read, or an API key with portfolio:read, or an operator.
	 *
	 * `GET /v1/portfolio/accounts`
	 */
	listPortfolioAccounts(request: ListPortfolioAccountsRequest & Verbatim): List<string, string>;
	/**
	 * The lines of a period by account, whose sums are those of the portfolio.
	 *
	 * Pages may have fewer rows than `size`, or none: follow `links.next` until it is null.
	 *
	 * Credentials: a member whose role has org:lending:read, or an API key with portfolio:read, or an operator.
	 *
	 * `GET /v1/portfolio/entries`
	 */
	listPortfolioEntries(request?: ListPortfolioEntriesRequest): List<PortfolioEntry, Page<PortfolioEntry>, Answer<200, Page<PortfolioEntry>> | Answer<304, undefined>>;
	/**
	 * The lines of a period by account, whose sums are those of the portfolio.
	 *
	 * Pages may have fewer rows than `size`, or none: follow `links.next` until it is null.
	 *
	 * Credentials: a member whose role has org:lending:read, or an API key with portfolio:read, or an operator.
	 *
	 * `GET /v1/portfolio/entries`
	 */
	listPortfolioEntries(request: ListPortfolioEntriesRequest & Verbatim): List<string, string>;
	/**
	 * List the postings to the organization's accounts, in the order of posting.
	 *
	 * Credentials: a member whose role has org:lending:read, or an API key with portfolio:read, or an operator.
	 *
	 * `GET /v1/portfolio/transactions`
	 */
	listPortfolioTransactions(request?: ListPortfolioTransactionsRequest): List<PortfolioTransaction, Page<PortfolioTransaction>, Answer<200, Page<PortfolioTransaction>> | Answer<304, undefined>>;
	/**
	 * List the postings to the organization's accounts, in the order of posting.
	 *
	 * Credentials: a member whose role has org:lending:read, or an API key with portfolio:read, or an operator.
	 *
	 * `GET /v1/portfolio/transactions`
	 */
	listPortfolioTransactions(request: ListPortfolioTransactionsRequest & Verbatim): List<string, string>;
	/**
	 * The figures of a closed day, a row for each loan product, or of each day of a period.
	 *
	 * A day's figures are what was known at its end, and never change. A period's lines lead from the balances before it to those at its end.
	 *
	 * Credentials: a member whose role has org:lending:read, or an API key with portfolio:read, or an operator.
	 *
	 * `GET /v1/portfolio`
	 */
	listPortfolios(request?: ListPortfoliosRequest): List<Portfolio, Page<Portfolio>, Answer<200, Page<Portfolio>> | Answer<304, undefined>>;
	/**
	 * The figures of a closed day, a row for each loan product, or of each day of a period.
	 *
	 * A day's figures are what was known at its end, and never change. A period's lines lead from the balances before it to those at its end.
	 *
	 * Credentials: a member whose role has org:lending:read, or an API key with portfolio:read, or an operator.
	 *
	 * `GET /v1/portfolio`
	 */
	listPortfolios(request: ListPortfoliosRequest & Verbatim): List<string, string>;
	/**
	 * The statements of the organization, newest first, with whether they tie out.
	 *
	 * Credentials: a member whose role has org:lending:read, or an API key with repayments:read, or an operator.
	 *
	 * `GET /v1/reconciliation/statements`
	 */
	listProviderStatements(request?: ListProviderStatementsRequest): List<ListedStatement, Page<ListedStatement>, Answer<200, Page<ListedStatement>> | Answer<304, undefined>>;
	/**
	 * The versions of the tariffs by which providers charge the organization, the newest first.
	 *
	 * Credentials: a member whose role has org:ledger:read, or an API key with ledger:read, or an operator.
	 *
	 * `GET /v1/ledger/provider-tariffs`
	 */
	listProviderTariffs(request?: ListProviderTariffsRequest): List<ProviderTariff, Page<ProviderTariff>, Answer<200, Page<ProviderTariff>> | Answer<304, undefined>>;
	/**
	 * The versions of the organization's rules of provisions, the newest first.
	 *
	 * Credentials: a member whose role has org:ledger:read, or an API key with ledger:read, or an operator.
	 *
	 * `GET /v1/ledger/provisioning-rules`
	 */
	listProvisioningRules(request?: ListProvisioningRulesRequest): List<ProvisioningRules, Page<ProvisioningRules>, Answer<200, Page<ProvisioningRules>> | Answer<304, undefined>>;
	/**
	 * Loans by stage and by days past due, the loss that is expected, and the moves between stages.
	 *
	 * A closed day's stages never change. At the end of a month the expected loss is posted, unless the default rules counted. The list is empty for days that were closed before stages were kept.
	 *
	 * Credentials: a member whose role has org:ledger:read, or an API key with ledger:read, or an operator.
	 *
	 * `GET /v1/ledger/provisions`
	 */
	listProvisions(request?: ListProvisionsRequest): List<ProvisionRow, Page<ProvisionRow>, Answer<200, Page<ProvisionRow>> | Answer<304, undefined>>;
	/**
	 * Loans by stage and by days past due, the loss that is expected, and the moves between stages.
	 *
	 * A closed day's stages never change. At the end of a month the expected loss is posted, unless the default rules counted. The list is empty for days that were closed before stages were kept.
	 *
	 * Credentials: a member whose role has org:ledger:read, or an API key with ledger:read, or an operator.
	 *
	 * `GET /v1/ledger/provisions`
	 */
	listProvisions(request: ListProvisionsRequest & Verbatim): List<string, string>;
	/**
	 * The prompts to repay an account, newest first.
	 *
	 * Credentials: a user, or a member whose role has org:lending:read, or an API key with accounts:read, or an operator.
	 *
	 * `GET /v1/accounts/{accountId}/repayment-prompts`
	 */
	listRepaymentPrompts(request: ListRepaymentPromptsRequest): List<RepaymentPrompt, Page<RepaymentPrompt>, Answer<200, Page<RepaymentPrompt>> | Answer<304, undefined>>;
	/**
	 * Payments of an organization's borrowers, newest first.
	 *
	 * Operators who act for no organization see the payments to accounts that belong to none.
	 *
	 * Credentials: a member whose role has org:lending:read, or an API key with repayments:read, or an operator.
	 *
	 * `GET /v1/repayments`
	 */
	listRepayments(request?: ListRepaymentsRequest): List<RepaymentTransaction, Page<RepaymentTransaction>, Answer<200, Page<RepaymentTransaction>> | Answer<304, undefined>>;
	/**
	 * Breaks between statements and what is recorded here, oldest first.
	 *
	 * Credentials: a member whose role has org:lending:read, or an API key with repayments:read, or an operator.
	 *
	 * `GET /v1/reconciliation/breaks`
	 */
	listStatementBreaks(request?: ListStatementBreaksRequest): List<StatementBreak, Page<StatementBreak>, Answer<200, Page<StatementBreak>> | Answer<304, undefined>>;
	/**
	 * Breaks between statements and what is recorded here, oldest first.
	 *
	 * Credentials: a member whose role has org:lending:read, or an API key with repayments:read, or an operator.
	 *
	 * `GET /v1/reconciliation/breaks`
	 */
	listStatementBreaks(request: ListStatementBreaksRequest & Verbatim): List<string, string>;
	/**
	 * The user's transfers, newest first.
	 *
	 * Credentials: a user, or a member whose role has org:lending:read, or an API key with accounts:read, or an operator.
	 *
	 * `GET /v1/user/transfers`
	 */
	listTransfers(request?: ListTransfersRequest): List<Transfer, Page<Transfer>, Answer<200, Page<Transfer>> | Answer<304, undefined>>;
	/**
	 * The treasury records, the last one first.
	 *
	 * Credentials: a member whose role has org:ledger:read, or an API key with ledger:read, or an operator.
	 *
	 * `GET /v1/ledger/treasury-records`
	 */
	listTreasuryRecords(request?: ListTreasuryRecordsRequest): List<TreasuryRecord, Page<TreasuryRecord>, Answer<200, Page<TreasuryRecord>> | Answer<304, undefined>>;
	/**
	 * The treasury records, the last one first.
	 *
	 * Credentials: a member whose role has org:ledger:read, or an API key with ledger:read, or an operator.
	 *
	 * `GET /v1/ledger/treasury-records`
	 */
	listTreasuryRecords(request: ListTreasuryRecordsRequest & Verbatim): List<string, string>;
	/**
	 * Payments for which no account was found, oldest first.
	 *
	 * Credentials: a member whose role has org:lending:write, or an operator.
	 *
	 * `GET /v1/platform/unmatched-payments`
	 */
	listUnmatchedPayments(request?: ListUnmatchedPaymentsRequest): List<UnmatchedPayment, Page<UnmatchedPayment>, Answer<200, Page<UnmatchedPayment>> | Answer<304, undefined>>;
	/**
	 * Users, newest first: an organization's own customers, for operators all.
	 *
	 * Credentials: a member whose role has org:lending:read, or an API key with users:read, or an operator.
	 *
	 * `GET /v1/platform/users`
	 */
	listUsers(request?: ListUsersRequest): List<PlatformUser, Page<PlatformUser>, Answer<200, Page<PlatformUser>> | Answer<304, undefined>>;
	/**
	 * Delivery statistics of all endpoints, the newest first.
	 *
	 * In whole hours, the present one included. Latencies are accurate to 5 %. Tests are left out. A page has at most 12 endpoints of a day and 4 of a week, even if `size` is larger.
	 *
	 * Credentials: a member whose role has org:webhooks:read, or an operator.
	 *
	 * `GET /v1/webhooks/stats`
	 */
	listWebhookStats(request?: ListWebhookStatsRequest): List<{
		/** A UUID. */
		webhook_id: string;
		name: string;
		status: "ACTIVE" | "SUSPENDED";
		deliveries: {
			delivered: number;
			failed: number;
		};
		/** Share of finished deliveries that succeeded, from 0 to 1; null when none has finished. */
		success_rate: number | null;
		/** Time from request to response, over all attempts that got a response. */
		latency_ms: {
			p50: number;
			p95: number;
			p99: number;
		} | null;
		/** FAILED deliveries since the last DELIVERED one; attempts that are retried are none. */
		failures_in_row: number;
		buckets: {
			/** Inclusive; the bucket ends where the next one begins, the last one now. A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
			from: string;
			/** Attempts that ended. */
			attempts: number;
			/** Deliveries that succeeded. */
			delivered: number;
			/** Deliveries that failed for good. */
			failed: number;
			p50_ms: number | null;
			p95_ms: number | null;
		}[];
	}, Page<{
		/** A UUID. */
		webhook_id: string;
		name: string;
		status: "ACTIVE" | "SUSPENDED";
		deliveries: {
			delivered: number;
			failed: number;
		};
		/** Share of finished deliveries that succeeded, from 0 to 1; null when none has finished. */
		success_rate: number | null;
		/** Time from request to response, over all attempts that got a response. */
		latency_ms: {
			p50: number;
			p95: number;
			p99: number;
		} | null;
		/** FAILED deliveries since the last DELIVERED one; attempts that are retried are none. */
		failures_in_row: number;
		buckets: {
			/** Inclusive; the bucket ends where the next one begins, the last one now. A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
			from: string;
			/** Attempts that ended. */
			attempts: number;
			/** Deliveries that succeeded. */
			delivered: number;
			/** Deliveries that failed for good. */
			failed: number;
			p50_ms: number | null;
			p95_ms: number | null;
		}[];
	}>, Answer<200, Page<{
		/** A UUID. */
		webhook_id: string;
		name: string;
		status: "ACTIVE" | "SUSPENDED";
		deliveries: {
			delivered: number;
			failed: number;
		};
		/** Share of finished deliveries that succeeded, from 0 to 1; null when none has finished. */
		success_rate: number | null;
		/** Time from request to response, over all attempts that got a response. */
		latency_ms: {
			p50: number;
			p95: number;
			p99: number;
		} | null;
		/** FAILED deliveries since the last DELIVERED one; attempts that are retried are none. */
		failures_in_row: number;
		buckets: {
			/** Inclusive; the bucket ends where the next one begins, the last one now. A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
			from: string;
			/** Attempts that ended. */
			attempts: number;
			/** Deliveries that succeeded. */
			delivered: number;
			/** Deliveries that failed for good. */
			failed: number;
			p50_ms: number | null;
			p95_ms: number | null;
		}[];
	}>> | Answer<304, undefined>>;
	/**
	 * Webhook endpoints of the organization, newest first.
	 *
	 * Credentials: a member whose role has org:webhooks:read, or an operator.
	 *
	 * `GET /v1/webhooks`
	 */
	listWebhooks(request?: ListWebhooksRequest): Call<WebhookEndpoint[], Answer<200, WebhookEndpoint[]> | Answer<304, undefined>>;
	/**
	 * Work of a kind that waits for people, oldest first.
	 *
	 * Credentials: an operator.
	 *
	 * `GET /v1/platform/work`
	 */
	listWork(request: ListWorkRequest): List<WorkItem, Page<WorkItem>, Answer<200, Page<WorkItem>> | Answer<304, undefined>>;
	/**
	 * Post an unmatched payment to an account.
	 *
	 * Credentials: a member whose role has org:lending:write, or an operator.
	 *
	 * `POST /v1/platform/unmatched-payments/{id}/match`
	 */
	matchPayment(request: MatchPaymentRequest): Call<Repayment, Answer<201, Repayment> | Answer<202, Approval>>;
	/**
	 * Move a payment that was booked on a wrong account to another account of the same lender, or correct its amount.
	 *
	 * With `amount`, which was paid although another was recorded, the account may be its own. In one commit it is taken off the wrong account, as if it had never been made there, and posted to the other with its receipt and value date. It has another id from then on; by its former one it is still found.
	 *
	 * Credentials: an operator.
	 *
	 * `POST /v1/repayments/{id}/move`
	 */
	moveRepayment(request: MoveRepaymentRequest): Call<Repayment, Answer<201, Repayment> | Answer<202, Approval>>;
	/**
	 * Mark a loan as disputed by its borrower.
	 *
	 * The files that are made from now on have the mark, until the dispute is resolved. Of a loan one is open at most.
	 *
	 * Credentials: a member whose role has org:lending:write, or an operator.
	 *
	 * `POST /v1/credit-bureau/disputes`
	 */
	openCreditBureauDispute(request: OpenCreditBureauDisputeRequest): Call<CreditBureauDispute, Answer<201, CreditBureauDispute>>;
	/**
	 * Open the caller's current account.
	 *
	 * Answers 200 with the account that is open already. An account that the custodian has rejected is submitted once more.
	 *
	 * Credentials: a user.
	 *
	 * `POST /v1/user/accounts/current`
	 */
	openCurrentAccount(request?: OpenCurrentAccountRequest): Call<CurrentAccount, Answer<200 | 201, CurrentAccount>>;
	/**
	 * Open the caller's current account.
	 *
	 * Credentials: a user.
	 *
	 * `POST /v1/me/current-account`
	 *
	 * @deprecated
	 */
	openCurrentAccountDeprecated(request?: OpenCurrentAccountDeprecatedRequest): Call<CurrentAccount, Answer<200 | 201, CurrentAccount>>;
	/**
	 * Transfer money to an account of a payee.
	 *
	 * COMPLETED: the money has arrived. PENDING: it is on its way. AWAITING_OTP: it waits five minutes for a one-time password. A transfer needs one if transfers without one would exceed a limit: in a day, since the owner's last password, in a day to payees no password has confirmed, or in a day by all users of the session's issuer. The money of an open transfer is part of the account's hold_amount.
	 *
	 * Credentials: a user.
	 *
	 * `POST /v1/user/transfers`
	 */
	orderTransfer(request: OrderTransferRequest): Call<Transfer, Answer<201, Transfer>>;
	/**
	 * Pay to a credit account from the user's phone.
	 *
	 * Recorded as a confirmation of M-Pesa is: on the account that the payer has typed, else on that of their number, else as unmatched. Amounts are in KES.
	 *
	 * Credentials: a user.
	 *
	 * `POST /v1/sandbox/payments`
	 */
	payInSandbox(request: PayInSandboxRequest): Call<{
		mobile_money_transaction_id: string;
	}, Answer<202, {
		mobile_money_transaction_id: string;
	}>>;
	/**
	 * Report that a payout has ended: called by MTN MoMo.
	 *
	 * The code is good for one payout. This callback is a hint: the service asks MTN MoMo for the final status.
	 *
	 * Credentials: none.
	 *
	 * `POST /v1/integrations/mobile-money/momo/results/{id}/{code}`
	 */
	postMomoResult(request: PostMomoResultRequest): Call<{
		received: true;
	}>;
	/**
	 * Show what other due dates would make of the installments to come.
	 *
	 * Members ask for an approval of the type RESCHEDULE, whose payload has the same members.
	 *
	 * Credentials: a member whose role has org:lending:read, or an API key with accounts:read, or an operator.
	 *
	 * `GET /v1/accounts/{accountId}/reschedule`
	 */
	previewReschedule(request: PreviewRescheduleRequest): Call<Reschedule, Answer<200, Reschedule> | Answer<304, undefined>>;
	/**
	 * Ask the borrower on their phone to repay.
	 *
	 * By the lender's connection to M-Pesa, to the borrower's own number. One prompt of an account is open at a time, with two minutes between them and at most ten in 24 hours. The payment is recorded as any other, and ends the prompt.
	 *
	 * Credentials: a user, or a member whose role has org:lending:write, or an API key with repayments:write, or an operator.
	 *
	 * `POST /v1/accounts/{accountId}/repayment-prompts`
	 */
	promptRepayment(request: PromptRepaymentRequest): Call<RepaymentPrompt, Answer<201, RepaymentPrompt>>;
	/**
	 * Publish the text of a loan product's terms, as borrowers agree to it.
	 *
	 * Offers from then on name it, and apps that do not send accepted_terms cannot accept them: publish it once all apps of the product send it. updateLoanProduct names an older version again, or none. Open offers keep the text that they were made with. Blanks at both ends of the text are removed before its SHA-256 is made.
	 *
	 * Credentials: a member whose role has org:lending:write, or an operator.
	 *
	 * `POST /v1/platform/loan-products/{id}/terms`
	 */
	publishLoanTermsText(request: PublishLoanTermsTextRequest): Call<LoanTermsText, Answer<200 | 201, LoanTermsText> | Answer<202, Approval>>;
	/**
	 * Replace the app settings.
	 *
	 * Send in `If-Match` the ETag of `GET /v1/app/settings` without a query, or of an earlier response to this operation.
	 *
	 * Credentials: an operator.
	 *
	 * `PUT /v1/platform/app/settings`
	 */
	putAppSettings(request: PutAppSettingsRequest): Call<AppSettings>;
	/**
	 * Create or replace the brand of an organization.
	 *
	 * Members that are left out become null. A PUT that changes nothing keeps `updated_at` and the ETag. Tokens must be signed with RS256, by this service or by an identity or operator issuer. Send in `If-Match` the ETag of the brand that you change.
	 *
	 * Credentials: a member whose role has org:branding:write, or an operator.
	 *
	 * `PUT /v1/branding/{organizationId}`
	 */
	putBrand(request: PutBrandRequest): Call<ChangedBrand>;
	/**
	 * State the name and the document by which a credit bureau knows a borrower.
	 *
	 * They stand in the files that are made from now on. Only those files show the whole number.
	 *
	 * Credentials: a member whose role has org:lending:write, or an operator.
	 *
	 * `PUT /v1/credit-bureau/borrowers/{userId}`
	 */
	putCreditBureauIdentity(request: PutCreditBureauIdentityRequest): Call<CreditBureauIdentity>;
	/**
	 * Switch the monthly files for a credit bureau on or off, and say by which amounts and days.
	 *
	 * The first file is that of the month in which they are switched on. It is made once the portfolios have closed the month. A file that is being made keeps the settings with which it began, and until it is made, no more than a moment, they cannot be switched off.
	 *
	 * Credentials: a member whose role has org:lending:write, or an operator.
	 *
	 * `PUT /v1/credit-bureau/settings`
	 */
	putCreditBureauSettings(request: PutCreditBureauSettingsRequest): Call<CreditBureauSettings>;
	/**
	 * Override a user's computed credit limit.
	 *
	 * Credentials: an operator.
	 *
	 * `PUT /v1/platform/users/{userId}/credit-profile`
	 */
	putCreditProfile(request: PutCreditProfileRequest): Call<{
		limit: number | null;
	}, Answer<200, {
		limit: number | null;
	}> | Answer<202, Approval>>;
	/**
	 * Connect the organization's M-Pesa shortcode.
	 *
	 * A secret that is left out stays as it is. Secrets are stored sealed, and never answered. The first shortcode, and changes of the connected one, hold at once and end a pause. Another shortcode or environment needs all secrets, and waits as `replacement`: until another member activates it, or for a day. The service informs the owners of each change.
	 *
	 * Credentials: a member whose role has org:connections:write, or an operator. At most 3600 seconds after the sign-in.
	 *
	 * `PUT /v1/organizations/{organizationId}/connections/daraja`
	 */
	putDarajaConnection(request: PutDarajaConnectionRequest): Call<DarajaConnection>;
	/**
	 * Let a member act for a merchant; replaces what they were granted before.
	 *
	 * Credentials: a member whose role has org:members:write, or an operator.
	 *
	 * `PUT /v1/financing/merchants/{merchantId}/grants/{userId}`
	 */
	putMerchantGrant(request: PutMerchantGrantRequest): Call<MerchantGrant>;
	/**
	 * Connect the organization's MTN MoMo wallet.
	 *
	 * A secret that is left out stays as it is. Secrets are stored sealed, and never answered. The first wallet, and changes of the connected one, hold at once and end a pause. Another API user, market or environment needs all secrets, and waits as `replacement`: until another member activates it, or for a day. The service informs the owners of each change.
	 *
	 * Credentials: a member whose role has org:connections:write, or an operator. At most 3600 seconds after the sign-in.
	 *
	 * `PUT /v1/organizations/{organizationId}/connections/momo`
	 */
	putMomoConnection(request: PutMomoConnectionRequest): Call<MomoConnection>;
	/**
	 * Report that a payout has ended, by the other method that MTN MoMo may use.
	 *
	 * The code is good for one payout. This callback is a hint: the service asks MTN MoMo for the final status.
	 *
	 * Credentials: none.
	 *
	 * `PUT /v1/integrations/mobile-money/momo/results/{id}/{code}`
	 */
	putMomoResult(request: PutMomoResultRequest): Call<{
		received: true;
	}>;
	/**
	 * Replace the organization's own texts in one language.
	 *
	 * Texts are written as ICU messages: `{sum}` stands for a value, and `{minutes, plural, one {# minute} other {# minutes}}` counts. A text without `{lender}` begins with the lender's name. Messages that wait to be sent, and those in inboxes, get the new texts.
	 *
	 * Credentials: a member whose role has org:branding:write, or an operator.
	 *
	 * `PUT /v1/organizations/{organizationId}/texts`
	 */
	putOrganizationTexts(request: PutOrganizationTextsRequest): Call<OrganizationTexts>;
	/**
	 * Quote the cost and installments of a loan; nothing is stored.
	 *
	 * Of a product, or of the terms that one is to have.
	 *
	 * Credentials: a user, or an API key with loans:write, or an operator.
	 *
	 * `POST /v1/accounts/loan/quotes`
	 */
	quoteLoan(request: QuoteLoanRequest): Call<Quote>;
	/**
	 * Mark a message and those before it as read.
	 *
	 * The newest 1000 that are unread: while some are left, another call marks more.
	 *
	 * Credentials: a user, also on the waiting list.
	 *
	 * `POST /v1/me/messages/read`
	 */
	readMyMessages(request: ReadMyMessagesRequest): Call<undefined, Answer<204, undefined>>;
	/**
	 * Record up to 500 events of agents, each once, all or none.
	 *
	 * An event that was recorded before with the same facts is counted as a duplicate.
	 *
	 * Credentials: an API key with agents:write, or an operator.
	 *
	 * `POST /v1/agents/events`
	 */
	recordAgentEvents(request: RecordAgentEventsRequest): Call<{
		accepted: number;
		duplicates: number;
	}, Answer<200, {
		accepted: number;
		duplicates: number;
	}> | Answer<202, Approval>>;
	/**
	 * Note something on a borrower or a loan, record a promise to pay, or remind the borrower.
	 *
	 * A promise replaces the open one. It is KEPT if as much was paid from then on until the end of its day, or nothing is owed any more. A reminder is a message of what is owed, at most one a day for each loan.
	 *
	 * Credentials: a member whose role has org:lending:write, or an operator.
	 *
	 * `POST /v1/collections/follow-ups`
	 */
	recordFollowUp(request: RecordFollowUpRequest): Call<FollowUp, Answer<201, FollowUp>>;
	/**
	 * Report money that came into a current account or left it: the custodian, signed with CUSTODIAN_SECRET, or an operator.
	 *
	 * The same movement with the same facts answers 200 and changes nothing. A refused movement is not recorded and can be sent again.
	 *
	 * Credentials: an operator, or a signature of the raw body under CUSTODIAN_SECRET.
	 *
	 * `POST /v1/integrations/custodian/movements`
	 */
	recordMovement(request: RecordMovementRequest): Call<{
		movement_id: string;
		/** A UUID. */
		account_id: string;
		direction: "CREDIT" | "DEBIT";
		amount: number;
		currency: string;
	}, Answer<200, {
		movement_id: string;
		/** A UUID. */
		account_id: string;
		direction: "CREDIT" | "DEBIT";
		amount: number;
		currency: string;
	}> | Answer<202, Approval>>;
	/**
	 * Record that the money of a payout came back.
	 *
	 * It undoes the loan, the draw or the refund, in the same commit; of an advance on an invoice it makes that APPROVED again, and what the buyer has repaid stays repaid. One transaction brings back one payout; the same facts again change nothing. Payouts to a current account are not undone here: 409.
	 *
	 * Credentials: an operator.
	 *
	 * `POST /v1/disbursements/{id}/returned`
	 */
	recordPayoutReturned(request: RecordPayoutReturnedRequest): Call<Disbursement, Answer<200, Disbursement> | Answer<202, Approval>>;
	/**
	 * Record a payment to a credit account and allocate it.
	 *
	 * Credentials: a member whose role has org:lending:write, or an API key with repayments:write, or an operator.
	 *
	 * `POST /v1/repayments`
	 */
	recordRepayment(request: RecordRepaymentRequest): Call<Repayment, Answer<200 | 201, Repayment> | Answer<202, Repayment | Approval>>;
	/**
	 * Deliver the events of a period that this endpoint missed.
	 *
	 * Creates deliveries of the events that the endpoint never got, and retries those that FAILED. The first 200 events of the period are looked at in the call, the rest follow by themselves, unless the endpoint is suspended. The deliveries are due ten a second, or ten batches. While one recovery of the endpoint goes on, a call answers how far it is.
	 *
	 * Credentials: a member whose role has org:webhooks:write, or an operator.
	 *
	 * `POST /v1/webhooks/{webhook_id}/recover`
	 */
	recoverWebhook(request: RecoverWebhookRequest): Call<{
		/** New deliveries. */
		created: number;
		/** FAILED deliveries that are PENDING again. */
		retried: number;
		/** At least so many deliveries follow: those of the next 200 events. Later events are not counted. */
		remaining: number;
		/** Of a dry run: null if it has looked at all events of the period. Otherwise it has counted what was missed before this instant: call it again with the instant as `since` for what follows. A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
		counted_until?: string | null;
	}, Answer<202, {
		/** New deliveries. */
		created: number;
		/** FAILED deliveries that are PENDING again. */
		retried: number;
		/** At least so many deliveries follow: those of the next 200 events. Later events are not counted. */
		remaining: number;
		/** Of a dry run: null if it has looked at all events of the period. Otherwise it has counted what was missed before this instant: call it again with the instant as `since` for what follows. A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
		counted_until?: string | null;
	}>>;
	/**
	 * Get new tokens for a refresh token, which is replaced.
	 *
	 * A caller who lost the answer repeats the call and gets the same refresh token, for a day and as long as nobody has used it. A replaced token whose successor was used ends the session.
	 *
	 * Credentials: none.
	 *
	 * `POST /v1/auth/token/refresh`
	 */
	refreshSession(request: RefreshSessionRequest): Call<SignedIn>;
	/**
	 * Give back to the borrower what was overpaid.
	 *
	 * It goes to the borrower's active current account, else it is paid out; what is too little to be paid out stays overpaid. A member alone gives back what payments have brought that a provider has verified; the rest is an approval, OVERPAYMENT_REFUND. If the disburser reports that it cannot pay, the refund is reversed and the money is on the account again.
	 *
	 * Credentials: a member whose role has org:lending:write, or an operator.
	 *
	 * `POST /v1/platform/accounts/{accountId}/overpayment/refund`
	 */
	refundOverpayment(request: RefundOverpaymentRequest): Call<RepaymentTransaction, Answer<201, RepaymentTransaction> | Answer<202, Approval>>;
	/**
	 * Have payments to the organization's M-Pesa shortcode confirmed to the service.
	 *
	 * Registers the addresses of confirmation and validation. In production Safaricom takes them once; to change them afterwards, ask Safaricom to remove them. With `renew` they are new ones, and the last ones go on to hold until the next time.
	 *
	 * Credentials: a member whose role has org:connections:write, or an operator. At most 3600 seconds after the sign-in.
	 *
	 * `POST /v1/organizations/{organizationId}/connections/daraja/confirmation-urls`
	 */
	registerDarajaConfirmations(request: RegisterDarajaConfirmationsRequest): Call<{
		/** UNKNOWN: no answer, or an answer without a clear meaning. */
		outcome: "REGISTERED" | "REFUSED" | "UNKNOWN";
	}>;
	/**
	 * Get pushes on a device.
	 *
	 * Call it at each start of the app, with the `device_id` of the sign-in. A push says that there is a message, and has its id as `message_id`. With more than 10 devices, the device that was registered longest ago gets none.
	 *
	 * Credentials: a user, also on the waiting list.
	 *
	 * `PUT /v1/me/devices/{device_id}`
	 */
	registerDevice(request: RegisterDeviceRequest): Call<Device>;
	/**
	 * Remove a member from an organization.
	 *
	 * Ends only the membership: the user and their home organization stay. Members cannot remove a member whose role is above theirs. The last owner stays.
	 *
	 * Credentials: a member whose role has org:members:write, or an operator.
	 *
	 * `DELETE /v1/organizations/{organizationId}/members/{userId}`
	 */
	removeMember(request: RemoveMemberRequest): Call<undefined, Answer<204, undefined>>;
	/**
	 * Remove an account; the payee remains, even without accounts.
	 *
	 * Transfers that are under way continue.
	 *
	 * Credentials: a user.
	 *
	 * `DELETE /v1/user/payees/{payeeId}/accounts/{accountId}`
	 */
	removePayeeAccount(request: RemovePayeeAccountRequest): Call<Payee>;
	/**
	 * Repay a loan from the borrower's current account.
	 *
	 * Counts towards no transfer limit.
	 *
	 * Credentials: a user.
	 *
	 * `POST /v1/accounts/{accountId}/repayments`
	 */
	repayFromWallet(request: RepayFromWalletRequest): Call<Repayment, Answer<201, Repayment>>;
	/**
	 * Record a repayment by the buyer; once it is repaid in full, the invoice is PAID.
	 *
	 * Credentials: an API key with repayments:write, or an operator.
	 *
	 * `POST /v1/financing/invoices/{id}/repayments`
	 */
	repayInvoice(request: RepayInvoiceRequest): Call<InvoiceRepayment, Answer<200 | 201, InvoiceRepayment> | Answer<202, Approval>>;
	/**
	 * Report what became of an SMS: Africa's Talking, at the address that its dashboard has.
	 *
	 * `Success`, `Failed` and `Rejected` are recorded once; other statuses change nothing. `getMessageStatistics` returns the address.
	 *
	 * Credentials: none.
	 *
	 * `POST /v1/integrations/messages/africastalking/{code}`
	 */
	reportAfricasTalkingMessage(request: ReportAfricasTalkingMessageRequest): Call<undefined, Answer<204, undefined>>;
	/**
	 * Say what a lender's account holds: Daraja, at the address that it was given.
	 *
	 * The code is good for one question. An answer to an earlier question than the last is accepted and changes nothing.
	 *
	 * Credentials: none.
	 *
	 * `POST /v1/integrations/mobile-money/daraja/balances/{id}/{code}`
	 */
	reportDarajaBalance(request: ReportDarajaBalanceRequest): Call<DarajaAccepted>;
	/**
	 * Report whether the payer of a prompt has paid: Daraja, at the address that it was given.
	 *
	 * The code is valid for one prompt. A payment of its amount is recorded even after a report of failure. Another amount, or a result code without a meaning, changes nothing.
	 *
	 * Credentials: none.
	 *
	 * `POST /v1/integrations/mobile-money/daraja/prompts/{id}/{code}`
	 */
	reportDarajaPrompt(request: ReportDarajaPromptRequest): Call<DarajaAccepted>;
	/**
	 * Report the result of a payout, or of a query about it: Daraja, at the address that it was given.
	 *
	 * The code is good for one question about one payout. After a failure, or a result without a clear meaning, the service asks Daraja for the payment's status. A success is booked even after a failure, and another receipt of a payout that is paid is kept for people; otherwise a result that contradicts an earlier one changes nothing.
	 *
	 * Credentials: none.
	 *
	 * `POST /v1/integrations/mobile-money/daraja/results/{question}/{id}/{code}`
	 */
	reportDarajaResult(request: ReportDarajaResultRequest): Call<DarajaAccepted>;
	/**
	 * Report whether the money of a reversed payment was given back: Daraja, at the address that it was given.
	 *
	 * The code is good for one return. A result that contradicts an earlier result is kept in addition to it. A result without a clear meaning changes nothing, and the service asks Daraja.
	 *
	 * Credentials: none.
	 *
	 * `POST /v1/integrations/mobile-money/daraja/returns/{id}/{code}`
	 */
	reportDarajaReturn(request: ReportDarajaReturnRequest): Call<DarajaAccepted>;
	/**
	 * Say whether a lender's initiator may ask about transactions: Daraja, at the address that it was given.
	 *
	 * The code is good for the question of one check, which is about a transaction that nobody knows. Any result but a refusal of the initiator shows that it may ask.
	 *
	 * Credentials: none.
	 *
	 * `POST /v1/integrations/mobile-money/daraja/checks/{id}/{code}`
	 */
	reportDarajaStatus(request: ReportDarajaStatusRequest): Call<DarajaAccepted>;
	/**
	 * Report the result of a disbursement: its disburser, signed with DISBURSER_SECRET, or an operator.
	 *
	 * Credentials: an operator, or a signature of the raw body under DISBURSER_SECRET.
	 *
	 * `POST /v1/integrations/disbursements/{disbursement_id}/result`
	 */
	reportDisbursement(request: ReportDisbursementRequest): Call<{
		/** A UUID. */
		disbursement_id: string;
		status: "SUCCEEDED" | "FAILED";
	}, Answer<200, {
		/** A UUID. */
		disbursement_id: string;
		status: "SUCCEEDED" | "FAILED";
	}> | Answer<202, Approval>>;
	/**
	 * Report the result of a payout: its provider, signed with DISBURSER_SECRET, or an operator.
	 *
	 * Credentials: an operator, or a signature of the raw body under DISBURSER_SECRET.
	 *
	 * `POST /v1/integrations/transfers/{transfer_id}/result`
	 */
	reportTransfer(request: ReportTransferRequest): Call<{
		/** A UUID. */
		transfer_id: string;
		status: "SUCCEEDED" | "FAILED";
	}, Answer<200, {
		/** A UUID. */
		transfer_id: string;
		status: "SUCCEEDED" | "FAILED";
	}> | Answer<202, Approval>>;
	/**
	 * Report what became of an SMS: Twilio, at the address that it was given.
	 *
	 * `delivered`, `undelivered` and `failed` are recorded once; other statuses change nothing.
	 *
	 * Credentials: none.
	 *
	 * `POST /v1/integrations/messages/twilio/{messageId}/{code}`
	 */
	reportTwilioMessage(request: ReportTwilioMessageRequest): Call<undefined, Answer<204, undefined>>;
	/**
	 * Ask for a change that another person must approve.
	 *
	 * It expires after seven days. Only one request of a type can wait for an entity.
	 *
	 * Credentials: a member whose role has org:approvals:decide or org:lending.approvals:decide or org:ledger:close, or an API key with approvals:write, or an operator.
	 *
	 * `POST /v1/approvals`
	 */
	requestApproval(request: RequestApprovalRequest): Call<Approval, Answer<201, Approval>>;
	/**
	 * Ask to close a month of the ledger.
	 *
	 * Another person approves it by `POST /v1/approvals/{id}/decision`. Months are closed one after the other, from the month of the first entry, each once all of its days are closed.
	 *
	 * Credentials: a member whose role has org:ledger:close, or an operator.
	 *
	 * `POST /v1/ledger/closings`
	 */
	requestLedgerClosing(request: RequestLedgerClosingRequest): Call<Approval, Answer<202, Approval>>;
	/**
	 * Ask for other numbers of accounts in the lender's own ledger.
	 *
	 * Another person approves them by `POST /v1/approvals/{id}/decision`. A version replaces the earlier version of the same product, or of all products, whole, until the next one counts.
	 *
	 * Credentials: a member whose role has org:ledger:close, or an operator.
	 *
	 * `POST /v1/ledger/mappings`
	 */
	requestLedgerMapping(request: RequestLedgerMappingRequest): Call<Approval, Answer<202, Approval>>;
	/**
	 * Ask for a new tariff of what a provider charges.
	 *
	 * Another person approves it by `POST /v1/approvals/{id}/decision`, before the day from which it counts. From then on each payout or receipt of the channel is charged by it at once, until a statement names the charge. A tariff whose only fee is 0 charges nothing.
	 *
	 * Credentials: a member whose role has org:ledger:close, or an operator.
	 *
	 * `POST /v1/ledger/provider-tariffs`
	 */
	requestProviderTariff(request: RequestProviderTariffRequest): Call<Approval, Answer<202, Approval>>;
	/**
	 * Ask for new rules of provisions.
	 *
	 * Another person approves them by `POST /v1/approvals/{id}/decision`, before the day from which they count. From then on the loss that they expect is posted at the end of each month.
	 *
	 * Credentials: a member whose role has org:ledger:close, or an operator.
	 *
	 * `POST /v1/ledger/provisioning-rules`
	 */
	requestProvisioningRules(request: RequestProvisioningRulesRequest): Call<Approval, Answer<202, Approval>>;
	/**
	 * Ask to give a user another number, because they have lost theirs.
	 *
	 * Once another operator approves, the user's current account is frozen, their sessions end, and the service informs them each day by the old number and by mail. After RECOVERY_WAIT they get the new number, and the account is released.
	 *
	 * Credentials: an operator.
	 *
	 * `POST /v1/platform/users/{userId}/recoveries`
	 */
	requestRecovery(request: RequestRecoveryRequest): Call<Approval, Answer<202, Approval>>;
	/**
	 * Ask to record money of the lender that entered or left a cash account.
	 *
	 * Another person approves it by `POST /v1/approvals/{id}/decision`, and its entry is booked on that day with its value date. A record is never changed: another with its id in `corrects_id` takes it back.
	 *
	 * Credentials: a member whose role has org:ledger:close, or an operator.
	 *
	 * `POST /v1/ledger/treasury-records`
	 */
	requestTreasuryRecord(request: RequestTreasuryRecordRequest): Call<Approval, Answer<202, Approval>>;
	/**
	 * Give the installments to come other due dates.
	 *
	 * Due installments stay due. The principal that is not yet due is spread over the later installments in equal amounts; interest runs as long as it is owed.
	 *
	 * Credentials: an operator.
	 *
	 * `POST /v1/platform/accounts/{accountId}/reschedules`
	 */
	rescheduleAccount(request: RescheduleAccountRequest): Call<Reschedule, Answer<200 | 201, Reschedule> | Answer<202, Approval>>;
	/**
	 * Send a new code for an activation.
	 *
	 * The code before it is no longer valid. Tries that are used up stay used up.
	 *
	 * Credentials: a user.
	 *
	 * `POST /v1/user/accounts/current/activations/{activationId}/otp/resend`
	 */
	resendActivationCode(request: ResendActivationCodeRequest): Call<Activation>;
	/**
	 * Send a new code for the closure in progress.
	 *
	 * The code before it is no longer valid. Tries that are used up stay used up.
	 *
	 * Credentials: a user.
	 *
	 * `POST /v1/user/accounts/current/close/otp/resend`
	 */
	resendClosureCode(request?: ResendClosureCodeRequest): Call<Closure>;
	/**
	 * Send a pending or expired invitation again.
	 *
	 * The new mail has a new token, valid for seven days; the earlier one is no longer valid.
	 *
	 * Credentials: a member whose role has org:members:write, or an operator.
	 *
	 * `POST /v1/organizations/{organizationId}/members/invitations/{id}/resend`
	 */
	resendInvitation(request: ResendInvitationRequest): Call<MemberInvitation, Answer<200, MemberInvitation> | Answer<202, Approval>>;
	/**
	 * Send the one-time password of the change again.
	 *
	 * Credentials: a user.
	 *
	 * `POST /v1/user/accounts/current/phone/changes/{mobileNumberChangeId}/otp/resend`
	 */
	resendNumberChangeCode(request: ResendNumberChangeCodeRequest): Call<MobileNumberChange>;
	/**
	 * Resolve a dispute.
	 *
	 * Another person resolves it than the one who opened it. A wrong payment or loan is put right where it is recorded; the next file then corrects what was reported. Of an erased person no words are stored.
	 *
	 * Credentials: a member whose role has org:lending:write, or an operator.
	 *
	 * `POST /v1/credit-bureau/disputes/{disputeId}/resolve`
	 */
	resolveCreditBureauDispute(request: ResolveCreditBureauDisputeRequest): Call<CreditBureauDispute>;
	/**
	 * Record what came in as an unmatched payment, or explain a break in words.
	 *
	 * RECORD is for money that came in and is MISSING_HERE. EXPLAIN changes nothing but the break, in any state of it that is open.
	 *
	 * Credentials: a member whose role has org:lending:write, or an operator.
	 *
	 * `POST /v1/reconciliation/breaks/{breakId}/resolve`
	 */
	resolveStatementBreak(request: ResolveStatementBreakRequest): Call<StatementBreak, Answer<200, StatementBreak> | Answer<202, Approval>>;
	/**
	 * Undo a reversal of a payment: what it took back counts again, as if it had never been reversed.
	 *
	 * `reversal_id` is `reversed_by` of the payment, or another of its reversals. A payment that was returned to the payer, or to a current account, is not restored: 409.
	 *
	 * Credentials: an operator.
	 *
	 * `POST /v1/repayments/{id}/restore`
	 */
	restoreRepayment(request: RestoreRepaymentRequest): Call<RepaymentTransaction, Answer<201, RepaymentTransaction> | Answer<202, Approval>>;
	/**
	 * End the pause of the organization's M-Pesa shortcode.
	 *
	 * After its reason is mended in the portal: wrong passwords that are sent on and on are locked.
	 *
	 * Credentials: a member whose role has org:connections:write, or an operator. At most 3600 seconds after the sign-in.
	 *
	 * `POST /v1/organizations/{organizationId}/connections/daraja/resume`
	 */
	resumeDarajaConnection(request: ResumeDarajaConnectionRequest): Call<DarajaConnection>;
	/**
	 * End the pause of the organization's MTN MoMo wallet.
	 *
	 * After its reason is mended at MTN.
	 *
	 * Credentials: a member whose role has org:connections:write, or an operator. At most 3600 seconds after the sign-in.
	 *
	 * `POST /v1/organizations/{organizationId}/connections/momo/resume`
	 */
	resumeMomoConnection(request: ResumeMomoConnectionRequest): Call<MomoConnection>;
	/**
	 * Resend a finished delivery.
	 *
	 * Sends the recorded bytes again under the same delivery id, in up to six attempts. Allowed once a minute for each delivery.
	 *
	 * Credentials: a member whose role has org:webhooks:write, or an operator.
	 *
	 * `POST /v1/webhooks/deliveries/{delivery_id}/retry`
	 */
	retryDelivery(request: RetryDeliveryRequest): Call<DeliveryRecord>;
	/**
	 * Do a piece of work again now that is scheduled for later.
	 *
	 * Under the same reference, so that what was done already is not done twice. Instructions to the disburser, the payout provider and the custodian that these have not taken; payouts by a connection, about which the provider is asked; returns of money that have not ended, what the authorization provider refused, the days of a portfolio with a fault, and dead letters; other kinds wait for somebody: 409.
	 *
	 * Credentials: an operator.
	 *
	 * `POST /v1/platform/work/{kind}/{id}/retry`
	 */
	retryWork(request: RetryWorkRequest): Call<WorkItem, Answer<202, WorkItem>>;
	/**
	 * Reverse a posted payment, or a part of it, as if that had never been paid.
	 *
	 * Without `amount` all that is left of it. `POST /v1/repayments/{id}/restore` undoes a reversal, and `…/move` books a payment on another account. With `return_money` its payer gets the money back, by the connection that verified the payment: whether they have it is `money_return` of the payment. If the money cannot be returned, nothing is reversed: 409.
	 *
	 * Credentials: an operator.
	 *
	 * `POST /v1/repayments/{id}/reverse`
	 */
	reverseRepayment(request: ReverseRepaymentRequest): Call<RepaymentTransaction, Answer<201, RepaymentTransaction> | Answer<202, Approval>>;
	/**
	 * Undo what was posted to a credit account, as if it had never happened.
	 *
	 * Payments, waivers, write-offs, reschedules and settlements, and draws of an imported history. To undo a payout, record that its money came back.
	 *
	 * Credentials: an operator.
	 *
	 * `POST /v1/platform/accounts/{accountId}/transactions/{transactionId}/reverse`
	 */
	reverseTransaction(request: ReverseTransactionRequest): Call<RepaymentTransaction, Answer<201, RepaymentTransaction> | Answer<202, Approval>>;
	/**
	 * Revoke a pending invitation.
	 *
	 * Credentials: a member whose role has org:members:write, or an operator.
	 *
	 * `POST /v1/organizations/{organizationId}/members/invitations/{id}/revoke`
	 */
	revokeInvitation(request: RevokeInvitationRequest): Call<MemberInvitation>;
	/**
	 * End every session of a user.
	 *
	 * Their access tokens are refused from then on.
	 *
	 * Credentials: an operator.
	 *
	 * `POST /v1/platform/users/{userId}/sessions/revoke`
	 */
	revokeSessions(request: RevokeSessionsRequest): Call<undefined, Answer<204, undefined>>;
	/**
	 * Revoke a signing secret.
	 *
	 * Credentials: a member whose role has org:webhooks:write, or an operator.
	 *
	 * `DELETE /v1/webhooks/{webhook_id}/secrets/{signing_key_id}`
	 */
	revokeSigningKey(request: RevokeSigningKeyRequest): Call<undefined, Answer<204, undefined>>;
	/**
	 * Check an import, or import the accounts that were found equal.
	 *
	 * With dry_run every account is replayed and compared with its old balances; nothing is imported. Without it, the accounts that were found equal are imported, each whole or not at all, and the others stay listed with what is wrong.
	 *
	 * Credentials: an operator.
	 *
	 * `POST /v1/platform/imports/{importId}/run`
	 */
	runImport(request: RunImportRequest): Call<LoanImport | Approval, Answer<202, LoanImport | Approval>>;
	/**
	 * Users, accounts, payments and invoices by what people name them: at most five of each.
	 *
	 * `q` is a mobile number as people write it, the beginning of a first or last name, an @tag, an account's number, a receipt, the number of an invoice, or a mail address. Members find what is their organization's, operators what is anybody's.
	 *
	 * Credentials: a member whose role has org:lending:read, or an operator.
	 *
	 * `GET /v1/search`
	 */
	search(request: SearchRequest): Call<Found, Answer<200, Found> | Answer<304, undefined>>;
	/**
	 * Set how many webhook deliveries an organization may hold.
	 *
	 * Beyond it finished deliveries go early, then no new ones are made; the feed has all events. null: as configured.
	 *
	 * Credentials: an operator.
	 *
	 * `PUT /v1/platform/organizations/{organizationId}/delivery-quota`
	 */
	setDeliveryQuota(request: SetDeliveryQuotaRequest): Call<DeliveryQuota, Answer<200, DeliveryQuota> | Answer<202, Approval>>;
	/**
	 * Give the signed-in user, who has no mobile number, their first one.
	 *
	 * The token of a phone verification proves the number. Later numbers are changed with a code to the present one. For a user with an activated account or a loan it is 409: they start a change of the number with a code to their mail address, and operators recover the account of a user who has none.
	 *
	 * Credentials: a user, also on the waiting list.
	 *
	 * `PUT /v1/me/phone`
	 */
	setMyPhone(request: SetMyPhoneRequest): Call<{
		/** Masked, except for the first four characters and the last three digits. */
		mobile_number: string;
	}>;
	/**
	 * Give an agent another supervisor from an instant on.
	 *
	 * At no instant may an agent have more than 5 levels of supervisors above them, or supervise themselves, even indirectly.
	 *
	 * Credentials: an operator.
	 *
	 * `PUT /v1/agents/{userId}/supervisor`
	 */
	setSupervisor(request: SetSupervisorRequest): Call<Supervisor, Answer<200, Supervisor> | Answer<202, Approval>>;
	/**
	 * Agree to waive the rest once an amount is paid in time.
	 *
	 * Payments from now on count towards the amount. The payment that completes it waives the rest in the same posting. A later settlement replaces it, a draw ends it.
	 *
	 * Credentials: an operator.
	 *
	 * `POST /v1/platform/accounts/{accountId}/settlements`
	 */
	settleAccount(request: SettleAccountRequest): Call<Settlement, Answer<201, Settlement> | Answer<202, Approval>>;
	/**
	 * Sign in with a one-time custom token.
	 *
	 * With the same `device_id` as before, `CAUTION_HOURS` do not start again. The service informs the user of the sign-in by mail, or without an address by SMS if they have an active current account. A caller who lost the answer can repeat the call within a minute and gets the same refresh token.
	 *
	 * Credentials: none.
	 *
	 * `POST /v1/auth/sign-in`
	 */
	signIn(request: SignInRequest): Call<SignedIn>;
	/**
	 * Sign out: the caller's session, that of a refresh token, or all.
	 *
	 * Access tokens of an ended session are refused from then on; signing out once more answers the same and does nothing.
	 *
	 * Credentials: a user, also on the waiting list.
	 *
	 * `POST /v1/auth/sign-out`
	 */
	signOut(request?: SignOutRequest): Call<undefined, Answer<204, undefined>>;
	/**
	 * Start the activation of the caller's current account.
	 *
	 * Sends a code by the channel, by SMS if none is named. An activation that waits for its code is cancelled.
	 *
	 * Credentials: a user.
	 *
	 * `POST /v1/user/accounts/current/activations`
	 */
	startActivation(request?: StartActivationRequest): Call<Activation, Answer<201, Activation>>;
	/**
	 * Start to close the caller's current account.
	 *
	 * Sends a code. The account must be empty; accrued interest that alone is left is paid out at once and must be withdrawn.
	 *
	 * Credentials: a user.
	 *
	 * `POST /v1/user/accounts/current/close`
	 */
	startClosure(request: StartClosureRequest): Call<Closure, Answer<201, Closure>>;
	/**
	 * Start to change the user's mobile number.
	 *
	 * Sends a one-time password to the present number or to the verified mail address. Cancels an unfinished change.
	 *
	 * Credentials: a user.
	 *
	 * `POST /v1/user/accounts/current/phone/changes`
	 */
	startNumberChange(request: StartNumberChangeRequest): Call<MobileNumberChange, Answer<201, MobileNumberChange>>;
	/**
	 * Send a one-time password to a phone.
	 *
	 * The answer is the same whether or not a code is sent: while many strangers ask, only numbers that have a user get theirs, and others ask again after a minute.
	 *
	 * Credentials: none.
	 *
	 * `POST /v1/auth/public/phone/verifications`
	 */
	startPhoneVerification(request: StartPhoneVerificationRequest): Call<{
		/** A UUID. */
		id: string;
		/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
		expires_at: string;
		/** When the app may offer another code. */
		seconds_until_new_code: number;
	}, Answer<202, {
		/** A UUID. */
		id: string;
		/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
		expires_at: string;
		/** When the app may offer another code. */
		seconds_until_new_code: number;
	}>>;
	/**
	 * Send a test to the receiver that the sandbox itself has.
	 *
	 * `npm run deploy` calls it to prove that webhooks arrive. The receiver takes the delivery only if its signature is valid: then it becomes `DELIVERED`. Its endpoint is registered for the acting organization at the first call.
	 *
	 * Credentials: a member whose role has org:webhooks:write, or an operator.
	 *
	 * `POST /v1/sandbox/deliveries`
	 */
	testOwnReceiver(request?: TestOwnReceiverRequest): Call<DeliveryRecord, Answer<202, DeliveryRecord>>;
	/**
	 * Send a test to this endpoint only.
	 *
	 * Sends the example payload of any event type, also of types that the endpoint does not subscribe to. Only a `webhook.test`, the default, is an event of the feed: for other types nothing has happened. Tests count neither in the statistics nor among the failures in a row.
	 *
	 * Credentials: a member whose role has org:webhooks:write, or an operator.
	 *
	 * `POST /v1/webhooks/{webhook_id}/test`
	 */
	testWebhook(request: TestWebhookRequest): Call<DeliveryRecord, Answer<202, DeliveryRecord>>;
	/**
	 * Try a token on a registered issuer.
	 *
	 * Says for each rule what it expects, what it finds and what to set; nothing is exchanged, and nothing of the token is logged or kept. Send a token of a test account.
	 *
	 * Credentials: an operator.
	 *
	 * `POST /v1/platform/issuers/{id}/try`
	 */
	tryIssuer(request: TryIssuerRequest): Call<{
		accepted: boolean;
		rules: {
			/** As `reason` of the log's line `token refused` */
			rule: string;
			passed: boolean;
			expected: string;
			found: string;
			/** The setting that helps, here or at the provider; null where none does. */
			set: string | null;
		}[];
		/** Those of the token that are not used, each with the rule by which. */
		claims: {
			claim: string;
			rule: string;
			set: string | null;
		}[];
	}>;
	/**
	 * Count which of the last 200 events an endpoint would have got.
	 *
	 * Judges the organization's last 200 events as the delivery of an event does, and changes nothing. Earlier events are not looked at: of all events, at least so many are matching.
	 *
	 * Credentials: a member whose role has org:webhooks:read, or an operator.
	 *
	 * `POST /v1/webhooks/filters/dry-run`
	 */
	tryWebhookFilter(request: TryWebhookFilterRequest): Call<{
		/** The last events of the organization, at most 200. */
		looked_at: number;
		/** Those of them that are of the named types. */
		subscribed: number;
		/** Those of them that the filter lets pass. */
		matching: number;
		/** The latest of these, for `GET /v1/webhooks/events/{event_id}` A UUID. */
		last_matching: string | null;
	}>;
	/**
	 * Unblock a payee.
	 *
	 * Credentials: a user.
	 *
	 * `POST /v1/user/payees/{payeeId}/unblock`
	 */
	unblockPayee(request: UnblockPayeeRequest): Call<Payee>;
	/**
	 * Release a frozen current account.
	 *
	 * Credentials: an operator.
	 *
	 * `POST /v1/platform/accounts/{accountId}/unfreeze`
	 */
	unfreezeAccount(request: UnfreezeAccountRequest): Call<CurrentAccount, Answer<200, CurrentAccount> | Answer<202, Approval>>;
	/**
	 * Change how much an API key may move in a day.
	 *
	 * Members set at most API_KEY_DAILY_AMOUNT, operators more too.
	 *
	 * Credentials: a member whose role has org:api-keys:write, or an operator.
	 *
	 * `PATCH /v1/organizations/{organizationId}/api-keys/{id}`
	 */
	updateApiKey(request: UpdateApiKeyRequest): Call<ApiKey, Answer<200, ApiKey> | Answer<202, Approval>>;
	/**
	 * Change a registered issuer.
	 *
	 * Takes effect everywhere within a minute. A new `jwks` replaces `jwks_uri` and the other way round; without both the issuer's own configuration says where its keys are.
	 *
	 * Credentials: an operator.
	 *
	 * `PATCH /v1/platform/issuers/{id}`
	 */
	updateIssuer(request: UpdateIssuerRequest): Call<TrustedIssuer, Answer<200, TrustedIssuer> | Answer<202, Approval>>;
	/**
	 * Rename, suspend, retire or resume a loan product, end its deals, and choose the text of its terms.
	 *
	 * RETIRED: no quotes, offers or applications; open offers are cancelled, and draws go on. SUSPENDED: no draws either. ACTIVE resumes it. Terms never change: make another product. With terms_version null, offers from then on need no accepted_terms.
	 *
	 * Credentials: a member whose role has org:lending:write, or an operator.
	 *
	 * `PATCH /v1/platform/loan-products/{id}`
	 */
	updateLoanProduct(request: UpdateLoanProductRequest): Call<LoanProduct, Answer<200, LoanProduct> | Answer<202, Approval>>;
	/**
	 * Change the signed-in user's name or language, or give them a home organization.
	 *
	 * Credentials: a user, also on the waiting list.
	 *
	 * `PATCH /v1/me`
	 */
	updateMe(request: UpdateMeRequest): Call<User>;
	/**
	 * Rename an organization; suspend or resume it, for operators.
	 *
	 * While an organization is SUSPENDED, its keys and members write nothing but repayments, nobody gets new credit from it, and its issuers' tokens are not exchanged: 403. Reads, repayments, reports of providers, payouts that are ordered and deliveries go on.
	 *
	 * Credentials: a member whose role has org:members:write, or an operator.
	 *
	 * `PATCH /v1/organizations/{organizationId}`
	 */
	updateOrganization(request: UpdateOrganizationRequest): Call<Organization, Answer<200, Organization> | Answer<202, Approval>>;
	/**
	 * Change a payee's label and whether it is a favorite.
	 *
	 * Credentials: a user.
	 *
	 * `PATCH /v1/user/payees/{payeeId}`
	 */
	updatePayee(request: UpdatePayeeRequest): Call<Payee>;
	/**
	 * Give a user without a home organization one.
	 *
	 * Once, and before their first application for a loan.
	 *
	 * Credentials: an operator.
	 *
	 * `PATCH /v1/platform/users/{userId}`
	 */
	updateUser(request: UpdateUserRequest): Call<PlatformUser, Answer<200, PlatformUser> | Answer<202, Approval>>;
	/**
	 * Change, suspend or resume a webhook endpoint.
	 *
	 * Credentials: a member whose role has org:webhooks:write, or an operator.
	 *
	 * `PATCH /v1/webhooks/{webhook_id}`
	 */
	updateWebhook(request: UpdateWebhookRequest): Call<WebhookEndpoint, Answer<200, WebhookEndpoint> | Answer<202, Approval>>;
	/**
	 * Upload an invoice.
	 *
	 * Credentials: a member with org:financing.invoices:write, or an API key with invoices:write, or an operator.
	 *
	 * `POST /v1/financing/invoices`
	 */
	uploadInvoice(request: UploadInvoiceRequest): Call<FinancingInvoice, Answer<201, FinancingInvoice>>;
	/**
	 * Upload up to 100 invoices, all or none.
	 *
	 * Credentials: a member with org:financing.invoices:write, or an API key with invoices:write, or an operator.
	 *
	 * `POST /v1/financing/invoices/batch`
	 */
	uploadInvoices(request: UploadInvoicesRequest): Call<{
		data: FinancingInvoice[];
	}, Answer<201, {
		data: FinancingInvoice[];
	}>>;
	/**
	 * Ask whether a payment may be made: Daraja, by the secret path of a connection.
	 *
	 * It accepts every payment, unless nobody has the account number and the connection has `reject_unknown_accounts`. If the service cannot decide, it accepts the payment.
	 *
	 * Credentials: none.
	 *
	 * `POST /v1/integrations/mobile-money/daraja/{secret}/validation`
	 */
	validateDarajaPayment(request: ValidateDarajaPaymentRequest): Call<{
		ResultCode: "0" | "C2B00012";
		ResultDesc: "Accepted" | "Rejected";
	}>;
	/**
	 * Say whether a confirmed payment was made: Daraja, at the address that it was given.
	 *
	 * The code is good for the question about one confirmation. A payment that was made, of the same amount, is recorded.
	 *
	 * Credentials: none.
	 *
	 * `POST /v1/integrations/mobile-money/daraja/confirmations/{id}/{code}`
	 */
	verifyDarajaConfirmation(request: VerifyDarajaConfirmationRequest): Call<DarajaAccepted>;
	/**
	 * Look the account's name up again.
	 *
	 * PENDING until the provider has answered.
	 *
	 * Credentials: a user.
	 *
	 * `POST /v1/user/payees/{payeeId}/accounts/{accountId}/verify`
	 */
	verifyPayeeAccount(request: VerifyPayeeAccountRequest): Call<Payee>;
	/**
	 * Explain why a signature does not match.
	 *
	 * Credentials: a member whose role has org:webhooks:read, or an operator.
	 *
	 * `POST /v1/webhooks/{webhook_id}/verify`
	 */
	verifySignature(request: VerifySignatureRequest): Call<{
		valid: boolean;
		reason: "VALID" | "MISSING_HEADER" | "MALFORMED_HEADER" | "MISSING_TIMESTAMP" | "INVALID_TIMESTAMP" | "MISSING_SIGNATURE" | "MALFORMED_SIGNATURE" | "NO_ACTIVE_KEY" | "TIMESTAMP_TOO_OLD" | "TIMESTAMP_IN_FUTURE" | "TIMESTAMP_IN_MILLISECONDS" | "UPPERCASE_HEX" | "REVOKED_KEY" | "BODY_RESERIALIZED" | "WRONG_SEPARATOR" | "KEY_BASE64_DECODED" | "KEY_WITHOUT_PREFIX" | "BODY_ALONE" | "UNKNOWN";
		message: string;
	}>;
	/**
	 * Give up part of what an installment owes today.
	 *
	 * Credentials: an operator.
	 *
	 * `POST /v1/platform/accounts/{accountId}/waivers`
	 */
	waive(request: WaiveRequest): Call<RepaymentTransaction, Answer<201, RepaymentTransaction> | Answer<202, Approval>>;
	/**
	 * Withdraw a promise to pay whose day has not ended.
	 *
	 * Credentials: a member whose role has org:lending:write, or an operator.
	 *
	 * `POST /v1/collections/follow-ups/{followUpId}/withdraw`
	 */
	withdrawPromise(request: WithdrawPromiseRequest): Call<FollowUp>;
}

/** The codes with which each operation refuses. */
export interface ErrorCodes {
	acceptInvitation: "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "INVALID_STATE" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	activateDarajaReplacement: "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "INVALID_STATE" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "SELF_APPROVAL" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	activateMomoReplacement: "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "INVALID_STATE" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "SELF_APPROVAL" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	addImportLines: "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "INVALID_STATE" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	addMember: "APPROVAL_PENDING" | "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "INVALID_STATE" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	addPayeeAccount: "BAD_REQUEST" | "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_STATE" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED" | "WAITING_LIST";
	addProviderStatementLines: "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "INVALID_STATE" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	admitUser: "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "INVALID_STATE" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	adoptApiKey: "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "INVALID_STATE" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	advanceClock: "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "INVALID_STATE" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	answerDarajaBreak: "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UPGRADE_REQUIRED";
	applyForLoan: "APPLICATION_EXPIRED" | "APPROVAL_PENDING" | "BAD_REQUEST" | "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_STATE" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED" | "WAITING_LIST";
	askAboutStatementBreak: "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "INVALID_STATE" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	assignWork: "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "INVALID_STATE" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	authorizeNumberChange: "BAD_REQUEST" | "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_STATE" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED" | "WAITING_LIST";
	blockPayee: "BAD_REQUEST" | "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_STATE" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED" | "WAITING_LIST";
	cancelClosure: "BAD_REQUEST" | "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_STATE" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED" | "WAITING_LIST";
	cancelImport: "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "INVALID_STATE" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	cancelInvoice: "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "INVALID_STATE" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	cancelLoanApplication: "APPLICATION_EXPIRED" | "APPROVAL_PENDING" | "BAD_REQUEST" | "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_STATE" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED" | "WAITING_LIST";
	cancelNumberChange: "BAD_REQUEST" | "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_STATE" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED" | "WAITING_LIST";
	cancelRecovery: "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "INVALID_STATE" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	changeNotificationPreferences: "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "INVALID_STATE" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	changeRole: "APPROVAL_PENDING" | "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "INVALID_STATE" | "LAST_OWNER" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	changeTenure: "BAD_REQUEST" | "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_STATE" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED" | "WAITING_LIST";
	checkDarajaConnection: "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "INVALID_STATE" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	closeAccount: "APPROVAL_PENDING" | "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "INVALID_STATE" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	combinePayees: "BAD_REQUEST" | "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_STATE" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED" | "WAITING_LIST";
	compareProviderStatement: "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "INVALID_STATE" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	confirmActivation: "BAD_REQUEST" | "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_STATE" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED" | "WAITING_LIST";
	confirmClosure: "ACCOUNT_HAS_NON_ZERO_BALANCE" | "BAD_REQUEST" | "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_STATE" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED" | "WAITING_LIST";
	confirmDaraja: "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UPGRADE_REQUIRED";
	confirmNumberChange: "BAD_REQUEST" | "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_STATE" | "MOBILE_NUMBER_IN_USE" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED" | "WAITING_LIST";
	confirmPhoneVerification: "BAD_REQUEST" | "INTERNAL_SERVER_ERROR" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UPGRADE_REQUIRED";
	confirmTransfer: "BAD_REQUEST" | "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_STATE" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED" | "WAITING_LIST";
	createApiKey: "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "INVALID_STATE" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_API_KEYS" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	createCommissionModel: "APPROVAL_PENDING" | "DUPLICATE_CONFLICT" | "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "INVALID_STATE" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	createImport: "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "INVALID_STATE" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	createInvitation: "APPROVAL_PENDING" | "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "INVALID_STATE" | "INVITATION_PENDING" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	createIssuer: "APPROVAL_PENDING" | "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "INVALID_STATE" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	createLoanApplication: "APPROVAL_PENDING" | "BAD_REQUEST" | "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_STATE" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED" | "WAITING_LIST";
	createLoanProduct: "APPROVAL_PENDING" | "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "INVALID_STATE" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	createOrganization: "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "INVALID_STATE" | "ORGANIZATION_SLUG_TAKEN" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	createPayee: "BAD_REQUEST" | "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_STATE" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED" | "WAITING_LIST";
	createProviderStatement: "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "INVALID_STATE" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	createSandboxToken: "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UPGRADE_REQUIRED";
	createSigningKey: "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "INVALID_STATE" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "TOO_MANY_SIGNING_KEYS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	createWebhook: "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "INVALID_STATE" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "TOO_MANY_WEBHOOKS" | "UNAUTHORISED" | "UPGRADE_REQUIRED" | "WEBHOOK_NAME_TAKEN";
	decide: "ACCOUNT_HAS_NON_ZERO_BALANCE" | "APPROVAL_PENDING" | "DUPLICATE_CONFLICT" | "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "INVALID_STATE" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	decideApproval: "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "INVALID_STATE" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "SELF_APPROVAL" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	decideInvoice: "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "INVALID_STATE" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "SELF_APPROVAL" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	deleteApiKey: "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "INVALID_STATE" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	deleteDarajaConnection: "APPROVAL_PENDING" | "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "INVALID_STATE" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	deleteDevice: "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "INVALID_STATE" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	deleteIssuer: "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "INVALID_STATE" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	deleteMerchantGrant: "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "INVALID_STATE" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	deleteMomoConnection: "APPROVAL_PENDING" | "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "INVALID_STATE" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	deletePayee: "BAD_REQUEST" | "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_STATE" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED" | "WAITING_LIST";
	deleteWebhook: "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "INVALID_STATE" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	discardDarajaReplacement: "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "INVALID_STATE" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	discardMomoReplacement: "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "INVALID_STATE" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	discardProviderStatement: "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "INVALID_STATE" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	dismissConfirmation: "APPROVAL_PENDING" | "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "INVALID_STATE" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	dismissSecondReceipts: "APPROVAL_PENDING" | "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "INVALID_STATE" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	draw: "BAD_REQUEST" | "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_STATE" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED" | "WAITING_LIST";
	eraseUser: "APPROVAL_PENDING" | "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "INVALID_STATE" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	exchangeIdentityToken: "FORBIDDEN" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	exchangePartnerToken: "FORBIDDEN" | "INTERNAL_ERROR" | "INVALID_TOKEN" | "INVALID_TOKEN_CLAIMS" | "INVALID_TOKEN_SIGNATURE" | "MALFORMED_TOKEN" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOKEN_EXPIRED" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UNKNOWN_TOKEN_ISSUER" | "UPGRADE_REQUIRED";
	exchangePhoneToken: "BAD_REQUEST" | "INTERNAL_SERVER_ERROR" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UPGRADE_REQUIRED";
	explainBalance: "BAD_REQUEST" | "FORBIDDEN" | "INTERNAL_SERVER_ERROR" | "NOT_FOUND" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED" | "WAITING_LIST";
	exportMe: "FORBIDDEN" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	exportUser: "FORBIDDEN" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "NOT_FOUND" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	financeInvoice: "APPROVAL_PENDING" | "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "INVALID_STATE" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	freezeAccount: "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "INVALID_STATE" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	getAccount: "BAD_REQUEST" | "FORBIDDEN" | "INTERNAL_SERVER_ERROR" | "NOT_FOUND" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED" | "WAITING_LIST";
	getActivation: "BAD_REQUEST" | "FORBIDDEN" | "INTERNAL_SERVER_ERROR" | "NOT_FOUND" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED" | "WAITING_LIST";
	getAppSettings: "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS";
	getApproval: "FORBIDDEN" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "NOT_FOUND" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	getAttention: "FORBIDDEN" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	getBrand: "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "NOT_FOUND" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS";
	getClock: "FORBIDDEN" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "NOT_FOUND" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	getClosure: "BAD_REQUEST" | "FORBIDDEN" | "INTERNAL_SERVER_ERROR" | "NOT_FOUND" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED" | "WAITING_LIST";
	getCommissionReport: "FORBIDDEN" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "NOT_FOUND" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	getConsoleConfig: "INTERNAL_SERVER_ERROR" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS";
	getCreditBureauIdentity: "FORBIDDEN" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "NOT_FOUND" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	getCreditBureauSettings: "FORBIDDEN" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	getCurrentAccount: "BAD_REQUEST" | "FORBIDDEN" | "INTERNAL_SERVER_ERROR" | "NOT_FOUND" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED" | "WAITING_LIST";
	getDarajaConnection: "FORBIDDEN" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "NOT_FOUND" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	getDelivery: "FORBIDDEN" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "NOT_FOUND" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	getDeliveryQuota: "FORBIDDEN" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "NOT_FOUND" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	getErasure: "FORBIDDEN" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "NOT_FOUND" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	getEvent: "FORBIDDEN" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "NOT_FOUND" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	getHealth: "INTERNAL_SERVER_ERROR" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS";
	getImport: "FORBIDDEN" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "NOT_FOUND" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	getInvoice: "FORBIDDEN" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "NOT_FOUND" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	getIssuedStatement: "BAD_REQUEST" | "FORBIDDEN" | "INTERNAL_SERVER_ERROR" | "NOT_FOUND" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED" | "WAITING_LIST";
	getIssuer: "FORBIDDEN" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "NOT_FOUND" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	getKeys: "INTERNAL_SERVER_ERROR" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS";
	getLedgerClosing: "FORBIDDEN" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "NOT_FOUND" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	getLenderAttention: "FORBIDDEN" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	getLoanApplication: "BAD_REQUEST" | "FORBIDDEN" | "INTERNAL_SERVER_ERROR" | "NOT_FOUND" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED" | "WAITING_LIST";
	getLoanProduct: "FORBIDDEN" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "NOT_FOUND" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	getLoanTermsText: "FORBIDDEN" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "NOT_FOUND" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED" | "WAITING_LIST";
	getMe: "FORBIDDEN" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	getMerchantGrant: "FORBIDDEN" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "NOT_FOUND" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	getMessageStatistics: "FORBIDDEN" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	getMomoConnection: "FORBIDDEN" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "NOT_FOUND" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	getNotificationPreferences: "FORBIDDEN" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	getNumberChange: "BAD_REQUEST" | "FORBIDDEN" | "INTERNAL_SERVER_ERROR" | "NOT_FOUND" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED" | "WAITING_LIST";
	getOrganization: "FORBIDDEN" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "NOT_FOUND" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	getOrganizationTexts: "FORBIDDEN" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "NOT_FOUND" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	getPayee: "BAD_REQUEST" | "FORBIDDEN" | "INTERNAL_SERVER_ERROR" | "NOT_FOUND" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED" | "WAITING_LIST";
	getPayoff: "BAD_REQUEST" | "FORBIDDEN" | "INTERNAL_SERVER_ERROR" | "NOT_FOUND" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED" | "WAITING_LIST";
	getPortfolioTrend: "FORBIDDEN" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	getProviderStatement: "FORBIDDEN" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "NOT_FOUND" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	getRecovery: "FORBIDDEN" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "NOT_FOUND" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	getRepayment: "FORBIDDEN" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "NOT_FOUND" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	getRepaymentPrompt: "FORBIDDEN" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "NOT_FOUND" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED" | "WAITING_LIST";
	getStatement: "BAD_REQUEST" | "FORBIDDEN" | "INTERNAL_SERVER_ERROR" | "NOT_FOUND" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED" | "WAITING_LIST";
	getTransfer: "BAD_REQUEST" | "FORBIDDEN" | "INTERNAL_SERVER_ERROR" | "NOT_FOUND" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED" | "WAITING_LIST";
	getTreasuryRecord: "FORBIDDEN" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "NOT_FOUND" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	getTrialBalance: "FORBIDDEN" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	getUser: "FORBIDDEN" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "NOT_FOUND" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	getWebhook: "FORBIDDEN" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "NOT_FOUND" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	getWebhookStats: "FORBIDDEN" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "NOT_FOUND" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	giveUpReturn: "APPROVAL_PENDING" | "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "INVALID_STATE" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	issueStatement: "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "INVALID_STATE" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED" | "WAITING_LIST";
	linkIdentity: "APPROVAL_PENDING" | "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "INVALID_STATE" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	listAccountTransactions: "BAD_REQUEST" | "FORBIDDEN" | "INTERNAL_SERVER_ERROR" | "NOT_FOUND" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED" | "WAITING_LIST";
	listAccounts: "BAD_REQUEST" | "FORBIDDEN" | "INTERNAL_SERVER_ERROR" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED" | "WAITING_LIST";
	listApiKeys: "FORBIDDEN" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "NOT_FOUND" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	listApprovals: "FORBIDDEN" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	listAudit: "FORBIDDEN" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "NOT_FOUND" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	listAuditSeals: "FORBIDDEN" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "NOT_FOUND" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	listCalls: "FORBIDDEN" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	listCommissionModels: "FORBIDDEN" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	listConfirmations: "FORBIDDEN" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	listCreditBureauDisputes: "FORBIDDEN" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	listCreditBureauFiles: "FORBIDDEN" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	listCreditBureauNotices: "FORBIDDEN" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	listCreditBureauRows: "FORBIDDEN" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "NOT_FOUND" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	listCurrentAccountTransactions: "BAD_REQUEST" | "FORBIDDEN" | "INTERNAL_SERVER_ERROR" | "NOT_FOUND" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED" | "WAITING_LIST";
	listDeliveries: "FORBIDDEN" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	listDevices: "FORBIDDEN" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	listDisbursements: "FORBIDDEN" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	listEventTypes: "FORBIDDEN" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	listEvents: "FORBIDDEN" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	listFollowUps: "FORBIDDEN" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	listImportAccounts: "FORBIDDEN" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	listImportLines: "FORBIDDEN" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "NOT_FOUND" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	listInstallmentTransactions: "BAD_REQUEST" | "FORBIDDEN" | "INTERNAL_SERVER_ERROR" | "NOT_FOUND" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED" | "WAITING_LIST";
	listInstallments: "BAD_REQUEST" | "FORBIDDEN" | "INTERNAL_SERVER_ERROR" | "NOT_FOUND" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED" | "WAITING_LIST";
	listInvitations: "FORBIDDEN" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "NOT_FOUND" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	listInvoices: "FORBIDDEN" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	listIssuedStatements: "BAD_REQUEST" | "FORBIDDEN" | "INTERNAL_SERVER_ERROR" | "NOT_FOUND" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED" | "WAITING_LIST";
	listIssuers: "FORBIDDEN" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	listLedgerAccounts: "FORBIDDEN" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	listLedgerClosings: "FORBIDDEN" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	listLedgerEntries: "FORBIDDEN" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	listLedgerJournals: "FORBIDDEN" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "INVALID_STATE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	listLedgerMappings: "FORBIDDEN" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	listLoanApplications: "BAD_REQUEST" | "FORBIDDEN" | "INTERNAL_SERVER_ERROR" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED" | "WAITING_LIST";
	listLoanProducts: "FORBIDDEN" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	listMembers: "FORBIDDEN" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "NOT_FOUND" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	listMerchantInvoices: "FORBIDDEN" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	listMessages: "FORBIDDEN" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	listMyMessages: "FORBIDDEN" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	listOfferedProducts: "FORBIDDEN" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED" | "WAITING_LIST";
	listOrganizations: "FORBIDDEN" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	listOwnedWork: "FORBIDDEN" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	listOwners: "FORBIDDEN" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	listPayees: "BAD_REQUEST" | "FORBIDDEN" | "INTERNAL_SERVER_ERROR" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED" | "WAITING_LIST";
	listPortfolioAccounts: "FORBIDDEN" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	listPortfolioEntries: "FORBIDDEN" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	listPortfolioTransactions: "FORBIDDEN" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	listPortfolios: "FORBIDDEN" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	listProviderStatements: "FORBIDDEN" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	listProviderTariffs: "FORBIDDEN" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	listProvisioningRules: "FORBIDDEN" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	listProvisions: "FORBIDDEN" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	listRepaymentPrompts: "FORBIDDEN" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "NOT_FOUND" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED" | "WAITING_LIST";
	listRepayments: "FORBIDDEN" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	listStatementBreaks: "FORBIDDEN" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	listTransfers: "BAD_REQUEST" | "FORBIDDEN" | "INTERNAL_SERVER_ERROR" | "NOT_FOUND" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED" | "WAITING_LIST";
	listTreasuryRecords: "FORBIDDEN" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	listUnmatchedPayments: "FORBIDDEN" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	listUsers: "FORBIDDEN" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	listWebhookStats: "FORBIDDEN" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	listWebhooks: "FORBIDDEN" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	listWork: "FORBIDDEN" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	matchPayment: "APPROVAL_PENDING" | "DUPLICATE_CONFLICT" | "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "INVALID_STATE" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	moveRepayment: "APPROVAL_PENDING" | "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "INVALID_STATE" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	openCreditBureauDispute: "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "INVALID_STATE" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	openCurrentAccount: "BAD_REQUEST" | "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_STATE" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED" | "WAITING_LIST";
	openCurrentAccountDeprecated: "BAD_REQUEST" | "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_STATE" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED" | "WAITING_LIST";
	orderTransfer: "BAD_REQUEST" | "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_STATE" | "NOT_FOUND" | "PAYEE_CHANGED" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED" | "WAITING_LIST";
	payInSandbox: "DUPLICATE_CONFLICT" | "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "INVALID_STATE" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED" | "WAITING_LIST";
	postMomoResult: "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UPGRADE_REQUIRED";
	previewReschedule: "FORBIDDEN" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "INVALID_STATE" | "NOT_FOUND" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	promptRepayment: "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "INVALID_STATE" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED" | "WAITING_LIST";
	publishLoanTermsText: "APPROVAL_PENDING" | "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "INVALID_STATE" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	putAppSettings: "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "INVALID_STATE" | "PAYLOAD_TOO_LARGE" | "PRECONDITION_FAILED" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED";
	putBrand: "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "INVALID_STATE" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "PRECONDITION_FAILED" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	putCreditBureauIdentity: "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "INVALID_STATE" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	putCreditBureauSettings: "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "INVALID_STATE" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	putCreditProfile: "APPROVAL_PENDING" | "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "INVALID_STATE" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	putDarajaConnection: "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "INVALID_STATE" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	putMerchantGrant: "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "INVALID_STATE" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	putMomoConnection: "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "INVALID_STATE" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	putMomoResult: "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UPGRADE_REQUIRED";
	putOrganizationTexts: "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "INVALID_STATE" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	quoteLoan: "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "INVALID_STATE" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED" | "WAITING_LIST";
	readMyMessages: "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "INVALID_STATE" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	recordAgentEvents: "APPROVAL_PENDING" | "DUPLICATE_CONFLICT" | "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "INVALID_STATE" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	recordFollowUp: "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "INVALID_STATE" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	recordMovement: "APPROVAL_PENDING" | "DUPLICATE_CONFLICT" | "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "INVALID_STATE" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	recordPayoutReturned: "APPROVAL_PENDING" | "DUPLICATE_CONFLICT" | "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "INVALID_STATE" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	recordRepayment: "APPROVAL_PENDING" | "DUPLICATE_CONFLICT" | "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "INVALID_STATE" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	recoverWebhook: "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "INVALID_STATE" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED" | "WEBHOOK_SUSPENDED";
	refreshSession: "BAD_REQUEST" | "FORBIDDEN" | "INTERNAL_SERVER_ERROR" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS";
	refundOverpayment: "APPROVAL_PENDING" | "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "INVALID_STATE" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	registerDarajaConfirmations: "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "INVALID_STATE" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	registerDevice: "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "INVALID_STATE" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	removeMember: "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "INVALID_STATE" | "LAST_OWNER" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	removePayeeAccount: "BAD_REQUEST" | "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_STATE" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED" | "WAITING_LIST";
	repayFromWallet: "BAD_REQUEST" | "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_STATE" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED" | "WAITING_LIST";
	repayInvoice: "APPROVAL_PENDING" | "DUPLICATE_CONFLICT" | "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "INVALID_STATE" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	reportAfricasTalkingMessage: "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UPGRADE_REQUIRED";
	reportDarajaBalance: "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UPGRADE_REQUIRED";
	reportDarajaPrompt: "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UPGRADE_REQUIRED";
	reportDarajaResult: "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UPGRADE_REQUIRED";
	reportDarajaReturn: "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UPGRADE_REQUIRED";
	reportDarajaStatus: "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UPGRADE_REQUIRED";
	reportDisbursement: "APPROVAL_PENDING" | "DUPLICATE_CONFLICT" | "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "INVALID_STATE" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	reportTransfer: "APPROVAL_PENDING" | "DUPLICATE_CONFLICT" | "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "INVALID_STATE" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	reportTwilioMessage: "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UPGRADE_REQUIRED";
	requestApproval: "APPROVAL_PENDING" | "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "INVALID_STATE" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	requestLedgerClosing: "APPROVAL_PENDING" | "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "INVALID_STATE" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	requestLedgerMapping: "APPROVAL_PENDING" | "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "INVALID_STATE" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	requestProviderTariff: "APPROVAL_PENDING" | "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "INVALID_STATE" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	requestProvisioningRules: "APPROVAL_PENDING" | "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "INVALID_STATE" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	requestRecovery: "APPROVAL_PENDING" | "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "INVALID_STATE" | "MOBILE_NUMBER_IN_USE" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	requestTreasuryRecord: "APPROVAL_PENDING" | "DUPLICATE_CONFLICT" | "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "INVALID_STATE" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	rescheduleAccount: "APPROVAL_PENDING" | "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "INVALID_STATE" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	resendActivationCode: "BAD_REQUEST" | "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_STATE" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED" | "WAITING_LIST";
	resendClosureCode: "BAD_REQUEST" | "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_STATE" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED" | "WAITING_LIST";
	resendInvitation: "APPROVAL_PENDING" | "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "INVALID_STATE" | "INVITATION_PENDING" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	resendNumberChangeCode: "BAD_REQUEST" | "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_STATE" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED" | "WAITING_LIST";
	resolveCreditBureauDispute: "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "INVALID_STATE" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "SELF_APPROVAL" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	resolveStatementBreak: "APPROVAL_PENDING" | "DUPLICATE_CONFLICT" | "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "INVALID_STATE" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	restoreRepayment: "APPROVAL_PENDING" | "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "INVALID_STATE" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	resumeDarajaConnection: "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "INVALID_STATE" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	resumeMomoConnection: "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "INVALID_STATE" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	retryDelivery: "DELIVERY_IN_PROGRESS" | "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "INVALID_STATE" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED" | "WEBHOOK_SUSPENDED";
	retryWork: "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "INVALID_STATE" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	reverseRepayment: "APPROVAL_PENDING" | "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "INVALID_STATE" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	reverseTransaction: "APPROVAL_PENDING" | "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "INVALID_STATE" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	revokeInvitation: "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "INVALID_STATE" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	revokeSessions: "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "INVALID_STATE" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	revokeSigningKey: "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "INVALID_STATE" | "LAST_SIGNING_KEY" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	runImport: "APPROVAL_PENDING" | "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "INVALID_STATE" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	search: "FORBIDDEN" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	setDeliveryQuota: "APPROVAL_PENDING" | "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "INVALID_STATE" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	setMyPhone: "BAD_REQUEST" | "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_STATE" | "MOBILE_NUMBER_IN_USE" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	setSupervisor: "APPROVAL_PENDING" | "DUPLICATE_CONFLICT" | "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "INVALID_STATE" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	settleAccount: "APPROVAL_PENDING" | "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "INVALID_STATE" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	signIn: "BAD_REQUEST" | "FORBIDDEN" | "INTERNAL_SERVER_ERROR" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UPGRADE_REQUIRED";
	signOut: "BAD_REQUEST" | "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_STATE" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	startActivation: "BAD_REQUEST" | "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_STATE" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED" | "WAITING_LIST";
	startClosure: "ACCOUNT_HAS_NON_ZERO_BALANCE" | "BAD_REQUEST" | "CLOSURE_IN_PROGRESS" | "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_STATE" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED" | "WAITING_LIST";
	startNumberChange: "BAD_REQUEST" | "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_STATE" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED" | "WAITING_LIST";
	startPhoneVerification: "BAD_REQUEST" | "INTERNAL_SERVER_ERROR" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UPGRADE_REQUIRED";
	testOwnReceiver: "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "INVALID_STATE" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "TOO_MANY_WEBHOOKS" | "UNAUTHORISED" | "UPGRADE_REQUIRED" | "WEBHOOK_SUSPENDED";
	testWebhook: "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "INVALID_STATE" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED" | "WEBHOOK_SUSPENDED";
	tryIssuer: "FORBIDDEN" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	tryWebhookFilter: "FORBIDDEN" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	unblockPayee: "BAD_REQUEST" | "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_STATE" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED" | "WAITING_LIST";
	unfreezeAccount: "APPROVAL_PENDING" | "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "INVALID_STATE" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	updateApiKey: "APPROVAL_PENDING" | "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "INVALID_STATE" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	updateIssuer: "APPROVAL_PENDING" | "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "INVALID_STATE" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	updateLoanProduct: "APPROVAL_PENDING" | "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "INVALID_STATE" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	updateMe: "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "INVALID_STATE" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	updateOrganization: "APPROVAL_PENDING" | "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "INVALID_STATE" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	updatePayee: "BAD_REQUEST" | "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_STATE" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "PRECONDITION_FAILED" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED" | "WAITING_LIST";
	updateUser: "APPROVAL_PENDING" | "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "INVALID_STATE" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	updateWebhook: "APPROVAL_PENDING" | "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "INVALID_STATE" | "NOT_FOUND" | "NO_SIGNING_KEY" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	uploadInvoice: "DUPLICATE_INVOICE" | "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "INVALID_STATE" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	uploadInvoices: "DUPLICATE_INVOICE" | "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "INVALID_STATE" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	validateDarajaPayment: "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UPGRADE_REQUIRED";
	verifyDarajaConfirmation: "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UPGRADE_REQUIRED";
	verifyPayeeAccount: "BAD_REQUEST" | "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_STATE" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED" | "WAITING_LIST";
	verifySignature: "FORBIDDEN" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	waive: "APPROVAL_PENDING" | "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "INVALID_STATE" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
	withdrawPromise: "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INTERNAL_SERVER_ERROR" | "INVALID_PARAMS" | "INVALID_STATE" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS" | "UNAUTHORISED" | "UPGRADE_REQUIRED";
}

/** What {@link Api.acceptInvitation} takes. */
export interface AcceptInvitationRequest extends Options, Keyed {
	body: {
		/** The token in the mail. From 1 to 255 characters. */
		token: string;
	};
}

/** What {@link Api.activateDarajaReplacement} takes. */
export interface ActivateDarajaReplacementRequest extends Options, Keyed {
	path: {
		/** From 1 to 255 characters. */
		organizationId: string;
	};
	body: {
		/** As `replacement.account` says it. From 1 to 64 characters. */
		account: string;
	};
}

/** What {@link Api.activateMomoReplacement} takes. */
export interface ActivateMomoReplacementRequest extends Options, Keyed {
	path: {
		/** From 1 to 255 characters. */
		organizationId: string;
	};
	body: {
		/** As `replacement.account` says it. From 1 to 64 characters. */
		account: string;
	};
}

/** What {@link Api.addImportLines} takes. */
export interface AddImportLinesRequest extends Options, Keyed {
	path: {
		/** A UUID. */
		importId: string;
	};
	/** A text is sent as it is: NDJSON, one item a line. */
	body: readonly ImportLine[] | string;
}

/** What {@link Api.addMember} takes. */
export interface AddMemberRequest extends Options, Keyed {
	path: {
		/** From 1 to 255 characters. */
		organizationId: string;
	};
	body: {
		/** A UUID. */
		user_id: string;
		role: "organization-owner" | "organization-admin" | "organization-financing-admin" | "organization-financing-viewer" | "organization-lending-admin" | "organization-lending-viewer" | "organization-developer" | "organization-viewer";
	};
}

/** What {@link Api.addPayeeAccount} takes. */
export interface AddPayeeAccountRequest extends Options, Keyed {
	path: {
		/** A UUID. */
		payeeId: string;
	};
	body: PayeeAccountInput;
}

/** What {@link Api.addProviderStatementLines} takes. */
export interface AddProviderStatementLinesRequest extends Options, Keyed, Organizational {
	path: {
		/** A UUID. */
		statementId: string;
	};
	body: {
		/** The place of its first record: the `next_row` of the portion before, 0 for the first. From 0 to 50000. */
		row: number;
		/** At most 500 records as they are in the file; the first portion has the columns' names too. From 1 to 200000 characters. */
		csv: string;
	};
}

/** What {@link Api.admitUser} takes. */
export interface AdmitUserRequest extends Options, Keyed, Organizational {
	path: {
		/** A UUID. */
		userId: string;
	};
}

/** What {@link Api.adoptApiKey} takes. */
export interface AdoptApiKeyRequest extends Options, Keyed {
	path: {
		/** From 1 to 255 characters. */
		organizationId: string;
		/** A UUID. */
		id: string;
	};
}

/** What {@link Api.advanceClock} takes. */
export interface AdvanceClockRequest extends Options, Keyed {
	body: {
		/** ISO 8601 duration up to P366D. An ISO 8601 duration, such as PT30M. At most 64 characters. For example `"PT30M"` */
		advance: string;
	};
}

/** What {@link Api.answerDarajaBreak} takes. */
export interface AnswerDarajaBreakRequest extends Options {
	path: {
		/** A UUID. */
		id: string;
		/** Matches `^[0-9a-f]{32}$` */
		code: string;
	};
	body: DarajaBreakAnswer;
}

/** What {@link Api.applyForLoan} takes. */
export interface ApplyForLoanRequest extends Options, Keyed {
	path: {
		/** The application's id or resource_id. From 1 to 255 characters. */
		application_id: string;
	};
	body: {
		/** At least 1. */
		loan_amount: number;
		/** The borrower. Required unless a user calls for themselves. A UUID. */
		user_id?: string;
		payout?: Payout;
		/** Required where the offer has terms_version. */
		accepted_terms?: AcceptedTerms;
	};
}

/** What {@link Api.askAboutStatementBreak} takes. */
export interface AskAboutStatementBreakRequest extends Options, Keyed, Organizational {
	path: {
		/** A UUID. */
		breakId: string;
	};
}

/** What {@link Api.assignWork} takes. */
export interface AssignWorkRequest extends Options, Keyed, Organizational {
	path: {
		/** A UUID. */
		subjectId: string;
	};
	body: {
		kind: "ACCOUNT" | "USER" | "PAYMENT" | "DISBURSEMENT" | "APPROVAL" | "STATEMENT_BREAK";
		/** A member; null for nobody. A UUID. */
		owner_id: string | null;
	};
}

/** What {@link Api.authorizeNumberChange} takes. */
export interface AuthorizeNumberChangeRequest extends Options, Keyed {
	path: {
		/** A UUID. */
		mobileNumberChangeId: string;
	};
	body: OtpConfirmation;
}

/** What {@link Api.blockPayee} takes. */
export interface BlockPayeeRequest extends Options, Keyed {
	path: {
		/** A UUID. */
		payeeId: string;
	};
	body: {
		/** From 1 to 4 items. */
		reasons: readonly ("UNWANTED_PAYMENTS" | "SUSPECTED_FRAUD" | "WRONG_RECIPIENT" | "OTHER")[];
		/** From 1 to 500 characters. */
		details?: string | null;
	};
}

/** What {@link Api.cancelClosure} takes. */
export interface CancelClosureRequest extends Options, Keyed {
}

/** What {@link Api.cancelImport} takes. */
export interface CancelImportRequest extends Options, Keyed {
	path: {
		/** A UUID. */
		importId: string;
	};
}

/** What {@link Api.cancelInvoice} takes. */
export interface CancelInvoiceRequest extends Options, Keyed, Organizational {
	path: {
		/** A UUID. */
		id: string;
	};
}

/** What {@link Api.cancelLoanApplication} takes. */
export interface CancelLoanApplicationRequest extends Options, Keyed {
	path: {
		/** The application's id or resource_id. From 1 to 255 characters. */
		application_id: string;
	};
}

/** What {@link Api.cancelNumberChange} takes. */
export interface CancelNumberChangeRequest extends Options, Keyed {
	path: {
		/** A UUID. */
		mobileNumberChangeId: string;
	};
}

/** What {@link Api.cancelRecovery} takes. */
export interface CancelRecoveryRequest extends Options, Keyed {
	path: {
		/** A UUID. */
		userId: string;
		/** A UUID. */
		id: string;
	};
}

/** What {@link Api.changeNotificationPreferences} takes. */
export interface ChangeNotificationPreferencesRequest extends Options, Keyed {
	body: NotificationPreferencesChange;
}

/** What {@link Api.changeRole} takes. */
export interface ChangeRoleRequest extends Options, Keyed {
	path: {
		/** From 1 to 255 characters. */
		organizationId: string;
		/** A UUID. */
		userId: string;
	};
	body: {
		role: "organization-owner" | "organization-admin" | "organization-financing-admin" | "organization-financing-viewer" | "organization-lending-admin" | "organization-lending-viewer" | "organization-developer" | "organization-viewer";
	};
}

/** What {@link Api.changeTenure} takes. */
export interface ChangeTenureRequest extends Options, Keyed {
	path: {
		/** A UUID. */
		accountId: string;
	};
	body: {
		tenure: Tenure;
	};
}

/** What {@link Api.checkDarajaConnection} takes. */
export interface CheckDarajaConnectionRequest extends Options, Keyed {
	path: {
		/** From 1 to 255 characters. */
		organizationId: string;
	};
}

/** What {@link Api.closeAccount} takes. */
export interface CloseAccountRequest extends Options, Keyed {
	path: {
		/** A UUID. */
		accountId: string;
	};
}

/** What {@link Api.combinePayees} takes. */
export interface CombinePayeesRequest extends Options, Keyed {
	path: {
		/** A UUID. */
		payeeId: string;
	};
	body: {
		/** A UUID. */
		source_payee_id: string;
	};
}

/** What {@link Api.compareProviderStatement} takes. */
export interface CompareProviderStatementRequest extends Options, Keyed, Organizational {
	path: {
		/** A UUID. */
		statementId: string;
	};
}

/** What {@link Api.confirmActivation} takes. */
export interface ConfirmActivationRequest extends Options, Keyed {
	path: {
		/** A UUID. */
		activationId: string;
	};
	body: OtpConfirmation;
}

/** What {@link Api.confirmClosure} takes. */
export interface ConfirmClosureRequest extends Options, Keyed {
	body: OtpConfirmation;
}

/** What {@link Api.confirmDaraja} takes. */
export interface ConfirmDarajaRequest extends Options {
	path: {
		/** From 1 to 255 characters. */
		secret: string;
	};
	body: DarajaConfirmation;
}

/** What {@link Api.confirmNumberChange} takes. */
export interface ConfirmNumberChangeRequest extends Options, Keyed {
	path: {
		/** A UUID. */
		mobileNumberChangeId: string;
	};
	body: OtpConfirmation;
}

/** What {@link Api.confirmPhoneVerification} takes. */
export interface ConfirmPhoneVerificationRequest extends Options {
	path: {
		/** A UUID. */
		id: string;
	};
	body: OtpConfirmation;
}

/** What {@link Api.confirmTransfer} takes. */
export interface ConfirmTransferRequest extends Options, Keyed {
	path: {
		/** A UUID. */
		transferId: string;
	};
	body: OtpConfirmation;
}

/** What {@link Api.createApiKey} takes. */
export interface CreateApiKeyRequest extends Options, Keyed {
	path: {
		/** From 1 to 255 characters. */
		organizationId: string;
	};
	body: {
		/** From 1 to 100 characters. */
		name: string;
		/** From 1 to 13 items. */
		scopes: readonly ("loans:write" | "repayments:write" | "agents:write" | "agents:read" | "invoices:write" | "invoices:read" | "approvals:write" | "events:read" | "accounts:read" | "repayments:read" | "users:read" | "portfolio:read" | "ledger:read")[];
		/** How much the key may move in a day, in minor units; at most API_KEY_DAILY_AMOUNT, which is the default. At least 0. */
		daily_amount?: number;
		/** When the key stops working; without it, the key never expires. A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. At most 64 characters. */
		expires_at?: string;
	};
}

/** What {@link Api.createCommissionModel} takes. */
export interface CreateCommissionModelRequest extends Options, Keyed {
	body: CommissionModelInput;
}

/** What {@link Api.createImport} takes. */
export interface CreateImportRequest extends Options, Keyed {
	body: {
		/** To which the borrowers and their accounts belong. A UUID. */
		organization_id: string;
		/** From 1 to 100 characters. */
		name: string;
	};
}

/** What {@link Api.createInvitation} takes. */
export interface CreateInvitationRequest extends Options, Keyed {
	path: {
		/** From 1 to 255 characters. */
		organizationId: string;
	};
	body: {
		/** An email address. At most 254 characters. */
		email: string;
		role: "organization-owner" | "organization-admin" | "organization-financing-admin" | "organization-financing-viewer" | "organization-lending-admin" | "organization-lending-viewer" | "organization-developer" | "organization-viewer";
	};
}

/** What {@link Api.createIssuer} takes. */
export interface CreateIssuerRequest extends Options, Keyed {
	body: TrustedIssuerInput;
}

/** What {@link Api.createLoanApplication} takes. */
export interface CreateLoanApplicationRequest extends Options, Keyed {
	body: {
		/** A UUID. */
		loan_product_id?: string;
		/** At least 1. */
		loan_amount?: number;
		/** The borrower. Required unless a user calls for themselves. A UUID. */
		user_id?: string;
		payout?: Payout;
	};
}

/** What {@link Api.createLoanProduct} takes. */
export interface CreateLoanProductRequest extends Options, Keyed, Organizational {
	body: LoanProductInput;
}

/** What {@link Api.createOrganization} takes. */
export interface CreateOrganizationRequest extends Options, Keyed {
	body: {
		/** From 1 to 100 characters. */
		name: string;
		/** Matches `^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$` */
		slug: string;
		/** Where its data is to be, for good: one of the service's; by default its first. At most 4 characters. */
		region?: string;
	};
}

/** What {@link Api.createPayee} takes. */
export interface CreatePayeeRequest extends Options, Keyed {
	body: {
		/** From 1 to 60 characters. */
		label?: string | null;
		/** At most 20 items. */
		accounts?: readonly PayeeAccountInput[];
	};
}

/** What {@link Api.createProviderStatement} takes. */
export interface CreateProviderStatementRequest extends Options, Keyed, Organizational {
	body: {
		channel: "MPESA" | "MOMO" | "BANK";
		/** The shortcode, or the account at the bank. From 1 to 64 characters. */
		number: string;
		/** Which of its accounts, such as UTILITY, WORKING or CHARGES. From 1 to 60 characters. */
		account?: string;
		currency: string;
		/** The first day. A date, such as 2026-03-02. */
		from: string;
		/** The last day, which is over. A date, such as 2026-03-02. */
		to: string;
		/** Of the file. From 1 to 200 characters. */
		name: string;
		/** Of the file, by which it is known again. Matches `^[0-9a-f]{64}$` */
		sha256: string;
		/** The kinds of records that it must have; PAYOUTS are those by its connection. At most 3 items. */
		expects?: readonly ("PAYMENTS" | "PAYOUTS" | "DISBURSER_PAYOUTS")[];
		/** By default the account's last one, else the provider's; a bank's first statement needs it. */
		mapping?: StatementMapping;
	};
}

/** What {@link Api.createSandboxToken} takes. */
export interface CreateSandboxTokenRequest extends Options {
	body: {
		kind: "partner" | "phone" | "identity" | "operator";
		/** From 1 to 255 characters. */
		subject: string;
		/** The name of a test issuer, registered with the kind `sandbox`. Required but on your machine, where an issuer is embedded. From 1 to 255 characters. */
		issuer?: string;
		/** Home organization of a new user: an id, or a slug, which is created. Of the embedded issuer alone. From 1 to 255 characters. */
		organization?: string;
		/** Further claims; they win over the usual ones. Of the embedded issuer alone. */
		claims?: {
			[name: string]: unknown;
		};
		/** Seconds; below -60 for a token that has expired, because clocks may differ by a minute. From -86400 to 86400. By default `900` */
		expires_in?: number;
	};
}

/** What {@link Api.createSigningKey} takes. */
export interface CreateSigningKeyRequest extends Options, Keyed, Organizational {
	path: {
		/** A UUID. */
		webhook_id: string;
	};
	body?: {
		/** ISO 8601 duration of at most P30D, after which the endpoint's older key stops signing by itself; when absent, it signs until it is revoked. An ISO 8601 duration, such as PT30M. At most 100 characters. */
		expire_others_in?: string;
	};
}

/** What {@link Api.createWebhook} takes. */
export interface CreateWebhookRequest extends Options, Keyed, Organizational {
	body: {
		/** From 1 to 100 characters. */
		name: string;
		/** At most 255 characters. */
		description?: string | null;
		/** HTTPS URL with a public address. From 1 to 2048 characters. */
		url: string;
		/** Event types to receive, the complete set; `GET /v1/webhooks/events/types` lists them. From 1 to 100 items. */
		events: readonly string[];
		/** Conditions that must all hold for an event that the endpoint gets, at most 10 with 50 values together; null: no condition. From 1 to 10 items. */
		filter?: readonly FilterCondition[] | null;
		/** ISO 8601 duration from PT1S to PT30S. An ISO 8601 duration, such as PT30M. At most 100 characters. By default `"PT5S"` */
		timeout?: string;
		/** How many attempts may be under way at the endpoint at once. From 1 to 50. By default `10` */
		max_in_flight?: number;
		/** Attempts a second; null: no limit. From 1 to 1000. */
		rate_limit?: number | null;
		/** ENTITY: of the events with the same `entity_id`, the next is sent when the one before it has been delivered or has FAILED. NONE: in any order. Applies to what happens from then on. By default `"NONE"` */
		ordering?: "NONE" | "ENTITY";
		/** Several deliveries in one signed request, `{batch_id, deliveries}`; null: each in a request of its own. A 2xx ends all but those that the answer names: `{failed: [delivery_id]}` */
		batch?: {
			/** How many deliveries one request carries at most. From 1 to 100. */
			max_events: number;
			/** How long a new delivery waits for others: ISO 8601 duration from PT0S to PT30S. An ISO 8601 duration, such as PT30M. At most 100 characters. By default `"PT0S"` */
			max_wait?: string;
		} | null;
		/** Whether the endpoint is probed after a suspension by failures, and resumed when it answers with a 2xx. The missed deliveries follow then. By default `false` */
		auto_recover?: boolean;
		/** Headers that every delivery to the endpoint carries, the complete set; at most 10. Reads show their values masked. */
		headers?: {
			[name: string]: string;
		};
	};
}

/** What {@link Api.decide} takes. */
export interface DecideRequest extends Options, Keyed {
	body: {
		/** From 1 to 255 characters. */
		decision_id: string;
		subject: "CLOSURE" | "ACTIVATION" | "ONBOARDING";
		/** The account for ONBOARDING, else the closure or activation. A UUID. */
		subject_id: string;
		decision: "APPROVED" | "REJECTED";
		/** From 1 to 255 characters. */
		rejection_reason?: string | null;
		/** The custodian's own id of an account that it has opened. From 1 to 255 characters. */
		external_account_id?: string | null;
		/** From 1 to 64 characters. */
		external_account_number?: string | null;
	};
}

/** What {@link Api.decideApproval} takes. */
export interface DecideApprovalRequest extends Options, Keyed, Organizational {
	path: {
		/** A UUID. */
		id: string;
	};
	body: {
		decision: "APPROVED" | "REJECTED";
		/** From 1 to 1000 characters. */
		comment?: string;
	};
}

/** What {@link Api.decideInvoice} takes. */
export interface DecideInvoiceRequest extends Options, Keyed, Organizational {
	path: {
		/** A UUID. */
		id: string;
	};
	body: {
		decision: "APPROVED" | "REJECTED";
		/** From 1 to 500 characters. */
		comment?: string;
	};
}

/** What {@link Api.deleteApiKey} takes. */
export interface DeleteApiKeyRequest extends Options, Keyed {
	path: {
		/** From 1 to 255 characters. */
		organizationId: string;
		/** A UUID. */
		id: string;
	};
}

/** What {@link Api.deleteDarajaConnection} takes. */
export interface DeleteDarajaConnectionRequest extends Options, Keyed {
	path: {
		/** From 1 to 255 characters. */
		organizationId: string;
	};
}

/** What {@link Api.deleteDevice} takes. */
export interface DeleteDeviceRequest extends Options, Keyed {
	path: {
		/** From 16 to 255 characters. */
		device_id: string;
	};
}

/** What {@link Api.deleteIssuer} takes. */
export interface DeleteIssuerRequest extends Options, Keyed {
	path: {
		/** A UUID. */
		id: string;
	};
}

/** What {@link Api.deleteMerchantGrant} takes. */
export interface DeleteMerchantGrantRequest extends Options, Keyed, Organizational {
	path: {
		/** From 1 to 255 characters. */
		merchantId: string;
		/** A UUID. */
		userId: string;
	};
}

/** What {@link Api.deleteMomoConnection} takes. */
export interface DeleteMomoConnectionRequest extends Options, Keyed {
	path: {
		/** From 1 to 255 characters. */
		organizationId: string;
	};
}

/** What {@link Api.deletePayee} takes. */
export interface DeletePayeeRequest extends Options, Keyed {
	path: {
		/** A UUID. */
		payeeId: string;
	};
}

/** What {@link Api.deleteWebhook} takes. */
export interface DeleteWebhookRequest extends Options, Keyed, Organizational {
	path: {
		/** A UUID. */
		webhook_id: string;
	};
}

/** What {@link Api.discardDarajaReplacement} takes. */
export interface DiscardDarajaReplacementRequest extends Options, Keyed {
	path: {
		/** From 1 to 255 characters. */
		organizationId: string;
	};
}

/** What {@link Api.discardMomoReplacement} takes. */
export interface DiscardMomoReplacementRequest extends Options, Keyed {
	path: {
		/** From 1 to 255 characters. */
		organizationId: string;
	};
}

/** What {@link Api.discardProviderStatement} takes. */
export interface DiscardProviderStatementRequest extends Options, Keyed, Organizational {
	path: {
		/** A UUID. */
		statementId: string;
	};
}

/** What {@link Api.dismissConfirmation} takes. */
export interface DismissConfirmationRequest extends Options, Keyed, Organizational {
	path: {
		/** A UUID. */
		id: string;
	};
	body: {
		/** From 1 to 255 characters. */
		reason: string;
	};
}

/** What {@link Api.dismissSecondReceipts} takes. */
export interface DismissSecondReceiptsRequest extends Options, Keyed, Organizational {
	path: {
		/** A UUID. */
		id: string;
	};
	body: {
		/** From 1 to 255 characters. */
		reason: string;
	};
}

/** What {@link Api.draw} takes. */
export interface DrawRequest extends Options, Keyed {
	path: {
		/** A UUID. */
		accountId: string;
	};
	body: {
		/** At least 1. */
		amount: number;
		payout?: Payout;
	};
}

/** What {@link Api.eraseUser} takes. */
export interface EraseUserRequest extends Options, Keyed {
	path: {
		/** A UUID. */
		userId: string;
	};
}

/** What {@link Api.exchangeIdentityToken} takes. */
export interface ExchangeIdentityTokenRequest extends Options {
	body: {
		identity_token: string;
	};
}

/** What {@link Api.exchangePartnerToken} takes. */
export interface ExchangePartnerTokenRequest extends Options {
	body: {
		partner_token: string;
	};
}

/** What {@link Api.exchangePhoneToken} takes. */
export interface ExchangePhoneTokenRequest extends Options {
	body: {
		phone_verification_token: string;
	};
}

/** What {@link Api.explainBalance} takes. */
export interface ExplainBalanceRequest extends Options, Organizational, Tagged {
	path: {
		/** A UUID. */
		accountId: string;
	};
	query?: {
		/** The day to show; today by default, or `known_at` A date, such as 2026-03-02. */
		as_of?: string;
		/** Show what was known at the end of this day: nothing that was posted later counts. A date, such as 2026-03-02. */
		known_at?: string;
	};
}

/** What {@link Api.exportMe} takes. */
export interface ExportMeRequest extends Options, Tagged {
	query?: {
		/** Rows in a page. From 1 to 500. */
		size?: number;
		/** Cursor of the next page. From 1 to 4096 characters. */
		after?: string;
	};
}

/** What {@link Api.exportUser} takes. */
export interface ExportUserRequest extends Options, Tagged {
	path: {
		/** A UUID. */
		userId: string;
	};
	query?: {
		/** Rows in a page. From 1 to 500. */
		size?: number;
		/** Cursor of the next page. From 1 to 4096 characters. */
		after?: string;
	};
}

/** What {@link Api.financeInvoice} takes. */
export interface FinanceInvoiceRequest extends Options, Keyed {
	path: {
		/** A UUID. */
		id: string;
	};
	body: {
		/** At least 0. */
		fee: number;
	};
}

/** What {@link Api.freezeAccount} takes. */
export interface FreezeAccountRequest extends Options, Keyed {
	path: {
		/** A UUID. */
		accountId: string;
	};
	body: {
		/** From 1 to 255 characters. */
		reason: string;
	};
}

/** What {@link Api.getAccount} takes. */
export interface GetAccountRequest extends Options, Organizational, Tagged {
	path: {
		/** A UUID. */
		accountId: string;
	};
	query?: {
		/** The day to show; today by default, or `known_at` A date, such as 2026-03-02. */
		as_of?: string;
		/** Show what was known at the end of this day: nothing that was posted later counts. A date, such as 2026-03-02. */
		known_at?: string;
	};
}

/** What {@link Api.getActivation} takes. */
export interface GetActivationRequest extends Options, Organizational, Tagged {
	path: {
		/** A UUID. */
		activationId: string;
	};
}

/** What {@link Api.getAppSettings} takes. */
export interface GetAppSettingsRequest extends Options, Tagged {
	query?: {
		platform?: "IOS" | "ANDROID" | "WEB";
		/** Matches `^v?\d+(\.\d+)*([-+].*)?$` At most 64 characters. */
		version?: string;
	};
}

/** What {@link Api.getApproval} takes. */
export interface GetApprovalRequest extends Options, Organizational, Tagged {
	path: {
		/** A UUID. */
		id: string;
	};
}

/** What {@link Api.getAttention} takes. */
export interface GetAttentionRequest extends Options, Tagged {
}

/** What {@link Api.getBrand} takes. */
export interface GetBrandRequest extends Options, Tagged {
	path: {
		/** Id or slug. Matches `^[A-Za-z0-9._~-]+$` From 1 to 255 characters. */
		organizationId: string;
	};
}

/** What {@link Api.getClock} takes. */
export interface GetClockRequest extends Options, Tagged {
}

/** What {@link Api.getClosure} takes. */
export interface GetClosureRequest extends Options, Organizational, Tagged {
	query?: {
		/** Whose. Required unless users call for themselves, who must not send it. A UUID. */
		user_id?: string;
	};
}

/** What {@link Api.getCommissionReport} takes. */
export interface GetCommissionReportRequest extends Options, Organizational, Tagged {
	path: {
		/** A UUID. */
		userId: string;
	};
	query: {
		/** Inclusive. A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. At most 64 characters. */
		from: string;
		/** Exclusive; at most 366 days later. A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. At most 64 characters. */
		to: string;
		/** From 1 to 64 characters. */
		model_id?: string;
	};
}

/** What {@link Api.getConsoleConfig} takes. */
export interface GetConsoleConfigRequest extends Options, Tagged {
}

/** What {@link Api.getCreditBureauIdentity} takes. */
export interface GetCreditBureauIdentityRequest extends Options, Organizational, Tagged {
	path: {
		/** A UUID. */
		userId: string;
	};
}

/** What {@link Api.getCreditBureauSettings} takes. */
export interface GetCreditBureauSettingsRequest extends Options, Organizational, Tagged {
}

/** What {@link Api.getCurrentAccount} takes. */
export interface GetCurrentAccountRequest extends Options, Organizational, Tagged {
	query?: {
		/** Whose. Required unless users call for themselves, who must not send it. A UUID. */
		user_id?: string;
	};
}

/** What {@link Api.getDarajaConnection} takes. */
export interface GetDarajaConnectionRequest extends Options, Tagged {
	path: {
		/** From 1 to 255 characters. */
		organizationId: string;
	};
}

/** What {@link Api.getDelivery} takes. */
export interface GetDeliveryRequest extends Options, Organizational, Tagged {
	path: {
		/** A UUID. */
		id: string;
	};
}

/** What {@link Api.getDeliveryQuota} takes. */
export interface GetDeliveryQuotaRequest extends Options, Tagged {
	path: {
		/** A UUID. */
		organizationId: string;
	};
}

/** What {@link Api.getErasure} takes. */
export interface GetErasureRequest extends Options, Tagged {
	path: {
		/** A UUID. */
		userId: string;
	};
}

/** What {@link Api.getEvent} takes. */
export interface GetEventRequest extends Options, Organizational, Tagged {
	path: {
		/** A UUID. */
		event_id: string;
	};
}

/** What {@link Api.getHealth} takes. */
export interface GetHealthRequest extends Options, Tagged {
}

/** What {@link Api.getImport} takes. */
export interface GetImportRequest extends Options, Tagged {
	path: {
		/** A UUID. */
		importId: string;
	};
}

/** What {@link Api.getInvoice} takes. */
export interface GetInvoiceRequest extends Options, Organizational, Tagged {
	path: {
		/** A UUID. */
		id: string;
	};
}

/** What {@link Api.getIssuedStatement} takes. */
export interface GetIssuedStatementRequest extends Options, Organizational, Tagged {
	path: {
		/** A UUID. */
		accountId: string;
		/** A UUID. */
		statementId: string;
	};
}

/** What {@link Api.getIssuer} takes. */
export interface GetIssuerRequest extends Options, Tagged {
	path: {
		/** A UUID. */
		id: string;
	};
}

/** What {@link Api.getKeys} takes. */
export interface GetKeysRequest extends Options, Tagged {
}

/** What {@link Api.getLedgerClosing} takes. */
export interface GetLedgerClosingRequest extends Options, Organizational, Tagged {
	path: {
		/** Such as 2026-03. From 1 to 255 characters. */
		month: string;
	};
}

/** What {@link Api.getLenderAttention} takes. */
export interface GetLenderAttentionRequest extends Options, Organizational, Tagged {
}

/** What {@link Api.getLoanApplication} takes. */
export interface GetLoanApplicationRequest extends Options, Organizational, Tagged {
	path: {
		/** The application's id or resource_id. From 1 to 255 characters. */
		application_id: string;
	};
}

/** What {@link Api.getLoanProduct} takes. */
export interface GetLoanProductRequest extends Options, Organizational, Tagged {
	path: {
		/** A UUID. */
		id: string;
	};
}

/** What {@link Api.getLoanTermsText} takes. */
export interface GetLoanTermsTextRequest extends Options, Organizational, Tagged {
	path: {
		/** A UUID. */
		id: string;
	};
	query?: {
		/** Matches `^[1-9][0-9]{0,8}$` */
		version?: string;
	};
}

/** What {@link Api.getMe} takes. */
export interface GetMeRequest extends Options, Tagged {
}

/** What {@link Api.getMerchantGrant} takes. */
export interface GetMerchantGrantRequest extends Options, Organizational, Tagged {
	path: {
		/** From 1 to 255 characters. */
		merchantId: string;
		/** A UUID. */
		userId: string;
	};
}

/** What {@link Api.getMessageStatistics} takes. */
export interface GetMessageStatisticsRequest extends Options, Tagged {
	query: {
		/** A date, such as 2026-03-02. */
		from: string;
		/** A date, such as 2026-03-02. */
		to: string;
	};
}

/** What {@link Api.getMomoConnection} takes. */
export interface GetMomoConnectionRequest extends Options, Tagged {
	path: {
		/** From 1 to 255 characters. */
		organizationId: string;
	};
}

/** What {@link Api.getNotificationPreferences} takes. */
export interface GetNotificationPreferencesRequest extends Options, Tagged {
}

/** What {@link Api.getNumberChange} takes. */
export interface GetNumberChangeRequest extends Options, Organizational, Tagged {
	path: {
		/** A UUID. */
		mobileNumberChangeId: string;
	};
}

/** What {@link Api.getOrganization} takes. */
export interface GetOrganizationRequest extends Options, Tagged {
	path: {
		/** From 1 to 255 characters. */
		organizationId: string;
	};
}

/** What {@link Api.getOrganizationTexts} takes. */
export interface GetOrganizationTextsRequest extends Options, Tagged {
	path: {
		/** From 1 to 255 characters. */
		organizationId: string;
	};
	query?: {
		/** Without it, in `default_locale` */
		locale?: "en" | "sw" | "fr" | "pt" | "am";
	};
}

/** What {@link Api.getPayee} takes. */
export interface GetPayeeRequest extends Options, Tagged {
	path: {
		/** A UUID. */
		payeeId: string;
	};
}

/** What {@link Api.getPayoff} takes. */
export interface GetPayoffRequest extends Options, Organizational, Tagged {
	path: {
		/** A UUID. */
		accountId: string;
	};
	query?: {
		/** Today or later; today by default. A date, such as 2026-03-02. */
		on?: string;
	};
}

/** What {@link Api.getPortfolioTrend} takes. */
export interface GetPortfolioTrendRequest extends Options, Organizational, Tagged {
}

/** What {@link Api.getProviderStatement} takes. */
export interface GetProviderStatementRequest extends Options, Organizational, Tagged {
	path: {
		/** A UUID. */
		statementId: string;
	};
}

/** What {@link Api.getRecovery} takes. */
export interface GetRecoveryRequest extends Options, Tagged {
	path: {
		/** A UUID. */
		userId: string;
		/** A UUID. */
		id: string;
	};
}

/** What {@link Api.getRepayment} takes. */
export interface GetRepaymentRequest extends Options, Organizational, Tagged {
	path: {
		/** From 1 to 100 characters. */
		id: string;
	};
}

/** What {@link Api.getRepaymentPrompt} takes. */
export interface GetRepaymentPromptRequest extends Options, Organizational, Tagged {
	path: {
		/** A UUID. */
		accountId: string;
		/** A UUID. */
		promptId: string;
	};
}

/** What {@link Api.getStatement} takes. */
export interface GetStatementRequest extends Options, Organizational, Tagged {
	path: {
		/** A UUID. */
		accountId: string;
	};
	query?: {
		/** Rows in a page. From 1 to 100. */
		size?: number;
		/** Cursor of the next page. From 1 to 4096 characters. */
		after?: string;
		/** Cursor of the previous page; not together with `after` From 1 to 4096 characters. */
		before?: string;
		/** The first day; 30 days before the last by default. A date, such as 2026-03-02. */
		from?: string;
		/** The last day; today by default. A date, such as 2026-03-02. */
		to?: string;
		/** Show what was known at the end of this day: nothing that was posted later counts. A date, such as 2026-03-02. */
		known_at?: string;
	};
}

/** What {@link Api.getTransfer} takes. */
export interface GetTransferRequest extends Options, Organizational, Tagged {
	path: {
		/** A UUID. */
		transferId: string;
	};
}

/** What {@link Api.getTreasuryRecord} takes. */
export interface GetTreasuryRecordRequest extends Options, Organizational, Tagged {
	path: {
		/** A UUID. */
		recordId: string;
	};
}

/** What {@link Api.getTrialBalance} takes. */
export interface GetTrialBalanceRequest extends Options, Organizational, Tagged {
	query?: {
		/** A closed day; the last one by default. A date, such as 2026-03-02. */
		on?: string;
		/** A UUID. */
		loan_product_id?: string;
		/** Rows in a page. From 1 to 500. */
		size?: number;
		/** Cursor of the next page. From 1 to 4096 characters. */
		after?: string;
		/** Cursor of the previous page; not together with `after` From 1 to 4096 characters. */
		before?: string;
	};
}

/** What {@link Api.getUser} takes. */
export interface GetUserRequest extends Options, Organizational, Tagged {
	path: {
		/** A UUID. */
		userId: string;
	};
}

/** What {@link Api.getWebhook} takes. */
export interface GetWebhookRequest extends Options, Organizational, Tagged {
	path: {
		/** A UUID. */
		webhook_id: string;
	};
}

/** What {@link Api.getWebhookStats} takes. */
export interface GetWebhookStatsRequest extends Options, Organizational, Tagged {
	path: {
		/** A UUID. */
		webhook_id: string;
	};
	query?: {
		/** The period, up to now. By default `"PT24H"` */
		window?: "PT1H" | "PT24H" | "P7D";
		/** Into how many parts to divide it. From 8 to 48. By default `24` */
		buckets?: number;
	};
}

/** What {@link Api.giveUpReturn} takes. */
export interface GiveUpReturnRequest extends Options, Keyed {
	path: {
		/** A UUID. */
		id: string;
	};
	body: {
		/** From 1 to 255 characters. */
		reason: string;
	};
}

/** What {@link Api.issueStatement} takes. */
export interface IssueStatementRequest extends Options, Keyed, Organizational {
	path: {
		/** A UUID. */
		accountId: string;
	};
	body: {
		/** The first day. A date, such as 2026-03-02. */
		from: string;
		/** The last day: today or earlier. A date, such as 2026-03-02. */
		to: string;
	};
}

/** What {@link Api.linkIdentity} takes. */
export interface LinkIdentityRequest extends Options, Keyed {
	path: {
		/** A UUID. */
		userId: string;
	};
	body: {
		/** From 1 to 255 characters. */
		issuer: string;
		/** From 1 to 255 characters. */
		subject: string;
	};
}

/** What {@link Api.listAccountTransactions} takes. */
export interface ListAccountTransactionsRequest extends Options, Organizational, Tagged {
	path: {
		/** A UUID. */
		accountId: string;
	};
	query?: {
		/** Rows in a page. From 1 to 100. */
		size?: number;
		/** Cursor of the next page. From 1 to 4096 characters. */
		after?: string;
		/** Cursor of the previous page; not together with `after` From 1 to 4096 characters. */
		before?: string;
	};
}

/** What {@link Api.listAccounts} takes. */
export interface ListAccountsRequest extends Options, Organizational, Tagged {
	query?: {
		/** Rows in a page. From 1 to 100. */
		size?: number;
		/** Cursor of the next page. From 1 to 4096 characters. */
		after?: string;
		/** Cursor of the previous page; not together with `after` From 1 to 4096 characters. */
		before?: string;
		/** Whose. Required unless users call for themselves, who must not send it. A UUID. */
		user_id?: string;
		/** Only the account of this number, closed or not. From 1 to 64 characters. */
		account_number?: string;
		/** Only these accounts, closed or not; may be repeated, a hundred times. Other filters are not applied. A UUID. */
		ids?: string | readonly string[];
		/** The oldest unpaid installment is due on this day. A date, such as 2026-03-02. */
		due_on?: string;
		/** An installment is overdue for more days than these. From 0 to 9999. */
		past_due_over?: number;
		/** A UUID. */
		loan_product_id?: string;
		status?: "ACTIVE" | "SUSPENDED" | "IN_ARREARS" | "DEFAULTED" | "WRITTEN_OFF";
		/** OUTSTANDING: by principal. With a filter by days, DAYS_PAST_DUE is the default. */
		sort?: "NEWEST" | "DAYS_PAST_DUE" | "OUTSTANDING";
	};
}

/** What {@link Api.listApiKeys} takes. */
export interface ListApiKeysRequest extends Options, Tagged {
	path: {
		/** From 1 to 255 characters. */
		organizationId: string;
	};
	query?: {
		/** Rows in a page. From 1 to 100. */
		size?: number;
		/** Cursor of the next page. From 1 to 4096 characters. */
		after?: string;
		/** Cursor of the previous page; not together with `after` From 1 to 4096 characters. */
		before?: string;
	};
}

/** What {@link Api.listApprovals} takes. */
export interface ListApprovalsRequest extends Options, Organizational, Tagged {
	query?: {
		/** Rows in a page. From 1 to 100. */
		size?: number;
		/** Cursor of the next page. From 1 to 4096 characters. */
		after?: string;
		/** Cursor of the previous page; not together with `after` From 1 to 4096 characters. */
		before?: string;
		status?: "PENDING" | "APPROVED" | "REJECTED" | "EXPIRED" | "FAILED";
		approval_type?: "BLOCK_CHANGE" | "REPAYMENT_REVERSAL" | "REPAYMENT_RESTORATION" | "REPAYMENT_MOVE" | "TRANSACTION_REVERSAL" | "WRITE_OFF" | "SETTLEMENT" | "RESCHEDULE" | "ACCOUNT_CLOSURE" | "FREEZE_CHANGE" | "WAIVER" | "OVERPAYMENT_REFUND" | "LIMIT_CHANGE" | "ISSUER_REGISTRATION" | "OPERATION" | "NUMBER_RECOVERY" | "LEDGER_CLOSING" | "PROVISIONING_RULES" | "TREASURY_RECORD" | "PROVIDER_TARIFF" | "LEDGER_MAPPING";
		/** Those that concern this user, account, organization …. From 1 to 255 characters. */
		entity_id?: string;
		/** Only these requests; may be repeated, a hundred times. Other filters are not applied. A UUID. */
		ids?: string | readonly string[];
	};
}

/** What {@link Api.listAudit} takes. */
export interface ListAuditRequest extends Options, Organizational, Tagged {
	query?: {
		/** Rows in a page. From 1 to 100. */
		size?: number;
		/** Cursor of the next page. From 1 to 4096 characters. */
		after?: string;
		/** Cursor of the previous page; not together with `after` From 1 to 4096 characters. */
		before?: string;
		/** A stream in another database, as named by an audit row. By default the stream in the organization's home. */
		stream?: string;
		/** `actor_id`, `entity_id` and `operation` are not sent together. From 1 to 512 characters. */
		actor_id?: string;
		/** `actor_id`, `entity_id` and `operation` are not sent together. From 1 to 512 characters. */
		entity_id?: string;
		/** `actor_id`, `entity_id` and `operation` are not sent together. From 1 to 512 characters. */
		operation?: string;
		/** Inclusive. A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. At most 64 characters. */
		created_from?: string;
	};
}

/** What {@link Api.listAuditSeals} takes. */
export interface ListAuditSealsRequest extends Options, Organizational, Tagged {
	query?: {
		/** Rows in a page. From 1 to 100. */
		size?: number;
		/** Cursor of the next page. From 1 to 4096 characters. */
		after?: string;
		/** Cursor of the previous page; not together with `after` From 1 to 4096 characters. */
		before?: string;
		/** A stream in another database, as named by an audit row. By default the stream in the organization's home. */
		stream?: string;
	};
}

/** What {@link Api.listCalls} takes. */
export interface ListCallsRequest extends Options, Organizational, Tagged {
	query?: {
		/** The member who looks after the loan, or NONE. */
		owner?: "NONE" | string;
		/** By the latest promise; NONE: without an open one. */
		promise?: "NONE" | "OPEN" | "BROKEN";
		/** Rows in a page. From 1 to 100. */
		size?: number;
		/** Cursor of the next page. From 1 to 4096 characters. */
		after?: string;
		/** Cursor of the previous page; not together with `after` From 1 to 4096 characters. */
		before?: string;
	};
}

/** What {@link Api.listCommissionModels} takes. */
export interface ListCommissionModelsRequest extends Options, Tagged {
	query?: {
		/** Rows in a page. From 1 to 100. */
		size?: number;
		/** Cursor of the next page. From 1 to 4096 characters. */
		after?: string;
		/** Cursor of the previous page; not together with `after` From 1 to 4096 characters. */
		before?: string;
	};
}

/** What {@link Api.listConfirmations} takes. */
export interface ListConfirmationsRequest extends Options, Organizational, Tagged {
	query?: {
		/** Rows in a page. From 1 to 100. */
		size?: number;
		/** Cursor of the next page. From 1 to 4096 characters. */
		after?: string;
		/** Cursor of the previous page; not together with `after` From 1 to 4096 characters. */
		before?: string;
	};
}

/** What {@link Api.listCreditBureauDisputes} takes. */
export interface ListCreditBureauDisputesRequest extends Options, Organizational, Tagged {
	query?: {
		/** Rows in a page. From 1 to 100. */
		size?: number;
		/** Cursor of the next page. From 1 to 4096 characters. */
		after?: string;
		/** Cursor of the previous page; not together with `after` From 1 to 4096 characters. */
		before?: string;
		/** By default both. */
		status?: "OPEN" | "RESOLVED";
	};
}

/** What {@link Api.listCreditBureauFiles} takes. */
export interface ListCreditBureauFilesRequest extends Options, Organizational, Tagged {
	query?: {
		/** Rows in a page. From 1 to 100. */
		size?: number;
		/** Cursor of the next page. From 1 to 4096 characters. */
		after?: string;
		/** Cursor of the previous page; not together with `after` From 1 to 4096 characters. */
		before?: string;
	};
}

/** What {@link Api.listCreditBureauNotices} takes. */
export interface ListCreditBureauNoticesRequest extends Options, Organizational, Tagged {
	query?: {
		/** Rows in a page. From 1 to 100. */
		size?: number;
		/** Cursor of the next page. From 1 to 4096 characters. */
		after?: string;
		/** Cursor of the previous page; not together with `after` From 1 to 4096 characters. */
		before?: string;
	};
}

/** What {@link Api.listCreditBureauRows} takes. */
export interface ListCreditBureauRowsRequest extends Options, Organizational, Tagged {
	path: {
		/** Such as 2026-03. From 1 to 255 characters. */
		month: string;
	};
	query?: {
		/** LEFT_OUT: accounts that lack what the layout requires. By default `"FILE"` */
		part?: "FILE" | "LEFT_OUT";
		/** Rows in a page. From 1 to 500. */
		size?: number;
		/** Cursor of the next page. From 1 to 4096 characters. */
		after?: string;
		/** Cursor of the previous page; not together with `after` From 1 to 4096 characters. */
		before?: string;
	};
}

/** What {@link Api.listCurrentAccountTransactions} takes. */
export interface ListCurrentAccountTransactionsRequest extends Options, Organizational, Tagged {
	query?: {
		/** Rows in a page. From 1 to 100. */
		size?: number;
		/** Cursor of the next page. From 1 to 4096 characters. */
		after?: string;
		/** Cursor of the previous page; not together with `after` From 1 to 4096 characters. */
		before?: string;
		/** Whose. Required unless users call for themselves, who must not send it. A UUID. */
		user_id?: string;
	};
}

/** What {@link Api.listDeliveries} takes. */
export interface ListDeliveriesRequest extends Options, Organizational, Tagged {
	query?: {
		/** Rows in a page. From 1 to 100. */
		size?: number;
		/** Cursor of the next page. From 1 to 4096 characters. */
		after?: string;
		/** Cursor of the previous page; not together with `after` From 1 to 4096 characters. */
		before?: string;
		/** A UUID. */
		webhook_id?: string;
		/** A UUID. */
		event_id?: string;
		event_type?: string;
		status?: "PENDING" | "DELIVERED" | "FAILED";
		/** Inclusive. A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. At most 64 characters. */
		created_from?: string;
		/** Exclusive. A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. At most 64 characters. */
		created_until?: string;
	};
}

/** What {@link Api.listDevices} takes. */
export interface ListDevicesRequest extends Options, Tagged {
}

/** What {@link Api.listDisbursements} takes. */
export interface ListDisbursementsRequest extends Options, Organizational, Tagged {
	query?: {
		/** Rows in a page. From 1 to 100. */
		size?: number;
		/** Cursor of the next page. From 1 to 4096 characters. */
		after?: string;
		/** Cursor of the previous page; not together with `after` From 1 to 4096 characters. */
		before?: string;
		/** Those of this account, in any state. A UUID. */
		account_id?: string;
		/** Those of all accounts and invoices that are on their way; instead of account_id. */
		status?: "PENDING" | "ACCEPTED";
	};
}

/** What {@link Api.listEventTypes} takes. */
export interface ListEventTypesRequest extends Options, Organizational, Tagged {
}

/** What {@link Api.listEvents} takes. */
export interface ListEventsRequest extends Options, Organizational, Tagged {
	query?: {
		/** Rows in a page. From 1 to 100. */
		size?: number;
		/** Cursor of the next page. From 1 to 4096 characters. */
		after?: string;
		/** Cursor of the previous page; not together with `after` From 1 to 4096 characters. */
		before?: string;
		type?: string;
		/** Inclusive. A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. At most 64 characters. */
		created_from?: string;
		/** Exclusive. A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. At most 64 characters. */
		created_until?: string;
		/** No events, and as `next` the present end of the feed. Not together with `after` */
		from?: "latest";
		/** desc: the latest events, newest first. */
		order?: "asc" | "desc";
	};
}

/** What {@link Api.listFollowUps} takes. */
export interface ListFollowUpsRequest extends Options, Organizational, Tagged {
	query?: {
		/** A UUID. */
		account_id?: string;
		/** A UUID. */
		user_id?: string;
		status?: "OPEN" | "KEPT" | "BROKEN" | "WITHDRAWN";
		/** Rows in a page. From 1 to 100. */
		size?: number;
		/** Cursor of the next page. From 1 to 4096 characters. */
		after?: string;
		/** Cursor of the previous page; not together with `after` From 1 to 4096 characters. */
		before?: string;
	};
}

/** What {@link Api.listImportAccounts} takes. */
export interface ListImportAccountsRequest extends Options, Tagged {
	path: {
		/** A UUID. */
		importId: string;
	};
	query?: {
		/** Rows in a page. From 1 to 100. */
		size?: number;
		/** Cursor of the next page. From 1 to 4096 characters. */
		after?: string;
		/** Cursor of the previous page; not together with `after` From 1 to 4096 characters. */
		before?: string;
		/** By default `"FAILED"` */
		status?: "STAGED" | "EQUAL" | "FAILED" | "IMPORTED";
		/** Only those whose borrower was a user before the import. */
		existing_users?: "true";
	};
}

/** What {@link Api.listImportLines} takes. */
export interface ListImportLinesRequest extends Options, Tagged {
	path: {
		/** A UUID. */
		importId: string;
	};
	query: {
		/** The old program's id. From 1 to 100 characters. */
		account: string;
	};
}

/** What {@link Api.listInstallmentTransactions} takes. */
export interface ListInstallmentTransactionsRequest extends Options, Organizational, Tagged {
	path: {
		/** A UUID. */
		accountId: string;
		/** A UUID. */
		id: string;
	};
	query?: {
		/** Rows in a page. From 1 to 100. */
		size?: number;
		/** Cursor of the next page. From 1 to 4096 characters. */
		after?: string;
		/** Cursor of the previous page; not together with `after` From 1 to 4096 characters. */
		before?: string;
	};
}

/** What {@link Api.listInstallments} takes. */
export interface ListInstallmentsRequest extends Options, Organizational, Tagged {
	path: {
		/** A UUID. */
		accountId: string;
	};
	query?: {
		/** Rows in a page. From 1 to 100. */
		size?: number;
		/** Cursor of the next page. From 1 to 4096 characters. */
		after?: string;
		/** Cursor of the previous page; not together with `after` From 1 to 4096 characters. */
		before?: string;
		/** The day to show; today by default, or `known_at` A date, such as 2026-03-02. */
		as_of?: string;
		/** Show what was known at the end of this day: nothing that was posted later counts. A date, such as 2026-03-02. */
		known_at?: string;
	};
}

/** What {@link Api.listInvitations} takes. */
export interface ListInvitationsRequest extends Options, Tagged {
	path: {
		/** From 1 to 255 characters. */
		organizationId: string;
	};
	query?: {
		/** Rows in a page. From 1 to 100. */
		size?: number;
		/** Cursor of the next page. From 1 to 4096 characters. */
		after?: string;
		/** Cursor of the previous page; not together with `after` From 1 to 4096 characters. */
		before?: string;
		/** Invitations to any of these roles; may be repeated. */
		roles?: "organization-owner" | "organization-admin" | "organization-financing-admin" | "organization-financing-viewer" | "organization-lending-admin" | "organization-lending-viewer" | "organization-developer" | "organization-viewer" | readonly ("organization-owner" | "organization-admin" | "organization-financing-admin" | "organization-financing-viewer" | "organization-lending-admin" | "organization-lending-viewer" | "organization-developer" | "organization-viewer")[];
	};
}

/** What {@link Api.listInvoices} takes. */
export interface ListInvoicesRequest extends Options, Organizational, Tagged {
	query?: {
		/** Rows in a page. From 1 to 100. */
		size?: number;
		/** Cursor of the next page. From 1 to 4096 characters. */
		after?: string;
		/** Cursor of the previous page; not together with `after` From 1 to 4096 characters. */
		before?: string;
		status?: "PENDING" | "APPROVED" | "FINANCED" | "OVERDUE" | "REJECTED" | "CANCELLED" | "PAID";
		/** Exclusive; together with the status FINANCED or OVERDUE. A date, such as 2026-03-02. */
		due_before?: string;
	};
}

/** What {@link Api.listIssuedStatements} takes. */
export interface ListIssuedStatementsRequest extends Options, Organizational, Tagged {
	path: {
		/** A UUID. */
		accountId: string;
	};
	query?: {
		/** Rows in a page. From 1 to 100. */
		size?: number;
		/** Cursor of the next page. From 1 to 4096 characters. */
		after?: string;
		/** Cursor of the previous page; not together with `after` From 1 to 4096 characters. */
		before?: string;
	};
}

/** What {@link Api.listIssuers} takes. */
export interface ListIssuersRequest extends Options, Tagged {
	query?: {
		/** Rows in a page. From 1 to 100. */
		size?: number;
		/** Cursor of the next page. From 1 to 4096 characters. */
		after?: string;
		/** Cursor of the previous page; not together with `after` From 1 to 4096 characters. */
		before?: string;
	};
}

/** What {@link Api.listLedgerAccounts} takes. */
export interface ListLedgerAccountsRequest extends Options, Organizational, Tagged {
	query?: {
		/** Rows in a page. From 1 to 500. */
		size?: number;
		/** Cursor of the next page. From 1 to 4096 characters. */
		after?: string;
		/** Cursor of the previous page; not together with `after` From 1 to 4096 characters. */
		before?: string;
	};
}

/** What {@link Api.listLedgerClosings} takes. */
export interface ListLedgerClosingsRequest extends Options, Organizational, Tagged {
	query?: {
		/** Rows in a page. From 1 to 100. */
		size?: number;
		/** Cursor of the next page. From 1 to 4096 characters. */
		after?: string;
		/** Cursor of the previous page; not together with `after` From 1 to 4096 characters. */
		before?: string;
	};
}

/** What {@link Api.listLedgerEntries} takes. */
export interface ListLedgerEntriesRequest extends Options, Organizational, Tagged {
	query?: {
		/** The first day. A date, such as 2026-03-02. */
		from?: string;
		/** The last day. A date, such as 2026-03-02. */
		to?: string;
		/** A number of the chart of accounts. Matches `^\d{4}$` */
		account?: string;
		source?: "LOAN" | "DAY" | "RECEIPT" | "PAYOUT" | "WALLET" | "INVOICE" | "TREASURY" | "CHARGE" | "OPENING" | "PROVISION";
		/** Rows in a page. From 1 to 500. */
		size?: number;
		/** Cursor of the next page. From 1 to 4096 characters. */
		after?: string;
		/** Cursor of the previous page; not together with `after` From 1 to 4096 characters. */
		before?: string;
	};
}

/** What {@link Api.listLedgerJournals} takes. */
export interface ListLedgerJournalsRequest extends Options, Organizational, Tagged {
	query?: {
		/** The first day; by default, that of the last one's month. A date, such as 2026-03-02. */
		from?: string;
		/** The last day, which is closed; by default, the last closed one. A date, such as 2026-03-02. */
		to?: string;
		/** Matches `^[A-Z]{3}$` */
		currency?: string;
		/** The name of the tax rate of the lines, as the lender's ledger has it. From 1 to 50 characters. By default `"Tax Exempt"` */
		tax_rate?: string;
		/** Rows in a page. From 1 to 31. */
		size?: number;
		/** Cursor of the next page. From 1 to 4096 characters. */
		after?: string;
		/** Cursor of the previous page; not together with `after` From 1 to 4096 characters. */
		before?: string;
	};
}

/** What {@link Api.listLedgerMappings} takes. */
export interface ListLedgerMappingsRequest extends Options, Organizational, Tagged {
	query?: {
		/** Rows in a page. From 1 to 100. */
		size?: number;
		/** Cursor of the next page. From 1 to 4096 characters. */
		after?: string;
		/** Cursor of the previous page; not together with `after` From 1 to 4096 characters. */
		before?: string;
	};
}

/** What {@link Api.listLoanApplications} takes. */
export interface ListLoanApplicationsRequest extends Options, Organizational, Tagged {
	query?: {
		/** Rows in a page. From 1 to 100. */
		size?: number;
		/** Cursor of the next page. From 1 to 4096 characters. */
		after?: string;
		/** Cursor of the previous page; not together with `after` From 1 to 4096 characters. */
		before?: string;
		status?: "PENDING" | "APPROVED" | "SUBMITTED" | "REJECTED" | "DISBURSED" | "FAILED" | "EXPIRED" | "CANCELLED";
		/** Applications of this borrower only. A user may name only themselves. A UUID. */
		user_id?: string;
		/** Applications of this organization's users only, for operators. A UUID. */
		organization_id?: string;
	};
}

/** What {@link Api.listLoanProducts} takes. */
export interface ListLoanProductsRequest extends Options, Organizational, Tagged {
	query?: {
		/** Rows in a page. From 1 to 100. */
		size?: number;
		/** Cursor of the next page. From 1 to 4096 characters. */
		after?: string;
		/** Cursor of the previous page; not together with `after` From 1 to 4096 characters. */
		before?: string;
		/** Products of this organization only. A UUID. */
		organization_id?: string;
	};
}

/** What {@link Api.listMembers} takes. */
export interface ListMembersRequest extends Options, Tagged {
	path: {
		/** From 1 to 255 characters. */
		organizationId: string;
	};
	query?: {
		/** Rows in a page. From 1 to 100. */
		size?: number;
		/** Cursor of the next page. From 1 to 4096 characters. */
		after?: string;
		/** Cursor of the previous page; not together with `after` From 1 to 4096 characters. */
		before?: string;
	};
}

/** What {@link Api.listMerchantInvoices} takes. */
export interface ListMerchantInvoicesRequest extends Options, Organizational, Tagged {
	path: {
		/** The buyer's own id of the merchant. From 1 to 255 characters. */
		merchantId: string;
	};
	query?: {
		/** Rows in a page. From 1 to 100. */
		size?: number;
		/** Cursor of the next page. From 1 to 4096 characters. */
		after?: string;
		/** Cursor of the previous page; not together with `after` From 1 to 4096 characters. */
		before?: string;
	};
}

/** What {@link Api.listMessages} takes. */
export interface ListMessagesRequest extends Options, Tagged {
	query?: {
		/** Rows in a page. From 1 to 100. */
		size?: number;
		/** Cursor of the next page. From 1 to 4096 characters. */
		after?: string;
		/** Cursor of the previous page; not together with `after` From 1 to 4096 characters. */
		before?: string;
		/** E.164 number or email address. From 1 to 254 characters. */
		recipient?: string;
	};
}

/** What {@link Api.listMyMessages} takes. */
export interface ListMyMessagesRequest extends Options, Tagged {
	query?: {
		/** Rows in a page. From 1 to 100. */
		size?: number;
		/** Cursor of the next page. From 1 to 4096 characters. */
		after?: string;
		/** Cursor of the previous page; not together with `after` From 1 to 4096 characters. */
		before?: string;
	};
}

/** What {@link Api.listOfferedProducts} takes. */
export interface ListOfferedProductsRequest extends Options, Tagged {
	query?: {
		/** Rows in a page. From 1 to 100. */
		size?: number;
		/** Cursor of the next page. From 1 to 4096 characters. */
		after?: string;
		/** Cursor of the previous page; not together with `after` From 1 to 4096 characters. */
		before?: string;
	};
}

/** What {@link Api.listOrganizations} takes. */
export interface ListOrganizationsRequest extends Options, Tagged {
	query?: {
		/** Rows in a page. From 1 to 100. */
		size?: number;
		/** Cursor of the next page. From 1 to 4096 characters. */
		after?: string;
		/** Cursor of the previous page; not together with `after` From 1 to 4096 characters. */
		before?: string;
		/** From 1 to 255 characters. */
		slug?: string;
	};
}

/** What {@link Api.listOwnedWork} takes. */
export interface ListOwnedWorkRequest extends Options, Organizational, Tagged {
	query: {
		kind: "WAITING_USER" | "PAYMENT" | "DISBURSEMENT" | "APPROVAL" | "STATEMENT_BREAK";
		/** The member who looks after it, or NONE. */
		owner?: "NONE" | string;
		/** Rows in a page. From 1 to 100. */
		size?: number;
		/** Cursor of the next page. From 1 to 4096 characters. */
		after?: string;
		/** Cursor of the previous page; not together with `after` From 1 to 4096 characters. */
		before?: string;
	};
}

/** What {@link Api.listOwners} takes. */
export interface ListOwnersRequest extends Options, Organizational, Tagged {
	query: {
		/** May be repeated, a hundred times. A UUID. */
		ids: string | readonly string[];
	};
}

/** What {@link Api.listPayees} takes. */
export interface ListPayeesRequest extends Options, Tagged {
	query?: {
		/** Rows in a page. From 1 to 100. */
		size?: number;
		/** Cursor of the next page. From 1 to 4096 characters. */
		after?: string;
		/** Cursor of the previous page; not together with `after` From 1 to 4096 characters. */
		before?: string;
		/** Part of a label, a name or a number. From 1 to 60 characters. */
		q?: string;
		is_favorite?: "true" | "false";
		is_blocked?: "true" | "false";
	};
}

/** What {@link Api.listPortfolioAccounts} takes. */
export interface ListPortfolioAccountsRequest extends Options, Organizational, Tagged {
	query?: {
		/** A closed day; the last one by default. A date, such as 2026-03-02. */
		on?: string;
		/** By the facts that were known at the end of this closed day; by default those of `on` A date, such as 2026-03-02. */
		known_at?: string;
		/** Only accounts with an installment overdue for more days than these. */
		past_due_over?: "0" | "30" | "60" | "90";
		/** A UUID. */
		loan_product_id?: string;
		/** Rows in a page. From 1 to 500. */
		size?: number;
		/** Cursor of the next page. From 1 to 4096 characters. */
		after?: string;
		/** Cursor of the previous page; not together with `after` From 1 to 4096 characters. */
		before?: string;
	};
}

/** What {@link Api.listPortfolioEntries} takes. */
export interface ListPortfolioEntriesRequest extends Options, Organizational, Tagged {
	query?: {
		/** By default the first of the last day's month. A date, such as 2026-03-02. */
		from?: string;
		/** A closed day; the last one by default. A date, such as 2026-03-02. */
		to?: string;
		/** A UUID. */
		loan_product_id?: string;
		/** Rows in a page. From 1 to 100. */
		size?: number;
		/** Cursor of the next page. From 1 to 4096 characters. */
		after?: string;
		/** Cursor of the previous page; not together with `after` From 1 to 4096 characters. */
		before?: string;
	};
}

/** What {@link Api.listPortfolioTransactions} takes. */
export interface ListPortfolioTransactionsRequest extends Options, Organizational, Tagged {
	query?: {
		/** The first day of posting. A date, such as 2026-03-02. */
		from?: string;
		/** The last day of posting. A date, such as 2026-03-02. */
		to?: string;
		/** Of these days; Africa/Nairobi by default. For the days of a portfolio, its product's. */
		time_zone?: string;
		/** Rows in a page. From 1 to 500. */
		size?: number;
		/** Cursor of the next page. From 1 to 4096 characters. */
		after?: string;
		/** Cursor of the previous page; not together with `after` From 1 to 4096 characters. */
		before?: string;
	};
}

/** What {@link Api.listPortfolios} takes. */
export interface ListPortfoliosRequest extends Options, Organizational, Tagged {
	query?: {
		/** A closed day; the last one by default. A date, such as 2026-03-02. */
		on?: string;
		/** The first day of the period; by default the first of its last day's month. A date, such as 2026-03-02. */
		from?: string;
		/** A row for each day from `from` to `on` */
		step?: "DAY";
		/** A UUID. */
		loan_product_id?: string;
		/** Rows in a page. From 1 to 500. */
		size?: number;
		/** Cursor of the next page. From 1 to 4096 characters. */
		after?: string;
		/** Cursor of the previous page; not together with `after` From 1 to 4096 characters. */
		before?: string;
	};
}

/** What {@link Api.listProviderStatements} takes. */
export interface ListProviderStatementsRequest extends Options, Organizational, Tagged {
	query?: {
		/** Rows in a page. From 1 to 100. */
		size?: number;
		/** Cursor of the next page. From 1 to 4096 characters. */
		after?: string;
		/** Cursor of the previous page; not together with `after` From 1 to 4096 characters. */
		before?: string;
	};
}

/** What {@link Api.listProviderTariffs} takes. */
export interface ListProviderTariffsRequest extends Options, Organizational, Tagged {
	query?: {
		/** Rows in a page. From 1 to 100. */
		size?: number;
		/** Cursor of the next page. From 1 to 4096 characters. */
		after?: string;
		/** Cursor of the previous page; not together with `after` From 1 to 4096 characters. */
		before?: string;
	};
}

/** What {@link Api.listProvisioningRules} takes. */
export interface ListProvisioningRulesRequest extends Options, Organizational, Tagged {
	query?: {
		/** Rows in a page. From 1 to 100. */
		size?: number;
		/** Cursor of the next page. From 1 to 4096 characters. */
		after?: string;
		/** Cursor of the previous page; not together with `after` From 1 to 4096 characters. */
		before?: string;
	};
}

/** What {@link Api.listProvisions} takes. */
export interface ListProvisionsRequest extends Options, Organizational, Tagged {
	query?: {
		/** At the end of this month, such as 2026-03; by default, of the last closed day. Matches `^[1-8][0-9]{3}-(0[1-9]|1[0-2])$` */
		month?: string;
		/** A UUID. */
		loan_product_id?: string;
		part?: "STAGE" | "BUCKET" | "MOVE";
		/** Rows in a page. From 1 to 500. */
		size?: number;
		/** Cursor of the next page. From 1 to 4096 characters. */
		after?: string;
		/** Cursor of the previous page; not together with `after` From 1 to 4096 characters. */
		before?: string;
	};
}

/** What {@link Api.listRepaymentPrompts} takes. */
export interface ListRepaymentPromptsRequest extends Options, Organizational, Tagged {
	path: {
		/** A UUID. */
		accountId: string;
	};
	query?: {
		/** Rows in a page. From 1 to 100. */
		size?: number;
		/** Cursor of the next page. From 1 to 4096 characters. */
		after?: string;
		/** Cursor of the previous page; not together with `after` From 1 to 4096 characters. */
		before?: string;
	};
}

/** What {@link Api.listRepayments} takes. */
export interface ListRepaymentsRequest extends Options, Organizational, Tagged {
	query?: {
		/** Rows in a page. From 1 to 100. */
		size?: number;
		/** Cursor of the next page. From 1 to 4096 characters. */
		after?: string;
		/** Cursor of the previous page; not together with `after` From 1 to 4096 characters. */
		before?: string;
		status?: "CONFIRMED" | "POSTED" | "REVERSED" | "UNMATCHED" | "FAILED";
	};
}

/** What {@link Api.listStatementBreaks} takes. */
export interface ListStatementBreaksRequest extends Options, Organizational, Tagged {
	query?: {
		/** Rows in a page. From 1 to 500. */
		size?: number;
		/** Cursor of the next page. From 1 to 4096 characters. */
		after?: string;
		/** Cursor of the previous page; not together with `after` From 1 to 4096 characters. */
		before?: string;
		/** By default `"OPEN"` */
		status?: "OPEN" | "RESOLVED" | "RECORDED" | "EXPLAINED" | "CONFIRMED" | "DISCARDED";
		/** A UUID. */
		statement_id?: string;
	};
}

/** What {@link Api.listTransfers} takes. */
export interface ListTransfersRequest extends Options, Organizational, Tagged {
	query?: {
		/** Rows in a page. From 1 to 100. */
		size?: number;
		/** Cursor of the next page. From 1 to 4096 characters. */
		after?: string;
		/** Cursor of the previous page; not together with `after` From 1 to 4096 characters. */
		before?: string;
		/** Whose. Required unless users call for themselves, who must not send it. A UUID. */
		user_id?: string;
	};
}

/** What {@link Api.listTreasuryRecords} takes. */
export interface ListTreasuryRecordsRequest extends Options, Organizational, Tagged {
	query?: {
		/** Rows in a page. From 1 to 500. */
		size?: number;
		/** Cursor of the next page. From 1 to 4096 characters. */
		after?: string;
		/** Cursor of the previous page; not together with `after` From 1 to 4096 characters. */
		before?: string;
	};
}

/** What {@link Api.listUnmatchedPayments} takes. */
export interface ListUnmatchedPaymentsRequest extends Options, Organizational, Tagged {
	query?: {
		/** Rows in a page. From 1 to 100. */
		size?: number;
		/** Cursor of the next page. From 1 to 4096 characters. */
		after?: string;
		/** Cursor of the previous page; not together with `after` From 1 to 4096 characters. */
		before?: string;
		/** Those of this organization only, for operators. A UUID. */
		organization_id?: string;
	};
}

/** What {@link Api.listUsers} takes. */
export interface ListUsersRequest extends Options, Organizational, Tagged {
	query?: {
		/** Rows in a page. From 1 to 100. */
		size?: number;
		/** Cursor of the next page. From 1 to 4096 characters. */
		after?: string;
		/** Cursor of the previous page; not together with `after` From 1 to 4096 characters. */
		before?: string;
		/** WAITING_LIST: but for members of their home organization, who wait for nobody. */
		status?: "ACTIVE" | "WAITING_LIST";
		/** The users' home organization. A UUID. */
		organization_id?: string;
		/** Only the user with this @tag, mobile number in E.164 form or number of an account, each as a whole. From 1 to 64 characters. */
		q?: string;
		/** Only these users; may be repeated, a hundred times. Other filters are not applied. A UUID. */
		ids?: string | readonly string[];
	};
}

/** What {@link Api.listWebhookStats} takes. */
export interface ListWebhookStatsRequest extends Options, Organizational, Tagged {
	query?: {
		/** Rows in a page. From 1 to 100. */
		size?: number;
		/** Cursor of the next page. From 1 to 4096 characters. */
		after?: string;
		/** Cursor of the previous page; not together with `after` From 1 to 4096 characters. */
		before?: string;
		/** The period, up to now. By default `"PT24H"` */
		window?: "PT24H" | "P7D";
		/** Into how many parts to divide it. From 1 to 24. By default `24` */
		buckets?: number;
	};
}

/** What {@link Api.listWebhooks} takes. */
export interface ListWebhooksRequest extends Options, Organizational, Tagged {
}

/** What {@link Api.listWork} takes. */
export interface ListWorkRequest extends Options, Tagged {
	query: {
		/** Rows in a page. From 1 to 100. */
		size?: number;
		/** Cursor of the next page. From 1 to 4096 characters. */
		after?: string;
		/** Cursor of the previous page; not together with `after` From 1 to 4096 characters. */
		before?: string;
		kind: "WAITING_USER" | "PAYMENT" | "CONFIRMATION" | "DISBURSEMENT" | "CONTRADICTION" | "SECOND_RECEIPT" | "STATEMENT_BREAK" | "TRANSFER" | "RETURN" | "ONBOARDING" | "ACTIVATION" | "CLOSURE" | "CUSTODIAN" | "APPROVAL" | "ENDPOINT" | "PORTFOLIO" | "DEAD_LETTER" | "QUOTA" | "AUTHORIZATION_SYNC";
	};
}

/** What {@link Api.matchPayment} takes. */
export interface MatchPaymentRequest extends Options, Keyed, Organizational {
	path: {
		/** A UUID. */
		id: string;
	};
	body: {
		/** A UUID. */
		account_id: string;
	};
}

/** What {@link Api.moveRepayment} takes. */
export interface MoveRepaymentRequest extends Options, Keyed {
	path: {
		/** A UUID. */
		id: string;
	};
	body: {
		/** A UUID. */
		account_id: string;
		/** At least 1. */
		amount?: number;
		/** From 1 to 255 characters. */
		reason: string;
	};
}

/** What {@link Api.openCreditBureauDispute} takes. */
export interface OpenCreditBureauDisputeRequest extends Options, Keyed, Organizational {
	body: {
		/** A UUID. */
		account_id: string;
		/** The borrower's objection. From 1 to 2000 characters. */
		reason: string;
	};
}

/** What {@link Api.openCurrentAccount} takes. */
export interface OpenCurrentAccountRequest extends Options, Keyed {
}

/** What {@link Api.openCurrentAccountDeprecated} takes. */
export interface OpenCurrentAccountDeprecatedRequest extends Options, Keyed {
}

/** What {@link Api.orderTransfer} takes. */
export interface OrderTransferRequest extends Options, Keyed {
	body: {
		/** A UUID. */
		payee_account_id: string;
		/** At least 1. */
		amount: number;
		/** Matches `^[^\u0000-\u001f\u007f-\u009f]*$` From 1 to 140 characters. */
		note?: string | null;
	};
}

/** What {@link Api.payInSandbox} takes. */
export interface PayInSandboxRequest extends Options, Keyed {
	body: {
		/** A UUID. */
		account_id: string;
		/** From 1 to 1000000000000. */
		amount: number;
		/** The text that the payer types as account number, such as a wrong one. From 1 to 64 characters. */
		reference?: string;
		/** Sent again with the same one, it is one payment; made up if left out. From 1 to 100 characters. */
		mobile_money_transaction_id?: string;
	};
}

/** What {@link Api.postMomoResult} takes. */
export interface PostMomoResultRequest extends Options {
	path: {
		/** A UUID. */
		id: string;
		/** Matches `^[0-9a-f]{32}$` */
		code: string;
	};
	body: MomoResult;
}

/** What {@link Api.previewReschedule} takes. */
export interface PreviewRescheduleRequest extends Options, Organizational, Tagged {
	path: {
		/** A UUID. */
		accountId: string;
	};
	query: {
		/** EXTEND: more installments at the end. HOLIDAY: the next ones are due after the last one instead. NEW_DATES: on any other dates. */
		kind: "EXTEND" | "HOLIDAY" | "NEW_DATES";
		/** How many, for EXTEND and HOLIDAY. Matches `^\d{1,4}$` */
		installments?: string;
		/** For NEW_DATES; may be repeated, 400 times. A date, such as 2026-03-02. */
		due_dates?: string | readonly string[];
	};
}

/** What {@link Api.promptRepayment} takes. */
export interface PromptRepaymentRequest extends Options, Keyed, Organizational {
	path: {
		/** A UUID. */
		accountId: string;
	};
	body: {
		/** In cents, whole shillings; by default what is due, rounded up. At least 1. */
		amount?: number;
	};
}

/** What {@link Api.publishLoanTermsText} takes. */
export interface PublishLoanTermsTextRequest extends Options, Keyed, Organizational {
	path: {
		/** A UUID. */
		id: string;
	};
	body: {
		/** From 1 to 40000 characters. */
		text: string;
	};
}

/** What {@link Api.putAppSettings} takes. */
export interface PutAppSettingsRequest extends Options, Keyed, Matched {
	body: AppSettingsChange;
}

/** What {@link Api.putBrand} takes. */
export interface PutBrandRequest extends Options, Keyed, Matched {
	path: {
		/** Id or slug. Matches `^[A-Za-z0-9._~-]+$` From 1 to 255 characters. */
		organizationId: string;
	};
	body: BrandChange;
}

/** What {@link Api.putCreditBureauIdentity} takes. */
export interface PutCreditBureauIdentityRequest extends Options, Keyed, Organizational {
	path: {
		/** A UUID. */
		userId: string;
	};
	body: {
		/** As the document has it. From 1 to 200 characters. */
		name: string;
		document_type: "NATIONAL_ID" | "PASSPORT" | "ALIEN_ID" | "SERVICE_ID" | "BIRTH_CERTIFICATE";
		/** Matches `^[A-Z0-9][A-Z0-9/-]{3,31}$` At most 64 characters. */
		document_number: string;
		/** Matches `^[A-Z]{2}$` */
		document_country: string;
	};
}

/** What {@link Api.putCreditBureauSettings} takes. */
export interface PutCreditBureauSettingsRequest extends Options, Keyed, Organizational {
	body: {
		enabled: boolean;
		/** Matches `^[A-Z]{3}$` */
		currency: string;
		/** In minor units; for KES at least 100000, which is KES 1,000. From 0 to 1000000000000. */
		threshold: number;
		/** From 30 to 365. By default `30` */
		notice_days?: number;
	};
}

/** What {@link Api.putCreditProfile} takes. */
export interface PutCreditProfileRequest extends Options, Keyed {
	path: {
		/** A UUID. */
		userId: string;
	};
	body: {
		/** null restores the computed limit. At least 0. */
		limit: number | null;
	};
}

/** What {@link Api.putDarajaConnection} takes. */
export interface PutDarajaConnectionRequest extends Options, Keyed {
	path: {
		/** From 1 to 255 characters. */
		organizationId: string;
	};
	body: {
		environment: "sandbox" | "production";
		payouts: boolean;
		/** Matches `^\d{5,9}$` */
		short_code: string;
		/** From 1 to 255 characters. */
		consumer_key?: string;
		/** From 1 to 255 characters. */
		consumer_secret?: string;
		/** From 1 to 255 characters. */
		passkey?: string;
		/** From 1 to 255 characters. */
		initiator_name?: string;
		/** The initiator's password, encrypted by the portal: the service never has the password. From 1 to 2048 characters. */
		security_credential?: string;
		/** Refuses payments to account numbers that nobody has, where Safaricom has enabled external validation. By default `false` */
		reject_unknown_accounts?: boolean;
		/** The Safaricom number of the shortcode's registration, where Safaricom has enabled Pull Transactions: payments that it did not confirm are looked for. Left out, none are. Matches `^\+254\d{9}$` */
		nominated_number?: string;
	};
}

/** What {@link Api.putMerchantGrant} takes. */
export interface PutMerchantGrantRequest extends Options, Keyed, Organizational {
	path: {
		/** From 1 to 255 characters. */
		merchantId: string;
		/** A UUID. */
		userId: string;
	};
	body: {
		/** From 1 to 2 items. */
		permissions: readonly ("org:financing.merchants:read" | "org:financing.invoices:write")[];
	};
}

/** What {@link Api.putMomoConnection} takes. */
export interface PutMomoConnectionRequest extends Options, Keyed {
	path: {
		/** From 1 to 255 characters. */
		organizationId: string;
	};
	body: {
		environment: "sandbox" | "production";
		payouts: boolean;
		/** The market whose wallets it pays, in its currency; the sandbox pays in EUR. */
		target_environment: "sandbox" | "mtnbenin" | "mtncameroon" | "mtncongo" | "mtnghana" | "mtnguineaconakry" | "mtnivorycoast" | "mtnliberia" | "mtnrwanda" | "mtnsouthafrica" | "mtnswaziland" | "mtnuganda" | "mtnzambia";
		/** The API user's id, from the portal. A UUID. */
		api_user: string;
		/** From 1 to 255 characters. */
		api_key?: string;
		/** Of the product Disbursements. From 1 to 255 characters. */
		subscription_key?: string;
	};
}

/** What {@link Api.putMomoResult} takes. */
export interface PutMomoResultRequest extends Options {
	path: {
		/** A UUID. */
		id: string;
		/** Matches `^[0-9a-f]{32}$` */
		code: string;
	};
	body: MomoResult;
}

/** What {@link Api.putOrganizationTexts} takes. */
export interface PutOrganizationTextsRequest extends Options, Keyed {
	path: {
		/** From 1 to 255 characters. */
		organizationId: string;
	};
	body: OrganizationTextsChange;
}

/** What {@link Api.quoteLoan} takes. */
export interface QuoteLoanRequest extends Options, Keyed {
	body: {
		/** A UUID. */
		loan_product_id?: string;
		/** Instead of loan_product_id. */
		terms?: LoanProductInput;
		/** At least 1. */
		loan_amount: number;
		tenure?: Tenure;
		/** Defaults to today in the product's time zone. A date, such as 2026-03-02. */
		start_date?: string;
	};
}

/** What {@link Api.readMyMessages} takes. */
export interface ReadMyMessagesRequest extends Options, Keyed {
	body: {
		/** The id of the last message that was read. A UUID. */
		through: string;
	};
}

/** What {@link Api.recordAgentEvents} takes. */
export interface RecordAgentEventsRequest extends Options, Keyed {
	body: AgentEventsInput;
}

/** What {@link Api.recordFollowUp} takes. */
export interface RecordFollowUpRequest extends Options, Keyed, Organizational {
	body: {
		type: "NOTE" | "PROMISE" | "REMINDER";
		/** Required but for a note about a user. A UUID. */
		account_id?: string;
		/** Of a note about a user. A UUID. */
		user_id?: string;
		/** Required for a note, and for a note alone. From 1 to 2000 characters. */
		body?: string;
		/** Required for a promise, in minor units of the account's currency. From 1 to 1000000000000. */
		amount?: number;
		/** Required for a promise: from today on, within 90 days. A date, such as 2026-03-02. */
		day?: string;
	};
}

/** What {@link Api.recordMovement} takes. */
export interface RecordMovementRequest extends Options, Keyed {
	body: {
		/** From 1 to 255 characters. */
		movement_id: string;
		/** The account's id or resource_id. */
		account_id: string;
		direction: "CREDIT" | "DEBIT";
		/** From 1 to 1000000000000. */
		amount: number;
		/** Matches `^[A-Z]{3}$` */
		currency: string;
		/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. At most 64 characters. */
		occurred_at: string;
	};
}

/** What {@link Api.recordPayoutReturned} takes. */
export interface RecordPayoutReturnedRequest extends Options, Keyed {
	path: {
		/** A UUID. */
		id: string;
	};
	body: {
		/** From 1 to 100 characters. */
		mobile_money_transaction_id: string;
		/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. At most 64 characters. */
		occurred_at: string;
	};
}

/** What {@link Api.recordRepayment} takes. */
export interface RecordRepaymentRequest extends Options, Keyed, Organizational {
	body: RepaymentInput;
}

/** What {@link Api.recoverWebhook} takes. */
export interface RecoverWebhookRequest extends Options, Keyed, Organizational {
	path: {
		/** A UUID. */
		webhook_id: string;
	};
	body: {
		/** Inclusive, not in the future. A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. At most 64 characters. */
		since: string;
		/** Exclusive; defaults to now. A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. At most 64 characters. */
		until?: string;
		/** Only counts what the call would do. */
		dry_run?: boolean;
	};
}

/** What {@link Api.refreshSession} takes. */
export interface RefreshSessionRequest extends Options {
	body: {
		/** From 1 to 255 characters. */
		refresh_token: string;
	};
}

/** What {@link Api.refundOverpayment} takes. */
export interface RefundOverpaymentRequest extends Options, Keyed, Organizational {
	path: {
		/** A UUID. */
		accountId: string;
	};
}

/** What {@link Api.registerDarajaConfirmations} takes. */
export interface RegisterDarajaConfirmationsRequest extends Options, Keyed {
	path: {
		/** From 1 to 255 characters. */
		organizationId: string;
	};
	body: {
		/** By default `false` */
		renew?: boolean;
	};
}

/** What {@link Api.registerDevice} takes. */
export interface RegisterDeviceRequest extends Options, Keyed {
	path: {
		/** From 16 to 255 characters. */
		device_id: string;
	};
	body: DeviceInput;
}

/** What {@link Api.removeMember} takes. */
export interface RemoveMemberRequest extends Options, Keyed {
	path: {
		/** From 1 to 255 characters. */
		organizationId: string;
		/** A UUID. */
		userId: string;
	};
	query?: {
		/** The member's API keys whose scopes the caller holds become the caller's; the others work no longer, as without it. */
		adopt_keys?: "true" | "false";
	};
}

/** What {@link Api.removePayeeAccount} takes. */
export interface RemovePayeeAccountRequest extends Options, Keyed {
	path: {
		/** A UUID. */
		payeeId: string;
		/** A UUID. */
		accountId: string;
	};
}

/** What {@link Api.repayFromWallet} takes. */
export interface RepayFromWalletRequest extends Options, Keyed {
	path: {
		/** A UUID. */
		accountId: string;
	};
	body: {
		/** At least 1. */
		amount: number;
		channel: "WALLET";
	};
}

/** What {@link Api.repayInvoice} takes. */
export interface RepayInvoiceRequest extends Options, Keyed {
	path: {
		/** A UUID. */
		id: string;
	};
	body: {
		/** The payer's or the provider's own id of the payment. From 1 to 100 characters. */
		external_id: string;
		amount: {
			/** At least 1. */
			value: number;
			/** Matches `^[A-Z]{3}$` */
			currency: string;
		};
		/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. At most 64 characters. */
		transacted_at: string;
	};
}

/** What {@link Api.reportAfricasTalkingMessage} takes. */
export interface ReportAfricasTalkingMessageRequest extends Options {
	path: {
		/** Matches `^[0-9a-f]{32}$` */
		code: string;
	};
	body: AfricasTalkingMessageReport;
}

/** What {@link Api.reportDarajaBalance} takes. */
export interface ReportDarajaBalanceRequest extends Options {
	path: {
		/** A UUID. */
		id: string;
		/** Matches `^[0-9a-f]{32}$` */
		code: string;
	};
	body: DarajaBalance;
}

/** What {@link Api.reportDarajaPrompt} takes. */
export interface ReportDarajaPromptRequest extends Options {
	path: {
		/** A UUID. */
		id: string;
		/** Matches `^[0-9a-f]{32}$` */
		code: string;
	};
	body: DarajaPromptResult;
}

/** What {@link Api.reportDarajaResult} takes. */
export interface ReportDarajaResultRequest extends Options {
	path: {
		question: "payout" | "found";
		/** A UUID. */
		id: string;
		/** Matches `^[0-9a-f]{32}$` */
		code: string;
	};
	body: DarajaResult;
}

/** What {@link Api.reportDarajaReturn} takes. */
export interface ReportDarajaReturnRequest extends Options {
	path: {
		/** A UUID. */
		id: string;
		/** Matches `^[0-9a-f]{32}$` */
		code: string;
	};
	body: DarajaReturnResult;
}

/** What {@link Api.reportDarajaStatus} takes. */
export interface ReportDarajaStatusRequest extends Options {
	path: {
		/** A UUID. */
		id: string;
		/** Matches `^[0-9a-f]{32}$` */
		code: string;
	};
	body: DarajaStatus;
}

/** What {@link Api.reportDisbursement} takes. */
export interface ReportDisbursementRequest extends Options, Keyed {
	path: {
		/** From 1 to 255 characters. */
		disbursement_id: string;
	};
	body: {
		/** The same as in the path: the signature covers only the body. From 1 to 255 characters. */
		disbursement_id: string;
		status: "SUCCEEDED" | "FAILED";
		/** From 1 to 100 characters. */
		mobile_money_transaction_id?: string | null;
		/** From 1 to 255 characters. */
		failure_reason?: string | null;
		/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. At most 64 characters. */
		occurred_at: string;
	};
}

/** What {@link Api.reportTransfer} takes. */
export interface ReportTransferRequest extends Options, Keyed {
	path: {
		/** From 1 to 255 characters. */
		transfer_id: string;
	};
	body: {
		/** The same as in the path: the signature covers only the body. From 1 to 255 characters. */
		transfer_id: string;
		status: "SUCCEEDED" | "FAILED";
		/** The provider's own id of the payment. From 1 to 100 characters. */
		reference?: string | null;
		/** From 1 to 255 characters. */
		failure_reason?: string | null;
		/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. At most 64 characters. */
		occurred_at: string;
	};
}

/** What {@link Api.reportTwilioMessage} takes. */
export interface ReportTwilioMessageRequest extends Options {
	path: {
		/** A UUID. */
		messageId: string;
		/** Matches `^[0-9a-f]{32}$` */
		code: string;
	};
	body: TwilioMessageReport;
}

/** What {@link Api.requestApproval} takes. */
export interface RequestApprovalRequest extends Options, Keyed, Organizational {
	body: {
		approval_type: "BLOCK_CHANGE" | "REPAYMENT_REVERSAL" | "REPAYMENT_RESTORATION" | "REPAYMENT_MOVE" | "TRANSACTION_REVERSAL" | "WRITE_OFF" | "SETTLEMENT" | "RESCHEDULE" | "ACCOUNT_CLOSURE" | "FREEZE_CHANGE" | "WAIVER" | "OVERPAYMENT_REFUND" | "LIMIT_CHANGE" | "ISSUER_REGISTRATION";
		entity_type: "USER" | "TRANSACTION" | "ACCOUNT" | "ORGANIZATION" | "OPERATION" | "TREASURY_RECORD";
		/** A UUID. */
		entity_id: string;
		/** BLOCK_CHANGE: `{blocked}`. LIMIT_CHANGE: `{limit}`, null for the computed one. SETTLEMENT: `{amount, valid_until}`. RESCHEDULE: `{kind, installments, due_dates}`, as `previewReschedule` takes them. FREEZE_CHANGE: `{frozen}`. WAIVER: `{installment_id, amount}`. OVERPAYMENT_REFUND: `{amount}`. ISSUER_REGISTRATION: an issuer. REPAYMENT_REVERSAL: `{amount, return_money}`, a part of the payment, and true gives the payer the money back. REPAYMENT_RESTORATION: `{reversal_id}`. REPAYMENT_MOVE: `{account_id, amount}`, the amount where it was recorded wrongly. Other types: leave it out. */
		payload?: {
			[name: string]: unknown;
		};
		/** From 1 to 255 characters. */
		reason?: string;
	};
}

/** What {@link Api.requestLedgerClosing} takes. */
export interface RequestLedgerClosingRequest extends Options, Keyed, Organizational {
	body: {
		/** Matches `^[1-8][0-9]{3}-(0[1-9]|1[0-2])$` For example `"2026-03"` */
		month: string;
		/** From 1 to 255 characters. */
		reason?: string;
	};
}

/** What {@link Api.requestLedgerMapping} takes. */
export interface RequestLedgerMappingRequest extends Options, Keyed, Organizational {
	body: {
		/** null: of all loan products, unless a product has a number of its own for the account. A UUID. */
		loan_product_id?: string | null;
		/** A day that is not closed yet, at most 366 days ahead. A date, such as 2026-03-02. */
		effective_from: string;
		/** Without a product each account of the chart. Of a product only accounts with `by_product`; every other account has the number of all products. At most 100 items. For example `[{"account":"1210","number":"610","name":"Loans to customers"}]` */
		accounts: readonly {
			/** A number of the chart of accounts. Matches `^\d{4}$` */
			account: string;
			/** Its number in the lender's own ledger. Matches `^[A-Za-z0-9][A-Za-z0-9._/-]{0,19}$` */
			number: string;
			/** Its name there. From 1 to 150 characters. */
			name?: string | null;
		}[];
		/** From 1 to 255 characters. */
		reason?: string;
	};
}

/** What {@link Api.requestProviderTariff} takes. */
export interface RequestProviderTariffRequest extends Options, Keyed, Organizational {
	body: {
		/** BANK: bank transfers, and payouts by the organization's own disburser. */
		channel: "MPESA" | "MOMO" | "BANK";
		direction: "PAYOUT" | "RECEIPT";
		currency: string;
		/** A date, such as 2026-03-02. For example `"2099-01-01"` */
		effective_from: string;
		/** Amounts are in minor units. From 1 to 40 items. For example `[{"up_to":100000,"fee":500},{"up_to":500000,"fee":900},{"up_to":null,"fee":1300}]` */
		bands: readonly {
			/** The largest amount of the band; null for the last one. From 1 to 100000000000. */
			up_to: number | null;
			/** The provider's charge. From 0 to 100000000000. */
			fee: number;
		}[];
		/** From 1 to 255 characters. */
		reason?: string;
	};
}

/** What {@link Api.requestProvisioningRules} takes. */
export interface RequestProvisioningRulesRequest extends Options, Keyed, Organizational {
	body: {
		/** null: of all loan products that have none of their own. A UUID. */
		loan_product_id?: string | null;
		/** A date, such as 2026-03-02. For example `"2099-01-01"` */
		effective_from: string;
		/** From 1 to 6 items. For example `[{"up_to_days":30,"rate_basis_points":100},{"up_to_days":90,"rate_basis_points":1000},{"up_to_days":null,"rate_basis_points":5000,"suspends_interest":true}]` */
		stages: readonly {
			/** The most days past due; null for the last stage. From 0 to 10000. */
			up_to_days: number | null;
			/** The loss that is expected, of what the loans owe. From 0 to 10000. */
			rate_basis_points: number;
			/** Interest and penalties that are not paid are no income. By default `false` */
			suspends_interest?: boolean;
		}[];
		/** So many days nothing is overdue before a loan goes back a stage. From 0 to 365. For example `90` */
		cure_days: number;
		/** From 1 to 255 characters. */
		reason?: string;
	};
}

/** What {@link Api.requestRecovery} takes. */
export interface RequestRecoveryRequest extends Options, Keyed {
	path: {
		/** A UUID. */
		userId: string;
	};
	body: {
		/** Proves that the user has the new number. From 1 to 8192 characters. */
		phone_verification_token: string;
		/** From 1 to 255 characters. */
		reason: string;
	};
}

/** What {@link Api.requestTreasuryRecord} takes. */
export interface RequestTreasuryRecordRequest extends Options, Keyed, Organizational {
	body: {
		/** BORROWED, REPAID: borrowed funds come in, or are paid back. INTEREST: is paid for them. CONTRIBUTED, DRAWN: owners' money comes in, or leaves. TRANSFER: from one cash account to another. */
		kind: "BORROWED" | "REPAID" | "INTEREST" | "CONTRIBUTED" | "DRAWN" | "TRANSFER";
		/** In minor units. At least 1. */
		amount: number;
		currency: string;
		/** The cash account of the chart; of a TRANSFER, the account that the money leaves. */
		account: "1110" | "1120" | "1130" | "1140" | "1150";
		/** For a TRANSFER: where the money goes. */
		to_account?: "1110" | "1120" | "1130" | "1140" | "1150";
		/** The day on which the money moved. A date, such as 2026-03-02. */
		value_date: string;
		/** By which it is found on the statement, such as a receipt. From 1 to 100 characters. */
		reference: string;
		/** A record that this one takes back whole. A UUID. */
		corrects_id?: string;
		/** From 1 to 255 characters. */
		reason?: string;
	};
}

/** What {@link Api.rescheduleAccount} takes. */
export interface RescheduleAccountRequest extends Options, Keyed {
	path: {
		/** A UUID. */
		accountId: string;
	};
	body: {
		/** EXTEND: more installments at the end. HOLIDAY: the next ones are due after the last one instead. NEW_DATES: on any other dates. */
		kind: "EXTEND" | "HOLIDAY" | "NEW_DATES";
		/** How many, for EXTEND and HOLIDAY. From 1 to 1200. */
		installments?: number;
		/** For NEW_DATES: of all installments that are not yet due; more of them extend the loan. From 1 to 1200 items. */
		due_dates?: readonly string[];
		/** From 1 to 255 characters. */
		reason: string;
		/** The newest open cycle by default. A UUID. */
		cycle_id?: string;
		/** Only show what would become of the installments. By default `false` */
		dry_run?: boolean;
	};
}

/** What {@link Api.resendActivationCode} takes. */
export interface ResendActivationCodeRequest extends Options, Keyed {
	path: {
		/** A UUID. */
		activationId: string;
	};
}

/** What {@link Api.resendClosureCode} takes. */
export interface ResendClosureCodeRequest extends Options, Keyed {
}

/** What {@link Api.resendInvitation} takes. */
export interface ResendInvitationRequest extends Options, Keyed {
	path: {
		/** From 1 to 255 characters. */
		organizationId: string;
		/** A UUID. */
		id: string;
	};
}

/** What {@link Api.resendNumberChangeCode} takes. */
export interface ResendNumberChangeCodeRequest extends Options, Keyed {
	path: {
		/** A UUID. */
		mobileNumberChangeId: string;
	};
}

/** What {@link Api.resolveCreditBureauDispute} takes. */
export interface ResolveCreditBureauDisputeRequest extends Options, Keyed, Organizational {
	path: {
		/** A UUID. */
		disputeId: string;
	};
	body: {
		/** The result of the inquiry. From 1 to 2000 characters. */
		resolution: string;
	};
}

/** What {@link Api.resolveStatementBreak} takes. */
export interface ResolveStatementBreakRequest extends Options, Keyed, Organizational {
	path: {
		/** A UUID. */
		breakId: string;
	};
	body: {
		action: "RECORD" | "EXPLAIN";
		/** From 1 to 255 characters. */
		reason?: string;
	};
}

/** What {@link Api.restoreRepayment} takes. */
export interface RestoreRepaymentRequest extends Options, Keyed {
	path: {
		/** A UUID. */
		id: string;
	};
	body: {
		/** A UUID. */
		reversal_id: string;
		/** From 1 to 255 characters. */
		reason: string;
	};
}

/** What {@link Api.resumeDarajaConnection} takes. */
export interface ResumeDarajaConnectionRequest extends Options, Keyed {
	path: {
		/** From 1 to 255 characters. */
		organizationId: string;
	};
}

/** What {@link Api.resumeMomoConnection} takes. */
export interface ResumeMomoConnectionRequest extends Options, Keyed {
	path: {
		/** From 1 to 255 characters. */
		organizationId: string;
	};
}

/** What {@link Api.retryDelivery} takes. */
export interface RetryDeliveryRequest extends Options, Keyed, Organizational {
	path: {
		/** A UUID. */
		delivery_id: string;
	};
}

/** What {@link Api.retryWork} takes. */
export interface RetryWorkRequest extends Options, Keyed {
	path: {
		kind: "WAITING_USER" | "PAYMENT" | "CONFIRMATION" | "DISBURSEMENT" | "CONTRADICTION" | "SECOND_RECEIPT" | "STATEMENT_BREAK" | "TRANSFER" | "RETURN" | "ONBOARDING" | "ACTIVATION" | "CLOSURE" | "CUSTODIAN" | "APPROVAL" | "ENDPOINT" | "PORTFOLIO" | "DEAD_LETTER" | "QUOTA" | "AUTHORIZATION_SYNC";
		/** A UUID. */
		id: string;
	};
}

/** What {@link Api.reverseRepayment} takes. */
export interface ReverseRepaymentRequest extends Options, Keyed {
	path: {
		/** A UUID. */
		id: string;
	};
	body: {
		/** From 1 to 255 characters. */
		reason: string;
		/** At least 1. */
		amount?: number;
		/** By default `false` */
		return_money?: boolean;
	};
}

/** What {@link Api.reverseTransaction} takes. */
export interface ReverseTransactionRequest extends Options, Keyed {
	path: {
		/** A UUID. */
		accountId: string;
		/** A UUID. */
		transactionId: string;
	};
	body: {
		/** From 1 to 255 characters. */
		reason: string;
	};
}

/** What {@link Api.revokeInvitation} takes. */
export interface RevokeInvitationRequest extends Options, Keyed {
	path: {
		/** From 1 to 255 characters. */
		organizationId: string;
		/** A UUID. */
		id: string;
	};
}

/** What {@link Api.revokeSessions} takes. */
export interface RevokeSessionsRequest extends Options, Keyed {
	path: {
		/** A UUID. */
		userId: string;
	};
}

/** What {@link Api.revokeSigningKey} takes. */
export interface RevokeSigningKeyRequest extends Options, Keyed, Organizational {
	path: {
		/** A UUID. */
		webhook_id: string;
		/** A UUID. */
		signing_key_id: string;
	};
}

/** What {@link Api.runImport} takes. */
export interface RunImportRequest extends Options, Keyed {
	path: {
		/** A UUID. */
		importId: string;
	};
	body: {
		dry_run: boolean;
		/** The checked revision; required to import. At least 0. */
		revision?: number;
		/** As the import says it after the check: how many of its accounts are of people who are users already. Who approves sees it. At least 0. By default `0` */
		existing_users?: number;
	};
}

/** What {@link Api.search} takes. */
export interface SearchRequest extends Options, Organizational, Tagged {
	query: {
		/** From 2 to 64 characters. */
		q: string;
	};
}

/** What {@link Api.setDeliveryQuota} takes. */
export interface SetDeliveryQuotaRequest extends Options, Keyed {
	path: {
		/** A UUID. */
		organizationId: string;
	};
	body: {
		/** From 1 to 1000000000. */
		own_quota: number | null;
	};
}

/** What {@link Api.setMyPhone} takes. */
export interface SetMyPhoneRequest extends Options, Keyed {
	body: {
		/** At most 8192 characters. */
		phone_verification_token: string;
	};
}

/** What {@link Api.setSupervisor} takes. */
export interface SetSupervisorRequest extends Options, Keyed {
	path: {
		/** A UUID. */
		userId: string;
	};
	body: SupervisorInput;
}

/** What {@link Api.settleAccount} takes. */
export interface SettleAccountRequest extends Options, Keyed {
	path: {
		/** A UUID. */
		accountId: string;
	};
	body: {
		/** At least 1. */
		amount: number;
		/** A date, such as 2026-03-02. */
		valid_until: string;
		/** From 1 to 255 characters. */
		reason: string;
	};
}

/** What {@link Api.signIn} takes. */
export interface SignInRequest extends Options {
	body: {
		/** From 1 to 8192 characters. */
		custom_token: string;
		/** A random value that the app makes once and keeps on the device. From 16 to 255 characters. */
		device_id?: string;
	};
}

/** What {@link Api.signOut} takes. */
export interface SignOutRequest extends Options, Keyed {
	body?: {
		/** From 1 to 255 characters. */
		refresh_token?: string;
		all?: boolean;
	};
}

/** What {@link Api.startActivation} takes. */
export interface StartActivationRequest extends Options, Keyed {
	body?: {
		channel?: "SMS" | "EMAIL";
	};
}

/** What {@link Api.startClosure} takes. */
export interface StartClosureRequest extends Options, Keyed {
	body: {
		/** From 1 to 5 items. */
		reasons: readonly ("NO_LONGER_USING" | "FEES" | "SWITCHING_PROVIDER" | "PRIVACY" | "DISSATISFIED" | "DUPLICATE_ACCOUNT" | "OTHER")[];
		/** At most 500 characters. */
		comment?: string;
	};
}

/** What {@link Api.startNumberChange} takes. */
export interface StartNumberChangeRequest extends Options, Keyed {
	body: {
		/** Calling code, with or without the plus sign. At most 8 characters. */
		new_mobile_country_code: string;
		/** At most 32 characters. */
		new_mobile_number: string;
		authorization_channel: "OLD_MOBILE" | "EMAIL";
	};
}

/** What {@link Api.startPhoneVerification} takes. */
export interface StartPhoneVerificationRequest extends Options {
	body: {
		/** Calling code, with or without the plus sign. At most 8 characters. */
		mobile_country_code: string;
		/** At most 32 characters. */
		mobile_number: string;
		/** The home of the user, if there is none with this number yet. Matches `^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$` */
		organization?: string;
		/** Ends the message, so that the app on Android reads it by the SMS Retriever. Matches `^[A-Za-z0-9+/]{11}$` */
		app_hash?: string;
	};
}

/** What {@link Api.testOwnReceiver} takes. */
export interface TestOwnReceiverRequest extends Options, Keyed, Organizational {
}

/** What {@link Api.testWebhook} takes. */
export interface TestWebhookRequest extends Options, Keyed, Organizational {
	path: {
		/** A UUID. */
		webhook_id: string;
	};
	body?: {
		/** At most 100 characters. */
		event_type?: string;
	};
}

/** What {@link Api.tryIssuer} takes. */
export interface TryIssuerRequest extends Options {
	path: {
		/** A UUID. */
		id: string;
	};
	body: {
		/** From 1 to 16384 characters. */
		token: string;
	};
}

/** What {@link Api.tryWebhookFilter} takes. */
export interface TryWebhookFilterRequest extends Options, Organizational {
	body: {
		/** Event types to receive, the complete set; `GET /v1/webhooks/events/types` lists them. From 1 to 100 items. */
		events: readonly string[];
		/** Conditions that must all hold for an event that the endpoint gets, at most 10 with 50 values together; null: no condition. From 1 to 10 items. */
		filter?: readonly FilterCondition[] | null;
	};
}

/** What {@link Api.unblockPayee} takes. */
export interface UnblockPayeeRequest extends Options, Keyed {
	path: {
		/** A UUID. */
		payeeId: string;
	};
}

/** What {@link Api.unfreezeAccount} takes. */
export interface UnfreezeAccountRequest extends Options, Keyed {
	path: {
		/** A UUID. */
		accountId: string;
	};
	body: {
		/** From 1 to 255 characters. */
		reason: string;
	};
}

/** What {@link Api.updateApiKey} takes. */
export interface UpdateApiKeyRequest extends Options, Keyed {
	path: {
		/** From 1 to 255 characters. */
		organizationId: string;
		/** A UUID. */
		id: string;
	};
	body: {
		/** At least 0. */
		daily_amount: number;
	};
}

/** What {@link Api.updateIssuer} takes. */
export interface UpdateIssuerRequest extends Options, Keyed {
	path: {
		/** A UUID. */
		id: string;
	};
	body: {
		/** From 1 to 255 characters. */
		audience?: string;
		/** From 1 to 10 items. */
		other_audiences?: readonly string[] | null;
		/** The claim that is `audience`, or holds it: `azp` or `client_id` for an issuer whose tokens have no `aud`. All kinds of an issuer have the same. */
		audience_claim?: "aud" | "azp" | "client_id";
		required_claims?: {
			[name: string]: readonly string[];
		} | null;
		/** Every `email` of its tokens is proven, also without `email_verified` */
		emails_are_verified?: boolean;
		/** Every `phone_number` of its tokens is proven, also without `phone_number_verified` */
		phone_numbers_are_verified?: boolean;
		/** `org_id` in its tokens is the issuer's own, and no organization of this service. */
		ignores_org_id?: boolean;
		/** A URL. At most 2048 characters. */
		jwks_uri?: string | null;
		jwks?: {
			/** From 1 to 20 items. */
			keys: readonly {
				kty: "RSA" | "EC" | "OKP";
				/** At most 200 characters. */
				kid?: string;
				[name: string]: unknown;
			}[];
		};
		/** By default RS256 of keys that are registered, else those of the issuer's own configuration. From 1 to 4 items. */
		algorithms?: readonly ("RS256" | "PS256" | "ES256" | "EdDSA")[];
		organization_id?: string | null;
		auto_admit?: boolean;
		may_assert_user_ids?: boolean;
		/** From 1 to 86400. */
		max_lifetime_seconds?: number;
		/** How long a session may last that began with an exchanged identity token. From 1 to 7776000. */
		max_session_seconds?: number;
		/** A verified `phone_number` becomes that of a user who has none, at the exchange, unless somebody has it. */
		may_assert_phone_numbers?: boolean;
		single_use?: boolean;
		resource_access_provider?: "embedded" | "openfga";
		/** At most 20 items. */
		required_amr?: readonly string[] | null;
		/** From 1 to 20 items. */
		required_acr?: readonly string[] | null;
		/** From 1 to 2592000. */
		max_authentication_age_seconds?: number | null;
		/** From 0 to 9999999999999. */
		uncoded_amount_per_day?: number | null;
		/** Its tokens are refused with UNAUTHORISED while this is set. */
		disabled?: boolean;
	};
}

/** What {@link Api.updateLoanProduct} takes. */
export interface UpdateLoanProductRequest extends Options, Keyed, Organizational {
	path: {
		/** A UUID. */
		id: string;
	};
	body: LoanProductPatch;
}

/** What {@link Api.updateMe} takes. */
export interface UpdateMeRequest extends Options, Keyed {
	body: {
		/** From 1 to 80 characters. */
		display_name?: string | null;
		/** null: the choice of the user is removed. */
		locale?: "en" | "sw" | "fr" | "pt" | "am" | null;
		/** The user's home, if they have none and have not applied for a loan. Matches `^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$` */
		organization?: string;
	};
}

/** What {@link Api.updateOrganization} takes. */
export interface UpdateOrganizationRequest extends Options, Keyed {
	path: {
		/** From 1 to 255 characters. */
		organizationId: string;
	};
	body: {
		/** From 1 to 100 characters. */
		name?: string;
		/** For operators. */
		status?: "ACTIVE" | "SUSPENDED";
	};
}

/** What {@link Api.updatePayee} takes. */
export interface UpdatePayeeRequest extends Options, Keyed, Matched {
	path: {
		/** A UUID. */
		payeeId: string;
	};
	body: {
		/** null clears it. From 1 to 60 characters. */
		label?: string | null;
		is_favorite?: boolean;
	};
}

/** What {@link Api.updateUser} takes. */
export interface UpdateUserRequest extends Options, Keyed {
	path: {
		/** A UUID. */
		userId: string;
	};
	body: {
		/** A UUID. */
		home_organization_id: string;
	};
}

/** What {@link Api.updateWebhook} takes. */
export interface UpdateWebhookRequest extends Options, Keyed, Organizational {
	path: {
		/** A UUID. */
		webhook_id: string;
	};
	body: {
		/** At most 255 characters. */
		description?: string | null;
		/** HTTPS URL with a public address. From 1 to 2048 characters. */
		url?: string;
		status?: "ACTIVE" | "SUSPENDED";
		/** Event types to receive, the complete set; `GET /v1/webhooks/events/types` lists them. From 1 to 100 items. */
		events?: readonly string[];
		/** Conditions that must all hold for an event that the endpoint gets, at most 10 with 50 values together; null: no condition. From 1 to 10 items. */
		filter?: readonly FilterCondition[] | null;
		/** ISO 8601 duration from PT1S to PT30S. An ISO 8601 duration, such as PT30M. At most 100 characters. */
		timeout?: string;
		/** How many attempts may be under way at the endpoint at once. From 1 to 50. */
		max_in_flight?: number;
		/** Attempts a second; null: no limit. From 1 to 1000. */
		rate_limit?: number | null;
		/** ENTITY: of the events with the same `entity_id`, the next is sent when the one before it has been delivered or has FAILED. NONE: in any order. Applies to what happens from then on. */
		ordering?: "NONE" | "ENTITY";
		/** Several deliveries in one signed request, `{batch_id, deliveries}`; null: each in a request of its own. A 2xx ends all but those that the answer names: `{failed: [delivery_id]}` */
		batch?: {
			/** How many deliveries one request carries at most. From 1 to 100. */
			max_events: number;
			/** How long a new delivery waits for others: ISO 8601 duration from PT0S to PT30S. An ISO 8601 duration, such as PT30M. At most 100 characters. By default `"PT0S"` */
			max_wait?: string;
		} | null;
		/** Whether the endpoint is probed after a suspension by failures, and resumed when it answers with a 2xx. The missed deliveries follow then. */
		auto_recover?: boolean;
		/** Headers that every delivery to the endpoint carries, the complete set; at most 10. Reads show their values masked. */
		headers?: {
			[name: string]: string;
		};
	};
}

/** What {@link Api.uploadInvoice} takes. */
export interface UploadInvoiceRequest extends Options, Keyed, Organizational {
	body: InvoiceInput;
}

/** What {@link Api.uploadInvoices} takes. */
export interface UploadInvoicesRequest extends Options, Keyed, Organizational {
	body: {
		/** From 1 to 100 items. */
		invoices: readonly InvoiceInput[];
	};
}

/** What {@link Api.validateDarajaPayment} takes. */
export interface ValidateDarajaPaymentRequest extends Options {
	path: {
		/** From 1 to 255 characters. */
		secret: string;
	};
	body: DarajaConfirmation;
}

/** What {@link Api.verifyDarajaConfirmation} takes. */
export interface VerifyDarajaConfirmationRequest extends Options {
	path: {
		/** A UUID. */
		id: string;
		/** Matches `^[0-9a-f]{32}$` */
		code: string;
	};
	body: DarajaAnswer;
}

/** What {@link Api.verifyPayeeAccount} takes. */
export interface VerifyPayeeAccountRequest extends Options, Keyed {
	path: {
		/** A UUID. */
		payeeId: string;
		/** A UUID. */
		accountId: string;
	};
}

/** What {@link Api.verifySignature} takes. */
export interface VerifySignatureRequest extends Options, Organizational {
	path: {
		/** A UUID. */
		webhook_id: string;
	};
	body: {
		/** The value of X-Service-Signature. At most 4096 characters. */
		header: string;
		/** The body as the receiver passes it to its signature check, at most 128 KiB. At most 131072 characters. */
		body: string;
	};
}

/** What {@link Api.waive} takes. */
export interface WaiveRequest extends Options, Keyed {
	path: {
		/** A UUID. */
		accountId: string;
	};
	body: {
		/** A UUID. */
		installment_id: string;
		/** At least 1. */
		amount: number;
		/** From 1 to 255 characters. */
		reason: string;
	};
}

/** What {@link Api.withdrawPromise} takes. */
export interface WithdrawPromiseRequest extends Options, Keyed, Organizational {
	path: {
		/** A UUID. */
		followUpId: string;
	};
}

export interface AcceptedMembership {
	/** A UUID. */
	id: string;
	/** A UUID. */
	user_id: string;
	role: "organization-owner" | "organization-admin" | "organization-financing-admin" | "organization-financing-viewer" | "organization-lending-admin" | "organization-lending-viewer" | "organization-developer" | "organization-viewer";
	display_name: string | null;
	email: string | null;
	/** null for a while after the member has joined. */
	tag: string | null;
	/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	created_at: string;
	/** A UUID. */
	organization_id: string;
}

export interface AcceptedTerms {
	/** At least 1. */
	version: number;
	/** Matches `^[0-9a-f]{64}$` */
	sha256: string;
}

export type Account = CreditAccount | CurrentAccount;

export interface Activation {
	/** A UUID. */
	id: string;
	status: "AWAITING_OTP" | "OTP_CONFIRMED" | "REJECTED" | "CANCELLED" | "EXPIRED";
	/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	created_at: string;
	/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	otp_confirmed_at: string | null;
	/** When the account became ACTIVE, or the custodian refused. A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	completed_at: string | null;
	rejection_reason: string | null;
	current_verification: {
		channel: "SMS" | "EMAIL";
	};
	resource_id: string;
}

export interface AfricasTalkingMessageReport {
	/** From 1 to 100 characters. */
	id: string;
	/** At most 100 characters. */
	status: string;
	[name: string]: unknown;
}

export interface AgentCashDetails {
	type: "AGENT_CASH";
	/** A UUID. */
	agent_user_id: string;
}

export interface AgentEventsInput {
	/** For operators: the organization whose agents these are. By default the agents' own organization. A UUID. */
	organization_id?: string;
	/** From 1 to 500 items. */
	events: readonly {
		/** The organization's own id of the event, which is recorded once. A UUID. */
		event_id: string;
		/** A UUID. */
		agent_user_id: string;
		event_type: "TRANSACTION" | "SIGN_UP" | "REPAYMENT_COLLECTED" | "PENALTY" | "PENALTY_REVERSAL";
		/** For a PENALTY_REVERSAL, the event_id or the reference_id of the penalty. From 1 to 255 characters. */
		reference_id: string;
		/** In minor units, positive for penalties too. At least 0. */
		amount: number;
		/** Matches `^[A-Z]{3}$` */
		currency: string;
		/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. At most 64 characters. */
		event_occurred_at: string;
		/** At most 255 characters. By default `""` */
		description?: string;
	}[];
}

export interface Allocation {
	/** A UUID. */
	id: string;
	/** A UUID. */
	installment_id: string;
	/** A UUID. */
	balance_id: string;
	/** A UUID. */
	cycle_id: string;
	position: number;
	allocated_amount: number;
	principal_amount: number;
	interest_amount: number;
	/** Overdue interest and penalties. */
	arrears_amount: number;
	/** Of the arrears. */
	penalty_amount: number;
	/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	allocated_at: string;
	effect: "OBLIGATION_SETTLED" | "OBLIGATION_REDUCED" | "OBLIGATION_REINSTATED" | "OBLIGATION_WAIVED";
	source: "LIVE" | "REPLAY" | "BACKFILL";
	timing: "IN_ADVANCE" | "ON_TIME" | "LATE";
}

export interface AllocationTerms {
	/** HORIZONTAL pays installment after installment, VERTICAL each component of all that are due before the next component. */
	order: "HORIZONTAL" | "VERTICAL";
	/** The installments that a payment ahead reduces: the next one, the last one, or all in equal parts. */
	future: "NEXT_INSTALLMENT" | "LAST_INSTALLMENT" | "REAMORTIZATION";
}

export interface ApiKey {
	/** A UUID. */
	id: string;
	name: string;
	/** `sk_...` and the last four characters of the key. */
	masked_key: string;
	scopes: ("loans:write" | "repayments:write" | "agents:write" | "agents:read" | "invoices:write" | "invoices:read" | "approvals:write" | "events:read" | "accounts:read" | "repayments:read" | "users:read" | "portfolio:read" | "ledger:read")[];
	/** How much the key may move in a day (UTC), in minor units; beyond it 429. */
	daily_amount: number;
	/** Whose powers the key has: the user, or operator, who made or adopted it. */
	created_by: string;
	/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	created_at: string;
	/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	expires_at: string | null;
	/** Accurate to the minute. A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	last_used_at: string | null;
}

export interface ApiKeyCaller {
	kind: "API_KEY";
	/** A UUID. */
	id: string;
	name: string;
	scopes: ("loans:write" | "repayments:write" | "agents:write" | "agents:read" | "invoices:write" | "invoices:read" | "approvals:write" | "events:read" | "accounts:read" | "repayments:read" | "users:read" | "portfolio:read" | "ledger:read")[];
	organization: {
		/** A UUID. */
		id: string;
		slug: string;
		name: string;
	};
}

/** App settings. */
export interface AppSettings {
	/** Semantic version. At most 64 characters. For example `"4.2.0"` */
	minimum_supported_version: string;
	/** Semantic version. At most 64 characters. For example `"4.2.0"` */
	latest_version: string;
	/** Versions by platform; they replace the general ones. By default `{}` */
	platforms: { [Name in "IOS" | "ANDROID" | "WEB"]?: {
			/** Semantic version. At most 64 characters. For example `"4.2.0"` */
			minimum_supported_version: string;
			/** Semantic version. At most 64 characters. For example `"4.2.0"` */
			latest_version?: string;
			/** A URL. At most 2048 characters. */
			store_url: string | null;
		} };
	/** Until then, versions below the minimum are still served. A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. At most 64 characters. */
	grace_until: string | null;
	/** By default `{"active":false,"message":null,"until":null}` */
	maintenance: {
		active: boolean;
		/** At most 1000 characters. */
		message: string | null;
		/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. At most 64 characters. */
		until: string | null;
	};
	/** Matches `^[A-Z]{3}$` */
	default_currency: string | null;
	/** At most 250 items. By default `[]` */
	supported_countries: {
		/** Matches `^[A-Z]{2}$` */
		country_code: string;
		/** Matches `^\+[1-9]\d{0,3}$` */
		calling_code: string;
		/** Matches `^[A-Z]{3}$` */
		currency: string;
	}[];
	/** By default `{"mobile_number":null,"email":null}` */
	support: {
		/** At most 32 characters. */
		mobile_number: string | null;
		/** An email address. At most 254 characters. */
		email: string | null;
	};
	/** By default `{}` */
	features: {
		[name: string]: boolean;
	};
	/** Whether the requested version is no longer served; false when no version was given. */
	update_required: boolean;
	/** Whether a newer version than the requested one exists; false when no version was given. */
	update_recommended: boolean;
}

export interface AppSettingsChange {
	/** Semantic version. At most 64 characters. For example `"4.2.0"` */
	minimum_supported_version: string;
	/** Defaults to the minimum supported version. At most 64 characters. For example `"4.2.0"` */
	latest_version?: string;
	/** Versions by platform; they replace the general ones. By default `{}` */
	platforms?: { [Name in "IOS" | "ANDROID" | "WEB"]?: {
			/** Semantic version. At most 64 characters. For example `"4.2.0"` */
			minimum_supported_version: string;
			/** Semantic version. At most 64 characters. For example `"4.2.0"` */
			latest_version?: string;
			/** A URL. At most 2048 characters. */
			store_url?: string | null;
		} };
	/** Until then, versions below the minimum are still served. A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. At most 64 characters. */
	grace_until?: string | null;
	/** By default `{"active":false,"message":null,"until":null}` */
	maintenance?: {
		active: boolean;
		/** At most 1000 characters. */
		message?: string | null;
		/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. At most 64 characters. */
		until?: string | null;
	};
	/** Matches `^[A-Z]{3}$` */
	default_currency?: string | null;
	/** At most 250 items. */
	supported_countries?: readonly {
		/** Matches `^[A-Z]{2}$` */
		country_code: string;
		/** Matches `^\+[1-9]\d{0,3}$` */
		calling_code: string;
		/** Matches `^[A-Z]{3}$` */
		currency: string;
	}[];
	/** By default `{"mobile_number":null,"email":null}` */
	support?: {
		/** At most 32 characters. */
		mobile_number?: string | null;
		/** An email address. At most 254 characters. */
		email?: string | null;
	};
	features?: {
		[name: string]: boolean;
	};
	update_required?: boolean;
	update_recommended?: boolean;
}

/** After the event. */
export type ApplicationStatus = "PENDING" | "APPROVED" | "SUBMITTED" | "REJECTED" | "DISBURSED" | "FAILED" | "EXPIRED" | "CANCELLED";

export interface Approval {
	/** A UUID. */
	id: string;
	/** A UUID. */
	organization_id: string | null;
	approval_type: "BLOCK_CHANGE" | "REPAYMENT_REVERSAL" | "REPAYMENT_RESTORATION" | "REPAYMENT_MOVE" | "TRANSACTION_REVERSAL" | "WRITE_OFF" | "SETTLEMENT" | "RESCHEDULE" | "ACCOUNT_CLOSURE" | "FREEZE_CHANGE" | "WAIVER" | "OVERPAYMENT_REFUND" | "LIMIT_CHANGE" | "ISSUER_REGISTRATION" | "OPERATION" | "NUMBER_RECOVERY" | "LEDGER_CLOSING" | "PROVISIONING_RULES" | "TREASURY_RECORD" | "PROVIDER_TARIFF" | "LEDGER_MAPPING";
	entity_type: "USER" | "TRANSACTION" | "ACCOUNT" | "ORGANIZATION" | "OPERATION" | "TREASURY_RECORD";
	entity_id: string;
	/** The change that an approval executes. */
	payload: JsonValue;
	/** SHA-256 over the canonical JSON of the payload. */
	payload_hash: string;
	reason: string | null;
	/** The state of the entity at the request. If it has changed, an approval fails. */
	target_version: string;
	status: "PENDING" | "APPROVED" | "REJECTED" | "EXPIRED" | "FAILED";
	/** The person behind the credentials: a user, or an operator. */
	requested_by: string;
	requested_through: "API_KEY" | "MEMBER" | "OPERATOR";
	decided_by: string | null;
	/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	decided_at: string | null;
	decision: "APPROVED" | "REJECTED" | null;
	comment: string | null;
	/** Why the approved change could not be executed. */
	failure_reason: string | null;
	/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	expires_at: string;
	/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	created_at: string;
}

export interface Attention {
	kind: "WAITING_USER" | "PAYMENT" | "CONFIRMATION" | "DISBURSEMENT" | "CONTRADICTION" | "SECOND_RECEIPT" | "STATEMENT_BREAK" | "TRANSFER" | "RETURN" | "ONBOARDING" | "ACTIVATION" | "CLOSURE" | "CUSTODIAN" | "APPROVAL" | "ENDPOINT" | "PORTFOLIO" | "DEAD_LETTER" | "QUOTA" | "AUTHORIZATION_SYNC";
	/** At most 1000. */
	count: number;
	/** There is more than what was counted. */
	more: boolean;
	/** Since when the oldest has waited; null if there is none. A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	oldest: string | null;
}

export interface AuditRow {
	stream: string;
	/** Without gaps within the stream. */
	sequence: number;
	/** A UUID. */
	id: string;
	/** The operation's id in the API reference. */
	operation: string;
	actor_kind: "OPERATOR" | "MEMBER" | "API_KEY";
	/** The id of the user or of the API key; an operator's issuer and subject. */
	actor_id: string;
	/** The created or changed thing: the last id of the target. */
	entity_id: string | null;
	/** The account that the answer names, the ids in the path, and the id of what was created. */
	target: {
		[name: string]: string;
	};
	/** The body as sent, with a digest in place of each text that is not an enum value, an id, a date or the code of a currency. */
	changes: {
		[name: string]: JsonValue;
	};
	request_id: string;
	/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	created_at: string;
}

export interface AuditSeal {
	stream: string;
	from_sequence: number;
	through_sequence: number;
	/** SHA-256 over the canonical JSON of each row, in hex; 64 zeros for a row that was missing. */
	leaves: string[];
	/** SHA-256 over the concatenated leaves. */
	root: string;
	/** The hash of the seal before it; 64 zeros in the first one. */
	previous: string;
	/** SHA-256 over the canonical JSON of all members but leaves, hash and signature. */
	hash: string;
	/** Compact JWS of the hash, by a key of /.well-known/jwks.json. */
	signature: string;
	/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	sealed_at: string;
}

export interface BankAccountInput {
	type: "BANK_ACCOUNT";
	/** From 1 to 140 characters. */
	account_holder_name?: string | null;
	/** Matches `^[A-Za-z0-9]{1,34}$` */
	bank_code: string;
	/** Matches `^[A-Za-z0-9]{1,34}$` */
	account_number: string;
}

export interface BankTransferDetails {
	type: "BANK_TRANSFER";
	/** From 1 to 64 characters. */
	bank_code: string;
	/** From 1 to 64 characters. */
	reference: string;
}

export interface Brand {
	/** A UUID. */
	organization_id: string;
	logo_url: string | null;
	icon_url: string | null;
	font_family: string | null;
	font_weight: number | null;
	primary_color: string;
	secondary_color: string | null;
	name: string;
	support_email: string | null;
	support_phone: string | null;
	terms_url: string | null;
	privacy_url: string | null;
	/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	created_at: string;
	/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	updated_at: string;
}

export interface BrandChange {
	/** At most 2048 characters. */
	logo_url?: string | null;
	/** At most 2048 characters. */
	icon_url?: string | null;
	font_family?: string | null;
	/** From 1 to 1000. */
	font_weight?: number | null;
	/** For example `"#0A7D38"` */
	primary_color: string;
	/** For example `"#0A7D38"` */
	secondary_color?: string | null;
	/** The name that users see; null: the organization's own name. From 1 to 80 characters. */
	name?: string | null;
	/** An email address. At most 254 characters. */
	support_email?: string | null;
	/** Matches `^\+[1-9]\d{6,14}$` */
	support_phone?: string | null;
	/** At most 2048 characters. */
	terms_url?: string | null;
	/** At most 2048 characters. */
	privacy_url?: string | null;
}

export interface BuyGoodsAccountInput {
	type: "BUY_GOODS";
	/** From 1 to 140 characters. */
	account_holder_name?: string | null;
	/** Matches `^\d{4,10}$` */
	till_number: string;
}

export interface BuyGoodsDetails {
	type: "BUY_GOODS";
	/** From 1 to 64 characters. */
	till_number: string;
}

export type Caller = User | ApiKeyCaller | OperatorCaller;

export interface ChangedBrand {
	/** A UUID. */
	organization_id: string;
	logo_url: string | null;
	icon_url: string | null;
	font_family: string | null;
	font_weight: number | null;
	primary_color: string;
	secondary_color: string | null;
	name: string;
	support_email: string | null;
	support_phone: string | null;
	terms_url: string | null;
	privacy_url: string | null;
	/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	created_at: string;
	/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	updated_at: string;
	/** LOW_CONTRAST: the primary colour has less than 3:1 against white or the secondary colour. */
	warnings?: "LOW_CONTRAST"[];
}

export interface Closure {
	/** A UUID. */
	id: string;
	status: "AWAITING_OTP" | "OTP_CONFIRMED" | "COMPLETED" | "REJECTED" | "CANCELLED" | "EXPIRED";
	initiated_by: "USER" | "OPERATOR" | "CUSTODIAN";
	reasons: ("NO_LONGER_USING" | "FEES" | "SWITCHING_PROVIDER" | "PRIVACY" | "DISSATISFIED" | "DUPLICATE_ACCOUNT" | "OTHER")[];
	/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	created_at: string;
	/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	otp_confirmed_at: string | null;
	/** When the custodian decided. A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	completed_at: string | null;
	rejection_reason: string | null;
	resource_id: string;
}

export interface CommissionModel {
	/** A UUID. */
	id: string;
	/** From 1 to 64 characters. */
	model_id: string;
	/** Matches `^[A-Z]{3}$` */
	currency: string;
	/** At most 3 items. */
	rules: {
		event_type: "TRANSACTION" | "SIGN_UP" | "REPAYMENT_COLLECTED";
		/** From 1 to 50 items. */
		tiers: {
			/** Inclusive. At least 0. */
			from: number;
			/** Exclusive; null for no upper bound. At least 0. */
			to: number | null;
			/** At least 0. By default `0` */
			flat: number;
			/** Of the event's amount. From 0 to 10000. By default `0` */
			basis_points: number;
			/** The most that one event earns. At least 0. */
			cap: number | null;
		}[];
		/** Of the agent's commission, for their supervisor. From 0 to 10000. By default `0` */
		supervisor_share_basis_points: number;
	}[];
	/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	effective_from: string;
	/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	created_at: string;
}

export interface CommissionModelInput {
	/** From 1 to 64 characters. */
	model_id: string;
	/** Matches `^[A-Z]{3}$` */
	currency: string;
	/** At most 3 items. */
	rules: readonly {
		event_type: "TRANSACTION" | "SIGN_UP" | "REPAYMENT_COLLECTED";
		/** From 1 to 50 items. */
		tiers: readonly {
			/** Inclusive. At least 0. */
			from: number;
			/** Exclusive; null for no upper bound. At least 0. */
			to?: number | null;
			/** At least 0. By default `0` */
			flat?: number;
			/** Of the event's amount. From 0 to 10000. By default `0` */
			basis_points?: number;
			/** The most that one event earns. At least 0. */
			cap?: number | null;
		}[];
		/** Of the agent's commission, for their supervisor. From 0 to 10000. By default `0` */
		supervisor_share_basis_points?: number;
	}[];
	/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. At most 64 characters. */
	effective_from: string;
}

export interface CommissionReport {
	/** A UUID. */
	agent_user_id: string;
	/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	from: string;
	/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	to: string;
	/** transaction_commissions - penalties + penalty_reversals: the sum of the lines. */
	total_commission: number;
	/** In minor units, exact to the ten-thousandth. */
	transaction_commissions: number;
	/** In minor units, exact to the ten-thousandth. */
	penalties: number;
	/** In minor units, exact to the ten-thousandth. */
	penalty_reversals: number;
	/** XXX while neither an event nor a model has a currency. */
	currency: string;
	/** The number of lines. */
	event_count: number;
	/** The model asked for, otherwise the last one in effect; `default` if there is none. */
	model_id: string;
	line_items: {
		/** A UUID. */
		event_id: string;
		event_type: "TRANSACTION" | "SIGN_UP" | "REPAYMENT_COLLECTED" | "PENALTY" | "PENALTY_REVERSAL";
		reference_id: string;
		/** Negative for a penalty. */
		amount: number;
		description: string;
		/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
		event_occurred_at: string;
		is_supervisor_commission: boolean;
	}[];
}

export interface ConnectionReplacement {
	environment: "sandbox" | "production";
	/** The shortcode, or the API user. */
	account: string;
	/** The user or operator who wants it. */
	requested_by: string;
	/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	acts_at: string;
}

export interface ConsoleSignIn {
	/** From 1 to 80 characters. */
	label: string;
	/** A URL. At most 255 characters. */
	issuer: string;
	/** From 1 to 255 characters. */
	client_id: string;
	/** All but operators' tokens are exchanged for the service's own. */
	kind: "partner" | "identity" | "operator";
	/** Which token of the issuer is sent. */
	token: "access_token" | "id_token";
	/** Requested in addition to `openid` From 1 to 255 characters. */
	scope?: string;
	/** Origins that the console may call in addition to the issuer's own; discovery may name no others. At most 10 items. By default `[]` */
	origins: string[];
	/** Where the issuer sends people back to, which is registered with it: each has a path of its own. */
	return_path: string;
}

export interface CreditAccount {
	/** A UUID. */
	id: string;
	resource_id: string;
	account_number: string;
	/** A UUID. */
	user_id: string;
	type: "CREDIT";
	/** Negative. */
	credit_limit: number;
	/** The amount that may still be drawn, negative. */
	available_limit: number;
	/** The drawn amount, negative; positive when overpaid. */
	available_balance: number;
	balance: {
		total_charged: number;
		principal_used: number;
		total_outstanding: number;
		total_paid: number;
		total_waived: number;
		breakdown: {
			principal_outstanding: number;
			interest_outstanding: number;
			arrears_outstanding: number;
			penalty_outstanding: number;
			/** Refunded of a payment that bounced later; due on the day on which it bounced. Payments fill it first. */
			refund_uncovered: number;
		};
	};
	/** Once so much more is paid in time, the rest of what is owed is waived. */
	settlement: {
		/** A UUID. */
		transaction_id: string;
		amount_left: number;
		/** A date, such as 2026-03-02. */
		valid_until: string;
	} | null;
	currency: string;
	/** A date, such as 2026-03-02. */
	due_date: string | null;
	/** A date, such as 2026-03-02. */
	final_payment_due_date: string | null;
	status: "PENDING" | "ACTIVE" | "SUSPENDED" | "IN_ARREARS" | "DEFAULTED" | "CLOSED" | "WRITTEN_OFF";
	fee_basis_points: number;
	interest_rate: InterestRate;
	limits: {
		overdraft_limit: number;
		minimum_transfer_amount: number;
		maximum_transfer_amount: number;
		daily_transfer_limit: number;
	};
	auto_renews: boolean;
	/** When the newest cycle was repaid, in UTC without a zone. */
	paid_at: string | null;
	can_transact: boolean;
	/** Until then it is refused as `CAUTION`, because the sign-in is too recent; earlier if the SIM card is checked. A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	available_from?: string;
	/** How to repay by M-Pesa, where the lender has connected it; of one account only. */
	payment_instructions?: {
		shortcode: string;
		account_number: string;
		/** In the language that the borrower has chosen, else in that of `Accept-Language` */
		text: string;
	};
	/** The choice for the next cycle. */
	next_cycle: {
		tenure: Tenure;
		interest_rate: InterestRate;
	} | null;
	/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	created_at: string;
	/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	updated_at: string;
}

export interface CreditBureauDispute {
	/** A UUID. */
	id: string;
	/** A UUID. */
	account_id: string;
	/** A UUID. */
	user_id: string;
	/** null once the person is erased. */
	reason: string | null;
	opened_by: string;
	/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	created_at: string;
	resolution: string | null;
	resolved_by: string | null;
	/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	resolved_at: string | null;
}

export interface CreditBureauFile {
	/** Such as 2026-03. */
	month: string;
	/** At whose end the accounts stood so. A date, such as 2026-03-02. */
	last_day: string;
	currency: string;
	threshold: number;
	notice_days: number;
	/** Rows of accounts. */
	accounts: number;
	/** Rows that correct those of earlier files. */
	corrections: number;
	negative: number;
	disputed: number;
	/** Accounts that lack what the layout requires: not in the file, and listed apart. */
	left_out: number;
	/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	made_at: string;
}

export interface CreditBureauIdentity {
	/** A UUID. */
	user_id: string;
	name: string;
	document_type: "NATIONAL_ID" | "PASSPORT" | "ALIEN_ID" | "SERVICE_ID" | "BIRTH_CERTIFICATE";
	/** The last three characters of the document's number. */
	masked_number: string;
	document_country: string;
	stated_by: string;
	/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	stated_at: string;
}

export interface CreditBureauNotice {
	/** A UUID. */
	id: string;
	/** A UUID. */
	account_id: string;
	/** A UUID. */
	user_id: string;
	/** When the borrower was notified. */
	owed: {
		value: number;
		currency: string;
	};
	/** A date, such as 2026-03-02. */
	noticed_on: string;
	/** The day in the notice: no file of a month that ends before it has the mark. A date, such as 2026-03-02. */
	listable_from: string;
	/** LISTED once a file has the mark, ENDED once it was paid. */
	status: "NOTIFIED" | "LISTED" | "ENDED";
	/** The first file with the mark. */
	listed_in: string | null;
	/** The file that cancelled the notice, or no longer has the mark. */
	ended_in: string | null;
	/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	created_at: string;
}

export interface CreditBureauRow {
	/** The file's month, such as 2026-03. */
	file: string;
	/** From 1, in the order of the file. */
	row: number;
	/** Of a correction: the file of the row that it corrects. */
	corrects_file: string | null;
	corrects_row: number | null;
	/** Why the row is not in the file. */
	left_out_reason: "NO_NAME" | "NO_MOBILE_NUMBER" | "OTHER_CURRENCY" | null;
	/** The end of the month of which the row speaks. A date, such as 2026-03-02. */
	as_of: string;
	account_number: string;
	/** A UUID. */
	account_id: string;
	/** A UUID. */
	customer_id: string;
	/** As the lender has stated it, else as the borrower wants to be called; null once the person is erased. */
	name: string | null;
	/** With the country's code, without a plus. */
	mobile_number: string | null;
	document_type: "NATIONAL_ID" | "PASSPORT" | "ALIEN_ID" | "SERVICE_ID" | "BIRTH_CERTIFICATE" | null;
	/** null where the lender has stated none, and once the person is erased. */
	document_number: string | null;
	document_country: string | null;
	currency: string;
	status: "PERFORMING" | "NON_PERFORMING" | "SETTLED" | "WRITTEN_OFF";
	/** A date, such as 2026-03-02. */
	opened_on: string;
	/** All that is owed, with interest and penalties. */
	outstanding: number;
	overdue: number;
	days_past_due: number;
	/** A date, such as 2026-03-02. */
	last_payment_on: string | null;
	last_payment_amount: number | null;
	negative: boolean;
	disputed: boolean;
}

export interface CreditBureauSettings {
	enabled: boolean;
	/** Of the loans in the file; null until somebody has stored settings. */
	currency: string | null;
	/** A loan on which at most this much is owed is never negative. */
	threshold: number | null;
	/** Between a notice to the borrower and the end of the first month with a negative mark. */
	notice_days: number | null;
	/** Of the file that is made next; null while none is made. */
	next_month: string | null;
}

export interface CurrentAccount {
	/** A UUID. */
	id: string;
	resource_id: string;
	account_number: string;
	/** A UUID. */
	user_id: string;
	external_account_number: string | null;
	external_account_id: string | null;
	external_provider: string;
	wallet_onboarding_status: "SUBMITTED" | "REJECTED" | "ACCOUNT_OPENED";
	wallet_onboarding_rejection_reasons: string[];
	onboarding_status: "PENDING" | "ACTIVE" | "REJECTED";
	onboarding_rejection_reasons: string[];
	/** Whether an activation can be started. */
	activatable: boolean;
	type: "CURRENT";
	/** A UUID. */
	account_id: string;
	available_balance: number;
	balance: {
		total_balance: number;
		hold_amount: number;
		available_balance: number;
	};
	currency: string;
	status: "PENDING" | "ACTIVE" | "FROZEN" | "CLOSING" | "CLOSED";
	limits: {
		minimum_transfer_amount: number;
		maximum_transfer_amount: number;
		daily_transfer_limit: number;
	};
	interest: {
		deposit: {
			annual_rate_basis_points: number;
			payout_frequency: "WEEKLY";
		};
	};
	/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	created_at: string;
	/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	updated_at: string;
}

export interface CurrentAccountTransaction {
	/** A UUID. */
	id: string;
	type: "MOVEMENT" | "TRANSFER_OUT" | "TRANSFER_IN" | "INTEREST" | "LOAN_REPAYMENT" | "LOAN_REFUND" | "LOAN_DISBURSEMENT";
	/** Negative when money leaves the account. */
	amount: number;
	/** The balance after it. */
	running_balance: number;
	currency: string;
	counterparty: {
		/** USER: somebody with a current account here. PAYEE: somebody outside. CUSTODIAN: money that it reports. */
		kind: "CUSTODIAN" | "USER" | "PAYEE" | "INTEREST" | "LOAN";
		/** Of a payee as their provider has it; a user's own name, else their tag. */
		name: string | null;
	};
	/** Of a transfer, as the payer has written it. */
	note: string | null;
	/** The movement, transfer or payment behind it; for interest the payday. */
	reference: string;
	/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	created_at: string;
}

export interface DarajaAccepted {
	ResultCode: 0;
	ResultDesc: "Accepted";
}

export interface DarajaAnswer {
	[name: string]: unknown;
}

export interface DarajaBalance {
	[name: string]: unknown;
}

export interface DarajaBreakAnswer {
	[name: string]: unknown;
}

export interface DarajaConfirmation {
	TransactionType?: string | number | null;
	/** From 1 to 100 characters. */
	TransID: string;
	/** YYYYMMDDHHmmss in East Africa Time. At most 255 characters. */
	TransTime: string | number;
	/** A decimal number. At most 255 characters. */
	TransAmount: string | number;
	BusinessShortCode?: string | number | null;
	/** The account number, as the payer typed it in. */
	BillRefNumber?: string | number | null;
	/** The payer's number, or the SHA-256 of its digits. */
	MSISDN?: string | number | null;
	[name: string]: unknown;
}

export interface DarajaConnection {
	provider: "daraja" | "momo";
	environment: "sandbox" | "production";
	/** Whether loans, draws and refunds are paid out by it. */
	payouts: boolean;
	/** PAUSED: new payouts answer 503, and ordered ones wait. */
	status: "ACTIVE" | "PAUSED";
	paused_reason: string | null;
	/** null while PAUSED: until it is resumed, or has other credentials. A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	paused_until: string | null;
	/** Another account that takes this one's place once another person agrees to it, or at `acts_at` if nobody discards it. */
	replacement: ConnectionReplacement | null;
	/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	created_at: string;
	/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	updated_at: string;
	/** The outcome of the last check: SUCCEEDED only if both queries succeeded. WAITING: its result has not come. CREDENTIALS_REFUSED: consumer key or secret are wrong. PRODUCT_NOT_ALLOWED: the app lacks the product. NO_ANSWER: the provider did not answer; nothing is known. */
	last_check: {
		outcome: "WAITING" | "SUCCEEDED" | "CREDENTIALS_REFUSED" | "PRODUCT_NOT_ALLOWED" | "FAILED" | "NO_ANSWER";
		/** Of FAILED: the provider's code. */
		result_code: string | null;
		/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
		at: string;
		/** The outcome of the balance query. */
		balance: {
			outcome: "WAITING" | "SUCCEEDED" | "CREDENTIALS_REFUSED" | "PRODUCT_NOT_ALLOWED" | "FAILED" | "NO_ANSWER";
			/** Of FAILED: the provider's code. */
			result_code: string | null;
			/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
			at: string;
		} | null;
		/** Whether the initiator may ask what became of a transaction. Without that no payment is verified. Each later question counts too, not those of a check alone. */
		transaction_status: {
			outcome: "WAITING" | "SUCCEEDED" | "CREDENTIALS_REFUSED" | "PRODUCT_NOT_ALLOWED" | "FAILED" | "NO_ANSWER";
			/** Of FAILED: the provider's code. */
			result_code: string | null;
			/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
			at: string;
		} | null;
	} | null;
	/** The balances of the accounts as the provider last reported them, in minor units. */
	balances: {
		account: string;
		available: number;
		currency: string;
	}[] | null;
	/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	balances_at: string | null;
	short_code: string;
	reject_unknown_accounts: boolean;
	nominated_number: string | null;
	/** The outcome of the last search for unconfirmed payments. CREDENTIALS_REFUSED: consumer key or secret are wrong. PRODUCT_NOT_ALLOWED: the app lacks the product Pull Transactions. REFUSED: Daraja does not list the payments of the shortcode, or knows another number of it. NO_ANSWER: Daraja did not answer. */
	last_pull: {
		outcome: "SUCCEEDED" | "CREDENTIALS_REFUSED" | "PRODUCT_NOT_ALLOWED" | "REFUSED" | "NO_ANSWER";
		/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
		at: string;
		/** All payments before it have been looked for. A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
		complete_until: string;
	} | null;
	/** Which of the optional secrets are stored. */
	has: {
		passkey: boolean;
		initiator: boolean;
	};
}

export interface DarajaPromptResult {
	[name: string]: unknown;
}

export interface DarajaResult {
	[name: string]: unknown;
}

export interface DarajaReturnResult {
	[name: string]: unknown;
}

export interface DarajaStatus {
	[name: string]: unknown;
}

export interface DecidedApproval {
	/** A UUID. */
	id: string;
	/** A UUID. */
	organization_id: string | null;
	approval_type: "BLOCK_CHANGE" | "REPAYMENT_REVERSAL" | "REPAYMENT_RESTORATION" | "REPAYMENT_MOVE" | "TRANSACTION_REVERSAL" | "WRITE_OFF" | "SETTLEMENT" | "RESCHEDULE" | "ACCOUNT_CLOSURE" | "FREEZE_CHANGE" | "WAIVER" | "OVERPAYMENT_REFUND" | "LIMIT_CHANGE" | "ISSUER_REGISTRATION" | "OPERATION" | "NUMBER_RECOVERY" | "LEDGER_CLOSING" | "PROVISIONING_RULES" | "TREASURY_RECORD" | "PROVIDER_TARIFF" | "LEDGER_MAPPING";
	entity_type: "USER" | "TRANSACTION" | "ACCOUNT" | "ORGANIZATION" | "OPERATION" | "TREASURY_RECORD";
	entity_id: string;
	/** The change that an approval executes. */
	payload: JsonValue;
	/** SHA-256 over the canonical JSON of the payload. */
	payload_hash: string;
	reason: string | null;
	/** The state of the entity at the request. If it has changed, an approval fails. */
	target_version: string;
	status: "PENDING" | "APPROVED" | "REJECTED" | "EXPIRED" | "FAILED";
	/** The person behind the credentials: a user, or an operator. */
	requested_by: string;
	requested_through: "API_KEY" | "MEMBER" | "OPERATOR";
	decided_by: string | null;
	/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	decided_at: string | null;
	decision: "APPROVED" | "REJECTED" | null;
	comment: string | null;
	/** Why the approved change could not be executed. */
	failure_reason: string | null;
	/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	expires_at: string;
	/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	created_at: string;
	/** OPERATION: the answer of the operation that the approval has run. */
	result?: JsonValue;
}

export interface DeliveryQuota {
	/** A UUID. */
	organization_id: string;
	/** Deliveries that are kept, in any state. */
	held: number;
	/** How many may be kept. */
	quota: number;
	/** The quota that an operator has set; null: as configured. From 1 to 1000000000. */
	own_quota: number | null;
}

export interface DeliveryRecord {
	/** A UUID. */
	id: string;
	/** A UUID. */
	webhook_id: string;
	/** A UUID. */
	event_id: string;
	event_type: string;
	status: "PENDING" | "DELIVERED" | "FAILED";
	attempts: number;
	/** null when it has ended, while its endpoint is suspended, and while it waits for an older one of its entity. A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	next_attempt_at: string | null;
	/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	created_at: string;
	/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	delivered_at: string | null;
	/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	failed_at: string | null;
	last_error: string | null;
	/** How to repair `last_error` */
	remedy: string | null;
	/** The body that every attempt sends; null before the first attempt. */
	body: string | null;
	attempt_log: {
		/** null when a blocked address prevented the attempt. */
		number: number | null;
		/** MANUAL: the first after a retry by hand. PROBE: of a suspended endpoint, and not one of the six attempts. */
		trigger: "AUTOMATIC" | "MANUAL" | "PROBE";
		/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
		started_at: string;
		duration_ms: number | null;
		/** null while the attempt is in flight. */
		outcome: "DELIVERED" | "HTTP_ERROR" | "REDIRECT" | "TIMEOUT" | "CONNECTION_FAILED" | "BLOCKED_ADDRESS" | "INTERRUPTED" | "ITEM_FAILED" | null;
		/** Why the attempt failed, as `last_error` puts it in words; null after success and while it is in flight. */
		error_class: "DNS" | "TLS" | "REFUSED" | "RESET" | "TIMEOUT" | "STATUS" | "REDIRECT" | "BLOCKED" | "INTERRUPTED" | "ITEM" | null;
		response_status: number | null;
		/** At most the first 1,024 bytes. */
		response_body: string | null;
	}[];
}

export interface DeliverySummary {
	/** A UUID. */
	id: string;
	/** A UUID. */
	webhook_id: string;
	/** A UUID. */
	event_id: string;
	event_type: string;
	status: "PENDING" | "DELIVERED" | "FAILED";
	attempts: number;
	/** null when it has ended, while its endpoint is suspended, and while it waits for an older one of its entity. A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	next_attempt_at: string | null;
	/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	created_at: string;
	/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	delivered_at: string | null;
	/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	failed_at: string | null;
	last_error: string | null;
}

export interface Device {
	id: string;
	platform: "ANDROID" | "IOS";
	app_version: string | null;
	locale: "en" | "sw" | "fr" | "pt" | "am" | null;
	/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	created_at: string;
	/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	updated_at: string;
}

export interface DeviceInput {
	platform: "ANDROID" | "IOS";
	/** Firebase's; on IOS Apple's, in hex, where the lender pushes by APNs. Matches `^[\w:.~-]+$` At most 4096 characters. */
	push_token: string;
	/** From 1 to 50 characters. */
	app_version?: string;
	locale?: "en" | "sw" | "fr" | "pt" | "am";
}

export interface Disbursement {
	/** That of the application, of the transaction or of the invoice's advance, and the disburser's reference. A UUID. */
	id: string;
	kind: "LOAN" | "DRAW" | "REFUND" | "INVOICE";
	/** A UUID. */
	account_id: string | null;
	/** A UUID. */
	invoice_id: string | null;
	/** A UUID. */
	organization_id: string | null;
	amount: {
		value: number;
		currency: string;
	};
	/** The provider's charge: by the organization's tariff, until a statement names it; null: not known. */
	fee_amount: {
		value: number;
		currency: string;
	} | null;
	/** PENDING is sent again, ACCEPTED waits for the disburser's report, RETURNED was paid and came back. */
	status: "PENDING" | "ACCEPTED" | "SUCCEEDED" | "FAILED" | "RETURNED";
	/** As decided with the order; null for an invoice. */
	destination: {
		type: "OWN_NUMBER" | "CURRENT_ACCOUNT" | "PAYEE_ACCOUNT";
		/** A UUID. */
		user_id: string;
		/** Masked. */
		mobile_number: string | null;
		account: {
			type: string;
			identifier: string;
			name: string | null;
		} | null;
	} | null;
	/** Whose connection pays, as decided with the order. */
	provider: "daraja" | "momo" | null;
	attempts: number;
	/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	next_attempt_at: string | null;
	mobile_money_transaction_id: string | null;
	failure_reason: string | null;
	/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	occurred_at: string | null;
	/** A payment that the provider has reported but no account owes: it had failed before, or could not be posted. */
	contradiction: {
		mobile_money_transaction_id: string;
		/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
		occurred_at: string;
		/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
		since: string;
	} | null;
	/** Other transactions by which the provider says that it was paid: perhaps it was paid more than once. */
	second_receipts: {
		mobile_money_transaction_id: string;
		/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
		occurred_at: string;
	}[];
	/** Since when nobody has decided what the last of them means; null: somebody has. A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	second_receipt_at: string | null;
	/** The transaction by which the money came back. */
	returned: {
		mobile_money_transaction_id: string;
		/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
		occurred_at: string;
	} | null;
	/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	created_at: string;
}

export interface Erasure {
	/** A UUID. */
	user_id: string;
	/** DONE: nothing is left by which the user could be recognised. */
	status: "RUNNING" | "DONE";
	/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	requested_at: string;
	/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	erased_at: string | null;
}

export interface EventType {
	event: string;
	category: "APPROVAL" | "USER" | "ORGANIZATION" | "LOAN_APPLICATION" | "CREDIT_ACCOUNT" | "REPAYMENT" | "CURRENT_ACCOUNT" | "AGENT" | "INVOICE" | "WEBHOOK";
	description: string;
	/** JSON Schema of `data` */
	schema: {
		[name: string]: unknown;
	};
	/** A `data` of this type. */
	example: {
		[name: string]: unknown;
	};
}

export interface Explanation {
	/** A date, such as 2026-03-02. */
	as_of: string;
	total_outstanding: number;
	/** The sum of the installments with the interest still to come, if nothing is paid or drawn before they are due. */
	scheduled_total: number;
	currency: string;
	lines: {
		component: "PRINCIPAL" | "INTEREST" | "ARREARS" | "PENALTY" | "REFUND_UNCOVERED";
		/** A UUID. */
		installment_id: string | null;
		amount: number;
		rule: "PRINCIPAL_NOT_DUE" | "PRINCIPAL_DUE" | "ACCESS_FEE" | "INTEREST_EARNED" | "PENALTY_CHARGED" | "REFUNDED" | "PAID" | "WAIVED";
		/** The figures that the amount follows from. */
		inputs: {
			[name: string]: number | string | boolean;
		};
		/** The transaction that drew, paid, waived or refunded the amount. A UUID. */
		transaction_id: string | null;
	}[];
}

export interface FilterCondition {
	/** A member of the payload, such as `amount`, or `type` or `entity_id` of the event. From 1 to 100 characters. */
	member: string;
	/** It is one of these. Those for `type` are patterns: `repayment.*` From 1 to 20 items. */
	in?: (string | number | boolean)[];
	/** It is a number, and at least this. */
	min?: number;
	/** It is a number, and at most this. */
	max?: number;
}

export interface FinancingInvoice {
	/** A UUID. */
	id: string;
	/** A UUID. */
	document_id: string;
	amount_minor_units: number;
	currency: string;
	details: {
		[name: string]: unknown;
	};
	/** A date, such as 2026-03-02. */
	due_date: string;
	/** A date, such as 2026-03-02. */
	issued_date: string;
	status: "PENDING" | "APPROVED" | "FINANCED" | "OVERDUE" | "REJECTED" | "CANCELLED" | "PAID";
	/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	created_at: string;
	merchant_id: string;
}

export interface FinancingInvoiceDetail {
	/** A UUID. */
	id: string;
	/** A UUID. */
	document_id: string;
	amount_minor_units: number;
	currency: string;
	details: {
		[name: string]: unknown;
	};
	/** A date, such as 2026-03-02. */
	due_date: string;
	/** A date, such as 2026-03-02. */
	issued_date: string;
	status: "PENDING" | "APPROVED" | "FINANCED" | "OVERDUE" | "REJECTED" | "CANCELLED" | "PAID";
	/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	created_at: string;
	merchant_id: string;
	invoice_number: string;
	/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	decided_at: string | null;
	comment: string | null;
	repaid_minor_units: number;
	/** The amount that the buyer still owes; 0 unless the invoice is financed. */
	outstanding_minor_units: number;
	/** The latest attempt to pay the invoice out. */
	advance: InvoiceAdvance | null;
}

export interface FollowUp {
	/** A UUID. */
	id: string;
	type: "NOTE" | "PROMISE" | "REMINDER";
	/** A UUID. */
	user_id: string;
	/** A UUID. */
	account_id: string | null;
	/** The text of a note. */
	body: string | null;
	/** Promised. */
	amount: {
		value: number;
		currency: string;
	} | null;
	/** Of a promise the day by whose end it is to be paid, of a reminder that of the message. A date, such as 2026-03-02. */
	day: string | null;
	/** Of a promise: KEPT or BROKEN once its day has ended. */
	status: "OPEN" | "KEPT" | "BROKEN" | "WITHDRAWN" | null;
	author_id: string;
	/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	created_at: string;
}

export interface Found {
	users: FoundUser[];
	accounts: FoundAccount[];
	payments: FoundPayment[];
	invoices: FoundInvoice[];
}

export interface FoundAccount {
	/** A UUID. */
	id: string;
	account_number: string;
	type: "CREDIT" | "CURRENT";
	/** A UUID. */
	user_id: string;
	/** Whose it is; null for what belongs to no organization. A UUID. */
	organization_id: string | null;
}

export interface FoundInvoice {
	/** A UUID. */
	id: string;
	invoice_number: string;
	status: string;
	amount: {
		value: number;
		currency: string;
	} | null;
	/** Whose it is; null for what belongs to no organization. A UUID. */
	organization_id: string | null;
}

export interface FoundPayment {
	/** A UUID. */
	id: string;
	mobile_money_transaction_id: string;
	status: string;
	/** A UUID. */
	account_id: string | null;
	amount: {
		value: number;
		currency: string;
	} | null;
	/** Whose it is; null for what belongs to no organization. A UUID. */
	organization_id: string | null;
}

export interface FoundUser {
	/** A UUID. */
	id: string;
	tag: string;
	display_name: string | null;
	/** Masked. */
	mobile_number: string | null;
	/** Whose it is; null for what belongs to no organization. A UUID. */
	organization_id: string | null;
}

/** Something that is held about a person, as it is stored. */
export interface HeldRecord {
	/** The kind of record: users, payees, transfers and so on. */
	kind: string;
	content: {
		[name: string]: JsonValue;
	};
}

export interface ImportAccount {
	/** The old program's id. */
	account: string;
	status: "STAGED" | "EQUAL" | "FAILED" | "IMPORTED";
	/** A UUID. */
	account_id: string | null;
	/** The borrower, if they were a user before the import, as the check found them. A UUID. */
	existing_user_id: string | null;
	fault: ImportFault | null;
}

export interface ImportAccountLine {
	type: "ACCOUNT";
	/** From 1 to 100 characters. */
	account: string;
	borrower: {
		/** Matches `^\+[1-9]\d{6,14}$` */
		mobile_number?: string;
		/** As a partner's tokens will name the borrower. */
		identity?: {
			/** From 1 to 500 characters. */
			issuer: string;
			/** From 1 to 255 characters. */
			subject: string;
		};
	};
	/** A UUID. */
	loan_product_id: string;
	/** By default as the product does. */
	auto_renews?: boolean;
	/** In a row, since the last default. From 0 to 10000. By default `0` */
	loans_repaid_on_time?: number;
	/** Terms that a cycle does not name are the product's. From 1 to 100 items. */
	cycles: readonly {
		/** From 1, in the order in which they began. At least 1. */
		number: number;
		/** The number of the cycle whose principal rolled into this one. At least 1. */
		rolled_over_from?: number;
		tenure: Tenure;
		interest_rate: InterestRate;
		installment_every?: Tenure;
		loan_product_type?: "REDUCING_BALANCE" | "FLAT";
		day_count?: "THIRTY_360" | "ACTUAL_365";
		/** From 0 to 10000. */
		fee_basis_points?: number;
		access_fee_recognition?: "AT_ONCE" | "OVER_LIFE";
		penalty_terms?: PenaltyTerms;
	}[];
}

export interface ImportBalanceLine {
	type: "BALANCE";
	/** From 1 to 100 characters. */
	account: string;
	/** At the end of this day, with all that is known now. A date, such as 2026-03-02. */
	on: string;
	/** In minor units. At least 0. */
	principal: number;
	/** Earned, and not overdue. At least 0. */
	interest: number;
	/** Overdue interest. At least 0. */
	arrears: number;
	/** In minor units. At least 0. */
	penalty: number;
	/** In minor units. At least 0. By default `0` */
	overpaid?: number;
	/** In minor units. At least 0. By default `0` */
	refund_uncovered?: number;
}

export interface ImportDrawLine {
	type: "FACT";
	/** From 1 to 100 characters. */
	account: string;
	/** From 1 to 100 characters. */
	id: string;
	/** In the order of posting, unique in the account. At least 1. */
	position: number;
	/** The local day on which it counts. A date, such as 2026-03-02. */
	on: string;
	kind: "DRAW";
	/** In minor units. At least 1. */
	amount: number;
	/** At least 1. */
	cycle: number;
}

export type ImportFactLine = ImportDrawLine | ImportRepaymentLine | ImportWaiverLine | ImportRefundLine | ImportWriteOffLine | ImportRollOverLine | ImportReversalLine | ImportRescheduleLine | ImportSettlementLine;

export interface ImportFault {
	code: "NO_ACCOUNT_LINE" | "NO_BALANCE" | "TOO_MANY_LINES" | "TOO_MANY_INSTALLMENTS" | "TOO_MANY_PENALTIES" | "UNKNOWN_PRODUCT" | "BAD_CYCLE" | "BAD_FACT" | "OUT_OF_RANGE" | "DIFFERENT" | "BORROWER" | "ACCOUNT_EXISTS" | "PAYMENT_KNOWN" | "CONFLICT" | "UNEXPECTED";
	description: string;
	/** The old program's id of the fact. */
	fact?: string;
	/** The first day on which the replay and the old balances differ. */
	difference?: {
		/** A date, such as 2026-03-02. */
		on: string;
		component: "principal" | "interest" | "arrears" | "penalty" | "overpaid" | "refund_uncovered";
		expected: number;
		computed: number;
	};
}

export type ImportLine = ImportAccountLine | ImportFactLine | ImportBalanceLine;

export interface ImportPortion {
	/** A UUID. */
	import_id: string;
	lines: number;
	/** Lines of accounts that are imported already: they change nothing. */
	skipped: number;
}

export interface ImportRefundLine {
	type: "FACT";
	/** From 1 to 100 characters. */
	account: string;
	/** From 1 to 100 characters. */
	id: string;
	/** In the order of posting, unique in the account. At least 1. */
	position: number;
	/** The local day on which it counts. A date, such as 2026-03-02. */
	on: string;
	kind: "REFUND";
	/** In minor units. At least 1. */
	amount: number;
}

export interface ImportRepaymentLine {
	type: "FACT";
	/** From 1 to 100 characters. */
	account: string;
	/** From 1 to 100 characters. */
	id: string;
	/** In the order of posting, unique in the account. At least 1. */
	position: number;
	/** The local day on which it counts. A date, such as 2026-03-02. */
	on: string;
	kind: "REPAYMENT";
	/** In minor units. At least 1. */
	amount: number;
	/** With it, a later report of the same payment is refused as known. */
	payment?: {
		/** From 1 to 100 characters. */
		mobile_money_transaction_id: string;
		details: PaymentDetails;
	};
}

export interface ImportRescheduleLine {
	type: "FACT";
	/** From 1 to 100 characters. */
	account: string;
	/** From 1 to 100 characters. */
	id: string;
	/** In the order of posting, unique in the account. At least 1. */
	position: number;
	/** The local day on which it counts. A date, such as 2026-03-02. */
	on: string;
	kind: "RESCHEDULE";
	/** At least 1. */
	cycle: number;
	/** Of all installments that were not yet due. From 1 to 1200 items. */
	due_dates: readonly string[];
}

export interface ImportReversalLine {
	type: "FACT";
	/** From 1 to 100 characters. */
	account: string;
	/** From 1 to 100 characters. */
	id: string;
	/** In the order of posting, unique in the account. At least 1. */
	position: number;
	/** The local day on which it counts. A date, such as 2026-03-02. */
	on: string;
	kind: "REVERSAL";
	/** From 1 to 100 characters. */
	reverses: string;
}

export interface ImportRollOverLine {
	type: "FACT";
	/** From 1 to 100 characters. */
	account: string;
	/** From 1 to 100 characters. */
	id: string;
	/** In the order of posting, unique in the account. At least 1. */
	position: number;
	/** The local day on which it counts. A date, such as 2026-03-02. */
	on: string;
	kind: "ROLL_OVER";
	/** In minor units. At least 1. */
	amount: number;
	/** At least 1. */
	cycle: number;
}

export interface ImportSettlementLine {
	type: "FACT";
	/** From 1 to 100 characters. */
	account: string;
	/** From 1 to 100 characters. */
	id: string;
	/** In the order of posting, unique in the account. At least 1. */
	position: number;
	/** The local day on which it counts. A date, such as 2026-03-02. */
	on: string;
	kind: "SETTLEMENT";
	/** In minor units. At least 1. */
	amount: number;
	/** A date, such as 2026-03-02. */
	valid_until: string;
}

export interface ImportWaiverLine {
	type: "FACT";
	/** From 1 to 100 characters. */
	account: string;
	/** From 1 to 100 characters. */
	id: string;
	/** In the order of posting, unique in the account. At least 1. */
	position: number;
	/** The local day on which it counts. A date, such as 2026-03-02. */
	on: string;
	kind: "WAIVER";
	/** In minor units. At least 1. */
	amount: number;
	/** At least 1. */
	cycle: number;
	/** At least 1. */
	installment: number;
}

export interface ImportWriteOffLine {
	type: "FACT";
	/** From 1 to 100 characters. */
	account: string;
	/** From 1 to 100 characters. */
	id: string;
	/** In the order of posting, unique in the account. At least 1. */
	position: number;
	/** The local day on which it counts. A date, such as 2026-03-02. */
	on: string;
	kind: "WRITE_OFF";
	/** In minor units. At least 1. */
	amount: number;
}

export interface InDuplumTerms {
	/** Interest and penalties that are unpaid as the first overdue day begins, and those charged from then on, paid or not, stay within the principal outstanding at that moment. */
	since_default: boolean;
}

export interface InboxMessage {
	/** A UUID. */
	id: string;
	category: "SECURITY" | "ACCOUNT" | "REPAYMENTS" | "PAYMENTS" | "PRODUCT_NEWS" | "MARKETING";
	/** null once the key is gone that it was encrypted with. */
	text: string | null;
	/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	read_at: string | null;
	/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	created_at: string;
}

export interface Installment {
	/** null where nothing is posted to it yet, as of penalties after the loan's end until the first of them is posted. A UUID. */
	id: string | null;
	/** A UUID. */
	cycle_id: string;
	position: number;
	/** A date, such as 2026-03-02. */
	due_date: string;
	status: "UPCOMING" | "DUE" | "OVERDUE" | "SETTLED" | "WAIVED";
	principal: number;
	interest: number;
	/** The overdue part of the unpaid interest. */
	arrears: number;
	penalty: number;
	paid: number;
	waived: number;
	/** principal + interest + penalty - paid - waived. */
	outstanding: number;
}

export interface InterestRate {
	/** From 0 to 1000000. */
	basis_points: number;
	/** From 1 to 36500. */
	period_value: number;
	period_unit: "DAYS" | "WEEKS" | "MONTHS" | "YEARS";
}

export interface InternalAccountInput {
	type: "INTERNAL";
	/** From 1 to 140 characters. */
	account_holder_name?: string | null;
	/** Matches `^@.*` From 2 to 64 characters. */
	user_tag: string;
}

export interface InvoiceAdvance {
	/** A UUID. */
	id: string;
	status: "SUBMITTED" | "PAID_OUT" | "RETURNED" | "FAILED";
	/** The amount that the merchant gets. */
	amount_minor_units: number;
	fee_minor_units: number;
	failure_reason: string | null;
	/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	created_at: string;
	/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	finished_at: string | null;
}

export interface InvoiceInput {
	/** The buyer's own id of the merchant. From 1 to 255 characters. */
	merchant_id: string;
	/** The scanned document. Without it, the id of the invoice. A UUID. */
	document_id?: string;
	/** Unique for the merchant; case, spaces and the width of characters make no difference. From 1 to 100 characters. */
	invoice_number: string;
	/** At least 1. */
	amount_minor_units: number;
	/** Matches `^[A-Z]{3}$` */
	currency: string;
	/** A date, such as 2026-03-02. */
	issued_date: string;
	/** A date, such as 2026-03-02. */
	due_date: string;
	/** Anything that the merchant wants to keep with the invoice; returned as sent. */
	details?: {
		[name: string]: unknown;
	};
}

export interface InvoiceRepayment {
	/** A UUID. */
	id: string;
	/** A UUID. */
	invoice_id: string;
	external_id: string;
	amount: {
		value: number;
		currency: string;
	};
	/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	transacted_at: string;
	/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	posted_at: string;
}

export interface IssuedApiKey {
	/** A UUID. */
	id: string;
	name: string;
	/** `sk_...` and the last four characters of the key. */
	masked_key: string;
	scopes: ("loans:write" | "repayments:write" | "agents:write" | "agents:read" | "invoices:write" | "invoices:read" | "approvals:write" | "events:read" | "accounts:read" | "repayments:read" | "users:read" | "portfolio:read" | "ledger:read")[];
	/** How much the key may move in a day (UTC), in minor units; beyond it 429. */
	daily_amount: number;
	/** Whose powers the key has: the user, or operator, who made or adopted it. */
	created_by: string;
	/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	created_at: string;
	/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	expires_at: string | null;
	/** Accurate to the minute. A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	last_used_at: string | null;
	/** Send it as `X-API-Key`. Only this response contains it; its idempotent replays do not. */
	key?: string;
}

export interface IssuedStatement {
	/** A UUID. */
	id: string;
	/** From 1 in each organization, without gaps. */
	number: number;
	/** A UUID. */
	account_id: string;
	/** A date, such as 2026-03-02. */
	from: string;
	/** A date, such as 2026-03-02. */
	to: string;
	/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	issued_at: string;
	/** Of what it says of the account. */
	sha256: string;
	/** The statement of the same days that it corrects. */
	replaces: {
		/** A UUID. */
		id: string;
		number: number;
	} | null;
	/** The statement that corrects it. */
	replaced_by: {
		/** A UUID. */
		id: string;
		number: number;
	} | null;
}

export interface IssuedStatementContent {
	/** A UUID. */
	id: string;
	/** From 1 in each organization, without gaps. */
	number: number;
	/** A UUID. */
	account_id: string;
	/** A date, such as 2026-03-02. */
	from: string;
	/** A date, such as 2026-03-02. */
	to: string;
	/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	issued_at: string;
	/** Of what it says of the account. */
	sha256: string;
	/** The statement of the same days that it corrects. */
	replaces: {
		/** A UUID. */
		id: string;
		number: number;
	} | null;
	/** The statement that corrects it. */
	replaced_by: {
		/** A UUID. */
		id: string;
		number: number;
	} | null;
	/** The language of its PDF file. */
	locale: "en" | "sw" | "fr" | "pt" | "am";
	brand_color: string;
	lender: string | null;
	/** The holder's name at the time; null where nobody knew it, or once it was erased. */
	holder: string | null;
	account_type: "CREDIT" | "CURRENT";
	account_number: string;
	currency: string;
	opening_balance: number;
	entries: {
		/** A date, such as 2026-03-02. */
		date: string;
		/** The part of a credit account's balance that changed; BALANCE for a current account. */
		component: "PRINCIPAL" | "INTEREST" | "ARREARS" | "PENALTY" | "OVERPAYMENT" | "REFUND_UNCOVERED" | "BALANCE";
		amount: number;
		/** Why it changed; for a current account the type of the transaction. */
		rule: string;
		/** A UUID. */
		transaction_id: string | null;
		/** A UUID. */
		installment_id: string | null;
		running_balance: number;
	}[];
	closing_balance: number;
}

/** Any JSON value. */
export type JsonValue = unknown;

export interface LateLoan {
	/** A UUID. */
	account_id: string;
	account_number: string;
	/** A UUID. */
	user_id: string;
	currency: string;
	principal_outstanding: number;
	/** Of the oldest installment that is not paid. A date, such as 2026-03-02. */
	due_date: string;
	days_past_due: number;
	/** A UUID. */
	owner_id: string | null;
	/** The latest. */
	promise: {
		amount: number;
		/** A date, such as 2026-03-02. */
		day: string;
		status: "OPEN" | "KEPT" | "BROKEN" | "WITHDRAWN";
	} | null;
	/** Of the latest note, promise or reminder. A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	last_contact_at: string | null;
}

export interface LedgerAccount {
	number: string;
	name: string;
	class: "ASSET" | "LIABILITY" | "EQUITY" | "INCOME" | "EXPENSE";
	normal_side: "DEBIT" | "CREDIT";
	/** The changes that are posted to it. */
	posts: string;
	/** A loan product may have a number of its own for it in the lender's own ledger. */
	by_product: boolean;
}

export interface LedgerClosing {
	/** Such as 2026-03. For example `"2026-03"` */
	month: string;
	/** The day of its trial balance. A date, such as 2026-03-02. */
	last_day: string;
	/** A UUID. */
	approval_request_id: string;
	/** A user, or an operator. */
	requested_by: string;
	/** A member's name or tag, or an operator's subject. */
	requested_by_display: string | null;
	approved_by: string;
	approved_by_display: string | null;
	reason: string | null;
	/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	closed_at: string;
}

export interface LedgerClosingFigures {
	/** Such as 2026-03. For example `"2026-03"` */
	month: string;
	/** The day of its trial balance. A date, such as 2026-03-02. */
	last_day: string;
	/** A UUID. */
	approval_request_id: string;
	/** A user, or an operator. */
	requested_by: string;
	/** A member's name or tag, or an operator's subject. */
	requested_by_display: string | null;
	approved_by: string;
	approved_by_display: string | null;
	reason: string | null;
	/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	closed_at: string;
	/** Those that are not zero. */
	balances: TrialBalanceRow[];
}

export interface LedgerJournal {
	/** A date, such as 2026-03-02. */
	day: string;
	currency: string;
	/** Of no other journal of the organization. For example `"Lending 2026-03-05 KES"` */
	narration: string;
	/** As the query says it. */
	tax_rate: string;
	/** A line for each account that the day has moved, by product where `by_product` is true of the account; debits equal credits. */
	lines: {
		/** A number of the chart of accounts. */
		account: string;
		/** A UUID. */
		loan_product_id: string | null;
		/** The account of the chart and the product. */
		description: string;
		/** Of the account in the lender's own ledger, by the mapping of the day. */
		number: string;
		/** Its name there. */
		number_name: string | null;
		/** At least 0. */
		debit: number;
		/** At least 0. */
		credit: number;
	}[];
}

export interface LedgerLine {
	entry_id: string;
	/** From 1, in its entry. */
	line: number;
	/** A date, such as 2026-03-02. */
	day: string;
	account: string;
	account_name: string;
	/** At least 0. */
	debit: number;
	/** At least 0. */
	credit: number;
	currency: string;
	source: "LOAN" | "DAY" | "RECEIPT" | "PAYOUT" | "WALLET" | "INVOICE" | "TREASURY" | "CHARGE" | "OPENING" | "PROVISION";
	source_id: string;
	/** The credit account or current account. A UUID. */
	account_id: string | null;
	/** A UUID. */
	loan_product_id: string | null;
	/** The day on which it counts for the borrower. A date, such as 2026-03-02. */
	value_date: string;
	/** The source that it takes back. */
	corrects_id: string | null;
	/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	booked_at: string;
}

export interface LedgerMapping {
	/** A UUID. */
	id: string;
	/** null: of all loan products, unless a product has a number of its own for the account. A UUID. */
	loan_product_id: string | null;
	/** It counts from this day until the next version. A date, such as 2026-03-02. */
	effective_from: string;
	accounts: {
		/** A number of the chart of accounts. */
		account: string;
		/** Its number in the lender's own ledger. */
		number: string;
		name: string | null;
	}[];
	/** A UUID. */
	approval_request_id: string;
	requested_by: string;
	approved_by: string;
	reason: string | null;
	/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	created_at: string;
}

export interface LenderAttention {
	/** A date, such as 2026-03-02. */
	today: string;
	/** Accounts whose oldest unpaid installment is due today. */
	due_today: {
		/** At most 1000. */
		count: number;
		/** There is more than what was counted. */
		more: boolean;
	};
	/** Accounts that were overdue when the last day was closed, and still are; none is written off. */
	overdue: {
		/** At most 1000. */
		count: number;
		/** There is more than what was counted. */
		more: boolean;
		/** As the last day was closed. */
		amounts: {
			value: number;
			currency: string;
		}[];
		/** A date, such as 2026-03-02. */
		oldest_due_date: string | null;
		/** Of these accounts, by days past due. */
		past_due: {
			over_days: number;
			/** At most 1000. */
			count: number;
		}[];
	};
	unmatched_payments: Waiting;
	/** Users on the waiting list. */
	waiting_users: Waiting;
	/** Payouts that have not ended for ten minutes. */
	payouts: Waiting;
	approvals: Waiting;
	statement_breaks: WaitingBreaks;
	paused_connections: {
		provider: "daraja" | "momo";
		reason: string | null;
		/** null: until somebody resumes it. A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
		until: string | null;
	}[];
	/** Connections whose account holds less than what waits and as much as was paid out within a day. */
	low_floats: LowFloat[];
}

export interface ListedStatement {
	/** A UUID. */
	id: string;
	channel: "MPESA" | "MOMO" | "BANK";
	number: string;
	account: string;
	currency: string;
	/** A date, such as 2026-03-02. */
	from: string;
	/** A date, such as 2026-03-02. */
	to: string;
	name: string;
	expects: ("PAYMENTS" | "PAYOUTS" | "DISBURSER_PAYOUTS")[];
	/** COMPARED: its breaks are known. */
	status: "OPEN" | "MATCHING" | "SEEKING" | "LOOKING" | "COMPARED" | "DISCARDING" | "DISCARDED";
	/** Records of the file that were sent. */
	rows: number;
	/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	created_at: string;
	/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	updated_at: string;
	/** The sum of its days' differences: what the file lacks. */
	difference: number;
	/** Days whose difference is not 0. */
	untied_days: number;
	/** Open ones. */
	breaks: number;
	/** The sum of their differences. */
	unexplained: number;
}

export interface LoanApplication {
	/** A UUID. */
	id: string;
	resource_id: string;
	status: "PENDING" | "APPROVED" | "SUBMITTED" | "REJECTED" | "DISBURSED" | "FAILED" | "EXPIRED" | "CANCELLED";
	/** A UUID. */
	user_id: string;
	/** A UUID. */
	account_id: string;
	/** A UUID. */
	loan_product_id: string;
	loan_product_type: "REDUCING_BALANCE" | "FLAT";
	loan_amount: number;
	fee: number | null;
	total_cost: number | null;
	total_due: number | null;
	/** Their sum is total_cost; what being late costs is in penalty_terms. */
	charges: {
		type: "ACCESS_FEE" | "INTEREST";
		amount: number;
	}[];
	/** Effective annual rate, all charges included. */
	apr_basis_points: number | null;
	due_dates: string[];
	tenure: Tenure;
	interest_rate: InterestRate;
	standard_interest_rate: InterestRate;
	terms_range: {
		min_loan_amount: number;
		max_loan_amount: number;
	};
	penalty_terms: PenaltyTerms;
	applied_deal: {
		/** A UUID. */
		id: string;
		resource_id: string;
		name: string;
		short_message: string;
	} | null;
	/** Of the text that borrowers agree to; null: there is none. */
	terms_version: number | null;
	/** Matches `^[0-9a-f]{64}$` */
	terms_sha256: string | null;
	/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	terms_accepted_at: string | null;
	currency: string;
	/** Why the application was REJECTED, the main reason first. */
	rejection_reasons: string[];
	/** Why the money could not be paid out. */
	failure_reason: string | null;
	/** The place that the borrower named in the application. */
	payout: Payout | null;
	/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	created_at: string;
	/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	expires_at: string;
	/** Until then it is refused as `CAUTION`, because the sign-in is too recent; earlier if the SIM card is checked. A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	available_from?: string;
}

export interface LoanImport {
	/** A UUID. */
	id: string;
	/** A UUID. */
	organization_id: string;
	name: string;
	status: "OPEN" | "CHECKING" | "CHECKED" | "RUNNING" | "DONE" | "CANCELLED";
	/** Rises with every portion that changes a line. */
	revision: number;
	accounts: {
		staged: number;
		equal: number;
		failed: number;
		imported: number;
	};
	/** Accounts found equal whose borrower was a user before the import: to import them, name it. */
	existing_users: number;
	/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	created_at: string;
	/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	updated_at: string;
}

export interface LoanProduct {
	/** A UUID. */
	id: string;
	/** null: the product serves every organization. A UUID. */
	organization_id: string | null;
	/** From 1 to 100 characters. */
	name: string;
	loan_product_type: "REDUCING_BALANCE" | "FLAT";
	/** Matches `^[A-Z]{3}$` */
	currency: string;
	/** At least 1. */
	min_loan_amount: number;
	/** At least 1. */
	max_loan_amount: number;
	/** At least 1. */
	amount_step: number;
	/** At least 0. */
	base_limit: number;
	tenure: Tenure;
	installment_every: Tenure;
	/** From 1 to 100 items. */
	rate_schedule: {
		/** From 0 to 36500. */
		min_days: number;
		/** From 1 to 36500. */
		max_days: number;
		interest_rate: InterestRate;
	}[];
	/** From 0 to 10000. */
	fee_basis_points: number;
	penalty_terms: PenaltyTerms;
	auto_renews: boolean;
	time_zone: string;
	day_count: "THIRTY_360" | "ACTUAL_365";
	/** When an access fee becomes income of the lender: as it is charged, or day by day until the loan's last due date. */
	access_fee_recognition: "AT_ONCE" | "OVER_LIFE";
	allocation: AllocationTerms;
	in_duplum: InDuplumTerms;
	growth_basis_points: number;
	/** To what its loans may be paid. From 1 to 3 items. */
	payout_destinations: ("OWN_NUMBER" | "CURRENT_ACCOUNT" | "PAYEE_ACCOUNT")[];
	deals: {
		/** A UUID. */
		id: string;
		resource_id: string;
		/** From 1 to 100 characters. */
		name: string;
		/** At most 255 characters. */
		short_message: string;
		/** From 0 to 1000000. */
		rate_reduction_basis_points: number;
		/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. At most 64 characters. */
		valid_from: string;
		/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. At most 64 characters. */
		valid_until: string;
	}[];
	/** Of the text that borrowers agree to; null: there is none. */
	terms_version: number | null;
	/** Matches `^[0-9a-f]{64}$` */
	terms_sha256: string | null;
	status: "ACTIVE" | "SUSPENDED" | "RETIRED";
	/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	created_at: string;
}

export interface LoanProductInput {
	/** null: the product serves every organization. A UUID. */
	organization_id: string | null;
	/** From 1 to 100 characters. */
	name: string;
	loan_product_type: "REDUCING_BALANCE" | "FLAT";
	/** Matches `^[A-Z]{3}$` */
	currency: string;
	/** At least 1. */
	min_loan_amount: number;
	/** At least 1. */
	max_loan_amount: number;
	/** At least 1. */
	amount_step: number;
	/** At least 0. */
	base_limit: number;
	tenure: Tenure;
	installment_every: Tenure;
	/** From 1 to 100 items. */
	rate_schedule: readonly {
		/** From 0 to 36500. */
		min_days: number;
		/** From 1 to 36500. */
		max_days: number;
		interest_rate: InterestRate;
	}[];
	/** From 0 to 10000. */
	fee_basis_points: number;
	penalty_terms: PenaltyTerms;
	/** By default `false` */
	auto_renews?: boolean;
	/** At most 64 characters. By default `"Africa/Nairobi"` */
	time_zone?: string;
	/** By default `"THIRTY_360"` */
	day_count?: "THIRTY_360" | "ACTUAL_365";
	/** When an access fee becomes income of the lender: as it is charged, or day by day until the loan's last due date. By default `"AT_ONCE"` */
	access_fee_recognition?: "AT_ONCE" | "OVER_LIFE";
	/** By default `{"order":"HORIZONTAL","future":"NEXT_INSTALLMENT"}` */
	allocation?: AllocationTerms;
	/** By default `{"since_default":true}` */
	in_duplum?: InDuplumTerms;
	/** How much each loan repaid without an overdue day raises the limit. From 0 to 10000. By default `0` */
	growth_basis_points?: number;
	/** To what its loans may be paid. From 1 to 3 items. */
	payout_destinations?: readonly ("OWN_NUMBER" | "CURRENT_ACCOUNT" | "PAYEE_ACCOUNT")[];
	/** At most 20 items. */
	deals?: readonly {
		/** From 1 to 100 characters. */
		name: string;
		/** At most 255 characters. */
		short_message: string;
		/** From 0 to 1000000. */
		rate_reduction_basis_points: number;
		/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. At most 64 characters. */
		valid_from: string;
		/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. At most 64 characters. */
		valid_until: string;
	}[];
}

export interface LoanProductPatch {
	/** From 1 to 100 characters. */
	name?: string;
	status?: "ACTIVE" | "SUSPENDED" | "RETIRED";
	/** Names of deals that end now. From 1 to 20 items. */
	end_deals?: readonly string[];
	/** The published text that offers name from now on; null: none. At least 1. */
	terms_version?: number | null;
}

export interface LoanTermsText {
	/** A UUID. */
	loan_product_id: string;
	version: number;
	/** Of the text in UTF-8. Matches `^[0-9a-f]{64}$` */
	sha256: string;
	text: string;
	/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	published_at: string;
}

export interface LowFloat {
	provider: "daraja" | "momo";
	currency: string;
	/** The money in the account from which it pays, in minor units. */
	available: number;
	/** Payouts that have not ended. */
	waiting: number;
	/** Its payouts of the last 24 hours. */
	paid_last_day: number;
	/** When the provider reported it. A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	as_of: string;
	/** When it was first too low. A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	since: string;
}

export interface Member {
	/** A UUID. */
	id: string;
	/** A UUID. */
	user_id: string;
	role: "organization-owner" | "organization-admin" | "organization-financing-admin" | "organization-financing-viewer" | "organization-lending-admin" | "organization-lending-viewer" | "organization-developer" | "organization-viewer";
	display_name: string | null;
	email: string | null;
	/** null for a while after the member has joined. */
	tag: string | null;
	/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	created_at: string;
}

export interface MemberInvitation {
	/** A UUID. */
	id: string;
	email: string;
	role: "organization-owner" | "organization-admin" | "organization-financing-admin" | "organization-financing-viewer" | "organization-lending-admin" | "organization-lending-viewer" | "organization-developer" | "organization-viewer";
	status: "PENDING" | "ACCEPTED" | "REVOKED" | "EXPIRED";
	/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	created_at: string;
	resource_id: string;
	/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	expires_at: string;
	/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	accepted_at: string | null;
}

export type MemberRole = "organization-owner" | "organization-admin" | "organization-financing-admin" | "organization-financing-viewer" | "organization-lending-admin" | "organization-lending-viewer" | "organization-developer" | "organization-viewer";

export interface MerchantGrant {
	merchant_id: string;
	/** A UUID. */
	user_id: string;
	permissions: ("org:financing.merchants:read" | "org:financing.invoices:write")[];
}

export interface MessageDay {
	/** On which the messages were ordered (UTC). A date, such as 2026-03-02. */
	day: string;
	provider: string;
	/** That the provider took. */
	sent: number;
	/** Of these, that it reports as delivered. */
	delivered: number;
	/** Of these, that it reports as not delivered. */
	failed: number;
	/** In units of the currency, such as 12.8000; null where the provider does not say. */
	cost: string | null;
	currency: string | null;
}

export interface MobileNumberChange {
	/** A UUID. */
	id: string;
	resource_id: string;
	url: string;
	status: "INITIALIZING" | "AUTHORIZED" | "COMPLETED" | "EXPIRED" | "CANCELLED" | "FAILED";
	/** RECOVERY: two operators have authorized it, and only an operator cancels it. FIRST: the user had no number. */
	authorization_channel: "OLD_MOBILE" | "EMAIL" | "RECOVERY" | "FIRST";
	/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	created_at: string;
	/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	authorized_at: string | null;
	/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	completed_at: string | null;
	authorize_url: string;
	confirm_url: string;
}

export interface MomoConnection {
	provider: "daraja" | "momo";
	environment: "sandbox" | "production";
	/** Whether loans, draws and refunds are paid out by it. */
	payouts: boolean;
	/** PAUSED: new payouts answer 503, and ordered ones wait. */
	status: "ACTIVE" | "PAUSED";
	paused_reason: string | null;
	/** null while PAUSED: until it is resumed, or has other credentials. A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	paused_until: string | null;
	/** Another account that takes this one's place once another person agrees to it, or at `acts_at` if nobody discards it. */
	replacement: ConnectionReplacement | null;
	/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	created_at: string;
	/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	updated_at: string;
	/** The market whose wallets it pays, in its currency; the sandbox pays in EUR. */
	target_environment: "sandbox" | "mtnbenin" | "mtncameroon" | "mtncongo" | "mtnghana" | "mtnguineaconakry" | "mtnivorycoast" | "mtnliberia" | "mtnrwanda" | "mtnsouthafrica" | "mtnswaziland" | "mtnuganda" | "mtnzambia";
	/** A UUID. */
	api_user: string;
}

export interface MomoResult {
	[name: string]: unknown;
}

export interface Money {
	value: number;
	currency: string;
}

export interface MoneyReturn {
	/** PENDING: the request is being sent. TAKEN: the provider has accepted it and reported no outcome. RETURNED: the payer has the money; it may follow FAILED and GIVEN_UP. */
	status: "PENDING" | "TAKEN" | "RETURNED" | "FAILED" | "GIVEN_UP";
	failure_reason: string | null;
	/** The provider's id of the return; null if the provider reported none. */
	mobile_money_transaction_id: string | null;
	/** A result that says otherwise than what is stored, or than what was asked for: compare with the provider's books. */
	contradiction: string | null;
	given_up_reason: string | null;
	attempts: number;
	/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	created_at: string;
	/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	ended_at: string | null;
}

export interface NotificationPreferences {
	categories: {
		category: "SECURITY" | "ACCOUNT" | "REPAYMENTS" | "PAYMENTS" | "PRODUCT_NEWS" | "MARKETING";
		mandatory: boolean;
		/** The setting until the user chooses. */
		preference_default: "MANDATORY" | "OPT_OUT" | "OPT_IN";
		channels: {
			channel: "SMS" | "EMAIL" | "IN_APP";
			enabled: boolean;
		}[];
	}[];
}

/** Only these entries change. */
export interface NotificationPreferencesChange {
	/** From 1 to 50 items. */
	categories: readonly {
		category: "SECURITY" | "ACCOUNT" | "REPAYMENTS" | "PAYMENTS" | "PRODUCT_NEWS" | "MARKETING";
		/** From 1 to 50 items. */
		channels: readonly {
			channel: "SMS" | "EMAIL" | "IN_APP";
			enabled: boolean;
		}[];
	}[];
}

export interface NumberRecovery {
	/** That of the request for approval. A UUID. */
	id: string;
	/** A UUID. */
	user_id: string;
	status: "INITIALIZING" | "AUTHORIZED" | "COMPLETED" | "EXPIRED" | "CANCELLED" | "FAILED";
	failure_reason: string | null;
	/** When the user gets the new number, unless the recovery is cancelled. A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	not_before: string;
	/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	created_at: string;
	/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	completed_at: string | null;
}

export interface OperatorCaller {
	kind: "OPERATOR";
	issuer: string;
	subject: string;
}

export interface Organization {
	/** A UUID. */
	id: string;
	name: string;
	slug: string;
	status: "ACTIVE" | "SUSPENDED";
	/** Where its data is; null where the service does not name its regions. */
	region: string | null;
	/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	created_at: string;
}

export interface OrganizationTexts {
	locale: "en" | "sw" | "fr" | "pt" | "am";
	/** The language of customers whose own is not known; null for English. */
	default_locale: "en" | "sw" | "fr" | "pt" | "am" | null;
	/** Whether somebody whose language it is has read the service's texts. */
	reviewed: boolean;
	texts: {
		message: "ACCOUNT_NOT_CLOSED" | "ACCOUNT_NOT_OPENED" | "ACCOUNT_USABLE_AGAIN" | "ADMITTED" | "CODE" | "CREDIT_BUREAU_NOTICE" | "IDENTITY_LINKED" | "LIMIT_CHANGED" | "LOAN_IMPORTED" | "LOAN_NOT_ACCEPTED" | "LOAN_PAID_OUT" | "MONEY_ARRIVED" | "NUMBER_ADDED" | "NUMBER_CHANGED" | "OVERPAYMENT_PAID_BACK" | "PAYMENT_DUE" | "PAYMENT_RECEIVED" | "PAYMENT_RECEIVED_IN_FULL" | "RECOVERY_CANCELLED" | "RECOVERY_FAILED" | "RECOVERY_ORDERED" | "SIGNED_IN" | "TRANSFER_LEAVES" | "TRANSFER_TO_NEW_PAYEE";
		/** The service's text. */
		standard: string;
		/** The lender's, in its place. */
		own: string | null;
		/** The values that the service fills in when it sends the text. All but `lender` must stand in it. */
		placeholders: string[];
		/** As a customer reads it, with made-up values. */
		preview: string;
	}[];
}

export interface OrganizationTextsChange {
	locale: "en" | "sw" | "fr" | "pt" | "am";
	/** Stays as it is where it is left out. */
	default_locale?: "en" | "sw" | "fr" | "pt" | "am" | null;
	/** All own texts in this language, by message; the service's for each that is left out. */
	texts: { [Name in "ACCOUNT_NOT_CLOSED" | "ACCOUNT_NOT_OPENED" | "ACCOUNT_USABLE_AGAIN" | "ADMITTED" | "CODE" | "CREDIT_BUREAU_NOTICE" | "IDENTITY_LINKED" | "LIMIT_CHANGED" | "LOAN_IMPORTED" | "LOAN_NOT_ACCEPTED" | "LOAN_PAID_OUT" | "MONEY_ARRIVED" | "NUMBER_ADDED" | "NUMBER_CHANGED" | "OVERPAYMENT_PAID_BACK" | "PAYMENT_DUE" | "PAYMENT_RECEIVED" | "PAYMENT_RECEIVED_IN_FULL" | "RECOVERY_CANCELLED" | "RECOVERY_FAILED" | "RECOVERY_ORDERED" | "SIGNED_IN" | "TRANSFER_LEAVES" | "TRANSFER_TO_NEW_PAYEE"]?: string };
	/** Answers how the texts would read, and changes nothing. By default `false` */
	preview_only?: boolean;
}

export interface OtpConfirmation {
	/** Matches `^\d{6}$` */
	otp_code: string;
}

export interface OwnedWork {
	kind: "WAITING_USER" | "PAYMENT" | "CONFIRMATION" | "DISBURSEMENT" | "CONTRADICTION" | "SECOND_RECEIPT" | "STATEMENT_BREAK" | "TRANSFER" | "RETURN" | "ONBOARDING" | "ACTIVATION" | "CLOSURE" | "CUSTODIAN" | "APPROVAL" | "ENDPOINT" | "PORTFOLIO" | "DEAD_LETTER" | "QUOTA" | "AUTHORIZATION_SYNC";
	/** Of what waits: a user, a payment, …; of a dead letter the webhook endpoint, of a quota the organization. A UUID. */
	id: string;
	/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	since: string;
	/** Whose it is; null for what belongs to no organization. A UUID. */
	organization_id: string | null;
	/** A UUID. */
	user_id: string | null;
	/** A UUID. */
	account_id: string | null;
	amount: {
		value: number;
		currency: string;
	} | null;
	state: string;
	/** Why it waits, if that was recorded; for a confirmation or a second receipt the reported transaction. */
	reason: string | null;
	/** The provider's receipt of a payment; of a break the receipt or the reference of its line. */
	reference: string | null;
	/** null for what is not attempted. */
	attempts: number | null;
	/** null if no attempt is scheduled. A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	next_attempt_at: string | null;
	/** The member who looks after it. A UUID. */
	owner_id: string | null;
}

/** The neighbours of the page. */
export interface PageLinks {
	/** Cursor to send as `after`, null at the end. */
	next: string | null;
	/** Cursor to send as `before`, null on the first page. */
	prev: string | null;
}

export interface PayBillAccountInput {
	type: "PAY_BILL";
	/** From 1 to 140 characters. */
	account_holder_name?: string | null;
	/** Matches `^\d{4,10}$` */
	paybill_number: string;
	/** From 1 to 64 characters. */
	account_reference: string;
}

export interface PayBillDetails {
	type: "PAY_BILL";
	/** From 1 to 64 characters. */
	paybill_number: string;
	/** From 1 to 64 characters. */
	account_reference: string;
}

export interface Payee {
	/** A UUID. */
	id: string;
	resource_id: string;
	label: string | null;
	/** The label, else the name of the first account. */
	display_name: string | null;
	is_favorite: boolean;
	is_blocked: boolean;
	block_reasons: ("UNWANTED_PAYMENTS" | "SUSPECTED_FRAUD" | "WRONG_RECIPIENT" | "OTHER")[];
	block_details: string | null;
	is_service_user: boolean;
	/** A UUID. */
	service_user_id: string | null;
	service_user_tag: string | null;
	accounts: PayeeAccount[];
	/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	created_at: string;
	/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	updated_at: string;
}

export interface PayeeAccount {
	/** A UUID. */
	id: string;
	resource_id: string;
	type: "SEND_MONEY" | "BUY_GOODS" | "PAY_BILL" | "BANK_ACCOUNT" | "INTERNAL";
	account_holder_name: string | null;
	/** The user of this service who has the number. A UUID. */
	linked_user_id: string | null;
	linked_user_tag: string | null;
	mobile_number: string | null;
	till_number: string | null;
	paybill_number: string | null;
	account_reference: string | null;
	bank_code: string | null;
	account_number: string | null;
	transaction_count: number;
	/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	last_used_at: string | null;
	verification_status: "FAILED" | "UNVERIFIED" | "PENDING" | "MISMATCH" | "VERIFIED";
	/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	verified_at: string | null;
	verification: {
		resolved_name: string | null;
		account_valid: boolean | null;
		requires_confirmation: boolean;
		message: string | null;
	};
}

export type PayeeAccountInput = SendMoneyAccountInput | BuyGoodsAccountInput | PayBillAccountInput | BankAccountInput | InternalAccountInput;

export interface PaymentConfirmation {
	/** A UUID. */
	id: string;
	/** A UUID. */
	organization_id: string;
	mobile_money_transaction_id: string;
	/** null where the confirmation has none that could be asked about. */
	amount: Money | null;
	/** As the payer typed it in, by the first confirmation. */
	account_number: string | null;
	short_code: string | null;
	status: "WAITING" | "VERIFIED" | "REFUTED" | "LAPSED" | "OTHER_SHORTCODE" | "UNVERIFIED" | "DISMISSED";
	/** Since when it is reported with another account number too, or recorded with other facts. A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	contradicted_at: string | null;
	/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	created_at: string;
}

export type PaymentDetails = BuyGoodsDetails | PayBillDetails | SendMoneyDetails | WalletDetails | AgentCashDetails | BankTransferDetails;

export interface Payoff {
	payoff_amount: number;
	principal: number;
	interest: number;
	arrears: number;
	penalty: number;
	refund_uncovered: number;
	currency: string;
	/** A date, such as 2026-03-02. */
	on: string;
}

/** Where the money goes: by default to the borrower's own number, else to their current account. */
export interface Payout {
	type: "OWN_NUMBER" | "CURRENT_ACCOUNT" | "PAYEE_ACCOUNT";
	/** Of PAYEE_ACCOUNT: a verified account in the borrower's own name. A UUID. */
	payee_account_id?: string;
}

export interface PenaltyTerms {
	/** From 0 to 1000000. */
	rate_basis_points: number;
	calculation_basis: "PRINCIPAL_AND_ARREARS" | "PRINCIPAL" | "ARREARS" | "TOTAL_OUTSTANDING";
	type: "RECURRING" | "ONE_TIME";
	/** From 1 to 36500. */
	period_days: number;
	trigger: "AFTER_LOAN_END" | "AFTER_INSTALLMENT_DUE";
	/** From 0 to 36500. */
	grace_period_days: number;
}

export interface PlatformUser {
	/** A UUID. */
	id: string;
	status: "ACTIVE" | "WAITING_LIST";
	tag: string;
	display_name: string | null;
	blocked: boolean;
	/** A UUID. */
	home_organization_id: string | null;
	/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	created_at: string;
	/** When they last obtained tokens; accurate to the hour. A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	last_seen_at: string | null;
	/** Masked; for people, not for API keys. */
	mobile_number?: string | null;
	/** For operators, of one user. */
	identities?: {
		issuer: string;
		subject: string;
		/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
		created_at: string;
	}[];
	/** For operators, of one user. */
	credit_limit?: {
		/** The limit that was set; null while the limit is computed. */
		override: number | null;
		/** On the product that the user is offered; null if there is none. */
		effective: number | null;
		/** Of that product. */
		currency: string | null;
	};
}

export interface Portfolio {
	/** A UUID. */
	organization_id: string;
	/** A UUID. */
	loan_product_id: string;
	currency: string;
	/** The closed day. Its figures are what was known at its end, and never change. A date, such as 2026-03-02. */
	as_of: string;
	/** The first day of `period` A date, such as 2026-03-02. */
	from: string;
	balances: {
		/** On which anything is owed or overpaid. */
		accounts: number;
		principal: number;
		/** Not yet overdue. */
		interest: number;
		/** Overdue interest. */
		arrears: number;
		penalty: number;
		refund_uncovered: number;
		overpaid: number;
	};
	/** Of accounts with an installment or an uncovered refund overdue for more days than 0, 30, 60 and 90; none is written off. Exactly 4 items. */
	past_due: {
		over_days: number;
		accounts: number;
		/** All that these accounts owe of it. */
		principal: number;
	}[];
	period: PortfolioPeriod;
}

export interface PortfolioAccount {
	/** A UUID. */
	account_id: string;
	account_number: string;
	/** A UUID. */
	loan_product_id: string;
	currency: string;
	/** A date, such as 2026-03-02. */
	as_of: string;
	/** The day at whose end the facts were known that these figures are computed from. A date, such as 2026-03-02. */
	known_at: string;
	principal: number;
	/** Not yet overdue. */
	interest: number;
	/** Overdue interest. */
	arrears: number;
	penalty: number;
	refund_uncovered: number;
	overpaid: number;
	/** Unpaid of the overdue installments, with an overdue refund_uncovered. */
	overdue: number;
	/** Of the oldest overdue installment, or of an uncovered refund. A date, such as 2026-03-02. */
	oldest_due_date: string | null;
	days_past_due: number;
	/** The borrower. A UUID. */
	user_id: string;
}

export interface PortfolioEntry {
	/** A UUID. */
	account_id: string;
	account_number: string;
	/** A UUID. */
	loan_product_id: string;
	currency: string;
	/** A date, such as 2026-03-02. */
	from: string;
	/** A date, such as 2026-03-02. */
	to: string;
	period: PortfolioPeriod;
}

export interface PortfolioPeriod {
	disbursed: number;
	/** Principal that a new cycle has beyond what the old one was owed, and is overpaid. */
	rolled_over: number;
	/** Access fees charged, less what was waived of them before it was earned. */
	fees: number;
	/** The growth of fees that are charged and not yet earned; negative once they are earned. */
	fees_unearned: number;
	/** Unearned fees of loans that were written off. */
	fees_given_up: number;
	interest_earned: number;
	penalties_charged: number;
	repaid: {
		principal: number;
		/** With fees, overdue or not. */
		interest: number;
		penalty: number;
		/** Of what was refunded of a payment that bounced later. */
		refund_uncovered: number;
	};
	waived: {
		principal: number;
		/** With fees, overdue or not. */
		interest: number;
		penalty: number;
		/** Of what was refunded of a payment that bounced later. */
		refund_uncovered: number;
	};
	written_off: {
		principal: number;
		/** With fees, overdue or not. */
		interest: number;
		penalty: number;
		/** Of what was refunded of a payment that bounced later. */
		refund_uncovered: number;
	};
	/** Repaid after the write-off. */
	recovered: number;
	/** Repaid, and taken by nothing. */
	overpaid: number;
	/** Of what was overpaid, what paid something later. */
	overpayment_used: number;
	/** Of what was overpaid. */
	refunded: number;
	/** Beyond what was overpaid after all: the borrower owes it. */
	refunded_uncovered: number;
}

export interface PortfolioTransaction {
	/** A UUID. */
	id: string;
	/** A UUID. */
	account_id: string;
	account_number: string;
	/** A UUID. */
	loan_product_id: string;
	kind: "DRAW" | "REPAYMENT" | "REVERSAL" | "WAIVER" | "ROLL_OVER" | "REFUND" | "WRITE_OFF" | "PENALTY" | "PENALTY_CORRECTION" | "RESCHEDULE" | "SETTLEMENT";
	/** Positive, but for corrections of penalties. */
	amount: number;
	currency: string;
	/** A date, such as 2026-03-02. */
	value_date: string;
	/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	posted_at: string;
	/** A UUID. */
	reverses_id: string | null;
	reason: string | null;
}

export interface PortfolioTrend {
	/** A date, such as 2026-03-02. */
	from: string | null;
	/** A date, such as 2026-03-02. */
	to: string | null;
	data: {
		currency: string;
		days: {
			/** A date, such as 2026-03-02. */
			day: string;
			disbursed: number;
			/** Payments posted, less reversals. */
			collected: number;
			/** Principal of the accounts with an overdue installment. */
			overdue: number;
		}[];
	}[];
}

export interface ProviderStatement {
	/** A UUID. */
	id: string;
	channel: "MPESA" | "MOMO" | "BANK";
	number: string;
	account: string;
	currency: string;
	/** A date, such as 2026-03-02. */
	from: string;
	/** A date, such as 2026-03-02. */
	to: string;
	name: string;
	expects: ("PAYMENTS" | "PAYOUTS" | "DISBURSER_PAYOUTS")[];
	/** COMPARED: its breaks are known. */
	status: "OPEN" | "MATCHING" | "SEEKING" | "LOOKING" | "COMPARED" | "DISCARDING" | "DISCARDED";
	/** Records of the file that were sent. */
	rows: number;
	/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	created_at: string;
	/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	updated_at: string;
}

export interface ProviderTariff {
	/** A UUID. */
	id: string;
	channel: "MPESA" | "MOMO" | "BANK";
	direction: "PAYOUT" | "RECEIPT";
	currency: string;
	/** A date, such as 2026-03-02. */
	effective_from: string;
	/** By the amount of the payment; null for the last one. */
	bands: {
		up_to: number | null;
		fee: number;
	}[];
	/** A UUID. */
	approval_request_id: string;
	requested_by: string;
	approved_by: string;
	reason: string | null;
	/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	created_at: string;
}

export interface ProvisionRow {
	/** The closed day at whose end it was so. A date, such as 2026-03-02. */
	on: string;
	/** A UUID. */
	loan_product_id: string;
	currency: string;
	/** A stage, a bucket of days past due, or a move between stages since the end of the month before. */
	part: "STAGE" | "BUCKET" | "MOVE";
	/** Of a move, the stage now; null for loans that have ended. From 1 to 6. */
	stage: number | null;
	/** Of a move, the stage at the end of the month before; null for new loans. From 1 to 6. */
	from_stage: number | null;
	/** Past due for more days than these. At least 0. */
	over_days: number | null;
	/** Past due for at most these days. At least 0. */
	up_to_days: number | null;
	/** At least 0. */
	accounts: number;
	/** The sum that the accounts owe. At least 0. */
	exposure: number;
	/** Of a stage: interest, fees and penalties in the exposure that are no income. At least 0. */
	suspended_interest: number | null;
	/** At least 0. */
	rate_basis_points: number | null;
	/** Of a stage: the rate of the exposure without suspended interest, rounded half up. At least 0. */
	expected_loss: number | null;
	/** The version of the rules; null for the default rules, by which nothing is posted. A UUID. */
	rules_id: string | null;
}

export interface ProvisioningRules {
	/** A UUID. */
	id: string;
	/** null: of all loan products that have none of their own. A UUID. */
	loan_product_id: string | null;
	/** A date, such as 2026-03-02. */
	effective_from: string;
	/** By days past due; null for the last one. */
	stages: {
		up_to_days: number | null;
		rate_basis_points: number;
		suspends_interest: boolean;
	}[];
	/** So many days nothing is overdue before a loan goes back a stage. */
	cure_days: number;
	/** A UUID. */
	approval_request_id: string;
	requested_by: string;
	approved_by: string;
	reason: string | null;
	/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	created_at: string;
}

export interface Quote {
	loan_amount: number;
	currency: string;
	tenure: Tenure;
	interest_rate: InterestRate;
	installments: {
		position: number;
		/** A date, such as 2026-03-02. */
		due_date: string;
		principal: number;
		interest: number;
		total: number;
	}[];
	fee: number;
	/** Includes the fee, which is part of the first installment's interest. */
	total_interest: number;
	total_cost: number;
	total_due: number;
	/** Their sum is total_cost; what being late costs is in penalty_terms. */
	charges: {
		type: "ACCESS_FEE" | "INTEREST";
		amount: number;
	}[];
	penalty_terms: PenaltyTerms;
	/** Effective annual rate, all charges included. */
	apr_basis_points: number | null;
	/** Of the text that borrowers agree to; null: there is none. */
	terms_version: number | null;
	/** Matches `^[0-9a-f]{64}$` */
	terms_sha256: string | null;
	/** Until then it is refused as `CAUTION`, because the sign-in is too recent; earlier if the SIM card is checked. A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	available_from?: string;
}

export interface Repayment {
	transaction: RepaymentTransaction;
	installments: Allocation[];
	/** The amount that exceeds all installments. */
	overpaid_amount: number;
}

export interface RepaymentInput {
	/** The provider's id. Case, spaces, the width of characters and those that nobody sees make no difference. From 1 to 100 characters. */
	mobile_money_transaction_id: string;
	/** A UUID. */
	account_id?: string;
	/** Instead of account_id, as the payer typed it in. From 1 to 64 characters. */
	account_number?: string;
	amount: {
		/** At least 1. */
		value: number;
		/** Matches `^[A-Z]{3}$` */
		currency: string;
	};
	/** The provider's charge. */
	fee_amount?: {
		/** At least 0. */
		value: number;
		/** Matches `^[A-Z]{3}$` */
		currency: string;
	};
	/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	transacted_at: string;
	details: PaymentDetails;
	/** By default `"CONFIRMED"` */
	status?: "CONFIRMED" | "FAILED";
	/** From 1 to 255 characters. */
	failure_reason?: string;
}

export interface RepaymentPrompt {
	/** A UUID. */
	id: string;
	/** A UUID. */
	account_id: string;
	/** The account number of its payment, as the payer sees it. */
	reference: string;
	amount: number;
	currency: string;
	/** UNKNOWN: nobody has reported the outcome. A payment makes it SUCCEEDED, even after FAILED. */
	status: "PENDING" | "SENT" | "UNKNOWN" | "SUCCEEDED" | "FAILED";
	failure_reason: string | null;
	/** The payment. A UUID. */
	transaction_id: string | null;
	/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	created_at: string;
	/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	ended_at: string | null;
}

export interface RepaymentTransaction {
	/** A UUID. */
	id: string;
	resource_id: string;
	kind: "REPAYMENT" | "REVERSAL" | "WAIVER" | "REFUND" | "WRITE_OFF" | "RESCHEDULE" | "SETTLEMENT";
	/** A UUID. */
	reverses_transaction_id: string | null;
	mobile_money_transaction_id: string | null;
	amount: Money;
	/** The part of the amount that counts; the rest is reversed. */
	remaining_amount: Money;
	fee_amount: Money;
	/** REVERSED: nothing of it counts. A payment that is reversed in part is POSTED. */
	status: "CONFIRMED" | "POSTED" | "REVERSED" | "UNMATCHED" | "FAILED";
	/** The newest of its reversals that stands. A UUID. */
	reversed_by: string | null;
	failure_reason: string | null;
	/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	transacted_at: string;
	/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	confirmed_at: string | null;
	/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	posted_at: string | null;
	/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	failed_at: string | null;
	details: PaymentDetails | null;
	/** The loan. A UUID. */
	account_id?: string | null;
}

export interface Reschedule {
	/** null for a preview. A UUID. */
	transaction_id: string | null;
	kind: "EXTEND" | "HOLIDAY" | "NEW_DATES";
	/** A UUID. */
	cycle_id: string;
	before: {
		position: number;
		/** A date, such as 2026-03-02. */
		due_date: string;
		principal: number;
		interest: number;
		outstanding: number;
	}[];
	/** If nothing is paid or drawn before they are due. */
	after: {
		position: number;
		/** A date, such as 2026-03-02. */
		due_date: string;
		principal: number;
		interest: number;
		outstanding: number;
	}[];
}

export interface SandboxMessage {
	/** A UUID. */
	id: string;
	channel: "SMS" | "EMAIL";
	recipient: string;
	purpose: string;
	/** null once erased. */
	text: string | null;
	otp_code: string | null;
	token: string | null;
	/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	created_at: string;
}

export interface SendMoneyAccountInput {
	type: "SEND_MONEY";
	/** From 1 to 140 characters. */
	account_holder_name?: string | null;
	/** Matches `^\+[1-9]\d{6,14}$` */
	mobile_number: string;
}

export interface SendMoneyDetails {
	type: "SEND_MONEY";
	/** From 1 to 64 characters. */
	mobile_number: string;
}

export interface Settlement {
	/** A UUID. */
	transaction_id: string;
	amount: number;
	/** When it was agreed. */
	total_outstanding: number;
	currency: string;
	/** The last day on which a payment counts. A date, such as 2026-03-02. */
	valid_until: string;
}

export interface ShownApproval {
	/** A UUID. */
	id: string;
	/** A UUID. */
	organization_id: string | null;
	approval_type: "BLOCK_CHANGE" | "REPAYMENT_REVERSAL" | "REPAYMENT_RESTORATION" | "REPAYMENT_MOVE" | "TRANSACTION_REVERSAL" | "WRITE_OFF" | "SETTLEMENT" | "RESCHEDULE" | "ACCOUNT_CLOSURE" | "FREEZE_CHANGE" | "WAIVER" | "OVERPAYMENT_REFUND" | "LIMIT_CHANGE" | "ISSUER_REGISTRATION" | "OPERATION" | "NUMBER_RECOVERY" | "LEDGER_CLOSING" | "PROVISIONING_RULES" | "TREASURY_RECORD" | "PROVIDER_TARIFF" | "LEDGER_MAPPING";
	entity_type: "USER" | "TRANSACTION" | "ACCOUNT" | "ORGANIZATION" | "OPERATION" | "TREASURY_RECORD";
	entity_id: string;
	/** The change that an approval executes. */
	payload: JsonValue;
	/** SHA-256 over the canonical JSON of the payload. */
	payload_hash: string;
	reason: string | null;
	/** The state of the entity at the request. If it has changed, an approval fails. */
	target_version: string;
	status: "PENDING" | "APPROVED" | "REJECTED" | "EXPIRED" | "FAILED";
	/** The person behind the credentials: a user, or an operator. */
	requested_by: string;
	requested_through: "API_KEY" | "MEMBER" | "OPERATOR";
	decided_by: string | null;
	/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	decided_at: string | null;
	decision: "APPROVED" | "REJECTED" | null;
	comment: string | null;
	/** Why the approved change could not be executed. */
	failure_reason: string | null;
	/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	expires_at: string;
	/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	created_at: string;
	/** The name of the requester: a member's name, address or tag, or an operator's subject. */
	actor_display: string | null;
	/** The name of the person who decided. */
	decided_by_display: string | null;
	/** The borrower and the account that it concerns; null where there is none. */
	subject: {
		/** A UUID. */
		user_id: string | null;
		/** A UUID. */
		account_id: string | null;
		account_number: string | null;
		/** Of the account, or of one of the user's. */
		currency: string | null;
		/** Of the transaction that it is about. */
		transaction_amount: number | null;
	};
}

export interface ShownRepayment {
	transaction: RepaymentTransaction;
	installments: Allocation[];
	/** The amount that exceeds all installments. */
	overpaid_amount: number;
	/** The way of the money back to its payer; null where it was not asked for. */
	money_return: MoneyReturn | null;
}

export interface SignedIn {
	id_token: string;
	access_token: string;
	refresh_token: string;
	token_type: "Bearer";
	expires_in: number;
}

export interface SigningKey {
	/** A UUID. */
	id: string;
	/** Present only in the response that creates the key. */
	secret?: string;
	masked_secret: string;
	/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	created_at: string;
	/** From when on the key no longer signs; null when it does not expire. A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	expires_at: string | null;
}

export interface Statement {
	/** A date, such as 2026-03-02. */
	from: string;
	/** A date, such as 2026-03-02. */
	to: string;
	currency: string;
	opening_balance: number;
	entries: {
		/** A date, such as 2026-03-02. */
		date: string;
		/** The part of a credit account's balance that changed; BALANCE for a current account. */
		component: "PRINCIPAL" | "INTEREST" | "ARREARS" | "PENALTY" | "OVERPAYMENT" | "REFUND_UNCOVERED" | "BALANCE";
		amount: number;
		/** Why it changed; for a current account the type of the transaction. */
		rule: string;
		/** A UUID. */
		transaction_id: string | null;
		/** A UUID. */
		installment_id: string | null;
		running_balance: number;
	}[];
	closing_balance: number;
	links: PageLinks;
}

export interface StatementBreak {
	/** A UUID. */
	id: string;
	/** A UUID. */
	statement_id: string;
	/** MISSING_THERE: recorded, and not on the statement. TWICE: on a second line, or paid twice. */
	kind: "MISSING_HERE" | "MISSING_THERE" | "AMOUNT_DIFFERS" | "TWICE";
	/** RESOLVED: found since. CONFIRMED: the provider has answered that it is as recorded. DISCARDED: with its statement. */
	status: "OPEN" | "RESOLVED" | "RECORDED" | "EXPLAINED" | "CONFIRMED" | "DISCARDED";
	/** The way on. WAIT: for the provider's answer. MOVE: by `REPAYMENT_MOVE` with the statement's amount. REVERSE: by `REPAYMENT_REVERSAL` */
	action: "RECORD" | "ASK" | "WAIT" | "MOVE" | "REVERSE" | "EXPLAIN";
	/** When the provider was last asked. A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	asked_at: string | null;
	/** CONFIRMED: it was made. REFUTED: not so. NONE: the provider has not answered for three days, or cannot be asked. */
	answer: "CONFIRMED" | "REFUTED" | "NONE" | null;
	/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	at: string;
	receipt: string | null;
	/** As the payer typed it; null once the break is over. */
	reference: string | null;
	/** On the statement; less than 0 for what went out. */
	amount: number | null;
	/** As recorded here. */
	recorded: number | null;
	difference: number;
	currency: string;
	recorded_as: "PAYMENT" | "PAYOUT" | "PAYOUT_RETURN" | "PAYMENT_RETURN" | "INVOICE_REPAYMENT" | "TREASURY" | null;
	/** A UUID. */
	recorded_id: string | null;
	reason: string | null;
	decided_by: string | null;
	/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	decided_at: string | null;
	/** The unmatched payment as which it was recorded. A UUID. */
	payment_id: string | null;
	/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	created_at: string;
}

export interface StatementDay {
	/** A date, such as 2026-03-02. */
	day: string;
	lines: number;
	opening: number | null;
	in: number;
	out: number;
	/** Of out. */
	charges: number;
	closing: number | null;
	/** opening + in - out - closing: what the file lacks; null where it has no balances. */
	difference: number | null;
	/** Open ones of the day. */
	breaks: number;
	/** The sum of their differences. */
	unexplained: number;
}

export interface StatementMapping {
	/** The names in the file. It has time, and amount or paid_in and withdrawn. */
	columns: { [Name in "receipt" | "time" | "status" | "kind" | "details" | "reference" | "linked" | "paid_in" | "withdrawn" | "amount" | "fee" | "balance"]?: string };
	/** By default `"COMMA"` */
	separator?: "COMMA" | "SEMICOLON" | "TAB";
	/** Between an amount and its minor units. By default `"POINT"` */
	decimal?: "POINT" | "COMMA";
	/** Of dates that do not begin with the year. By default `"DMY"` */
	date_order?: "YMD" | "DMY" | "MDY";
	/** At most 64 characters. By default `"Africa/Nairobi"` */
	time_zone?: string;
	/** The `status` of a movement that happened; others are left out. From 1 to 60 characters. By default `"Completed"` */
	completed?: string;
}

export interface StatementPortion {
	/** A UUID. */
	statement_id: string;
	/** Records that moved money. */
	lines: number;
	next_row: number;
}

export interface Supervisor {
	/** A UUID. */
	agent_user_id: string;
	/** A UUID. */
	supervisor_user_id: string | null;
	/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	effective_from: string;
}

export interface SupervisorInput {
	/** The organization whose agent this is. By default the agent's own organization. A UUID. */
	organization_id?: string;
	/** null: no supervisor from then on. A UUID. */
	supervisor_user_id: string | null;
	/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. At most 64 characters. */
	effective_from: string;
}

export interface Tenure {
	/** From 1 to 36500. */
	duration: number;
	unit: "DAYS" | "WEEKS" | "MONTHS";
}

export interface TokenResponse {
	access_token: string;
	token_type: "Bearer";
	/** Seconds. */
	expires_in: number;
}

export interface Transfer {
	/** A UUID. */
	id: string;
	resource_id: string;
	status: "AWAITING_OTP" | "PENDING" | "COMPLETED" | "FAILED";
	amount: {
		value: number;
		currency: string;
	};
	/** IN: it has come into the account. */
	direction: "OUT" | "IN";
	counterparty: {
		/** USER: somebody with a current account here. PAYEE: somebody outside. CUSTODIAN: money that it reports. */
		kind: "CUSTODIAN" | "USER" | "PAYEE" | "INTEREST" | "LOAN";
		/** Of a payee as their provider has it; a user's own name, else their tag. */
		name: string | null;
	};
	/** Among the payer's payees; null of a transfer that has come in. A UUID. */
	payee_id: string | null;
	/** A UUID. */
	payee_account_id: string | null;
	note: string | null;
	failure_reason: string | null;
	/** A one-time password was sent, and the transfer waits for it. */
	requires_confirmation: boolean;
	/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	created_at: string;
	/** When it was completed, or failed. A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	completed_at: string | null;
}

export interface TreasuryRecord {
	/** A UUID. */
	id: string;
	kind: "BORROWED" | "REPAID" | "INTEREST" | "CONTRIBUTED" | "DRAWN" | "TRANSFER";
	amount: number;
	currency: string;
	account: string;
	to_account: string | null;
	/** The day on which the money moved. A date, such as 2026-03-02. */
	value_date: string;
	reference: string;
	/** The record that it takes back. A UUID. */
	corrects_id: string | null;
	/** The record that takes it back. A UUID. */
	corrected_by_id: string | null;
	/** A UUID. */
	approval_request_id: string;
	/** A user, or an operator. */
	requested_by: string;
	/** A member's name or tag, or an operator's subject. */
	requested_by_display: string | null;
	approved_by: string;
	approved_by_display: string | null;
	reason: string | null;
	/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	booked_at: string;
}

export interface TrialBalanceRow {
	/** A date, such as 2026-03-02. */
	on: string;
	account: string;
	name: string;
	class: "ASSET" | "LIABILITY" | "EQUITY" | "INCOME" | "EXPENSE";
	currency: string;
	/** At least 0. */
	debit: number;
	/** At least 0. */
	credit: number;
}

export interface TrustedIssuer {
	/** A UUID. */
	id: string;
	/** From 1 to 255 characters. */
	issuer: string;
	/** `sandbox`: anybody gets its tokens at POST /v1/sandbox/tokens; not in production. */
	kind: "partner" | "phone" | "identity" | "operator" | "sandbox";
	/** From 1 to 255 characters. By default `"financial-account-service"` */
	audience: string;
	/** A token's audience may be one of these as well, for example of a second app. Each kind of an issuer has its own. From 1 to 10 items. */
	other_audiences?: string[];
	/** The claim that is `audience`, or holds it: `azp` or `client_id` for an issuer whose tokens have no `aud`. All kinds of an issuer have the same. By default `"aud"` */
	audience_claim: "aud" | "azp" | "client_id";
	/** For each of these claims the texts of which a token's must be one, or hold one; true and false are `true` and `false`. For example `{"hd": ["acme.com"]}` */
	required_claims?: {
		[name: string]: string[];
	};
	/** Every `email` of its tokens is proven, also without `email_verified` By default `false` */
	emails_are_verified: boolean;
	/** Every `phone_number` of its tokens is proven, also without `phone_number_verified` By default `false` */
	phone_numbers_are_verified: boolean;
	/** `org_id` in its tokens is the issuer's own, and no organization of this service. By default `false` */
	ignores_org_id: boolean;
	/** Without it and `jwks`, the keys are where `<issuer>/.well-known/openid-configuration` says. A URL. At most 2048 characters. */
	jwks_uri?: string;
	jwks?: {
		/** From 1 to 20 items. */
		keys: {
			kty: "RSA" | "EC" | "OKP";
			/** At most 200 characters. */
			kid?: string;
			[name: string]: unknown;
		}[];
	};
	/** By default RS256 of keys that are registered, else those of the issuer's own configuration. From 1 to 4 items. */
	algorithms: ("RS256" | "PS256" | "ES256" | "EdDSA")[];
	/** Home organization of new users: an id, or a slug, created on first use. A UUID. */
	organization_id?: string;
	/** By default `false` */
	auto_admit: boolean;
	/** By default `false` */
	may_assert_user_ids: boolean;
	/** From 1 to 86400. By default `3600` */
	max_lifetime_seconds: number;
	/** How long a session may last that began with an exchanged identity token. From 1 to 7776000. By default `43200` */
	max_session_seconds: number;
	/** A verified `phone_number` becomes that of a user who has none, at the exchange, unless somebody has it. By default `false` */
	may_assert_phone_numbers: boolean;
	/** By default `false` */
	single_use: boolean;
	/** By default `"embedded"` */
	resource_access_provider: "embedded" | "openfga";
	/** A token's `amr` must hold one of these; an empty list demands none. At most 20 items. */
	required_amr?: string[];
	/** A token's `acr` must be one of these. From 1 to 20 items. */
	required_acr?: string[];
	/** How old a token's `auth_time` may be. From 1 to 2592000. */
	max_authentication_age_seconds?: number;
	/** The amount that its users together may transfer in a day without one-time passwords, in minor units. By default a hundred times TRANSFER_OTP_ABOVE. From 0 to 9999999999999. */
	uncoded_amount_per_day?: number;
	/** Its tokens are refused with UNAUTHORISED while this is set. By default `false` */
	disabled: boolean;
	/** In the answer of a registration without `jwks` and `jwks_uri`: what the issuer's own configuration says. */
	discovered?: {
		jwks_uri: string;
		algorithms: ("RS256" | "PS256" | "ES256" | "EdDSA")[];
	};
	/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	created_at: string;
	/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	updated_at: string;
}

export interface TrustedIssuerInput {
	/** From 1 to 255 characters. */
	issuer: string;
	/** `sandbox`: anybody gets its tokens at POST /v1/sandbox/tokens; not in production. */
	kind: "partner" | "phone" | "identity" | "operator" | "sandbox";
	/** From 1 to 255 characters. By default `"financial-account-service"` */
	audience?: string;
	/** A token's audience may be one of these as well, for example of a second app. Each kind of an issuer has its own. From 1 to 10 items. */
	other_audiences?: readonly string[];
	/** The claim that is `audience`, or holds it: `azp` or `client_id` for an issuer whose tokens have no `aud`. All kinds of an issuer have the same. By default `"aud"` */
	audience_claim?: "aud" | "azp" | "client_id";
	/** For each of these claims the texts of which a token's must be one, or hold one; true and false are `true` and `false`. For example `{"hd": ["acme.com"]}` */
	required_claims?: {
		[name: string]: readonly string[];
	};
	/** Every `email` of its tokens is proven, also without `email_verified` By default `false` */
	emails_are_verified?: boolean;
	/** Every `phone_number` of its tokens is proven, also without `phone_number_verified` By default `false` */
	phone_numbers_are_verified?: boolean;
	/** `org_id` in its tokens is the issuer's own, and no organization of this service. By default `false` */
	ignores_org_id?: boolean;
	/** Without it and `jwks`, the keys are where `<issuer>/.well-known/openid-configuration` says. A URL. At most 2048 characters. */
	jwks_uri?: string;
	jwks?: {
		/** From 1 to 20 items. */
		keys: readonly {
			kty: "RSA" | "EC" | "OKP";
			/** At most 200 characters. */
			kid?: string;
			[name: string]: unknown;
		}[];
	};
	/** By default RS256 of keys that are registered, else those of the issuer's own configuration. From 1 to 4 items. */
	algorithms?: readonly ("RS256" | "PS256" | "ES256" | "EdDSA")[];
	/** Home organization of new users: an id, or a slug, created on first use. A UUID. */
	organization_id?: string;
	/** By default `false` */
	auto_admit?: boolean;
	/** By default `false` */
	may_assert_user_ids?: boolean;
	/** From 1 to 86400. By default `3600` */
	max_lifetime_seconds?: number;
	/** How long a session may last that began with an exchanged identity token. From 1 to 7776000. By default `43200` */
	max_session_seconds?: number;
	/** A verified `phone_number` becomes that of a user who has none, at the exchange, unless somebody has it. By default `false` */
	may_assert_phone_numbers?: boolean;
	/** By default `false` */
	single_use?: boolean;
	/** By default `"embedded"` */
	resource_access_provider?: "embedded" | "openfga";
	/** A token's `amr` must hold one of these; an empty list demands none. At most 20 items. */
	required_amr?: readonly string[];
	/** A token's `acr` must be one of these. From 1 to 20 items. */
	required_acr?: readonly string[];
	/** How old a token's `auth_time` may be. From 1 to 2592000. */
	max_authentication_age_seconds?: number;
	/** The amount that its users together may transfer in a day without one-time passwords, in minor units. By default a hundred times TRANSFER_OTP_ABOVE. From 0 to 9999999999999. */
	uncoded_amount_per_day?: number;
	/** Its tokens are refused with UNAUTHORISED while this is set. By default `false` */
	disabled?: boolean;
}

export interface TwilioMessageReport {
	/** At most 100 characters. */
	MessageSid: string;
	/** At most 100 characters. */
	MessageStatus: string;
	[name: string]: unknown;
}

export interface UnmatchedPayment {
	/** A UUID. */
	id: string;
	mobile_money_transaction_id: string;
	/** As the payer typed it in. */
	account_number: string | null;
	amount: Money;
	reason: string | null;
	/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	transacted_at: string;
	/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	created_at: string;
	details: PaymentDetails;
}

export interface User {
	kind: "USER";
	/** A UUID. */
	id: string;
	status: "ACTIVE" | "WAITING_LIST" | "BLOCKED";
	tag: string;
	/** Masked, except for the first four characters and the last three digits. */
	mobile_number: string | null;
	email: string | null;
	display_name: string | null;
	/** The language of messages: the user's choice, else the language of their app at the last sign-in (`Accept-Language`), else their lender's. */
	locale: "en" | "sw" | "fr" | "pt" | "am";
	/** Whose customer the user is: it sets their loan products and gets their events. */
	home_organization: {
		/** A UUID. */
		id: string;
		slug: string;
	} | null;
	organizations: {
		/** A UUID. */
		id: string;
		slug: string;
		role: "organization-owner" | "organization-admin" | "organization-financing-admin" | "organization-financing-viewer" | "organization-lending-admin" | "organization-lending-viewer" | "organization-developer" | "organization-viewer";
	}[];
}

export interface Waiting {
	/** At most 1000. */
	count: number;
	/** There is more than what was counted. */
	more: boolean;
	/** Since when the oldest has waited. A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	oldest: string | null;
}

export interface WaitingBreaks {
	/** At most 1000. */
	count: number;
	/** There is more than what was counted. */
	more: boolean;
	/** Since when the oldest has waited. A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	oldest: string | null;
	/** By how much the statements move more than what is recorded here. */
	amounts: {
		value: number;
		currency: string;
	}[];
	/** Days whose statement does not tie out by itself: its file lacks lines. */
	untied_days: number;
}

export interface WalletDetails {
	type: "WALLET";
	/** A UUID. */
	account_id: string;
}

export interface WebhookEndpoint {
	/** A UUID. */
	id: string;
	name: string;
	description: string | null;
	url: string;
	status: "ACTIVE" | "SUSPENDED";
	events: string[];
	/** All must hold for an event that it gets; null: no condition. */
	filter: FilterCondition[] | null;
	/** ISO 8601 duration. */
	timeout: string;
	/** How many attempts may be under way at the endpoint at once. */
	max_in_flight: number;
	/** Attempts a second; null: no limit. */
	rate_limit: number | null;
	/** ENTITY: of the events with the same `entity_id`, the next is sent when the one before it has been delivered or has FAILED. NONE: in any order. */
	ordering: "NONE" | "ENTITY";
	/** Several deliveries in one signed request, `{batch_id, deliveries}`; null: each in a request of its own. A 2xx ends all but those that the answer names: `{failed: [delivery_id]}` */
	batch: {
		max_events: number;
		/** ISO 8601 duration. */
		max_wait: string;
	} | null;
	/** Headers that every delivery carries, with masked values. */
	headers: {
		[name: string]: string;
	};
	/** Active keys, newest first. */
	signing_keys: SigningKey[];
	/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	suspended_at: string | null;
	suspension_reason: "MANUAL" | "TEN_FAILED_DELIVERIES" | "PRIVATE_ADDRESS" | "GONE" | null;
	/** Whether the endpoint is probed after a suspension by failures, and resumed when it answers with a 2xx. The missed deliveries follow then. */
	auto_recover: boolean;
	/** When a suspended endpoint is probed next; null when it is not. A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	next_probe_at: string | null;
	/** FAILED deliveries since the last DELIVERED one; attempts that are retried are none. */
	failures_in_row: number;
	/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	created_at: string;
	/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	updated_at: string;
}

export interface WebhookEvent {
	/** A UUID. */
	id: string;
	event_type: string;
	category: "APPROVAL" | "USER" | "ORGANIZATION" | "LOAN_APPLICATION" | "CREDIT_ACCOUNT" | "REPAYMENT" | "CURRENT_ACCOUNT" | "AGENT" | "INVOICE" | "WEBHOOK";
	event_key: string;
	/** The id of what the event is about, such as the account: what `ordering` goes by. */
	entity_id: string | null;
	payload_version: number;
	data: {
		[name: string]: JsonValue;
	};
	/** Gapless within the organization and the stream. */
	sequence: number;
	/** The stream that `sequence` counts in. Each organization has one, which is 0. */
	stream: number;
	/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	created_at: string;
}

export interface WorkItem {
	kind: "WAITING_USER" | "PAYMENT" | "CONFIRMATION" | "DISBURSEMENT" | "CONTRADICTION" | "SECOND_RECEIPT" | "STATEMENT_BREAK" | "TRANSFER" | "RETURN" | "ONBOARDING" | "ACTIVATION" | "CLOSURE" | "CUSTODIAN" | "APPROVAL" | "ENDPOINT" | "PORTFOLIO" | "DEAD_LETTER" | "QUOTA" | "AUTHORIZATION_SYNC";
	/** Of what waits: a user, a payment, …; of a dead letter the webhook endpoint, of a quota the organization. A UUID. */
	id: string;
	/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	since: string;
	/** Whose it is; null for what belongs to no organization. A UUID. */
	organization_id: string | null;
	/** A UUID. */
	user_id: string | null;
	/** A UUID. */
	account_id: string | null;
	amount: {
		value: number;
		currency: string;
	} | null;
	state: string;
	/** Why it waits, if that was recorded; for a confirmation or a second receipt the reported transaction. */
	reason: string | null;
	/** The provider's receipt of a payment; of a break the receipt or the reference of its line. */
	reference: string | null;
	/** null for what is not attempted. */
	attempts: number | null;
	/** null if no attempt is scheduled. A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
	next_attempt_at: string | null;
}

export interface WorkOwner {
	/** A UUID. */
	subject_id: string;
	kind: "ACCOUNT" | "USER" | "PAYMENT" | "DISBURSEMENT" | "APPROVAL" | "STATEMENT_BREAK";
	/** A UUID. */
	owner_id: string | null;
}

/** What happened, by the event's type: the `data` of a webhook. */
export interface Events {
	/** A penalty for an agent was recorded. */
	"agent.penalty_recorded": {
		/** A UUID. */
		agent_user_id: string;
		/** A UUID. */
		event_id: string;
		amount: number;
		currency: string;
	};
	/** An API key was created. */
	"api_key.created": {
		/** A UUID. */
		api_key_id: string;
		name: string;
		/** `sk_...` and the key's last characters. */
		masked_key: string;
	};
	/** An API key was revoked. */
	"api_key.revoked": {
		/** A UUID. */
		api_key_id: string;
		name: string;
		/** `sk_...` and the key's last characters. */
		masked_key: string;
	};
	/** An approval request expired before it was decided. */
	"approval.expired": {
		/** A UUID. */
		approval_request_id: string;
		/** For example `"BLOCK_CHANGE"` */
		approval_type: string;
		/** For example `"USER"` */
		entity_type: string;
		entity_id: string;
	};
	/** An approval request was approved, but could no longer be executed. */
	"approval.failed": {
		/** A UUID. */
		approval_request_id: string;
		/** For example `"BLOCK_CHANGE"` */
		approval_type: string;
		/** For example `"USER"` */
		entity_type: string;
		entity_id: string;
		/** For example `"TARGET_CHANGED"` */
		failure_reason: string;
	};
	/** An approval request was approved or rejected. */
	"approval.outcome": {
		/** A UUID. */
		approval_request_id: string;
		/** For example `"BLOCK_CHANGE"` */
		approval_type: string;
		/** For example `"USER"` */
		entity_type: string;
		entity_id: string;
		decision: "APPROVED" | "REJECTED";
	};
	/** An approval was requested. */
	"approval.requested": {
		/** A UUID. */
		approval_request_id: string;
		/** For example `"BLOCK_CHANGE"` */
		approval_type: string;
		/** For example `"USER"` */
		entity_type: string;
		entity_id: string;
	};
	/** The audit trail was sealed; at most once a day. */
	"audit.sealed": {
		stream: string;
		through_sequence: number;
		/** The hash of the last seal: keep it where the service cannot change it. */
		hash: string;
	};
	/** The organization's brand was created or changed. */
	"branding.updated": {
		/** A UUID. */
		organization_id: string;
		/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
		updated_at: string;
		/** The members of the brand whose values changed. */
		changed_fields: string[];
	};
	/** An account on which nothing is owed was closed. */
	"credit_account.closed": {
		/** A UUID. */
		account_id: string;
		/** The account's prefixed id, `acc_...` */
		resource_id: string;
		/** A UUID. */
		user_id: string;
		/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
		closed_at: string;
	};
	/** Everything that a cycle charged was repaid, waived or rolled over. */
	"credit_account.cycle_closed": {
		/** A UUID. */
		account_id: string;
		/** The account's prefixed id, `acc_...` */
		resource_id: string;
		/** A UUID. */
		user_id: string;
		/** A UUID. */
		cycle_id: string;
		/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
		paid_at: string;
	};
	/** A balance was drawn and its schedule was fixed. */
	"credit_account.cycle_started": {
		/** A UUID. */
		account_id: string;
		/** The account's prefixed id, `acc_...` */
		resource_id: string;
		/** A UUID. */
		user_id: string;
		/** A UUID. */
		cycle_id: string;
		/** Counts the account's cycles from 1. */
		cycle_number: number;
		principal: number;
		currency: string;
		tenure: {
			duration: number;
			unit: "DAYS" | "WEEKS" | "MONTHS";
		};
		/** A date, such as 2026-03-02. */
		final_payment_due_date: string;
	};
	/** An installment has been overdue for more than 90 days. */
	"credit_account.defaulted": {
		/** A UUID. */
		account_id: string;
		/** The account's prefixed id, `acc_...` */
		resource_id: string;
		/** A UUID. */
		user_id: string;
		principal_at_default: number;
		in_duplum_cap: number;
		currency: string;
	};
	/** The money of a draw could not be paid out, and is not owed. */
	"credit_account.draw_failed": {
		/** A UUID. */
		account_id: string;
		/** The account's prefixed id, `acc_...` */
		resource_id: string;
		/** A UUID. */
		user_id: string;
		/** A UUID. */
		transaction_id: string;
		amount: number;
		currency: string;
		/** As the disburser reports it. */
		failure_reason: string;
	};
	/** The borrower drew on the limit, and the money was paid out. */
	"credit_account.drawn": {
		/** A UUID. */
		account_id: string;
		/** The account's prefixed id, `acc_...` */
		resource_id: string;
		/** A UUID. */
		user_id: string;
		/** A UUID. */
		transaction_id: string;
		amount: number;
		currency: string;
		/** A UUID. */
		cycle_id: string;
		mobile_money_transaction_id: string | null;
		/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
		drawn_at: string;
	};
	/** A running account of another program was imported, equal to its balances there; its history raises no further events. */
	"credit_account.imported": {
		/** A UUID. */
		account_id: string;
		/** The account's prefixed id, `acc_...` */
		resource_id: string;
		/** A UUID. */
		user_id: string;
		account_number: string;
		/** A UUID. */
		import_id: string;
		old_account_id: string;
		total_outstanding: number;
		currency: string;
	};
	/** A charge in default was trimmed or left out, because what may be charged has reached its cap: once until nothing is overdue any more. */
	"credit_account.in_duplum_reached": {
		/** A UUID. */
		account_id: string;
		/** The account's prefixed id, `acc_...` */
		resource_id: string;
		/** A UUID. */
		user_id: string;
		/** The first overdue day. A date, such as 2026-03-02. */
		defaulted_on: string;
		/** The principal outstanding on that day, less the interest and penalties that were unpaid: so much may be charged from then on. */
		cap: number;
		/** A date, such as 2026-03-02. */
		reached_on: string;
		currency: string;
	};
	/** An installment falls due in three days. */
	"credit_account.installment_due": {
		/** A UUID. */
		account_id: string;
		/** The account's prefixed id, `acc_...` */
		resource_id: string;
		/** A UUID. */
		user_id: string;
		/** A UUID. */
		cycle_id: string;
		/** A UUID. */
		installment_id: string;
		/** A date, such as 2026-03-02. */
		due_date: string;
		/** Outstanding. */
		amount: number;
		currency: string;
	};
	/** An installment was not settled by its due date. */
	"credit_account.installment_overdue": {
		/** A UUID. */
		account_id: string;
		/** The account's prefixed id, `acc_...` */
		resource_id: string;
		/** A UUID. */
		user_id: string;
		/** A UUID. */
		cycle_id: string;
		/** A UUID. */
		installment_id: string;
		/** A date, such as 2026-03-02. */
		due_date: string;
		/** Outstanding. */
		amount: number;
		currency: string;
		days_overdue: number;
	};
	/** The most that the borrower may owe on the account was set to another amount. */
	"credit_account.limit_changed": {
		/** A UUID. */
		account_id: string;
		/** The account's prefixed id, `acc_...` */
		resource_id: string;
		/** A UUID. */
		user_id: string;
		old_limit: number;
		new_limit: number;
		currency: string;
	};
	/** A credit account was opened by its first disbursement. */
	"credit_account.opened": {
		/** A UUID. */
		account_id: string;
		/** The account's prefixed id, `acc_...` */
		resource_id: string;
		/** A UUID. */
		user_id: string;
		account_number: string;
		currency: string;
		/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
		opened_at: string;
	};
	/** The overpaid amount left the account, to be paid out. */
	"credit_account.overpayment_refunded": {
		/** A UUID. */
		account_id: string;
		/** The account's prefixed id, `acc_...` */
		resource_id: string;
		/** A UUID. */
		user_id: string;
		/** A UUID. */
		transaction_id: string;
		amount: number;
		currency: string;
	};
	/** A penalty was charged. */
	"credit_account.penalty_applied": {
		/** A UUID. */
		account_id: string;
		/** The account's prefixed id, `acc_...` */
		resource_id: string;
		/** A UUID. */
		user_id: string;
		/** A UUID. */
		cycle_id: string;
		/** A UUID. */
		installment_id: string;
		/** Counts the penalties of the installment from 1. */
		penalty_number: number;
		amount: number;
		currency: string;
		/** The day for which it is charged. A date, such as 2026-03-02. */
		posted_on: string;
		base_amount: number;
		rate_basis_points: number;
		capped: boolean;
	};
	/** A backdated posting or a reversal changed the amount of a penalty. */
	"credit_account.penalty_corrected": {
		/** A UUID. */
		account_id: string;
		/** The account's prefixed id, `acc_...` */
		resource_id: string;
		/** A UUID. */
		user_id: string;
		/** A UUID. */
		cycle_id: string;
		/** A UUID. */
		installment_id: string;
		/** Counts the penalties of the installment from 1. */
		penalty_number: number;
		amount: number;
		currency: string;
		/** The day for which it is charged. A date, such as 2026-03-02. */
		posted_on: string;
		difference: number;
	};
	/** Penalties of an installment were given up. */
	"credit_account.penalty_waived": {
		/** A UUID. */
		account_id: string;
		/** The account's prefixed id, `acc_...` */
		resource_id: string;
		/** A UUID. */
		user_id: string;
		/** A UUID. */
		cycle_id: string;
		/** A UUID. */
		installment_id: string;
		/** A UUID. */
		transaction_id: string;
		amount: number;
		currency: string;
	};
	/** A refund could not be paid out, and the money is on the account again. */
	"credit_account.refund_failed": {
		/** A UUID. */
		account_id: string;
		/** The account's prefixed id, `acc_...` */
		resource_id: string;
		/** A UUID. */
		user_id: string;
		/** A UUID. */
		transaction_id: string;
		amount: number;
		currency: string;
		/** The transaction that puts the money back. A UUID. */
		reversed_by: string;
		failure_reason: string;
	};
	/** The installments to come of a cycle got other due dates. */
	"credit_account.rescheduled": {
		/** A UUID. */
		account_id: string;
		/** The account's prefixed id, `acc_...` */
		resource_id: string;
		/** A UUID. */
		user_id: string;
		/** A UUID. */
		cycle_id: string;
		/** A UUID. */
		transaction_id: string;
		kind: "EXTEND" | "HOLIDAY" | "NEW_DATES";
		/** Of the installments to come. */
		due_dates: string[];
		/** A date, such as 2026-03-02. */
		final_payment_due_date: string;
	};
	/** A settlement was paid in time: the rest of what was owed is waived. */
	"credit_account.settled": {
		/** A UUID. */
		account_id: string;
		/** The account's prefixed id, `acc_...` */
		resource_id: string;
		/** A UUID. */
		user_id: string;
		/** A UUID. */
		settlement_id: string;
		waived: number;
		currency: string;
	};
	/** Once the amount is paid in time, the rest of what is owed is waived. */
	"credit_account.settlement_agreed": {
		/** A UUID. */
		account_id: string;
		/** The account's prefixed id, `acc_...` */
		resource_id: string;
		/** A UUID. */
		user_id: string;
		/** A UUID. */
		transaction_id: string;
		amount: number;
		total_outstanding: number;
		currency: string;
		/** A date, such as 2026-03-02. */
		valid_until: string;
	};
	/** Another tenure was chosen for the next cycle. */
	"credit_account.tenure_changed": {
		/** A UUID. */
		account_id: string;
		/** The account's prefixed id, `acc_...` */
		resource_id: string;
		/** A UUID. */
		user_id: string;
		tenure: {
			duration: number;
			unit: "DAYS" | "WEEKS" | "MONTHS";
		};
		interest_rate: {
			basis_points: number;
			period_value: number;
			period_unit: "DAYS" | "WEEKS" | "MONTHS" | "YEARS";
		};
		applies_from: "NOW" | "NEXT_CYCLE";
	};
	/** A transaction that is no payment was undone, as if it had never been posted. */
	"credit_account.transaction_reversed": {
		/** A UUID. */
		account_id: string;
		/** The account's prefixed id, `acc_...` */
		resource_id: string;
		/** A UUID. */
		user_id: string;
		/** Of the reversal. A UUID. */
		transaction_id: string;
		/** A UUID. */
		original_transaction_id: string;
		kind: "DRAW" | "REFUND" | "WAIVER" | "WRITE_OFF" | "RESCHEDULE" | "SETTLEMENT";
		amount: number;
		currency: string;
		reason: string;
	};
	/** The debt was written off: nothing more is charged, and later payments still reduce it. */
	"credit_account.written_off": {
		/** A UUID. */
		account_id: string;
		/** The account's prefixed id, `acc_...` */
		resource_id: string;
		/** A UUID. */
		user_id: string;
		/** A UUID. */
		transaction_id: string;
		/** Outstanding when it was written off. */
		amount: number;
		currency: string;
		/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
		written_off_at: string;
	};
	/** An account was activated and can be used. */
	"current_account.activated": {
		/** A UUID. */
		account_id: string;
		/** A UUID. */
		activation_id: string;
	};
	/** An account was closed for good. */
	"current_account.closed": {
		/** A UUID. */
		account_id: string;
		/** A UUID. */
		closure_id: string;
		/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
		completed_at: string;
	};
	/** The owner confirmed a closure, which now waits for the custodian. */
	"current_account.closure_otp_confirmed": {
		/** A UUID. */
		account_id: string;
		/** A UUID. */
		closure_id: string;
		reasons: string[];
	};
	/** The custodian refused a closure; the account can be used again. */
	"current_account.closure_rejected": {
		/** A UUID. */
		account_id: string;
		/** A UUID. */
		closure_id: string;
		rejection_reason: string;
	};
	/** The owner asked to close an account. */
	"current_account.closure_started": {
		/** A UUID. */
		account_id: string;
		/** A UUID. */
		closure_id: string;
		reasons: string[];
	};
	/** An operator froze an account: it takes money, and nothing can be spent from it. */
	"current_account.frozen": {
		/** A UUID. */
		account_id: string;
		reason: string;
	};
	/** The custodian refused to open an account. */
	"current_account.onboarding_rejected": {
		/** A UUID. */
		account_id: string;
		reasons: string[];
	};
	/** A current account was opened; it can be used once it is activated. */
	"current_account.opened": {
		/** A UUID. */
		account_id: string;
		/** A UUID. */
		user_id: string;
	};
	/** Money has come into an account, or left it. */
	"current_account.transaction_posted": {
		/** A UUID. */
		account_id: string;
		/** A UUID. */
		user_id: string;
		/** A UUID. */
		transaction_id: string;
		type: "MOVEMENT" | "TRANSFER_OUT" | "TRANSFER_IN" | "INTEREST" | "LOAN_REPAYMENT" | "LOAN_REFUND" | "LOAN_DISBURSEMENT";
		/** Negative when money leaves the account. */
		amount: number;
		/** The balance after it. */
		balance: number;
		currency: string;
		/** Of TRANSFER_OUT and TRANSFER_IN. A UUID. */
		transfer_id?: string;
	};
	/** A frozen account can be used again. */
	"current_account.unfrozen": {
		/** A UUID. */
		account_id: string;
		reason: string;
	};
	/** An invitation was accepted, and the user became a member. */
	"invitation.accepted": {
		/** A UUID. */
		invitation_id: string;
		role: MemberRole;
		/** A UUID. */
		user_id: string;
	};
	/** Somebody was invited to become a member. */
	"invitation.created": {
		/** A UUID. */
		invitation_id: string;
		role: MemberRole;
	};
	/** An invitation was not accepted within seven days; it can be sent again, and expire again. */
	"invitation.expired": {
		/** A UUID. */
		invitation_id: string;
		role: MemberRole;
	};
	/** An invitation was revoked. */
	"invitation.revoked": {
		/** A UUID. */
		invitation_id: string;
		role: MemberRole;
	};
	/** The buyer approved an invoice. */
	"invoice.approved": {
		/** A UUID. */
		invoice_id: string;
		merchant_id: string;
	};
	/** An invoice was withdrawn before it was decided. */
	"invoice.cancelled": {
		/** A UUID. */
		invoice_id: string;
		merchant_id: string;
	};
	/** The advance on an invoice was paid out to the merchant. */
	"invoice.financed": {
		/** A UUID. */
		invoice_id: string;
		merchant_id: string;
		advance_amount_minor_units: number;
		/** Advance and fee together are the invoice's amount. */
		fee: number;
		currency: string;
	};
	/** A financed invoice was not repaid by its due date. */
	"invoice.overdue": {
		/** A UUID. */
		invoice_id: string;
		merchant_id: string;
		outstanding_minor_units: number;
		currency: string;
	};
	/** The buyer has repaid an invoice in full. */
	"invoice.paid": {
		/** A UUID. */
		invoice_id: string;
		merchant_id: string;
		amount_minor_units: number;
		currency: string;
	};
	/** The advance on an invoice could not be paid out; the invoice may be financed again. */
	"invoice.payout_failed": {
		/** A UUID. */
		invoice_id: string;
		merchant_id: string;
		failure_reason: string;
	};
	/** The money of the advance on an invoice came back; the invoice may be financed again. */
	"invoice.payout_returned": {
		/** A UUID. */
		invoice_id: string;
		merchant_id: string;
		advance_amount_minor_units: number;
		currency: string;
	};
	/** The buyer rejected an invoice. */
	"invoice.rejected": {
		/** A UUID. */
		invoice_id: string;
		merchant_id: string;
	};
	/** A merchant's invoice was uploaded. */
	"invoice.uploaded": {
		/** A UUID. */
		invoice_id: string;
		merchant_id: string;
		amount_minor_units: number;
		currency: string;
		/** A date, such as 2026-03-02. */
		due_date: string;
	};
	/** The money of a loan was paid out. */
	"loan.disbursed": {
		/** A UUID. */
		application_id: string;
		/** The application's prefixed id, `lapp_...` */
		resource_id: string;
		/** A UUID. */
		user_id: string;
		/** A UUID. */
		account_id: string;
		status: ApplicationStatus;
		currency: string;
		/** The cycle of the credit account that the loan starts. A UUID. */
		cycle_id: string;
		amount: number;
		mobile_money_transaction_id: string | null;
		/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
		disbursed_at: string;
	};
	/** The money of a loan could not be paid out. */
	"loan.disbursement_failed": {
		/** A UUID. */
		application_id: string;
		/** The application's prefixed id, `lapp_...` */
		resource_id: string;
		/** A UUID. */
		user_id: string;
		/** A UUID. */
		account_id: string;
		status: ApplicationStatus;
		currency: string;
		amount: number;
		/** As the disburser reports it. */
		failure_reason: string | null;
	};
	/** A loan application was cancelled. */
	"loan_application.cancelled": {
		/** A UUID. */
		application_id: string;
		/** The application's prefixed id, `lapp_...` */
		resource_id: string;
		/** A UUID. */
		user_id: string;
		/** A UUID. */
		account_id: string;
		status: ApplicationStatus;
		currency: string;
	};
	/** A loan application was created and its terms were decided. */
	"loan_application.created": {
		/** A UUID. */
		application_id: string;
		/** The application's prefixed id, `lapp_...` */
		resource_id: string;
		/** A UUID. */
		user_id: string;
		/** A UUID. */
		account_id: string;
		status: ApplicationStatus;
		currency: string;
		min_loan_amount: number;
		max_loan_amount: number;
		/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
		expires_at: string;
	};
	/** An offer was not taken in time. */
	"loan_application.expired": {
		/** A UUID. */
		application_id: string;
		/** The application's prefixed id, `lapp_...` */
		resource_id: string;
		/** A UUID. */
		user_id: string;
		/** A UUID. */
		account_id: string;
		status: ApplicationStatus;
		currency: string;
		/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
		expires_at: string;
	};
	/** A loan application was rejected. */
	"loan_application.rejected": {
		/** A UUID. */
		application_id: string;
		/** The application's prefixed id, `lapp_...` */
		resource_id: string;
		/** A UUID. */
		user_id: string;
		/** A UUID. */
		account_id: string;
		status: ApplicationStatus;
		currency: string;
		/** The leading reason first. */
		reasons: string[];
	};
	/** The user applied for the loan with a chosen amount. */
	"loan_application.submitted": {
		/** A UUID. */
		application_id: string;
		/** The application's prefixed id, `lapp_...` */
		resource_id: string;
		/** A UUID. */
		user_id: string;
		/** A UUID. */
		account_id: string;
		status: ApplicationStatus;
		currency: string;
		loan_amount: number;
	};
	/** An operator added a member. */
	"member.added": {
		/** A UUID. */
		user_id: string;
		role: MemberRole;
	};
	/** A member was removed. */
	"member.removed": {
		/** A UUID. */
		user_id: string;
		/** The role that they had. */
		role: "organization-owner" | "organization-admin" | "organization-financing-admin" | "organization-financing-viewer" | "organization-lending-admin" | "organization-lending-viewer" | "organization-developer" | "organization-viewer";
	};
	/** The role of a member was changed. */
	"member.role_changed": {
		/** A UUID. */
		user_id: string;
		role: MemberRole;
		previous_role: MemberRole;
	};
	/** The provider does not let the connection's initiator ask what became of a transaction: payments are not verified until it has the role. */
	"payment_connection.cannot_verify": {
		provider: "daraja" | "momo";
		/** The provider's code, such as 21 of Daraja. */
		result_code: string;
	};
	/** Somebody has connected, changed or disconnected the organization's account with a provider of payments, or asked for another. */
	"payment_connection.changed": {
		provider: "daraja" | "momo";
		/** UPDATED: the account is the same. REPLACEMENT_REQUESTED: another account waits for a second person or a day. REPLACED: it is connected now. REPLACEMENT_DISCARDED: it will not be. */
		change: "CONNECTED" | "UPDATED" | "REPLACEMENT_REQUESTED" | "REPLACED" | "REPLACEMENT_DISCARDED" | "DISCONNECTED";
		environment: "sandbox" | "production";
		/** The account that the change is about: the shortcode, or the API user. */
		account: string;
		/** The user or operator; null: the service, a day after the request. */
		changed_by: string | null;
	};
	/** The account from which a connection pays holds less than the payouts that wait and as much again as it paid out within a day. Raised once, until it holds enough again. */
	"payment_connection.low_float": {
		provider: "daraja" | "momo";
		currency: string;
		/** The money in the account, in minor units. */
		available: number;
		/** Payouts that have not ended. */
		waiting: number;
		/** Payouts of the last 24 hours. */
		paid_last_day: number;
	};
	/** A connection to a provider pays nothing until it is resumed, or until `paused_until`. */
	"payment_connection.paused": {
		provider: "daraja" | "momo";
		/** INSUFFICIENT_FUNDS, PRODUCT_NOT_ALLOWED, or RESULT_ with the provider's code about the lender's account. */
		reason: string;
		/** null: until it is resumed, or has other credentials. A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
		paused_until: string | null;
	};
	/** A day of a product's portfolio was closed: its figures can be read, and never change. */
	"portfolio.closed": {
		/** A UUID. */
		loan_product_id: string;
		/** A date, such as 2026-03-02. */
		day: string;
	};
	/** A payment failed: nothing was allocated. */
	"repayment.failed": {
		/** A UUID. */
		transaction_id: string;
		/** null when it names no account. A UUID. */
		account_id: string | null;
		amount: number;
		currency: string;
		failure_reason: string;
	};
	/** The payer of a reversed payment has the money again. It may follow repayment.return_failed: the provider's word counts. */
	"repayment.money_returned": {
		/** The payment. A UUID. */
		transaction_id: string;
		/** A UUID. */
		reversal_transaction_id: string;
		/** A UUID. */
		account_id: string;
		amount: number;
		currency: string;
		/** null if the provider reported none. */
		mobile_money_transaction_id: string | null;
	};
	/** A payment that was booked on a wrong account counts on another one, under another id. */
	"repayment.moved": {
		/** The payment as it counts now. A UUID. */
		transaction_id: string;
		/** The account on which it counts. A UUID. */
		account_id: string;
		amount: number;
		currency: string;
		/** A UUID. */
		from_account_id: string;
		/** A UUID. */
		original_transaction_id: string;
		/** The reversal on the wrong account. A UUID. */
		reversal_transaction_id: string;
	};
	/** A payment was allocated. */
	"repayment.posted": {
		/** A UUID. */
		transaction_id: string;
		/** A UUID. */
		account_id: string;
		amount: number;
		currency: string;
		fee_amount: number;
		allocations: {
			/** A UUID. */
			installment_id: string;
			allocated_amount: number;
			effect: "OBLIGATION_SETTLED" | "OBLIGATION_REDUCED" | "OBLIGATION_REINSTATED" | "OBLIGATION_WAIVED";
		}[];
		overpaid_amount: number;
		total_outstanding: number;
		/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
		posted_at: string;
	};
	/** A payment to an account was reported. */
	"repayment.received": {
		/** A UUID. */
		transaction_id: string;
		/** A UUID. */
		account_id: string;
		amount: number;
		currency: string;
	};
	/** A reversal of a payment was undone: what it took back counts again. */
	"repayment.restored": {
		/** A UUID. */
		transaction_id: string;
		/** A UUID. */
		account_id: string;
		amount: number;
		currency: string;
		/** The payment. A UUID. */
		original_transaction_id: string;
		/** The reversal that is undone. A UUID. */
		reversal_transaction_id: string;
		/** The part of the payment that counts now. */
		remaining_amount: number;
	};
	/** The money of a reversed payment was not given back. An operator may retry it, or give it up (failure_reason GIVEN_UP). */
	"repayment.return_failed": {
		/** The payment. A UUID. */
		transaction_id: string;
		/** A UUID. */
		reversal_transaction_id: string;
		/** A UUID. */
		account_id: string;
		amount: number;
		currency: string;
		failure_reason: string;
	};
	/** A posted payment was reversed, or a part of it. */
	"repayment.reversed": {
		/** A UUID. */
		transaction_id: string;
		/** A UUID. */
		account_id: string;
		amount: number;
		currency: string;
		/** A UUID. */
		original_transaction_id: string;
		/** The part of the payment that still counts; 0: its status is REVERSED. */
		remaining_amount: number;
	};
	/** A payment was reported for which no account was found. */
	"repayment.unmatched": {
		/** A UUID. */
		unmatched_payment_id: string;
		amount: number;
		currency: string;
	};
	/** The payer of a prompt has not paid. */
	"repayment_prompt.failed": {
		/** A UUID. */
		prompt_id: string;
		/** A UUID. */
		account_id: string;
		reference: string;
		amount: number;
		currency: string;
		failure_reason: string;
	};
	/** The payer of a prompt has paid. It may follow repayment_prompt.failed: a payment counts more than a report. */
	"repayment_prompt.succeeded": {
		/** A UUID. */
		prompt_id: string;
		/** A UUID. */
		account_id: string;
		reference: string;
		amount: number;
		currency: string;
		/** A UUID. */
		transaction_id: string;
	};
	/** The money of a transfer has reached the payee. */
	"transfer.completed": {
		/** A UUID. */
		transfer_id: string;
		/** A UUID. */
		account_id: string;
		amount: number;
		/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
		completed_at: string;
	};
	/** A transfer failed, and its money is the payer's again. */
	"transfer.failed": {
		/** A UUID. */
		transfer_id: string;
		/** A UUID. */
		account_id: string;
		amount: number;
		failure_reason: string;
		/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
		failed_at: string;
	};
	/** A user was admitted, either at the first sign-in or from the waiting list. */
	"user.admitted": {
		/** A UUID. */
		user_id: string;
		/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
		admitted_at: string;
	};
	/** A user was blocked, and their sessions ended. */
	"user.blocked": {
		/** A UUID. */
		user_id: string;
		/** A UUID. */
		approval_request_id: string;
	};
	/** Everything by which a user could be recognised was removed: remove what you hold of them too, unless you must keep it. */
	"user.erased": {
		/** A UUID. */
		user_id: string;
		/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
		erased_at: string;
	};
	/** A user without a home organization got this one, and is its customer from now on. */
	"user.joined": {
		/** A UUID. */
		user_id: string;
		/** A UUID. */
		organization_id: string;
	};
	/** The mobile number of a user was changed. */
	"user.mobile_number_changed": {
		/** A UUID. */
		user_id: string;
		/** A UUID. */
		mobile_number_change_id: string;
		/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
		completed_at: string;
	};
	/** A user who had no mobile number got one. */
	"user.mobile_number_set": {
		/** A UUID. */
		user_id: string;
	};
	/** The block of a user was lifted. */
	"user.unblocked": {
		/** A UUID. */
		user_id: string;
		/** A UUID. */
		approval_request_id: string;
	};
	/** A new user was put on the waiting list. */
	"user.waitlisted": {
		/** A UUID. */
		user_id: string;
		/** How the user came to the service. */
		source: "PHONE" | "PARTNER" | "INVITATION";
	};
	/** Five or eight deliveries to an endpoint failed in a row. */
	"webhook.failing": {
		/** A UUID. */
		webhook_id: string;
		/** Of the endpoint. */
		name: string;
		/** Deliveries that have FAILED since the last DELIVERED one. */
		failures_in_row: number;
		/** How many failures in a row suspend the endpoint. */
		suspended_at_failures: number;
	};
	/** A signing key stopped signing by itself, some time after the rotation that replaced it. */
	"webhook.key_expired": {
		/** A UUID. */
		webhook_id: string;
		/** Of the endpoint. */
		name: string;
		/** A UUID. */
		signing_key_id: string;
		/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
		expired_at: string;
	};
	/** A suspended endpoint that recovers by itself was probed, and has not answered with a 2xx. */
	"webhook.probe_failed": {
		/** A UUID. */
		webhook_id: string;
		/** Of the endpoint. */
		name: string;
		/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
		suspended_at: string;
		/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
		probed_at: string;
		error_class: "DNS" | "TLS" | "REFUSED" | "RESET" | "TIMEOUT" | "STATUS" | "REDIRECT" | "BLOCKED" | "INTERRUPTED" | "ITEM";
		/** null when this was the last probe: it must be resumed by hand. A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
		next_probe_at: string | null;
	};
	/** Four fifths of the deliveries that the organization may keep are kept. */
	"webhook.quota_nearing": {
		/** A UUID. */
		organization_id: string;
		/** Deliveries that are kept, in any state. */
		held: number;
		/** How many may be kept. */
		quota: number;
	};
	/** No deliveries are made, because the organization has reached its quota; raised once a day. The feed has all events. */
	"webhook.quota_reached": {
		/** A UUID. */
		organization_id: string;
		/** Deliveries that are kept, in any state. */
		held: number;
		/** How many may be kept. */
		quota: number;
	};
	/** A suspended endpoint answered a probe with a 2xx and is ACTIVE again; what it missed follows. */
	"webhook.recovered": {
		/** A UUID. */
		webhook_id: string;
		/** Of the endpoint. */
		name: string;
		/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
		suspended_at: string;
		/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
		recovered_at: string;
	};
	/** An endpoint was suspended. */
	"webhook.suspended": {
		/** A UUID. */
		webhook_id: string;
		/** Of the endpoint. */
		name: string;
		reason: "MANUAL" | "TEN_FAILED_DELIVERIES" | "PRIVATE_ADDRESS" | "GONE";
		/** A timestamp in UTC, such as 2026-03-02T09:30:00.000Z. */
		suspended_at: string;
	};
	/** Sent on request, to the tested endpoint alone. */
	"webhook.test": {
		/** A UUID. */
		webhook_id: string;
		/** Of the endpoint. */
		name: string;
	};
}
