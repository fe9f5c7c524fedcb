// How much one credential may move in a day: exact sums, counted by D1 in the commit of what they bound. A day is one of UTC and of real
// time. Each database counts for itself.

import { eq, type SQL, sql } from "drizzle-orm";
import { assign, bareList, excluded } from "../db/columns";
import type { Write } from "../db/database";
import { ALWAYS } from "../db/prebuilt";
import { rateWindows } from "../db/rate-windows.table";
import type { Services } from "../runtime/services";
import { ApiError } from "../shared/errors";
import { homeDigits } from "../shared/ids";
import { DAY_MS } from "../shared/time";
import type { KeyCaller, OperatorCaller, OrganizationCaller, UserCaller } from "./callers/access";
import { refusal } from "./limit";

export type AmountWindow = {
	/** Unique in the service. */
	readonly name: string;
	/** Whose window it is. Not a secret, because it is stored. */
	readonly credential: string;
	readonly amount: number;
	readonly quota: number;
};

const endOfDay = (realNow: number): number => (Math.floor(realNow / DAY_MS) + 1) * DAY_MS;

type Day = Pick<AmountWindow, "name" | "credential">;

const keyOf = ({ home, databases, realNow }: Services, { name, credential }: Day): string =>
	`${homeDigits(databases.firstHomeAt(home))}.${JSON.stringify([name, credential, endOfDay(realNow)])}`;

/** How long the present windows last. */
export const secondsLeft = ({ realNow }: Services): number => Math.ceil((endOfDay(realNow) - realNow) / 1000);

/**
 * Adds the amount to the day's window. Over the quota it fails the commit, which says by `overQuota` what that means.
 * @param when adds it only if this holds at that moment
 */
export function spend(services: Services, window: AmountWindow, when: SQL = ALWAYS): Write {
	const { db, realNow } = services;
	const { amount, quota } = window;
	const [key, expiresAt] = [keyOf(services, window), endOfDay(realNow)];
	return db.orm.run(sql`insert into ${rateWindows} (${bareList(rateWindows.key, rateWindows.uses, rateWindows.quota, rateWindows.expiresAt)})
		select ${key}, ${amount}, ${quota}, ${expiresAt} where ${when}
		on conflict do update set ${assign(rateWindows, {
			uses: sql`${rateWindows.uses} + ${amount}`,
			quota: excluded(rateWindows.quota),
		})}`);
}

/** What the day's window has, for a decision that the commit demands again. */
export const findSpent = (services: Services, day: Day) =>
	services.db.orm
		.select({ uses: rateWindows.uses })
		.from(rateWindows)
		.where(eq(rateWindows.key, keyOf(services, day)));

export type Spending = { readonly writes: readonly Write[]; readonly overQuota?: ApiError };

const NOTHING: Spending = { writes: [] };

/** What a call moves of the caller's amount for the day: keys and members have one, others none. */
export function spendBy(services: Services, caller: Spender, amount: number, when?: SQL): Spending {
	if (caller.kind === "key") return spendByKey(services, caller, amount, when);
	if (caller.kind !== "member") return NOTHING;
	const { userId, organizationId } = caller;
	const quota = services.config.API_KEY_DAILY_AMOUNT;
	const window: AmountWindow = { name: "member-amount", credential: `${organizationId} ${userId}`, amount, quota };
	return { writes: [spend(services, window, when)], overQuota: new ApiError("INVALID_STATE", { description: OVER_MEMBERS_AMOUNT }) };
}

/** How many of these one operator may take out of service in a day without a second one; each database counts for itself. */
const STOPPED_ALONE = 3;

/** One more that an operator stops alone, where operators work in pairs. */
export function stopAlone(services: Services, caller: { kind: string; operatorId?: string }, stops: string, otherwise: string): Spending {
	if (caller.operatorId === undefined || services.config.OPERATOR_PAIRS === "off") return NOTHING;
	const window = { name: `${stops}-stopped-alone`, credential: caller.operatorId, amount: 1, quota: STOPPED_ALONE };
	const description = `One operator alone stops at most ${STOPPED_ALONE} ${stops} a day: ${otherwise}`;
	return { writes: [spend(services, window)], overQuota: new ApiError("INVALID_STATE", { description }) };
}

type Spender = KeyCaller | OrganizationCaller | OperatorCaller;

const OVER_MEMBERS_AMOUNT = "This exceeds the amount that you may record in a day. Ask an operator: another operator must approve it";

/**
 * What the caller moves, if it is an API key: within its own daily amount, and within that of all keys of its maker together, so that
 * many keys move no more than one. A key that operators have raised above that is bounded by its own alone.
 */
export function spendByKey(services: Services, caller: KeyCaller | { kind: string }, amount: number, when?: SQL): Spending {
	if (!isKey(caller)) return NOTHING;
	const { API_KEY_DAILY_AMOUNT: usual } = services.config;
	if (!caller.allowance) throw new Error("a key is looked up before it spends");
	const { dailyAmount, maker } = caller.allowance;
	const quota = dailyAmount ?? usual;
	const windows: AmountWindow[] = [{ name: "api-key-amount", credential: caller.keyId, amount, quota }];
	if (quota <= usual) {
		const credential = `${caller.organizationId} ${maker}`;
		windows.push({ name: "api-keys-of-maker-amount", credential, amount, quota: usual });
	}
	return {
		writes: windows.map((window) => spend(services, window, when)),
		overQuota: refusal("api-key-amount", secondsLeft(services), {}),
	};
}

const isKey = (caller: { kind: string }): caller is KeyCaller => caller.kind === "key";

/**
 * The window of what a user pays without a one-time password, together with the other users of their session's issuer: with its stolen key
 * somebody has the tokens of all of them. Undefined for the users of no other issuer.
 */
export function issuerWindow({ through }: Pick<UserCaller, "through">, amount: number): AmountWindow | undefined {
	if (!through) return undefined;
	const { kind, issuer, uncodedPerDay: quota } = through;
	return { name: "issuer-uncoded-amount", credential: `${kind} ${issuer}`, amount, quota };
}

/** Whether the amount fits into what is left of the day. */
export const fits = ({ amount, quota }: AmountWindow, spent: number): boolean => spent + amount <= quota;
