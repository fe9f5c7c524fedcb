// What Daraja demands of each request. A field that is missing or wrong is refused with its name, as the portal's errors have it.

import type { Body } from "./daraja.reports.ts";

type Rule = RegExp | ((text: string, body: Body) => boolean);

const SHORT_CODE = /^\d{5,9}$/;
const NUMBER = /^254[17]\d{8}$/;
const WHOLE = /^[1-9]\d*$/;
const ANY = /\S/;
const REMARKS = /^.{2,100}$/s;
const REFUSED_WORDS = /mpesa|m-pesa|safaricom|exe|cmd|sql|query/i;

/** A public address by HTTPS, without the words that Daraja refuses; on one machine also by HTTP. */
function isAddress(text: string): boolean {
	if (!URL.canParse(text) || REFUSED_WORDS.test(text)) return false;
	const { protocol, hostname } = new URL(text);
	return protocol === "https:" || (protocol === "http:" && /^(localhost|127\.0\.0\.1)$/.test(hostname));
}

const addresses: Readonly<Record<string, Rule>> = { ResultURL: isAddress, QueueTimeOutURL: isAddress };
const initiator: Readonly<Record<string, Rule>> = { Initiator: ANY, SecurityCredential: ANY };

/** The shortcode, its passkey and the time in East Africa, which the stand-in knows but for the passkey. */
function isPassword(text: string, { BusinessShortCode = "", Timestamp = "" }: Body): boolean {
	if (!/^[\w+/]+=*$/.test(text)) return false;
	const said = atob(text);
	return said.startsWith(BusinessShortCode) && said.endsWith(Timestamp) && said.length > `${BusinessShortCode}${Timestamp}`.length;
}
const proof: Readonly<Record<string, Rule>> = { BusinessShortCode: SHORT_CODE, Timestamp: /^\d{14}$/, Password: isPassword };

const TIME = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/;

/** By path, in the order in which they are looked at. */
const FIELDS: Readonly<Record<string, Readonly<Record<string, Rule>>>> = {
	"/mpesa/b2c/v3/paymentrequest": {
		OriginatorConversationID: ANY,
		InitiatorName: ANY,
		SecurityCredential: ANY,
		CommandID: /^(BusinessPayment|SalaryPayment|PromotionPayment)$/,
		Amount: WHOLE,
		PartyA: SHORT_CODE,
		PartyB: NUMBER,
		Remarks: REMARKS,
		...addresses,
	},
	"/mpesa/transactionstatus/v1/query": {
		...initiator,
		CommandID: /^TransactionStatusQuery$/,
		PartyA: SHORT_CODE,
		IdentifierType: /^4$/,
		Remarks: REMARKS,
		...addresses,
		TransactionID: (text, { OriginalConversationID = "" }) => text !== "" || OriginalConversationID !== "",
	},
	"/mpesa/accountbalance/v1/query": {
		...initiator,
		CommandID: /^AccountBalance$/,
		PartyA: SHORT_CODE,
		IdentifierType: /^4$/,
		Remarks: REMARKS,
		...addresses,
	},
	"/mpesa/reversal/v1/request": {
		...initiator,
		CommandID: /^TransactionReversal$/,
		TransactionID: ANY,
		Amount: WHOLE,
		ReceiverParty: SHORT_CODE,
		RecieverIdentifierType: /^11$/,
		Remarks: REMARKS,
		...addresses,
	},
	"/mpesa/stkpush/v1/processrequest": {
		...proof,
		TransactionType: /^CustomerPayBillOnline$/,
		Amount: WHOLE,
		PartyA: NUMBER,
		PartyB: (text, { BusinessShortCode }) => text === BusinessShortCode,
		PhoneNumber: NUMBER,
		CallBackURL: isAddress,
		AccountReference: /^.{1,12}$/,
		TransactionDesc: /^.{1,13}$/,
	},
	"/mpesa/stkpushquery/v1/query": { ...proof, CheckoutRequestID: ANY },
	"/mpesa/c2b/v2/registerurl": {
		ShortCode: SHORT_CODE,
		ResponseType: /^(Completed|Cancelled)$/,
		ConfirmationURL: isAddress,
		ValidationURL: isAddress,
	},
	"/pulltransactions/v1/register": { ShortCode: SHORT_CODE, RequestType: /^Pull$/, NominatedNumber: NUMBER, CallBackURL: isAddress },
	"/pulltransactions/v1/query": { ShortCode: SHORT_CODE, StartDate: TIME, EndDate: TIME, OffSetValue: /^\d+$/ },
};

/** The first field that is missing or wrong; undefined if none is. */
export function wrongField(path: string, body: Body): string | undefined {
	const fields = Object.entries(FIELDS[path] ?? {});
	const found = fields.find(([name, rule]) => {
		const sent: unknown = body[name] ?? "";
		if (typeof sent !== "string") return true;
		return typeof rule === "function" ? !rule(sent, body) : !rule.test(sent);
	});
	return found?.[0];
}
