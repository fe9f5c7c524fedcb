// Who is signed in: the tokens, in a variable of this module alone. Tabs of the same person share them over a channel, so that a tab
// opened from another is signed in, and one tab alone renews.

import { isSamePerson, mayReplace, organizationKept } from "./trust.ts";

export type Renewal =
	| { readonly by: "refresh"; readonly token: string }
	| { readonly by: "sandbox"; readonly kind: "partner" | "operator"; readonly subject: string; readonly organization?: string }
	| { readonly by: "issuer"; readonly issuer: string; readonly client: string; readonly token: string };

export interface Session {
	readonly token: string;
	/** When the token ends, by this machine's clock. */
	readonly until: number;
	/** null: the person must sign in again. */
	readonly renewal: Renewal | null;
	/** The issuer at which the person signed in; none for a phone, a partner's token or the sandbox. */
	readonly at?: { readonly issuer: string; readonly client: string } | undefined;
	/** The organization that the console acts for. */
	readonly organization?: string | undefined;
}

type Message = { readonly is: "ask" } | { readonly is: "session"; readonly session: Session } | { readonly is: "out" };
/** `ended`: the token could not be renewed; `weak`: the sign-in is too old or too weak for a call. Either way a dialog asks for another one. */
export type State = "in" | "ended" | "weak" | "out";
/** How recently, or by what, the person must have signed in for a call (RFC 9470). */
export type Demand = { readonly max_age?: string; readonly acr_values?: string };

let session: Session | undefined;
let state: State = "out";
let demand: Demand = {};
const listeners = new Set<(state: State) => void>();
const waiting = new Set<(again: boolean) => void>();
/** Nobody has signed in or out here yet: the answer of another tab is taken, however late. */
let joins = false;
const channel = new BroadcastChannel("console-session");

channel.addEventListener("message", ({ data }: MessageEvent<Message>) => {
	if (data.is === "ask" && session && state === "in") channel.postMessage({ is: "session", session } satisfies Message);
	// Only what is newer: an answer to another tab's question may be of this tab's own past.
	// And only of the same person: what is on the page is theirs.
	const isNewer = (mine: Session, theirs: Session) => theirs.until > mine.until && isSamePerson(mine.token, theirs.token);
	if (data.is === "session" && (session ? isNewer(session, data.session) : joins)) take(data.session);
	if (data.is === "out" && session) end("out");
});

export const current = (): Session | undefined => session;

export function onSession(listener: (state: State) => void): () => void {
	listeners.add(listener);
	return () => void listeners.delete(listener);
}

function take(next: Session): void {
	session = next;
	joins = false;
	become("in");
	schedule();
	for (const resolve of waiting) resolve(true);
	waiting.clear();
}

function end(as: "ended" | "out"): void {
	if (as === "out") session = undefined;
	joins = false;
	clearTimeout(timer);
	become(as);
	if (as === "out") giveUp();
}

/** The calls that wait for a session are refused. */
function giveUp(): void {
	for (const resolve of waiting) resolve(false);
	waiting.clear();
}

function become(next: State): void {
	state = next;
	for (const listener of [...listeners]) listener(next);
}

export function signedIn(next: Session): void {
	const signed = { organization: organizationKept(session, next), ...next };
	if (next.at) remember(false);
	take(signed);
	channel.postMessage({ is: "session", session: signed } satisfies Message);
}

/** Of a sign-in that was given up: it replaces nobody who has signed in meanwhile. */
export function signedInLate(next: Session): void {
	if (state === "ended" || mayReplace(session, next)) signedIn(next);
}

/** Of this tab only: other tabs may look at other organizations. */
export function actFor(organization: string | undefined): void {
	if (session) session = { ...session, organization };
}

/** The only thing that is ever stored: that somebody who had signed in at an issuer has signed out. */
const LEFT = "console-signed-out";
let left = false;

function remember(leaves: boolean): void {
	left = leaves;
	try {
		if (leaves) localStorage.setItem(LEFT, "yes");
		else localStorage.removeItem(LEFT);
	} catch {
		// This page remembers it by itself, until it is closed.
	}
}

/** Whether the last one here has signed out. The issuer's own session goes on, and would sign the same person in again. */
export function hasLeft(): boolean {
	try {
		return left || localStorage.getItem(LEFT) !== null;
	} catch {
		return left;
	}
}

/** The next sign-in at an issuer asks who it is. */
export const asksAnew = (): void => remember(true);

export function signedOut(): void {
	if (session?.at) remember(true);
	end("out");
	channel.postMessage({ is: "out" } satisfies Message);
}

/** How long another tab's answer is waited for. */
const ANSWER_MS = 150;

/** The session of another tab. */
function asked(): Promise<Session | undefined> {
	return new Promise((resolve) => {
		const stop = (found: Session | undefined): void => {
			channel.removeEventListener("message", hear);
			clearTimeout(late);
			resolve(found);
		};
		const hear = ({ data }: MessageEvent<Message>): void => {
			if (data.is === "session") stop(data.session);
		};
		const late = setTimeout(stop, ANSWER_MS, undefined);
		channel.addEventListener("message", hear);
		channel.postMessage({ is: "ask" } satisfies Message);
	});
}

export async function joinOtherTab(): Promise<boolean> {
	joins = true;
	return (await asked()) !== undefined;
}

let renew: (renewal: Renewal) => Promise<Session | undefined> = async () => undefined;
/** How a session is renewed: given once, because it takes calls. Gives undefined if the session is over, and throws if nobody answered. */
export function renewBy(how: typeof renew): void {
	renew = how;
}

/** Another token than the refused one. While the session is over, waits for the dialog; false when they leave. */
export async function renewed(refused: string): Promise<boolean> {
	if (!session) return false;
	if (state === "in") await navigator.locks.request("console-renewal", () => renewOnce(refused));
	if (session && session.token !== refused) return true;
	return new Promise((resolve) => waiting.add(resolve));
}

/** What the dialog asks for while the session is weak. */
export const demanded = (): Demand => demand;

/** Waits until the same person has signed in as the refused call demands; false when they do not, or are at no issuer that could be asked. */
export async function strengthened(refused: string, asked: Demand): Promise<boolean> {
	if (!session?.at || state === "ended") return false;
	if (session.token === refused && state === "in") {
		demand = asked;
		become("weak");
	}
	const again = session.token !== refused || (await new Promise<boolean>((resolve) => waiting.add(resolve)));
	return again && session !== undefined && isSamePerson(session.token, refused);
}

/** The person continues without what needs a stronger sign-in. */
export function staysWeak(): void {
	become("in");
	giveUp();
}

async function renewOnce(refused: string): Promise<void> {
	if (!session || session.token !== refused) return;
	// Another tab may have been here first, and its message still be on the way.
	const other = await asked();
	if (other && other.token !== refused && other.until > Date.now()) return take(other);
	const { renewal, organization, at } = session;
	const next = renewal && (await renew(renewal));
	if (next) signedIn({ organization, at, ...next });
	else end("ended");
}

/** A token is renewed this long before it ends. */
const AHEAD_MS = 60_000;
let timer: ReturnType<typeof setTimeout> | undefined;

function schedule(): void {
	clearTimeout(timer);
	if (!session?.renewal) return;
	const { token, until } = session;
	const wait = Math.max(until - Date.now() - AHEAD_MS, 5_000);
	// A failure shows at the next call, which tries again.
	timer = setTimeout(() => void renewed(token).catch(() => {}), Math.min(wait, 2_000_000_000));
}
