// The stand-ins for providers of payments refuse what the real ones refuse: a field that is missing or wrong, a token that has ended, and
// money that is not there.

import { describe, expect, it } from "vitest";
import { DarajaStandIn } from "../../src/dev/stand-ins/daraja.ts";
import { MomoStandIn } from "../../src/dev/stand-ins/momo.ts";

const AT = "https://daraja.example";
const ADDRESSES = { ResultURL: "https://service.example/r", QueueTimeOutURL: "https://service.example/r" };
const INITIATOR = { Initiator: "testapi", SecurityCredential: "RC6E9WDx==" };
const PROOF = { BusinessShortCode: "600997", Timestamp: "20260101120000", Password: btoa("600997passkey20260101120000") };

const VALID: Readonly<Record<string, Readonly<Record<string, string>>>> = {
	"/mpesa/b2c/v3/paymentrequest": {
		...{ OriginatorConversationID: "a", InitiatorName: "testapi", SecurityCredential: "RC6E9WDx==", CommandID: "BusinessPayment" },
		...{ Amount: "300", PartyA: "600997", PartyB: "254722000000", Remarks: "Payout", ...ADDRESSES },
	},
	"/mpesa/transactionstatus/v1/query": {
		...{ ...INITIATOR, CommandID: "TransactionStatusQuery", TransactionID: "SG632NMUAB", PartyA: "600997", IdentifierType: "4" },
		...{ Remarks: "Status", ...ADDRESSES },
	},
	"/mpesa/accountbalance/v1/query": {
		...{ ...INITIATOR, CommandID: "AccountBalance", PartyA: "600997", IdentifierType: "4", Remarks: "Balance", ...ADDRESSES },
	},
	"/mpesa/reversal/v1/request": {
		...{ ...INITIATOR, CommandID: "TransactionReversal", TransactionID: "SG632NMUAB", Amount: "50", ReceiverParty: "600997" },
		...{ RecieverIdentifierType: "11", Remarks: "Return", ...ADDRESSES },
	},
	"/mpesa/stkpush/v1/processrequest": {
		...{ ...PROOF, TransactionType: "CustomerPayBillOnline", Amount: "10", PartyA: "254722000000", PartyB: "600997" },
		...{ PhoneNumber: "254722000000", CallBackURL: ADDRESSES.ResultURL, AccountReference: "R10007K3M9QX", TransactionDesc: "Repayment" },
	},
	"/mpesa/stkpushquery/v1/query": { ...PROOF, CheckoutRequestID: "ws_CO_1" },
	"/mpesa/c2b/v2/registerurl": {
		...{ ShortCode: "600997", ResponseType: "Completed", ConfirmationURL: ADDRESSES.ResultURL, ValidationURL: ADDRESSES.ResultURL },
	},
	"/pulltransactions/v1/register": {
		...{ ShortCode: "600997", RequestType: "Pull", NominatedNumber: "254722000000", CallBackURL: ADDRESSES.ResultURL },
	},
	"/pulltransactions/v1/query": {
		...{ ShortCode: "600997", StartDate: "2026-01-01 00:00:00", EndDate: "2026-01-02 00:00:00", OffSetValue: "0" },
	},
};

/** By field, what has the wrong form. */
const WRONG: Readonly<Record<string, readonly string[]>> = {
	...{ Amount: ["1.50", "-1", "0"], PartyA: ["a paybill", "12"], PartyB: ["0722000000", "+254722000000"], CommandID: ["Pay"] },
	...{ ResultURL: ["http://service.example/r", "https://service.example/mpesa"], QueueTimeOutURL: ["r"], IdentifierType: ["1"] },
	...{ Remarks: ["x", "x".repeat(101)], RecieverIdentifierType: ["4"], ReceiverParty: ["254722000000a"], PhoneNumber: ["0722000000"] },
	...{ Password: ["cGFzc2tleQ==", "no base64!"], AccountReference: ["x".repeat(13)], TransactionDesc: ["x".repeat(14)] },
	...{ TransactionType: ["Pay"], CallBackURL: ["http://service.example/r"], ResponseType: ["Maybe"], NominatedNumber: ["0722000000"] },
	...{ ConfirmationURL: ["https://service.example/cmd"], StartDate: ["2026-01-01"], EndDate: ["20260102000000"], OffSetValue: ["-1"] },
};

async function tokenOf(standIn: DarajaStandIn, app = "key:secret"): Promise<string> {
	const request = new Request(`${AT}/oauth/v1/generate`, { headers: { Authorization: `Basic ${btoa(app)}` } });
	return ((await (await standIn.handle(request)).json()) as { access_token: string }).access_token;
}

