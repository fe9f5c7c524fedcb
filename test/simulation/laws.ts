// What must hold of the world after everything that has happened in it. Everything is computed again from the entries and from what others
// know: the custodian's movements and the payout provider's own book.

import { addDays, type CalendarDate, localDate } from "../../src/shared/time";
import { DAILY_LIMIT, RATES, START, TIME_ZONE, type World } from "./world";

type Account = { id: string; status: string; balance: number; held: number; interest_due_on: string; created_at: number };
type Entry = { account_id: string; type: string; amount: number; hold: number; day: string; source_id: string; contra: string };
type Transfer = { id: string; account_id: string; payee_user_id: string | null; amount: number; status: string; payee_account_id: string };
type Fate = { transfer_id: string; account_id: string | null; outcome: string };
type Closed = { account_id: string; completed_at: number };

const UNIT = 3_650_000n;

function load(world: World) {
	return {
		accounts: world.all<Account>("select id, status, balance, held, interest_due_on, created_at from current_accounts"),
		entries: world.all<Entry>(
			"select account_id, type, amount, hold, day, source_id, contra from current_account_entries order by account_id, position",
		),
		transfers: world.all<Transfer>("select id, account_id, payee_user_id, amount, status, payee_account_id from transfers"),
		fates: world.all<Fate>("select transfer_id, account_id, outcome from incoming_transfers"),
		movements: world.all<{ id: string; direction: string; amount: number }>("select id, direction, amount from custodian_movements"),
		uses: world.all<{ id: string; uses: number }>("select id, transaction_count as uses from payee_accounts"),
		closed: world.all<Closed>("select account_id, completed_at from closures where status = 'COMPLETED'"),
	};
}

type Books = ReturnType<typeof load>;

const sum = <T>(rows: readonly T[], of: (row: T) => number): number => rows.reduce((total, row) => total + of(row), 0);

/** The laws that are broken, in words. */
export function brokenLaws(world: World): string[] {
	const books = load(world);
	const broken = books.accounts.flatMap((account) => {
		const entries = books.entries.filter(({ account_id }) => account_id === account.id);
		return [...ofSums(account, entries), ...ofDailyLimit(account, entries), ...ofInterest(books, account, entries, world)];
	});
	return [...broken, ...ofConservation(books)];
}

/** The broken laws among those that hold once no money is on its way. `paid`: what the provider paid by its own book. */
export function brokenInTheEnd(world: World, paid: ReadonlySet<string>): string[] {
	const books = load(world);
	const stuck = books.transfers.filter(({ status }) => status !== "COMPLETED" && status !== "FAILED");
	const held = books.accounts.filter((account) => account.held !== 0);
	return [
		...stuck.map(({ id, status }) => `transfer ${id} is stuck in ${status}`),
		...held.map(({ id }) => `account ${id} holds money for nothing`),
		...books.transfers.flatMap((transfer) => ofTransfer(transfer, books, paid)),
		...books.uses.flatMap(({ id, uses }) => {
			const completed = books.transfers.filter(({ status, payee_account_id }) => status === "COMPLETED" && payee_account_id === id);
			return completed.length === uses ? [] : [`payee account ${id} counts ${uses} uses instead of ${completed.length}`];
		}),
	];
}

function ofSums({ id, balance, held, status }: Account, entries: readonly Entry[]): string[] {
	const sums = { balance: sum(entries, ({ amount }) => amount), held: sum(entries, ({ hold }) => hold) };
	return [
		...(sums.balance === balance && sums.held === held ? [] : [`account ${id} differs from the sums of its entries`]),
		...(held >= 0 && balance >= held ? [] : [`account ${id} is overdrawn`]),
		...(status === "CLOSED" && balance !== 0 ? [`account ${id} is closed with money in it`] : []),
	];
}

/** Money that leaves the accounts must be what the custodian moved, the provider paid, or what is in another account. */
function ofConservation({ accounts, entries, movements, transfers, fates }: Books): string[] {
	const moved = sum(movements, ({ direction, amount }) => (direction === "CREDIT" ? amount : -amount));
	const interest = sum(entries, ({ type, amount }) => (type === "INTEREST" ? amount : 0));
	const paidOut = sum(transfers, ({ status, payee_user_id, amount }) => (status === "COMPLETED" && payee_user_id === null ? amount : 0));
	// Credited to the payee, and not yet taken from the payer.
	const twice = sum(fates, ({ transfer_id, outcome }) => {
		const transfer = transfers.find(({ id }) => id === transfer_id);
		return outcome === "CREDITED" && transfer?.status !== "COMPLETED" ? (transfer?.amount ?? 0) : 0;
	});
	const expected = moved + interest - paidOut + twice;
	const found = sum(accounts, ({ balance }) => balance);
	return found === expected ? [] : [`the accounts hold ${found} instead of ${expected}`];
}

