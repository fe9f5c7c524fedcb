// Opens a user's current account, and reads it and its transactions.

import * as z from "zod";
import type { Write } from "../../../db/database";
import { first } from "../../../db/reads";
import { raise } from "../../../events/raise";
import { type UserCaller, user } from "../../../http/callers/access";
import { operation, Reply } from "../../../http/operation";
import { sendAfter } from "../../../runtime/outbox";
import type { HandlerServices, Services } from "../../../runtime/services";
import { ApiError } from "../../../shared/errors";
import { homeOfUser, lendingReader, ofUser, userNamed } from "../../users/model/callers";
import { orStaleIfJoined } from "../../users/model/plan";
import { findUser } from "../../users/model/store";
import type { UserRow } from "../../users/model/table";
import { orderInstruction } from "../custodian/plan";
import { custodianOutbox } from "../custodian/procedure";
import { currentAccountOpened } from "../events";
import { localDayOf } from "../ledger/interest.policy";
import { NO_OPEN_ACCOUNT } from "../lifecycle";
import { type CurrentAccountRow, currentAccounts } from "../table";
import { newCurrentAccount } from "./plan";
import { findOpenAccount, findReachedOpen, moveOnboarding } from "./store";
import { CurrentAccount, toCurrentAccount } from "./wire";

const PATH = "/v1/user/accounts/current";

const answerOf = (services: Services, row: CurrentAccountRow) =>
	toCurrentAccount(row, services.config.CURRENT_ACCOUNTS, localDayOf(row, services.now));

async function open({ userId }: UserCaller, services: HandlerServices) {
	const { db } = services;
	const { owner, known } = await db.read({
		owner: first(findUser(db.orm, userId)),
		known: first(findOpenAccount(userId)),
	});
	if (!owner) throw new ApiError("UNAUTHORISED");
	if (known && known.walletOnboardingStatus !== "REJECTED") return new Reply(answerOf(services, known), { status: 200 });
	const submission = known ? resubmission(services, known, owner) : opening(services, owner);
	const reply = new Reply(answerOf(services, submission.row), { status: known ? 200 : 201 });
	return services.commit(submission.writes, reply, {
		// A concurrent call has opened the account, or another account has drawn the same number.
		unique: [
			[[currentAccounts.userId], "STALE"],
			[[currentAccounts.accountNumber], "STALE"],
		],
	});
}

type Submission = { row: CurrentAccountRow; writes: Write[] };

function opening(services: Services, owner: UserRow): Submission {
	const { db } = services;
	const submitted = newCurrentAccount(services, owner, custodianOf(services).name);
	const { row, writes } = submission(services, submitted, owner);
	return {
		row,
		writes: [
			...orStaleIfJoined(owner.id, owner.homeOrganizationId),
			db.orm.insert(currentAccounts).values(row),
			...writes,
			raise(services, currentAccountOpened, {
				organizationId: row.organizationId,
				entityId: row.id,
				data: { account_id: row.id, user_id: row.userId },
			}),
		],
	};
}

/** Asks the custodian once more after it has rejected the account. */
function resubmission(services: Services, seen: CurrentAccountRow, owner: UserRow): Submission {
	const submitted: CurrentAccountRow = {
		...seen,
		walletOnboardingStatus: "SUBMITTED",
		rejectionReasons: [],
		round: seen.round + 1,
		externalProvider: custodianOf(services).name,
		updatedAt: services.now,
	};
	const { row, writes } = submission(services, submitted, owner);
	const { rejectionReasons, round, externalProvider, externalAccountId, externalAccountNumber } = row;
	const resubmitted = moveOnboarding(services, seen, "resubmit", { rejectionReasons, round, externalProvider });
	const approved =
		row.walletOnboardingStatus === "SUBMITTED"
			? []
			: [moveOnboarding(services, submitted, "approve", { externalAccountId, externalAccountNumber })];
	return { row, writes: [resubmitted, ...approved, ...writes] };
}

/** What the custodian makes of a submitted account at once, and the instruction to a custodian that decides later. */
function submission(services: Services, submitted: CurrentAccountRow, owner: UserRow): Submission {
	const custodian = custodianOf(services);
	if (custodian.kind === "embedded") {
		const row: CurrentAccountRow = { ...submitted, walletOnboardingStatus: "ACCOUNT_OPENED", ...custodian.open(submitted.id) };
		return { row, writes: [] };
	}
	const { instruction, write } = orderInstruction(services, {
		kind: "OPEN",
		subjectId: submitted.id,
		round: submitted.round,
		facts: {
			account_id: submitted.id,
			account_number: submitted.accountNumber,
			currency: submitted.currency,
			user_id: owner.id,
			mobile_number: owner.mobileNumber,
		},
	});
	return { row: submitted, writes: [write, sendAfter(services, custodianOutbox, instruction)] };
}

function custodianOf({ providers }: Services) {
	const { custodian } = providers;
	if (!custodian) throw new ApiError("SERVICE_UNAVAILABLE");
	return custodian;
}

const opens = {
	method: "POST",
	access: user,
	request: {},
	response: CurrentAccount,
	status: 201,
	otherStatuses: { 200: "The user has an account, or it was rejected and is submitted again" },
	badInput: "BAD_REQUEST",
} as const;

export const openCurrentAccount = operation({
	...opens,
	id: "openCurrentAccount",
	path: PATH,
	summary: "Open the caller's current account",
	description: "Answers 200 with the account that is open already. An account that the custodian has rejected is submitted once more.",
	handle: ({ caller }, services) => open(caller, services),
});

export const openCurrentAccountDeprecated = operation({
	...opens,
	id: "openCurrentAccountDeprecated",
	path: "/v1/me/current-account",
	summary: "Open the caller's current account",
	deprecated: { since: Date.UTC(2026, 0, 1), sunset: Date.UTC(2027, 11, 31), successor: PATH },
	handle: ({ caller }, services) => open(caller, services),
});

export const getCurrentAccount = operation({
	id: "getCurrentAccount",
	method: "GET",
	path: PATH,
	summary: "The user's current account",
	description: "Closed accounts are not returned here; fetch them by id.",
	access: lendingReader,
	home: homeOfUser,
	request: { query: z.object(ofUser) },
	response: CurrentAccount,
	badInput: "BAD_REQUEST",
	errors: ["NOT_FOUND"],
	async handle({ query, caller }, services) {
		const { db } = services;
		const account = await db.read(first(findReachedOpen(db.orm, userNamed(caller, query.user_id), caller)));
		if (!account) throw new ApiError("NOT_FOUND", { description: NO_OPEN_ACCOUNT });
		return answerOf(services, account);
	},
});
