// An issued statement of an account as a PDF file: what it says, in the language of its holder.

import type { Locale } from "../shared/locale";
import { newDocument, PAGE_HEIGHT, PAGE_WIDTH, type Page, type PdfDocument } from "../shared/pdf/document";
import type { StatementTexts } from "./statement-catalogue";
import { STATEMENT_TEXTS } from "./statement-texts";
import { amountIn, dayIn, momentIn } from "./texts";

type Entry = {
	readonly date: string;
	readonly component: string;
	readonly amount: number;
	readonly rule: string;
	readonly running_balance: number;
};

export type PrintedStatement = {
	readonly number: number;
	readonly from: string;
	readonly to: string;
	readonly issued_at: string;
	readonly sha256: string;
	readonly replaces: { readonly number: number } | null;
	readonly locale: Locale;
	readonly brand_color: string;
	readonly lender: string | null;
	readonly holder: string | null;
	readonly account_type: "CREDIT" | "CURRENT";
	readonly account_number: string;
	readonly currency: string;
	readonly opening_balance: number;
	readonly entries: readonly Entry[];
	readonly closing_balance: number;
};

const MARGIN = 48;
const [LEFT, RIGHT] = [MARGIN, PAGE_WIDTH - MARGIN];
/** The right edges of the amounts, and where the descriptions begin. */
const [WHAT, AMOUNT, BALANCE] = [LEFT + 82, RIGHT - 100, RIGHT];
const LAST_LINE = PAGE_HEIGHT - 74;
const [GREY, HAIR] = ["#6b7280", { weight: 0.5, color: "#d1d5db" }];

/** `#rrggbb` of a colour, which may have three or eight digits. */
function colorOf(brand: string): string {
	const digits = brand.slice(1);
	return `#${(digits.length === 3 ? digits.replaceAll(/./g, "$&$&") : digits).slice(0, 6)}`;
}

/** By rule and part. A rule that is newer than the texts is shown by its name. */
function describe({ rules, parts }: StatementTexts, { rule, component }: Entry): string {
	const said = (rules as Readonly<Record<string, string>>)[rule] ?? rule;
	const part = (parts as Readonly<Record<string, string>>)[component];
	return part === undefined ? said : `${said}, ${part}`;
}

export async function statementFile(statement: PrintedStatement): Promise<string> {
	const { locale, number, sha256, lender } = statement;
	const texts = STATEMENT_TEXTS[locale];
	const document = await newDocument();
	const pages = new StatementPages(document, statement);
	pages.heading();
	pages.table();
	pages.feet();
	const createdAt = Date.parse(statement.issued_at);
	const title = `${texts.title} – ${texts.number} ${number}`;
	return document.file({ title, author: lender ?? "", language: locale, createdAt, digest: sha256 });
}

class StatementPages {
	readonly #document: PdfDocument;
	readonly #statement: PrintedStatement;
	readonly #texts: StatementTexts;
	readonly #pages: Page[] = [];
	#y = 0;

	constructor(document: PdfDocument, statement: PrintedStatement) {
		this.#document = document;
		this.#statement = statement;
		this.#texts = STATEMENT_TEXTS[statement.locale];
	}