function ofTransfer(
	{ id, account_id, payee_user_id, amount, status }: Transfer,
	{ entries, fates }: Books,
	paid: ReadonlySet<string>,
): string[] {
	const own = entries.filter(({ source_id }) => source_id === id);
	const left = sum(own, (entry) => (entry.account_id === account_id && entry.amount < 0 ? entry.amount : 0));
	const arrived = sum(own, (entry) => (entry.amount > 0 ? entry.amount : 0));
	const completed = status === "COMPLETED";
	const fate = fates.find(({ transfer_id }) => transfer_id === id);
	return [
		...(left === (completed ? -amount : 0) ? [] : [`transfer ${id} is ${status} and took ${-left}`]),
		...(arrived === (completed && payee_user_id !== null ? amount : 0) ? [] : [`transfer ${id} is ${status} and brought ${arrived}`]),
		...(payee_user_id === null && completed !== paid.has(id) ? [`transfer ${id} is ${status}, and the provider knows better`] : []),
		...(fate && (fate.outcome === "CREDITED") !== completed ? [`transfer ${id} is ${status} and its fate is ${fate.outcome}`] : []),
	];
}

/** What is ordered on one day, less what is released on the same day. */
function ofDailyLimit({ id }: Account, entries: readonly Entry[]): string[] {
	const ordered = new Map<string, number>();
	for (const entry of entries) {
		const before = ordered.get(entry.day) ?? 0;
		if (entry.type === "HOLD") ordered.set(entry.day, before + entry.hold);
		if (entry.type === "TRANSFER_OUT") ordered.set(entry.day, before - entry.amount);
		const hold = entries.find(({ type, source_id }) => type === "HOLD" && source_id === entry.source_id);
		if (entry.type === "RELEASE" && hold?.day === entry.day) ordered.set(entry.day, before + entry.hold);
		if ((ordered.get(entry.day) ?? 0) > DAILY_LIMIT) return [`account ${id} exceeds its daily limit on ${entry.day}`];
	}
	return [];
}

const rateOf = (day: CalendarDate) => Object.entries(RATES).reduce((rate, [from, annual]) => (from <= day ? annual : rate), 0);
const isMonday = (day: CalendarDate) => new Date(`${day}T00:00:00Z`).getUTCDay() === 1;

/** Each night an account earns the day's rate on its balance. Interest is paid on Mondays, or earlier so that an account can close. */
function ofInterest({ closed }: Books, account: Account, entries: readonly Entry[], world: World): string[] {
	const opened = localDate(account.created_at, TIME_ZONE);
	const end = closed.find(({ account_id }) => account_id === account.id)?.completed_at ?? world.now;
	const lastDay = localDate(Math.max(end, START), TIME_ZONE);
	const expected: string[] = [];
	let [balance, accrued] = [0n, 0n];
	for (let day = opened; day <= lastDay; day = addDays(day, 1)) {
		const today = entries.filter((entry) => entry.day === day);
		const isPaid = (isMonday(day) && day > opened && day < account.interest_due_on) || today.some(({ type }) => type === "INTEREST");
		if (isPaid && accrued >= UNIT) {
			const interest = accrued / UNIT;
			accrued -= interest * UNIT;
			balance += interest;
			expected.push(`${day} ${interest}`);
		}
		balance += BigInt(sum(today, ({ type, amount }) => (type === "INTEREST" ? 0 : amount)));
		if (day < lastDay) accrued += balance * BigInt(rateOf(day));
	}
	const found = entries.flatMap(({ type, day, amount }) => (type === "INTEREST" ? [`${day} ${amount}`] : []));
	const differs = found.join() !== expected.join();
	return [
		...(differs ? [`account ${account.id} was paid the interest ${found.join()} instead of ${expected.join()}`] : []),
		...(account.status === "CLOSED" && accrued >= UNIT ? [`account ${account.id} was closed over accrued interest`] : []),
	];
}
