// Identifiers: UUIDs of version 7, so that (created_at, id) breaks ties in the order of creation. The three hex digits after the variant
// are the row's home (`db/places.ts`), so an id says where its row is.

let lastMs = 0;
let counter = 0;

/** A UUID of version 7 for the given instant (ms) in a home. Ids that one isolate makes in the same millisecond ascend. */
export function uuidv7(nowMs: number, home: number): string {
	const random = crypto.getRandomValues(new Uint8Array(10));
	if (nowMs === lastMs) {
		counter = (counter + 1) & 0xfff;
	} else {
		lastMs = nowMs;
		// A low start leaves room to count up; a start anywhere in the range could wrap within the millisecond.
		counter = (random[8] ?? 0) & 0x3f;
	}
	const time = nowMs.toString(16).padStart(12, "0");
	const sequence = counter.toString(16).padStart(3, "0");
	const variant = (0x8 | ((random[0] ?? 0) & 0x3)).toString(16);
	const tail = [...random.subarray(1, 7)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
	return `${time.slice(0, 8)}-${time.slice(8)}-7${sequence}-${variant}${homeDigits(home)}-${tail}`;
}

/** What ids of the instant (ms) and later ones are above, and earlier ones below. It is no id, and makes none. */
export function idBoundAt(ms: number): string {
	const time = ms.toString(16).padStart(12, "0");
	return `${time.slice(0, 8)}-${time.slice(8)}-0000-0000-000000000000`;
}

/** A home as the three hex digits that ids carry. */
export const homeDigits = (home: number): string => home.toString(16).padStart(3, "0");

/** The home in a UUID. Made-up ids have one too, but nothing is found there. */
export const homeOf = (id: string): number => Number.parseInt(id.slice(20, 23), 16);

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export const isUuid = (text: string): boolean => UUID.test(text);

/** The prefixes of resource ids: one for each kind of resource. */
export type ResourcePrefix = "lapp" | "deal" | "trx" | "acc" | "pay" | "pac" | "mnc" | "trf" | "act" | "clo" | "inv";

/** A resource id, the typed form of an id on the wire: a prefix and the UUID's hex digits, as in `lapp_0192…`. */
export const resourceId = (prefix: ResourcePrefix, id: string): string => `${prefix}_${id.replaceAll("-", "")}`;

/** A plain or prefixed id, as `uuidOf` reads it. */
export const referencePattern = (prefix: ResourcePrefix): RegExp =>
	new RegExp(`^(${prefix}_[0-9a-f]{32}|[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})$`);

/** The UUID of a plain or prefixed id; undefined when it is neither. */
export function uuidOf(prefix: ResourcePrefix, reference: string): string | undefined {
	if (isUuid(reference)) return reference.toLowerCase();
	const hex = reference.startsWith(`${prefix}_`) ? reference.slice(prefix.length + 1) : "";
	if (!/^[0-9a-f]{32}$/.test(hex)) return undefined;
	return uuidOfHex(hex);
}

/** Inserts the dashes into a UUID's 32 hex digits. */
export const uuidOfHex = (hex: string): string =>
	[hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
