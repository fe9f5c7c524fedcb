// Where operations write.

const COUNTED = "a send that was counted although no code followed: one fewer is left";
/** Operations that write in several databases, each by a commit of its own, and what a crash between two of them leaves. */
export const SEVERAL_PLACES: { readonly [id: string]: string } = {
	authorizeNumberChange: COUNTED,
	resendActivationCode: COUNTED,
	resendClosureCode: COUNTED,
	resendNumberChangeCode: COUNTED,
	startActivation: COUNTED,
	startClosure: COUNTED,
	startNumberChange: COUNTED,
	addMember: "a home message for the organization's copy",
	changeRole: "a home message for the other copy",
	confirmNumberChange: "a reserved name, which the sweep finishes",
	setMyPhone: "a reserved name, which the sweep finishes",
	cancelRecovery: "a reserved name, which the sweep sets free",
	createCommissionModel: "a home message for the copies",
	createLoanProduct: "a home message for the copies",
	publishLoanTermsText: "a home message for the copies",
	createOrganization: "a home message for the copies",
	matchPayment: "a home message with the payment",
	eraseUser: "a home message for the other databases",
	linkIdentity: "a reserved name, which the same link can use",
	requestRecovery: "a home message for the event",
	removeMember: "a home message for the membership",
	reportDisbursement: "a reserved transaction, under which the same report is made",
	updateOrganization: "a home message for the copies",
	updateLoanProduct: "a home message for the copies",
	recordPayoutReturned: "a reserved transaction, under which the same record is made",
	reportTransfer: "a reserved transaction, under which the same report is made",
};
