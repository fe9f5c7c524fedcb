// English.

import type { Catalogue } from "./catalogue";

export const en: Catalogue = {
	from: "{lender}: ",
	messages: {
		ACCOUNT_NOT_CLOSED: "Your current account was not closed, and can be used again.",
		ACCOUNT_NOT_OPENED: "Your current account could not be opened.",
		ACCOUNT_USABLE_AGAIN: "Your account can be used again. If this surprises you, contact us at once.",
		ADMIN_ADDED: "Somebody has become an admin of your organization. If you do not know of this, look at its members at once.",
		ADMITTED: "You are off the waiting list, and can use the service from now on.",
		API_KEY_ADDED: "A new API key of your organization, {key}, works from now on.",
		CODE: "{code} is your code. It is valid for {minutes, plural, one {# minute} other {# minutes}}. Never share it.",
		CONNECTION_CHANGED:
			"The credentials of {account}, by which your organization pays and is paid, have been changed. If you do not know of this, look at it at once.",
		CONNECTION_ENDED:
			"Your organization pays and is paid by {account} no more: it has been disconnected. From tomorrow another account can be connected. If you do not know of this, look at it at once.",
		CONNECTION_MADE: "Your organization pays and is paid by {account} from now on. If you do not know of this, look at it at once.",
		CONNECTION_REPLACED:
			"Your organization pays and is paid by {account} from now on, in the place of the account before. If you do not know of this, look at it at once.",
		CONNECTION_REPLACEMENT_DISCARDED:
			"Your organization will not pay and be paid by {account}: somebody has discarded that. If you do not know of this, look at it at once.",
		CONNECTION_REPLACEMENT_REQUESTED:
			"Somebody wants your organization to pay and be paid by {account}. It will in a day, or when a second person agrees, unless it is discarded. If you do not know of this, look at it at once.",
		CREDIT_BUREAU_NOTICE:
			"You owe {sum} on an overdue loan. Unless you pay, we may report it as unpaid to a credit bureau from {day} on. If this is wrong, tell us.",
		IDENTITY_LINKED: "Your account can be used by another sign-in from now on. If you do not know of this, contact us at once.",
		INVITATION:
			"You are invited to join {organization}. Open this link within seven days, sign in with this mail address, and accept. Nobody else can use it: {link}",
		LIMIT_CHANGED: "The limit of what you may borrow was changed. If this surprises you, contact us.",
		LOAN_IMPORTED:
			"A loan that you had with your lender before is shown in your account from now on. If you do not know of it, contact us at once.",
		LOAN_NOT_ACCEPTED: "Your application for a loan was not accepted.",
		LOAN_PAID_OUT: "{sum} of your loan have been paid out to you.",
		MONEY_ARRIVED: "{sum} have arrived in your current account.",
		NUMBER_ADDED: "A mobile number was added to your account. If you did not do this, contact us at once.",
		NUMBER_CHANGED: "The mobile number of your account was changed. If you did not do this, contact us at once.",
		OVERPAYMENT_PAID_BACK: "{sum} that you had overpaid have been paid back to you.",
		OWNER_ADDED: "Somebody has become an owner of your organization. If you do not know of this, look at its members at once.",
		PAYMENT_DUE: "A payment of your loan has been due since {day}. You owe {sum} today. If you have just paid, thank you.",
		PAYMENT_RECEIVED: "We have received your payment of {sum}. {left} are left to pay.",
		PAYMENT_RECEIVED_IN_FULL: "We have received your payment of {sum}. Nothing is left to pay.",
		RECOVERY_CANCELLED: "Your account will not be moved to another mobile number. It stays frozen for now.",
		RECOVERY_FAILED: "Your account could not be moved to another mobile number. It stays frozen for now: contact us.",
		RECOVERY_ORDERED:
			"We were asked to move your account to another mobile number. It is frozen and gets that number on {moment}. If you did not ask for this, contact us at once.",
		SIGNED_IN: "Somebody has signed in to your account. If it was not you, contact us at once.",
		TRANSFER_LEAVES: "{sum} leave your account for a payee.",
		TRANSFER_TO_NEW_PAYEE: "{sum} leave your account for a payee that it has never paid. If you did not order this, contact us at once.",
	},
	newMessage: "You have a new message.",
	payBill: "In M-Pesa choose Lipa na M-Pesa, Pay Bill. Business number: {shortcode}. Account number: {account}.",
	reviewed: true,
	refusals: {
		ACCOUNT_HAS_NON_ZERO_BALANCE: "There is still money in the account. Transfer it first.",
		AMOUNT_NOT_A_STEP: "Choose an amount in steps of {sum}.",
		AMOUNT_TOO_HIGH: "Choose at most {sum}.",
		AMOUNT_TOO_LOW: "Choose at least {sum}.",
		APPLICATION_EXPIRED: "This offer has expired. Ask for a new one.",
		CAUTION: "You have signed in recently. To protect your money, this is not possible yet.",
		CONCURRENT_CHANGE: "Something changed at the same moment. Please try again.",
		CUSTOM_TOKEN_ENDED: "Signing in took too long. Please start again.",
		DAILY_LIMIT: "You have reached your limit for today.",
		INSUFFICIENT_FUNDS: "There is not enough money in your account.",
		INTERNAL_SERVER_ERROR: "Something went wrong. Please try again.",
		MOBILE_NUMBER_IN_USE: "Somebody uses this number already. Sign in with it, or use another one.",
		NO_CONNECTION: "You cannot pay from here yet. Please pay in another way.",
		NO_NUMBER: "You have no number from which this can be paid.",
		NOTHING_DUE: "You have nothing to pay now.",
		OFFER_CHANGED: "This offer is no longer valid. Ask for a new one.",
		OTP_EXPIRED: "This code has expired. Ask for a new one.",
		OTP_TRIES_USED: "The code was wrong too often. Ask for a new one.",
		OTP_USED: "This code was used already. Ask for a new one.",
		OTP_WAIT: "We have just sent you a code. Wait a little before you ask for another one.",
		OTP_WRONG: "This code is not right. Please check it.",
		PAYEE_BLOCKED: "You have blocked this payee. Unblock them first.",
		PAYEE_CHANGED: "The name behind this number has changed. Check it before you pay.",
		PROMPT_OPEN: "Your phone is being asked to pay. Look for the request on it.",
		SERVICE_UNAVAILABLE: "We cannot be reached at the moment. Please try again later.",
		SESSION_ENDED: "Please sign in again.",
		SIM_EXCHANGED: "The SIM card of this number was exchanged recently. Please contact us.",
		TOO_MANY_REQUESTS: "You have tried this too often. Please wait a little.",
		UPGRADE_REQUIRED: "This version of the app no longer works. Please update it.",
		USER_BLOCKED: "Your access is blocked. Please contact us.",
		WAITING_LIST: "You are on the waiting list. We will tell you when it is your turn.",
	},
};
