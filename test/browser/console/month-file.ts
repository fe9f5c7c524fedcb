// A statement as the portal of M-Pesa writes it.

const EAST_AFRICA_MS = 3 * 3_600_000;

export interface Line {
	readonly receipt: string;
	readonly at: number;
	/** In cents; less than nothing for what goes out. */
	readonly amount: number;
	readonly reason: string;
	/** What the payer typed. */
	readonly reference?: string;
	/** The receipt that it takes back. */
	readonly linked?: string;
}

const HEADER =
	"Receipt No.,Completion Time,Initiation Time,Details,Transaction Status,Paid In,Withdrawn,Balance,Balance Confirmed,Reason Type,Other Party Info,Linked Transaction ID,A/C No.";

/** As people and portals write it. */
export const shillings = (cents: number): string =>
	(cents / 100).toLocaleString("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 2 });

const local = (at: number): string => {
	const [date = "", time = ""] = new Date(at + EAST_AFRICA_MS).toISOString().split("T");
	return `${date.split("-").reverse().join("-")} ${time.slice(0, 8)}`;
};

/** The whole file of an account that was empty before, the newest line first. */
export function fileOf(lines: readonly Line[], shortCode: string): string {
	let balance = 0;
	const rows = [...lines]
		.sort((one, other) => one.at - other.at)
		.map(({ receipt, at, amount, reason, reference = "", linked = "" }) => {
			balance += amount;
			const moved = `"${shillings(Math.abs(amount))}"`;
			const [paidIn, withdrawn] = amount > 0 ? [moved, ""] : ["", moved];
			const party = "254700000001 - JANE DOE";
			return `${receipt},${local(at)},${local(at)},"${reason} of ${party}",Completed,${paidIn},${withdrawn},"${shillings(balance)}",true,${reason},${party},${linked},${reference}`;
		})
		.reverse();
	return ["Account Holder:,UMOJA SAVINGS", `Short Code:,${shortCode}`, "Account:,Utility Account", "", HEADER, ...rows].join("\r\n");
}
