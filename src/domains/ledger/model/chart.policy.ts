// The chart of accounts: what each account means, and what is posted to it.

export const CLASSES = ["ASSET", "LIABILITY", "EQUITY", "INCOME", "EXPENSE"] as const;
export type AccountClass = (typeof CLASSES)[number];

export type ChartAccount = {
	readonly number: string;
	readonly name: string;
	readonly class: AccountClass;
	/** What is posted to it. */
	readonly posts: string;
	/** It is deducted from the other accounts of its class: its balance is on the other side. */
	readonly isDeducted?: boolean;
};

/** The accounts, by the names that code has for them. */
export const CHART = {
	mpesa: account("1110", "M-Pesa", "ASSET", "Payments to the paybill or till, and payouts by M-Pesa"),
	momo: account("1120", "MTN MoMo", "ASSET", "Payouts by MTN MoMo"),
	bank: account(
		"1130",
		"Bank and other payment services",
		"ASSET",
		"Bank transfers, repayments of invoices, and payouts by the lender's own disburser",
	),
	agents: account("1140", "Cash with agents", "ASSET", "Payments that agents have taken in cash"),
	custody: account(
		"1150",
		"Money at the custodian",
		"ASSET",
		"Movements of wallets that the custodian reports, and transfers that it pays out",
	),
	walletLoans: account(
		"1190",
		"Between wallets and loans",
		"ASSET",
		"Loans paid to wallets, and repayments from them; zero once both sides are posted",
	),
	principal: account("1210", "Loan principal", "ASSET", "Loans and draws, until they are repaid"),
	interest: account("1220", "Interest and access fees receivable", "ASSET", "Interest that is earned and access fees, due or not"),
	penalties: account("1230", "Penalties receivable", "ASSET", "Penalties that are charged"),
	refundsReceivable: account("1240", "Refunds receivable", "ASSET", "Refunds of payments that bounced later"),
	suspendedInterest: deducted(
		"1280",
		"Interest suspended",
		"ASSET",
		"Interest, access fees and penalties that are not paid, of loans in a stage that suspends them; at the end of each month",
	),
	provisions: deducted(
		"1290",
		"Provisions for loan losses",
		"ASSET",
		"Losses that are expected of loans, by stage; at the end of each month",
	),
	invoices: account("1310", "Financed invoices", "ASSET", "Invoices that are paid out, until the buyer repays them"),
	unallocated: account(
		"2110",
		"Unallocated receipts",
		"LIABILITY",
		"Payments from the minute they are known until they are posted to an account",
	),
	borrowersCredit: account("2120", "Borrowers' credit", "LIABILITY", "Money of borrowers that nothing takes yet"),
	payouts: account("2130", "Payouts under way", "LIABILITY", "Loans, refunds and advances between their posting and their payment"),
	wallets: account("2210", "Wallets", "LIABILITY", "The balances of current accounts"),
	walletTransfers: account("2220", "Between wallets", "LIABILITY", "Transfers from one wallet to another; zero once both sides are posted"),
	borrowed: account("2310", "Borrowed funds", "LIABILITY", "Money that the lender has borrowed, until it is paid back"),
	unearnedFees: account(
		"2410",
		"Unearned fees",
		"LIABILITY",
		"Access fees of products that earn them over a loan's life, until they are earned",
	),
	owners: account(
		"3100",
		"Owners' money",
		"EQUITY",
		"Money that the owners put in, less what leaves for them or for costs that the lender's own ledger has",
	),
	opening: account("3900", "Opening balances", "EQUITY", "Balances from before the journal, and imported loans"),
	interestIncome: account("4110", "Interest income", "INCOME", "Interest as it is earned, day by day"),
	feeIncome: account("4120", "Access fees", "INCOME", "Access fees of loans, as they are charged or earned"),
	penaltyIncome: account("4130", "Penalty income", "INCOME", "Penalties as they are charged"),
	recoveries: account("4140", "Recoveries", "INCOME", "Payments after a write-off"),
	invoiceFees: account("4150", "Invoice fees", "INCOME", "Fees of financed invoices"),
	incomeSuspended: deducted("4190", "Income suspended", "INCOME", "Increases of 1280, and its decreases once loans are cured or paid"),
	waivers: account("5110", "Waivers", "EXPENSE", "Claims that are waived, and the rest that a settlement leaves unpaid"),
	writeOffs: account("5120", "Write-offs", "EXPENSE", "Claims that are given up"),
	walletInterest: account("5210", "Interest on wallets", "EXPENSE", "Interest that is paid to current accounts"),
	borrowingInterest: account("5220", "Interest on borrowed funds", "EXPENSE", "Interest that the lender pays for borrowed funds"),
	charges: account(
		"5230",
		"Provider charges",
		"EXPENSE",
		"Charges of M-Pesa, MTN MoMo and banks, by the tariff until their statements have them",
	),
	impairment: account("5310", "Impairment of loans", "EXPENSE", "Increases and decreases of 1290"),
} as const;
export type ChartName = keyof typeof CHART;

function account<N extends string>(number: N, name: string, of: AccountClass, posts: string): ChartAccount & { readonly number: N } {
	return { number, name, class: of, posts };
}

function deducted<N extends string>(number: N, name: string, of: AccountClass, posts: string): ChartAccount & { readonly number: N } {
	return { ...account(number, name, of, posts), isDeducted: true };
}

/** In the order of their numbers. */
export const CHART_ACCOUNTS: readonly ChartAccount[] = Object.values(CHART);

/** The side on which the account's balance usually is. */
export const normalSideOf = ({ class: of, isDeducted = false }: ChartAccount): "DEBIT" | "CREDIT" =>
	(of === "ASSET" || of === "EXPENSE") !== isDeducted ? "DEBIT" : "CREDIT";
