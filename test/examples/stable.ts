// Puts the same value in the place of everything that differs from one run of the tests to the next: ids, secrets, codes, and instants,
// which all fall on one day.

import { createHash } from "node:crypto";

type Json = string | number | boolean | null | Json[] | { [name: string]: Json };

const DAY_MS = 86_400_000;
const TODAY = Date.UTC(2026, 2, 2);
const TIME = "09:30:00.000Z";
const FIRST_ID = 0x20;

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/gi;
const INSTANT = /\b(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d(?:\.\d+)?Z)/g;
const DAY = /^\d{4}-\d\d-\d\d$/;
const TOKEN = /\beyJ[\w-]+\.[\w-]+\.[\w-]+/g;
const SECRET = /[A-Za-z0-9_+=-]{22,}/g;
/** The end of a secret that is shown, and the tag of a user. */
const ENDING = /(?<=\.\.\.)[\w=-]{4}$/;
const TAG = /^@[0-9a-f]{12}$/;
/** A time that a schedule gives, not the moment of a call. */
const ROUND = /:00(\.0+)?Z$|:59(\.9+)?Z$/;

/** Of one request and its answer: what is the same in both stays the same. */
export class Stable {
	readonly #ids = new Map<string, string>();
	readonly #secrets = new Map<string, string>();
	readonly #today: number;

	/** @param now when it was recorded */
	constructor(now: number) {
		this.#today = Math.floor(now / DAY_MS);
	}

	of(value: Json, name = ""): Json {
		if (typeof value === "string") return this.#text(value, name);
		if (Array.isArray(value)) return value.map((item) => this.of(item, name));
		if (typeof value !== "object" || value === null) return value;
		return Object.fromEntries(Object.entries(value).map(([member, inner]) => [member, this.of(inner, member)]));
	}

	#text(text: string, name: string): string {
		if (name === "otp_code" && /^\d+$/.test(text)) return "482913".slice(0, text.length);
		if (DAY.test(text)) return this.#day(text);
		return text
			.replace(/^https?:\/\/[^/]+(?=\/docs\/)/, "https://api.example.com")
			.replaceAll(TOKEN, "eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJleGFtcGxlIn0.c2lnbmF0dXJl")
			.replaceAll(INSTANT, (_, day: string, time: string) => `${this.#day(day)}T${ROUND.test(time) ? time : TIME}`)
			.replaceAll(UUID, (id) => this.#id(id.toLowerCase()))
			.replace(ENDING, "h3Kw")
			.replace(TAG, "@5f3a90c1d2e4")
			.replaceAll(SECRET, (run) => (isSecret(run) ? this.#secret(run) : run));
	}

	#day(day: string): string {
		const moved = Date.parse(day) + TODAY - this.#today * DAY_MS;
		return Number.isNaN(moved) ? day : new Date(moved).toISOString().slice(0, 10);
	}

	#id(id: string): string {
		const known = this.#ids.get(id) ?? `01920f8e-7b1c-7a52-9a4e-3c5d8f2b6e${(FIRST_ID + this.#ids.size).toString(16)}`;
		this.#ids.set(id, known);
		return known;
	}

	/** As long and of the same characters, with the prefix that says what it is. */
	#secret(secret: string): string {
		const known = this.#secrets.get(secret);
		if (known) return known;
		const [prefix = ""] = /^[a-z]{2,6}_/.exec(secret) ?? [];
		const encoding = /^[0-9a-f]+$/.test(secret) ? "hex" : "base64url";
		const digits = createHash("sha512").update(`example ${this.#secrets.size}`).digest(encoding);
		const stable = `${prefix}${digits.repeat(Math.ceil(secret.length / digits.length)).slice(0, secret.length - prefix.length)}`;
		this.#secrets.set(secret, stable);
		return stable;
	}
}

/** Ids that were made stable, and words, are none. */
const isSecret = (run: string): boolean =>
	!run.startsWith("01920f8e-7b1c") &&
	/\d/.test(run) &&
	/[a-z]/i.test(run) &&
	!run.split(/[/_-]/).every((part) => /^([A-Za-z]+|\d{1,4}|v\d)$/.test(part) || part === "");
