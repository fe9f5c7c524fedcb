// What the columns of a statement mean, and the lines that its records make. A line keeps no name and no number of the other party.

import { minorUnitsIn } from "../../shared/currency";
import { isCalendarDate, localDate, startOfDay } from "../../shared/time";
import { visibleKey } from "../../shared/visible-key";
import type { Channel, LINE_KINDS } from "./lifecycle";

export const DATE_ORDERS = ["YMD", "DMY", "MDY"] as const;
export const COLUMNS = [
	"receipt",
	"time",
	"status",
	"kind",
	"details",
	"reference",
	"linked",
	"paid_in",
	"withdrawn",
	"amount",
	"fee",
	"balance",
] as const;
type ColumnName = (typeof COLUMNS)[number];

/** Words, because generators make names of members out of the values. */
export const SEPARATORS = ["COMMA", "SEMICOLON", "TAB"] as const;
export const DECIMALS = ["POINT", "COMMA"] as const;

/** What stands between two values of a record. */
export const SEPARATED_BY = { COMMA: ",", SEMICOLON: ";", TAB: "\t" } as const;

export type Mapping = {
	/** What the file calls each column. */
	readonly columns: { readonly [name in ColumnName]?: string | undefined };
	readonly separator: (typeof SEPARATORS)[number];
	readonly decimal: (typeof DECIMALS)[number];
	/** The order in dates that do not begin with the year. */
	readonly date_order: (typeof DATE_ORDERS)[number];
	readonly time_zone: string;
	/** The status of a movement that happened; records with another status are left out. */
	readonly completed: string;
};

const AS_IN_KENYA = { separator: "COMMA", decimal: "POINT", date_order: "DMY", time_zone: "Africa/Nairobi" } as const;

/** For a bank the organization sends its own. MoMo's is taken from a program that reads such files, and was not compared with a file. */
export const MAPPINGS: { readonly [channel in Exclude<Channel, "BANK">]: Mapping } = {
	MPESA: {
		...AS_IN_KENYA,
		completed: "Completed",
		columns: {
			receipt: "Receipt No.",
			time: "Completion Time",
			status: "Transaction Status",
			kind: "Reason Type",
			details: "Details",
			reference: "A/C No.",
			linked: "Linked Transaction ID",
			paid_in: "Paid In",
			withdrawn: "Withdrawn",
			balance: "Balance",
		},
	},
	MOMO: {
		...AS_IN_KENYA,
		completed: "Successful",
		columns: { receipt: "Id", time: "Date", status: "Status", kind: "Type", amount: "Amount", fee: "Fee", balance: "Balance" },
	},
};

/** The columns without which a record has no time or no amount. A file may lack the others. */
const needed = ({ columns }: Mapping): readonly (string | undefined)[] => [
	columns.time,
	...(columns.amount === undefined ? [columns.paid_in, columns.withdrawn] : [columns.amount]),
];

const plain = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");

/** The place of the record with the names of the columns, or -1. Portals write some records about the account above it. */
export const headerAt = (records: readonly (readonly string[])[], mapping: Mapping): number =>
	records.findIndex((record) => {
		const there = new Set(record.map(plain));
		return needed(mapping).every((name) => name !== undefined && there.has(plain(name)));
	});

/** Whether the file has the column. */
export const headerHas = (name: ColumnName, header: readonly string[], { columns }: Mapping): boolean => {
	const column = columns[name];
	return column !== undefined && header.some((each) => plain(each) === plain(column));
};

export type Line = {
	readonly at: number;
	/** The local day. */
	readonly day: string;
	readonly kind: (typeof LINE_KINDS)[number];
	/** In the form of `visibleKey`, as are `linked` and `reference`. */
	readonly receipt: string | null;
	/** The receipt of what a reversal takes back. */
	readonly linked: string | null;
	readonly reference: string | null;
	/** In minor units; negative for money that went out. */
	readonly amount: number;
	readonly fee: number;
	/** The account's balance after the line. */
	readonly balance: number | null;
};

type Format = { readonly header: readonly string[]; readonly mapping: Mapping; readonly currency: string };

/** So that the sum of a statement's lines is exact. In minor units. */
const MOST = 100_000_000_000;

