// Swahili.

import type { Catalogue } from "./catalogue";

export const sw: Catalogue = {
	code: {
		other: "{code} ni msimbo wako. Unatumika kwa dakika {minutes}. Usimpe mtu yeyote.",
	},
	codeOfLender: {
		other: "{code} ni msimbo wako wa {lender}. Unatumika kwa dakika {minutes}. Usimpe mtu yeyote.",
	},
	payBill: "Kwenye M-Pesa chagua Lipa na M-Pesa, Pay Bill. Namba ya biashara: {shortcode}. Namba ya akaunti: {account}.",
	reviewed: false,
	refusals: {
		ACCOUNT_HAS_NON_ZERO_BALANCE: "Bado kuna pesa kwenye akaunti. Zihamishe kwanza.",
		AMOUNT_NOT_A_STEP: "Chagua kiasi kwa hatua za {sum}.",
		AMOUNT_TOO_HIGH: "Chagua kiasi kisichozidi {sum}.",
		AMOUNT_TOO_LOW: "Chagua angalau {sum}.",
		APPLICATION_EXPIRED: "Muda wa ofa hii umeisha. Omba mpya.",
		CAUTION: "Umeingia hivi karibuni. Ili kulinda pesa zako, hili haliwezekani bado.",
		CONCURRENT_CHANGE: "Kuna kitu kimebadilika wakati huo huo. Tafadhali jaribu tena.",
		CUSTOM_TOKEN_ENDED: "Kuingia kumechukua muda mrefu. Tafadhali anza tena.",
		DAILY_LIMIT: "Umefikia kikomo chako cha leo.",
		INSUFFICIENT_FUNDS: "Hakuna pesa za kutosha kwenye akaunti yako.",
		INTERNAL_SERVER_ERROR: "Kuna hitilafu imetokea. Tafadhali jaribu tena.",
		MOBILE_NUMBER_IN_USE: "Namba hii tayari inatumika. Ingia kwa namba hiyo, au tumia nyingine.",
		NO_CONNECTION: "Huwezi kulipa kutoka hapa bado. Tafadhali lipa kwa njia nyingine.",
		NO_NUMBER: "Huna namba ambayo unaweza kulipia.",
		NOTHING_DUE: "Huna chochote cha kulipa sasa.",
		OFFER_CHANGED: "Ofa hii haitumiki tena. Omba mpya.",
		OTP_EXPIRED: "Muda wa msimbo huu umeisha. Omba mpya.",
		OTP_TRIES_USED: "Msimbo umekosewa mara nyingi mno. Omba mpya.",
		OTP_USED: "Msimbo huu umeshatumika. Omba mpya.",
		OTP_WAIT: "Tumekutumia msimbo sasa hivi. Subiri kidogo kabla ya kuomba mwingine.",
		OTP_WRONG: "Msimbo huu si sahihi. Tafadhali uangalie tena.",
		PAYEE_BLOCKED: "Umemzuia mpokeaji huyu. Mwondolee kizuizi kwanza.",
		PAYEE_CHANGED: "Jina la mwenye namba hii limebadilika. Liangalie kabla ya kulipa.",
		PROMPT_OPEN: "Simu yako inaombwa kulipa. Angalia ombi kwenye simu yako.",
		SERVICE_UNAVAILABLE: "Hatupatikani kwa sasa. Tafadhali jaribu tena baadaye.",
		SESSION_ENDED: "Tafadhali ingia tena.",
		SIM_EXCHANGED: "Laini ya namba hii ilibadilishwa hivi karibuni. Tafadhali wasiliana nasi.",
		TOO_MANY_REQUESTS: "Umejaribu mara nyingi mno. Tafadhali subiri kidogo.",
		UPGRADE_REQUIRED: "Toleo hili la programu halifanyi kazi tena. Tafadhali lisasishe.",
		USER_BLOCKED: "Umezuiwa kutumia huduma hii. Tafadhali wasiliana nasi.",
		WAITING_LIST: "Uko kwenye orodha ya kusubiri. Tutakujulisha zamu yako ikifika.",
	},
};
