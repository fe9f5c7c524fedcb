// Statements that are issued: numbered, and kept as they were known on that day.

import { eq, sql } from "drizzle-orm";
import * as z from "zod";
import { byCreation } from "../../../db/keyset";
import { first } from "../../../db/reads";
import { alone, oneOf, user } from "../../../http/callers/access";
import { operation, Reply } from "../../../http/operation";
import { Links, listReply, openPage, paging } from "../../../http/paging";
import { shownIn } from "../../../messages/texts";
import { sha256Hex } from "../../../shared/bytes";
import { ApiError, badInput } from "../../../shared/errors";
import { localDate } from "../../../shared/time";
import { DEFAULT_COLOR } from "../../branding/policy";
import { findBook, reachedAccount, recordsOf } from "../../credit-accounts/ledger.store";
import { todayOf } from "../../credit-accounts/postings/plan";
import { findReachedAccount, reachedAccount as reachedCurrentAccount } from "../../current-accounts/accounts/store";
import { findEnds, isWithin } from "../../current-accounts/ledger/statement.store";
import { currentAccountEntries } from "../../current-accounts/table";
import { lendingReader, lendingWorker } from "../../users/model/callers";
import { creditStatement, currentEntry, requireValid } from "../statement.plan";
import { findHighest, findHolder, findIssued, findLatest, findLender, isNext, reachedOfEither, selectIssued } from "./store";
import { type IssuedStatementRow, issuedStatements } from "./table";
import { IssuedStatement, IssuedStatementContent, MOST_ENTRIES, StatementBody, type StatementContent, toIssuedStatement } from "./wire";

const id = z.uuid().toLowerCase();

export const issueStatement = operation({
	id: "issueStatement",
	method: "POST",
	path: "/v1/accounts/{accountId}/statements",
	summary: "Issue a statement of an account: it gets a number, and says for ever what is known now",
	description:
		"If the account's last statement of the same days says the same, the answer is that statement, with 200. Otherwise the new statement replaces it: a correction is another statement, which names the corrected statement.",
	access: alone(oneOf(user, lendingWorker)),
	home: ({ path }) => path.accountId,
	request: { path: z.object({ accountId: id }), body: StatementBody },
	response: IssuedStatement,
	status: 201,
	otherStatuses: { 200: "The same was issued before" },
	location: (body) => {
		const { id: statement, account_id: account } = body as z.output<typeof IssuedStatement>;
		return `/v1/accounts/${account}/statements/${statement}`;
	},
	errors: ["NOT_FOUND"],
	limit: { name: "statements", quota: 20, windowSeconds: 86_400 },
	async handle({ path: { accountId }, body: days, caller }, services) {
		const { db, now } = services;
		const current = reachedCurrentAccount(accountId, caller);
		const { account, ends, rows, book, holder, lender, highest, latest } = await db.read({
			account: first(findReachedAccount(db.orm, accountId, caller)),
			ends: findEnds(db.orm, current, days),
			rows: db.orm
				.select()
				.from(currentAccountEntries)
				.where(isWithin(current, days, {}))
				.orderBy(currentAccountEntries.day, currentAccountEntries.position)
				.limit(MOST_ENTRIES + 1),
			book: findBook(db.orm, reachedAccount(accountId, caller), "HISTORY", "ALL"),
			holder: first(findHolder(db.orm, accountId, caller)),
			lender: first(findLender(db.orm, accountId, caller)),
			highest: first(findHighest(db.orm, accountId, caller)),
			latest: first(findLatest(db.orm, reachedOfEither(accountId, caller), days)),
		});
		const [credit] = book.accounts;
		const of = credit ?? account;
		if (!of) throw new ApiError("NOT_FOUND");
		requireValid(days, credit ? todayOf(credit, now) : localDate(now, account?.timeZone ?? ""), "body");
		const found = credit ? creditStatement(recordsOf(credit, book), days) : undefined;
		const entries = found ? found.entries.slice(0, MOST_ENTRIES + 1).map(found.toEntry) : rows.map(currentEntry);
		if (entries.length > MOST_ENTRIES)
			throw badInput("body.from", `is too early: these days have more than ${MOST_ENTRIES} entries`, "OUT_OF_RANGE");
		const content: StatementContent = {
			lender: lender?.name ?? null,
			account_type: credit ? "CREDIT" : "CURRENT",
			account_number: of.accountNumber,
			currency: of.currency,
			opening_balance: found ? found.opening : (ends.before?.balanceAfter ?? 0),
			entries,
			closing_balance: found ? found.closing : (ends.last?.balanceAfter ?? 0),
		};
		const text = JSON.stringify(content);
		const sha256 = await sha256Hex(text);
		const called = holder?.holder ?? null;
		if (latest?.sha256 === sha256 && latest.holder === called)
			return services.commit([], new Reply(toIssuedStatement(latest), { status: 200 }));
		const row: IssuedStatementRow = {
			id: services.newId(),
			organizationId: of.organizationId ?? "",
			number: (highest?.number ?? 0) + 1,
			accountId,
			userId: of.userId,
			firstDay: days.from,
			lastDay: days.to,
			holder: called,
			locale: shownIn(holder, caller.kind === "user" ? services.locale : undefined),
			color: lender?.color ?? DEFAULT_COLOR,
			content: text,
			sha256,
			replacesId: latest?.id ?? null,
			createdAt: now,
		};
		const shown = { ...row, replacesNumber: latest?.number ?? null, replacedById: null, replacedByNumber: null };
		return services.commit(
			[db.orm.run(isNext(row.organizationId, row.number)), db.orm.insert(issuedStatements).values(row)],
			new Reply(toIssuedStatement(shown)),
			{ unique: [[[issuedStatements.replacesId], "STALE"]] },
		);
	},
});