/** The line of a record; undefined if the record moved no money; a text that names the fault if it cannot be read. */
export function lineOf(record: readonly string[], { header, mapping, currency }: Format): Line | string | undefined {
	const places = new Map(header.map((name, place) => [plain(name), place]));
	const cell = (name: ColumnName): string => {
		const place = places.get(plain(mapping.columns[name] ?? ""));
		return place === undefined ? "" : (record[place] ?? "").trim();
	};
	const status = cell("status");
	if (mapping.columns.status !== undefined && status.toLowerCase() !== mapping.completed.toLowerCase()) return undefined;
	const [paidIn, withdrawn, signed, fee] = (["paid_in", "withdrawn", "amount", "fee"] as const).map((name) =>
		unitsIn(cell(name), mapping, currency),
	);
	const balance = cell("balance") === "" ? null : unitsIn(cell("balance"), mapping, currency);
	if (paidIn === undefined || withdrawn === undefined || signed === undefined || fee === undefined || balance === undefined) {
		return `has an amount that is not one of ${currency}`;
	}
	// Some portals write what went out with a sign, others without.
	const amount = mapping.columns.amount === undefined ? Math.abs(paidIn) - Math.abs(withdrawn) : signed;
	if (amount === 0 && fee === 0) return undefined;
	if (Math.max(Math.abs(amount), Math.abs(fee)) > MOST) return "has an amount that is too large";
	const at = instantIn(cell("time"), mapping);
	if (at === undefined) return "has a time that is not one of the mapping's";
	return {
		at,
		day: localDate(at, mapping.time_zone),
		// In the details of money that comes in stands what its payer typed.
		kind: /\bcharges?\b/i.test(amount < 0 ? `${cell("kind")} ${cell("details")}` : cell("kind")) ? "CHARGE" : "MOVEMENT",
		receipt: keyIn(cell("receipt")),
		linked: keyIn(cell("linked")),
		reference: isPhone(cell("reference")) ? null : keyIn(cell("reference")),
		amount,
		fee: Math.abs(fee),
		balance,
	};
}

const keyIn = (text: string): string | null => visibleKey(text.slice(0, 100)) || null;

/** Some payers type their own phone number instead of an account number: it identifies them, so it is not kept. */
const isPhone = (text: string): boolean => /^(?:\+|00)?(?:254|255|256|250|233|260|0)\d{9}$/.test(text.replace(/[\s-]/g, ""));

/** The minor units in a text such as `-1,131,340.00`, `(50.00)` or an empty one; undefined for any other text. */
function unitsIn(text: string, { decimal }: Mapping, currency: string): number | undefined {
	const [, opened, sign, digits = "", closed] =
		/^(\()?([+-])?(?:[A-Z]{3} ?)?([\d.,\s']*)(\))?$/.exec(text.replace(/^[\u2212\u2013]/, "-")) ?? [];
	if (digits === "") return text === "" || text === "-" ? 0 : undefined;
	const whole = digits.replace(decimal === "POINT" ? /[,\s']/g : /[.\s']/g, "").replace(",", ".");
	const units = minorUnitsIn(whole, currency);
	if (units === undefined || (opened === undefined) !== (closed === undefined)) return undefined;
	return sign === "-" || opened ? -units : units;
}

const TIME = /^(\d{1,4})[-/.](\d{1,2})[-/.](\d{1,4})(?:[T ]+(\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?(?: ?([AP])M)?)?$/i;

/** The instant of a local time; of a date without a time, the beginning of that day. */
function instantIn(text: string, { date_order: order, time_zone: zone }: Mapping): number | undefined {
	const [, first = "", second = "", third = "", hours = "0", minutes = "0", seconds = "0", half] = TIME.exec(text.trim()) ?? [];
	const [year = "", month = "", day = ""] =
		first.length === 4 || order === "YMD" ? [first, second, third] : order === "DMY" ? [third, second, first] : [third, first, second];
	const date = `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
	const hour = half === undefined ? Number(hours) : (Number(hours) % 12) + (half.toUpperCase() === "P" ? 12 : 0);
	if (!isCalendarDate(date) || hour > 23 || Number(minutes) > 59 || Number(seconds) > 59) return undefined;
	return startOfDay(date, zone) + ((hour * 60 + Number(minutes)) * 60 + Number(seconds)) * 1_000;
}
