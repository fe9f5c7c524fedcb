// Swahili.

import type { Catalogue } from "./catalogue";

export const sw: Catalogue = {
	from: "{lender}: ",
	messages: {
		ACCOUNT_NOT_CLOSED: "Akaunti yako ya malipo haikufungwa, na unaweza kuitumia tena.",
		ACCOUNT_NOT_OPENED: "Akaunti yako ya malipo haikuweza kufunguliwa.",
		ACCOUNT_USABLE_AGAIN: "Unaweza kutumia akaunti yako tena. Kama hukutarajia hili, wasiliana nasi mara moja.",
		ADMIN_ADDED: "Mtu amekuwa msimamizi wa shirika lako. Kama hufahamu hili, angalia wanachama wake mara moja.",
		ADMITTED: "Umetoka kwenye orodha ya kusubiri, na unaweza kutumia huduma kuanzia sasa.",
		API_KEY_ADDED: "Ufunguo mpya wa API wa shirika lako, {key}, unafanya kazi kuanzia sasa.",
		CODE: "{code} ni msimbo wako. Unatumika kwa dakika {minutes}. Usimpe mtu yeyote.",
		CONNECTION_CHANGED:
			"Vitambulisho vya {account}, ambayo shirika lako hulipa na kulipwa kwayo, vimebadilishwa. Kama hufahamu hili, angalia mara moja.",
		CONNECTION_ENDED:
			"Shirika lako halilipi wala kulipwa tena kwa {account}: imetenganishwa. Kuanzia kesho akaunti nyingine inaweza kuunganishwa. Kama hufahamu hili, angalia mara moja.",
		CONNECTION_MADE: "Shirika lako linalipa na kulipwa kwa {account} kuanzia sasa. Kama hufahamu hili, angalia mara moja.",
		CONNECTION_REPLACED:
			"Shirika lako linalipa na kulipwa kwa {account} kuanzia sasa, badala ya akaunti ya awali. Kama hufahamu hili, angalia mara moja.",
		CONNECTION_REPLACEMENT_DISCARDED:
			"Shirika lako halitalipa wala kulipwa kwa {account}: mtu ameghairi hilo. Kama hufahamu hili, angalia mara moja.",
		CONNECTION_REPLACEMENT_REQUESTED:
			"Mtu anataka shirika lako lilipe na kulipwa kwa {account}. Itakuwa hivyo baada ya siku moja, au mtu wa pili akikubali, isipoghairiwa. Kama hufahamu hili, angalia mara moja.",
		CREDIT_BUREAU_NOTICE:
			"Unadaiwa {sum} kwa mkopo uliochelewa. Usipolipa, tunaweza kuripoti deni hili kwa CRB kuanzia {day}. Kama si sahihi, tuambie.",
		IDENTITY_LINKED:
			"Kuanzia sasa akaunti yako inaweza kutumiwa kwa njia nyingine ya kuingia. Kama hufahamu hili, wasiliana nasi mara moja.",
		INVITATION:
			"Umealikwa kujiunga na {organization}. Fungua kiungo hiki ndani ya siku saba, ingia kwa barua pepe hii, na ukubali. Hakuna mtu mwingine anayeweza kukitumia: {link}",
		LIMIT_CHANGED: "Kikomo cha mkopo wako kimebadilishwa. Kama hukutarajia hili, wasiliana nasi.",
		LOAN_IMPORTED:
			"Mkopo uliokuwa nao awali kwa mkopeshaji wako unaonekana kwenye akaunti yako kuanzia sasa. Kama huufahamu, wasiliana nasi mara moja.",
		LOAN_NOT_ACCEPTED: "Ombi lako la mkopo halikukubaliwa.",
		LOAN_PAID_OUT: "Umelipwa {sum} za mkopo wako.",
		MONEY_ARRIVED: "{sum} zimeingia kwenye akaunti yako ya malipo.",
		NUMBER_ADDED: "Namba ya simu imeongezwa kwenye akaunti yako. Kama si wewe uliyefanya hivi, wasiliana nasi mara moja.",
		NUMBER_CHANGED: "Namba ya simu ya akaunti yako imebadilishwa. Kama si wewe uliyefanya hivi, wasiliana nasi mara moja.",
		OVERPAYMENT_PAID_BACK: "Umerudishiwa {sum} ulizokuwa umelipa zaidi.",
		OWNER_ADDED: "Mtu amekuwa mmiliki wa shirika lako. Kama hufahamu hili, angalia wanachama wake mara moja.",
		PAYMENT_DUE: "Malipo ya mkopo wako yalipaswa kulipwa tangu {day}. Unadaiwa {sum} leo. Kama umeshalipa, asante.",
		PAYMENT_RECEIVED: "Tumepokea malipo yako ya {sum}. Zimebaki {left} za kulipa.",
		PAYMENT_RECEIVED_IN_FULL: "Tumepokea malipo yako ya {sum}. Hakuna kilichobaki kulipwa.",
		RECOVERY_CANCELLED: "Akaunti yako haitahamishiwa namba nyingine ya simu. Kwa sasa imezuiwa bado.",
		RECOVERY_FAILED: "Akaunti yako haikuweza kuhamishiwa namba nyingine ya simu. Kwa sasa imezuiwa bado: wasiliana nasi.",
		RECOVERY_ORDERED:
			"Tumeombwa kuhamishia akaunti yako kwenye namba nyingine ya simu. Imezuiwa na itapata namba hiyo {moment}. Kama si wewe uliyeomba, wasiliana nasi mara moja.",
		SIGNED_IN: "Mtu ameingia kwenye akaunti yako. Kama si wewe, wasiliana nasi mara moja.",
		TRANSFER_LEAVES: "{sum} zinatoka kwenye akaunti yako kwenda kwa mpokeaji.",
		TRANSFER_TO_NEW_PAYEE:
			"{sum} zinatoka kwenye akaunti yako kwenda kwa mpokeaji ambaye haijawahi kumlipa. Kama si wewe uliyeagiza, wasiliana nasi mara moja.",
	},
	newMessage: "Una ujumbe mpya.",
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
