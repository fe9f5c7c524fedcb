// Where files of a backup go.

import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { backupBy } from "../../src/providers/backup";
import { configuration } from "../../src/runtime/config";
import type { Ask, Backup } from "../../src/runtime/ports";
import { environmentWith } from "../support/environments";

const BUCKET = {
	BACKUP_URL: "https://account.r2.cloudflarestorage.com/backup/",
	BACKUP_ACCESS_KEY_ID: "key",
	BACKUP_SECRET_ACCESS_KEY: "a secret of the bucket",
};
const NAME = "DB/2026-11-27T12-00-00.000Z_1_first_0123456789abcdef.ndjson.gz";
const bytes = new Uint8Array([1, 2, 3]);

type Asked = { readonly url: string; readonly method: string; readonly headers: Headers; readonly body: unknown };

async function given(status: number, vars: Partial<Env> = BUCKET, bucket?: R2Bucket) {
	const asked: Asked[] = [];
	const ask: Ask = (url, { method = "", headers, body }, read) => {
		asked.push({ url, method, headers: new Headers(headers), body });
		return read(new Response("<Error/>", { status }));
	};
	return { asked, backup: backupBy(await configuration(environmentWith(vars)), bucket, ask) };
}

it("signs what it puts into a bucket of another account, and never sends the key itself", async () => {
	const { asked, backup } = await given(200);
	await (backup as Backup).write(NAME, bytes);
	const [{ url, method, headers, body } = {} as Asked] = asked;
	expect({ url, method, body }).toEqual({ url: `https://account.r2.cloudflarestorage.com/backup/${NAME}`, method: "PUT", body: bytes });
	expect(headers.get("authorization")).toMatch(
		/^AWS4-HMAC-SHA256 Credential=key\/\d{8}\/auto\/s3\/aws4_request, .*Signature=[0-9a-f]{64}$/,
	);
	expect(headers.get("content-type")).toBe("application/gzip");
	expect([...headers].join()).not.toContain(BUCKET.BACKUP_SECRET_ACCESS_KEY);
});

it("fails where the bucket refuses, without the bucket's words", async () => {
	const { backup } = await given(403);
	await expect((backup as Backup).write(NAME, bytes)).rejects.toThrow(/^the bucket answered 403$/);
});

it("writes into the bound bucket where there is one, and nowhere without any", async () => {
	const { asked, backup } = await given(200, BUCKET, env.BUCKET);
	await (backup as Backup).write(NAME, bytes);
	expect(new Uint8Array((await (await env.BUCKET.get(NAME))?.arrayBuffer()) ?? new ArrayBuffer())).toEqual(bytes);
	expect(asked).toEqual([]);
	expect((await given(200, {})).backup).toBeUndefined();
});
