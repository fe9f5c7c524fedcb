// Opens what files of a backup have sealed under keys of persons. Where one of the keys was destroyed, what is left without them counts.

import { CannotStart } from "../../src/dev/cannot-start.ts";

export type Value = string | number | null;
/** Of a key file. Keys that were destroyed are null. */
export type KeyFile = {
	readonly set: string;
	readonly at: string;
	readonly keys: readonly (readonly [subject: string, key: string] | null)[];
};

/** Reads key files by their names, each once. */
export class Keys {
	readonly #read: (name: string) => Promise<KeyFile>;
	readonly #files = new Map<string, Promise<KeyFile>>();

	constructor(read: (name: string) => Promise<KeyFile>) {
		this.#read = read;
	}

	/** Undefined where it was destroyed. */
	async #find(id: string): Promise<Uint8Array | undefined> {
		const [name = "", place = ""] = id.split(":");
		const file = this.#files.get(name) ?? this.#read(name);
		this.#files.set(name, file);
		const key = (await file).keys[Number(place)]?.[1];
		return key === undefined ? undefined : bytesOf(key);
	}

	/** The group's columns, and whether they are what they were. */
	async open(group: Group): Promise<{ readonly values: readonly Value[]; readonly isWhole: boolean }> {
		const [values, sealed] = group;
		if (sealed === undefined) return { values, isWhole: true };
		const [ids = "", iv = "", text = ""] = sealed.split(".");
		const keys = await Promise.all(ids.split(",").map((id) => this.#find(id)));
		const all = keys.filter((key) => key !== undefined);
		if (all.length < keys.length) return { values, isWhole: false };
		const joined = await crypto.subtle.digest("SHA-256", Uint8Array.from(all.flatMap((bytes) => [...bytes])));
		const key = await crypto.subtle.importKey("raw", joined, "AES-GCM", false, ["decrypt"]);
		try {
			const plain = await crypto.subtle.decrypt({ name: "AES-GCM", iv: bytesOf(iv) }, key, bytesOf(text));
			return { values: JSON.parse(new TextDecoder().decode(plain)) as Value[], isWhole: true };
		} catch {
			throw new CannotStart("A file's sealed values do not open with its keys: somebody has exchanged a key file.");
		}
	}
}

/** What is left without the persons, and what is sealed. */
export type Group = readonly [values: readonly Value[], sealed?: string];

const bytesOf = (base64Url: string): Uint8Array<ArrayBuffer> =>
	Uint8Array.from(atob(base64Url.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));

type Sealing = { readonly columns: readonly string[]; readonly sealed?: readonly (readonly string[])[]; readonly removed?: true };

/** The row's values in the order of the columns; undefined where there is no row without the persons. */
export async function openedRow<V>(line: readonly V[], { columns, sealed, removed }: Sealing, keys: Keys): Promise<V[] | undefined> {
	const values = line.slice(0, columns.length);
	for (const [index, names] of (sealed ?? []).entries()) {
		const opened = await keys.open(line[columns.length + index] as unknown as Group);
		if (removed && !opened.isWhole) return undefined;
		for (const [place, name] of names.entries()) values[columns.indexOf(name)] = (opened.values[place] ?? null) as V;
	}
	return values;
}