const post = (standIn: DarajaStandIn, path: string, token: string, body: object) =>
	standIn.handle(
		new Request(`${AT}${path}`, { method: "POST", headers: { Authorization: `Bearer ${token}` }, body: JSON.stringify(body) }),
	);

describe("Daraja's stand-in", () => {
	it.each(Object.entries(VALID))("names the field that is missing or wrong: %s", async (path, valid) => {
		const standIn = new DarajaStandIn({ now: () => Date.now(), plan: () => ({}), prompts: () => ({}) });
		const token = await tokenOf(standIn);
		const refusalOf = async (changes: object) => {
			const answer = await post(standIn, path, token, { ...valid, ...changes });
			return answer.status === 400 ? ((await answer.json()) as { errorMessage: string }).errorMessage : undefined;
		};
		for (const field of Object.keys(valid)) {
			for (const value of [undefined, "", 7, ...(WRONG[field] ?? [])]) {
				expect(await refusalOf({ [field]: value }), `${field} ${value}`).toBe(`Bad Request - Invalid ${field}`);
			}
		}
		expect(await refusalOf({ Unknown: "1" })).toBeUndefined();
	});

	it("refuses the token that a newer one of the same app has ended, and no other app's", async () => {
		const standIn = new DarajaStandIn({ now: () => Date.now(), plan: () => ({}) });
		const [path, body] = ["/mpesa/accountbalance/v1/query", VALID["/mpesa/accountbalance/v1/query"] ?? {}];
		const [first, others] = [await tokenOf(standIn), await tokenOf(standIn, "another:app")];
		const second = await tokenOf(standIn);
		const ended = await post(standIn, path, first, body);
		expect([ended.status, await ended.json()]).toMatchObject([401, { errorCode: "401.003.01" }]);
		for (const token of [second, others]) expect((await post(standIn, path, token, body)).status).toBe(200);
	});
});

describe("MTN MoMo's stand-in", () => {
	const AT_MTN = "https://momo.example/disbursement";
	const HEADERS = {
		...{ "Ocp-Apim-Subscription-Key": "a key", "X-Target-Environment": "mtnuganda", "X-Callback-Url": "https://service.example/r" },
		"X-Reference-Id": "0b2b5b7e-6a2d-4f4e-9a57-5a3c8f4a1d11",
	};
	const TRANSFER = {
		...{ amount: "300", currency: "UGX", externalId: "a", payee: { partyIdType: "MSISDN", partyId: "256772123456" } },
		...{ payerMessage: "Payout", payeeNote: "Payout" },
	};
	async function paying(headers: Record<string, string>, transfer: object) {
		const standIn = new MomoStandIn({ now: () => Date.now(), plan: () => ({}), callbackHost: "service.example" });
		const credentials = { Authorization: `Basic ${btoa("user:key")}`, "Ocp-Apim-Subscription-Key": "a key" };
		const given = await standIn.handle(new Request(`${AT_MTN}/token/`, { method: "POST", headers: credentials }));
		const { access_token } = (await given.json()) as { access_token: string };
		const init = {
			method: "POST",
			headers: { Authorization: `Bearer ${access_token}`, ...HEADERS, ...headers },
			body: JSON.stringify({ ...TRANSFER, ...transfer }),
		};
		const answer = await standIn.handle(new Request(`${AT_MTN}/v1_0/transfer`, init));
		return [answer.status, ((await answer.json().catch(() => ({}))) as { code?: string }).code];
	}

	it.each([
		["as it should be", {}, {}, [202, undefined]],
		["a reference of another version", { "X-Reference-Id": "01a20e21-6f4f-7022-9015-537b2d161d72" }, {}, [400, undefined]],
		["another market's currency", {}, { currency: "KES" }, [500, "INVALID_CURRENCY"]],
		["an unknown market", { "X-Target-Environment": "mtnkenya" }, {}, [500, "NOT_ALLOWED_TARGET_ENVIRONMENT"]],
		["another host to call back", { "X-Callback-Url": "https://another.example/r" }, {}, [500, "INVALID_CALLBACK_URL_HOST"]],
		["a zero before the amount", {}, { amount: "0300" }, [400, undefined]],
		["a number with a plus", {}, { payee: { partyIdType: "MSISDN", partyId: "+256772123456" } }, [400, undefined]],
		["no reference of ours", {}, { externalId: "" }, [400, undefined]],
		["an apostrophe", {}, { payeeNote: "the borrower's" }, [400, undefined]],
		["a note of more than 160 characters", {}, { payerMessage: "a".repeat(161) }, [400, undefined]],
	] as const)("answers a transfer with %s", async (_, headers, transfer, expected) => {
		expect(await paying(headers, transfer)).toEqual(expected);
	});
});
