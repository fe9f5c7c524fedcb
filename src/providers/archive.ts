// An archive in a bucket: an object is gzip'd NDJSON.

import type { Archive } from "../runtime/ports";
import { utf8 } from "../shared/bytes";

const httpMetadata = { contentType: "application/x-ndjson", contentEncoding: "gzip" };

/** Undefined where no bucket is bound. */
export const archiveBy = (bucket: R2Bucket | undefined): Archive | undefined =>
	bucket && {
		async write(name, lines) {
			const text = new Response(utf8(lines.map((line) => `${line}\n`).join(""))).body as ReadableStream;
			await bucket.put(name, await new Response(text.pipeThrough(new CompressionStream("gzip"))).arrayBuffer(), { httpMetadata });
		},
		async names(prefix) {
			const names: string[] = [];
			let cursor: string | undefined;
			do {
				const page = await bucket.list({ prefix, ...(cursor && { cursor }) });
				names.push(...page.objects.map(({ key }) => key));
				cursor = page.truncated ? page.cursor : undefined;
			} while (cursor);
			return names;
		},
		async line(name, beginning) {
			const object = await bucket.get(name);
			if (!object) return undefined;
			const text = await new Response(object.body.pipeThrough(new DecompressionStream("gzip"))).text();
			return text.split("\n").find((line) => line.startsWith(beginning));
		},
	};