	get #page(): Page {
		return this.#pages.at(-1) ?? this.#begin();
	}

	#begin(): Page {
		const page = this.#document.page();
		this.#pages.push(page);
		this.#y = MARGIN + 12;
		return page;
	}

	/** Who issues it, what it is, and the facts of the account in two columns. */
	heading(): void {
		const { lender, account_type, account_number, holder, from, to, issued_at, replaces, locale, brand_color, number, currency } =
			this.#statement;
		const texts = this.#texts;
		const color = colorOf(brand_color);
		for (const line of this.#document.lines(lender ?? "", 12, RIGHT - LEFT)) {
			this.#page.text(LEFT, this.#y, line, { size: 12, color, bold: true });
			this.#y += 17;
		}
		this.#page.text(LEFT, this.#y + 8, texts.title, { size: 18, bold: true });
		this.#y += 20;
		this.#page.rule(LEFT, this.#y, RIGHT - LEFT, { weight: 1.5, color });
		this.#y += 20;
		const facts: readonly (readonly [name: string, value: string])[] = [
			[texts.number, String(number)],
			...(holder === null ? [] : [[texts.holder, holder] as const]),
			[texts.account, `${account_number} (${texts.of[account_type]})`],
			[texts.days, `${dayIn(locale, from, "long")} – ${dayIn(locale, to, "long")}`],
			[texts.issued, momentIn(locale, Date.parse(issued_at))],
			...(replaces === null ? [] : [["", texts.replaces.replace("{number}", String(replaces.number))] as const]),
		];
		for (const [name, value] of facts) {
			this.#page.text(LEFT, this.#y, name, { size: 9, color: GREY });
			for (const line of this.#document.lines(value, 10, RIGHT - LEFT - 140)) {
				this.#page.text(LEFT + 140, this.#y, line, { size: 10 });
				this.#y += 15;
			}
		}
		this.#y += 12;
		this.#page.text(LEFT, this.#y, texts.currency.replace("{currency}", currency), { size: 9, color: GREY });
		this.#y += 18;
	}

	/** The balance before, a line for each entry, and the balance at the end. */
	table(): void {
		const { entries, opening_balance, closing_balance, from, to } = this.#statement;
		const texts = this.#texts;
		this.#columns();
		this.#row(from, texts.opening, undefined, opening_balance, true);
		if (entries.length === 0) this.#row(undefined, texts.none, undefined, undefined);
		for (const entry of entries) this.#row(entry.date, describe(texts, entry), entry.amount, entry.running_balance);
		this.#row(to, texts.closing, undefined, closing_balance, true);
	}

	#columns(): void {
		const look = { size: 9, color: GREY };
		const { date, what, amount, balance } = this.#texts;
		this.#page.text(LEFT, this.#y, date, look);
		this.#page.text(WHAT, this.#y, what, look);
		this.#page.text(AMOUNT, this.#y, amount, { ...look, right: true });
		this.#page.text(BALANCE, this.#y, balance, { ...look, right: true });
		this.#page.rule(LEFT, this.#y + 6, RIGHT - LEFT, { ...HAIR, color: GREY });
		this.#y += 20;
	}

	#row(date: string | undefined, what: string, amount: number | undefined, balance: number | undefined, bold = false): void {
		const { locale, currency } = this.#statement;
		const shown = (value: number) => amountIn(locale, { amount: value, currency });
		const room = AMOUNT - WHAT - (amount === undefined ? 0 : this.#document.font.measure(shown(amount), 9.5)) - 12;
		const lines = this.#document.lines(what, 9.5, room);
		if (this.#y + lines.length * 13 > LAST_LINE) {
			this.#begin();
			this.#columns();
		}
		const look = { size: 9.5, bold };
		if (date !== undefined) this.#page.text(LEFT, this.#y, dayIn(locale, date, "short"), look);
		if (amount !== undefined) this.#page.text(AMOUNT, this.#y, shown(amount), { ...look, right: true });
		if (balance !== undefined) this.#page.text(BALANCE, this.#y, shown(balance), { ...look, right: true });
		for (const line of lines) {
			this.#page.text(WHAT, this.#y, line, look);
			this.#y += 13;
		}
		this.#page.rule(LEFT, this.#y - 8, RIGHT - LEFT, HAIR);
		this.#y += 4;
	}

	/** On each page which one it is, of which statement. */
	feet(): void {
		const { number, sha256, account_number } = this.#statement;
		const { page: pageOf, number: named, asKnown } = this.#texts;
		const look = { size: 7.5, color: GREY };
		this.#pages.forEach((page, index) => {
			const y = PAGE_HEIGHT - MARGIN;
			const counted = pageOf.replace("{page}", String(index + 1)).replace("{pages}", String(this.#pages.length));
			page.text(LEFT, y, `${named} ${number}, ${account_number}. ${asKnown}`, look);
			page.text(RIGHT, y, counted, { ...look, right: true });
			page.text(LEFT, y + 11, `SHA-256 ${sha256}`, look);
		});
	}
}
