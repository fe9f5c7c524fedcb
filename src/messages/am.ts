// Amharic.

import type { Catalogue } from "./catalogue";

export const am: Catalogue = {
	code: {
		other: "{code} የእርስዎ ኮድ ነው። ለ{minutes} ደቂቃ ያገለግላል። ለማንም አያጋሩ።",
	},
	codeOfLender: {
		other: "{code} የእርስዎ የ{lender} ኮድ ነው። ለ{minutes} ደቂቃ ያገለግላል። ለማንም አያጋሩ።",
	},
	payBill: "በM-Pesa ውስጥ Lipa na M-Pesa፣ Pay Bill ይምረጡ። የድርጅቱ ቁጥር፦ {shortcode}። የሂሳብ ቁጥር፦ {account}።",
	reviewed: false,
	refusals: {
		ACCOUNT_HAS_NON_ZERO_BALANCE: "በሂሳቡ ውስጥ አሁንም ገንዘብ አለ። መጀመሪያ ያስተላልፉት።",
		AMOUNT_NOT_A_STEP: "በ{sum} ደረጃ የሚጨምር መጠን ይምረጡ።",
		AMOUNT_TOO_HIGH: "ከ{sum} የማይበልጥ መጠን ይምረጡ።",
		AMOUNT_TOO_LOW: "ቢያንስ {sum} ይምረጡ።",
		APPLICATION_EXPIRED: "የዚህ አቅርቦት ጊዜ አልፏል። አዲስ ይጠይቁ።",
		CAUTION: "በቅርቡ ነው የገቡት። ገንዘብዎን ለመጠበቅ ይህ ገና አይቻልም።",
		CONCURRENT_CHANGE: "በተመሳሳይ ጊዜ አንድ ነገር ተቀይሯል። እባክዎ እንደገና ይሞክሩ።",
		CUSTOM_TOKEN_ENDED: "መግባቱ ብዙ ጊዜ ወስዷል። እባክዎ እንደገና ይጀምሩ።",
		DAILY_LIMIT: "የዛሬ ገደብዎ ላይ ደርሰዋል።",
		INSUFFICIENT_FUNDS: "በሂሳብዎ ውስጥ በቂ ገንዘብ የለም።",
		INTERNAL_SERVER_ERROR: "ስህተት ተፈጥሯል። እባክዎ እንደገና ይሞክሩ።",
		MOBILE_NUMBER_IN_USE: "ይህ ቁጥር አስቀድሞ ጥቅም ላይ ውሏል። በእሱ ይግቡ ወይም ሌላ ይጠቀሙ።",
		NO_CONNECTION: "ከዚህ ገና መክፈል አይችሉም። እባክዎ በሌላ መንገድ ይክፈሉ።",
		NO_NUMBER: "መክፈል የሚችሉበት ቁጥር የለዎትም።",
		NOTHING_DUE: "አሁን የሚከፍሉት ነገር የለም።",
		OFFER_CHANGED: "ይህ አቅርቦት ከእንግዲህ አያገለግልም። አዲስ ይጠይቁ።",
		OTP_EXPIRED: "የዚህ ኮድ ጊዜ አልፏል። አዲስ ይጠይቁ።",
		OTP_TRIES_USED: "ኮዱ ብዙ ጊዜ ተሳስቷል። አዲስ ይጠይቁ።",
		OTP_USED: "ይህ ኮድ አስቀድሞ ጥቅም ላይ ውሏል። አዲስ ይጠይቁ።",
		OTP_WAIT: "አሁን ኮድ ልከንልዎታል። ሌላ ከመጠየቅዎ በፊት ትንሽ ይጠብቁ።",
		OTP_WRONG: "ይህ ኮድ ትክክል አይደለም። እባክዎ ያረጋግጡት።",
		PAYEE_BLOCKED: "ይህን ተቀባይ አግደዋል። መጀመሪያ እገዳውን ያንሱ።",
		PAYEE_CHANGED: "የዚህ ቁጥር ባለቤት ስም ተቀይሯል። ከመክፈልዎ በፊት ያረጋግጡ።",
		PROMPT_OPEN: "ስልክዎ እንዲከፍሉ እየጠየቀ ነው። ጥያቄውን በስልክዎ ላይ ይመልከቱ።",
		SERVICE_UNAVAILABLE: "አሁን ልናገለግልዎ አልቻልንም። እባክዎ ቆይተው ይሞክሩ።",
		SESSION_ENDED: "እባክዎ እንደገና ይግቡ።",
		SIM_EXCHANGED: "የዚህ ቁጥር ሲም ካርድ በቅርቡ ተቀይሯል። እባክዎ ያነጋግሩን።",
		TOO_MANY_REQUESTS: "ብዙ ጊዜ ሞክረዋል። እባክዎ ትንሽ ይጠብቁ።",
		UPGRADE_REQUIRED: "ይህ የመተግበሪያው ስሪት ከእንግዲህ አይሰራም። እባክዎ ያዘምኑት።",
		USER_BLOCKED: "አገልግሎቱን እንዳይጠቀሙ ታግደዋል። እባክዎ ያነጋግሩን።",
		WAITING_LIST: "በተጠባባቂዎች ዝርዝር ውስጥ ነዎት። ተራዎ ሲደርስ እናሳውቅዎታለን።",
	},
};
