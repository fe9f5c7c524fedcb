// What plans have found, each as the plan that did, in the order of the code's repair. They stand for themselves: points that have moved
// since make them other plans, which must pass as well.

export const REPAIRED: readonly string[] = [
	// The answer with what is shown once was lost, and the repetition left it out.
	"createApiKey homes=1 call:4/dies-after",
	"createSigningKey homes=1 call:4/dies-after",
	"createWebhook homes=1 call:6/dies-after",
	// The token, the code or the session was used up by the call whose answer was lost.
	"signIn homes=1 call:3/dies-after",
	"confirmPhoneVerification homes=1 call:3/dies-after",
	"signOut homes=1 call:3/dies-after",
	// A reservation that came late outlived its change; the sweep then took the name from the user who had the number.
	"confirmNumberChange homes=1 call:5/late-end",
	"setMyPhone homes=1 call:4/late-end",
	"setMyPhone homes=1 call:5/late-mid",
	// The repeated exchange reserved another tag, and left the first.
	"exchangePartnerToken homes=3 outside call:3/dies-after",
	// A repeated instruction must not be made again from rows that have changed.
	"applyForLoan homes=1 outside then=setMyPhone call:6/before",
	"draw homes=1 outside then=putCreditProfile call:6/before",
	"refundOverpayment homes=1 outside then=blockPayee call:6/before",
	// The name of an identity stayed, and was as good as the link that was never made.
	"linkIdentity homes=3 outside gone call:4/dies-after",
	// The payment was recorded, and the question about it never ended.
	"verifyDarajaConfirmation homes=1 outside gone call:7/dies-before",
	// The message that announced the decision was carried again, when the event's first delivery had ended: it was delivered once more.
	"decideApproval@ISSUER_REGISTRATION homes=3 outside call:7/dies-after",
	// The count of the send met itself in the directory when it was repeated, and was 500.
	"startActivation homes=3 outside call:5/flickers-after",
];