export const listIssuedStatements = operation({
	id: "listIssuedStatements",
	method: "GET",
	path: "/v1/accounts/{accountId}/statements",
	summary: "The statements of an account that were issued, newest first",
	access: lendingReader,
	home: ({ path }) => path.accountId,
	request: { path: z.object({ accountId: id }), query: z.object(paging) },
	response: z.object({ data: z.array(IssuedStatement), links: Links }),
	badInput: "BAD_REQUEST",
	errors: ["NOT_FOUND"],
	async handle({ path: { accountId }, query, caller }, services) {
		const { db } = services;
		const reached = reachedOfEither(accountId, caller);
		const { statement, page } = await openPage(services, query, {
			list: "issued-statements",
			owner: accountId,
			filters: {},
			select: (orm) => selectIssued(orm).$dynamic(),
			key: byCreation(issuedStatements),
			where: eq(issuedStatements.accountId, sql`${reached}`),
		});
		const { found, rows } = await db.read({
			found: first(db.orm.all<{ id: string | null }>(sql`select ${reached} as "id"`)),
			rows: statement,
		});
		if (!found?.id) throw new ApiError("NOT_FOUND");
		return listReply(services, await page(rows), toIssuedStatement);
	},
});

export const getIssuedStatement = operation({
	id: "getIssuedStatement",
	method: "GET",
	path: "/v1/accounts/{accountId}/statements/{statementId}",
	summary: "An issued statement, as it was known on the day of its issue",
	description: "Also as CSV, the entries alone, and as a PDF file in the language that the holder had then.",
	access: lendingReader,
	home: ({ path }) => path.accountId,
	tabular: "entries",
	printed: async (body) => {
		const { statementFile } = await import("../../../messages/statement-file");
		return statementFile(body as z.output<typeof IssuedStatementContent>);
	},
	request: { path: z.object({ accountId: id, statementId: id }) },
	response: IssuedStatementContent,
	badInput: "BAD_REQUEST",
	errors: ["NOT_FOUND"],
	async handle({ path, caller }, services) {
		const { db } = services;
		const row = await db.read(first(findIssued(db.orm, path, caller)));
		if (!row) throw new ApiError("NOT_FOUND");
		if ((await sha256Hex(row.content)) !== row.sha256) throw new Error(`the statement ${row.id} is not as it was issued`);
		const content = JSON.parse(row.content) as StatementContent;
		return {
			...toIssuedStatement(row),
			...{ locale: row.locale, brand_color: row.color, holder: row.holder },
			...content,
			entries: [...content.entries],
		};
	},
});
