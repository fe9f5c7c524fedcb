// English.

import type { Catalogue } from "./catalogue";

export const en: Catalogue = {
	code: {
		one: "{code} is your code. It is valid for {minutes} minute. Never share it.",
		other: "{code} is your code. It is valid for {minutes} minutes. Never share it.",
	},
	codeOfLender: {
		one: "{code} is your code for {lender}. It is valid for {minutes} minute. Never share it.",
		other: "{code} is your code for {lender}. It is valid for {minutes} minutes. Never share it.",
	},
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
