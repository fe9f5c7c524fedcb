// The files of a backup, in a directory or in a bucket.

import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { AwsClient } from "aws4fetch";
import { CannotStart } from "../../src/dev/cannot-start.ts";

/** Names are those that the service has given. */
export interface Files {
	names(): Promise<readonly string[]>;
	read(name: string): Promise<Uint8Array>;
}

export const inDirectory = (directory: string): Files => ({
	async names() {
		try {
			const all = readdirSync(directory, { recursive: true, encoding: "utf8" });
			return all.map((name) => name.split(path.sep).join("/"));
		} catch {
			throw new CannotStart(`There is no directory ${directory}.`);
		}
	},
	read: async (name) => readFileSync(path.join(directory, name)),
});

const UNESCAPED: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };
const textsOf = (xml: string, element: string): string[] =>
	Array.from(xml.matchAll(new RegExp(`<${element}>([^<]*)</${element}>`, "g")), ([, text = ""]) =>
		text.replace(/&(amp|lt|gt|quot|apos);/g, (_, name: string) => UNESCAPED[name] ?? ""),
	);

/** @param url of the bucket at its S3 API, such as `https://<account>.r2.cloudflarestorage.com/<bucket>` */
export function inBucket(url: string, keys: { readonly accessKeyId: string; readonly secretAccessKey: string }): Files {
	const client = new AwsClient({ ...keys, service: "s3", region: "auto" });
	const base = url.replace(/\/+$/, "");
	const ask = async (address: string): Promise<Response> => {
		const response = await client.fetch(address);
		if (!response.ok) throw new CannotStart(`${base} answered ${response.status} ${(await response.text()).slice(0, 300)}`);
		return response;
	};
	return {
		async names() {
			const names: string[] = [];
			let token: string | undefined;
			do {
				const query = new URLSearchParams({ "list-type": "2", ...(token && { "continuation-token": token }) });
				const xml = await (await ask(`${base}?${query}`)).text();
				names.push(...textsOf(xml, "Key"));
				[token] = textsOf(xml, "NextContinuationToken");
			} while (token);
			return names;
		},
		read: async (name) => new Uint8Array(await (await ask(`${base}/${name.split("/").map(encodeURIComponent).join("/")}`)).arrayBuffer()),
	};
}
