// The bucket outside of D1 that backups are written to: one of this account, or any that speaks S3.

import type { Config } from "../runtime/config";
import type { Ask, Backup } from "../runtime/ports";

const CONTENT_TYPE = "application/gzip";
const TIMEOUT_MS = 20_000;

/** Undefined where no bucket is bound or named. */
export function backupBy(config: Config, bucket: R2Bucket | undefined, ask: Ask): Backup | undefined {
	const { BACKUP_URL: url, BACKUP_ACCESS_KEY_ID: accessKeyId, BACKUP_SECRET_ACCESS_KEY: secretAccessKey } = config;
	if (bucket) {
		return {
			async write(name, bytes) {
				await bucket.put(name, bytes, { httpMetadata: { contentType: CONTENT_TYPE } });
			},
		};
	}
	if (!url || !accessKeyId || !secretAccessKey) return undefined;
	return {
		async write(name, bytes) {
			const { AwsV4Signer } = await import("aws4fetch");
			const address = `${url.replace(/\/+$/, "")}/${name.split("/").map(encodeURIComponent).join("/")}`;
			const request = { url: address, method: "PUT", headers: { "Content-Type": CONTENT_TYPE }, body: bytes };
			const { headers } = await new AwsV4Signer({ ...request, accessKeyId, secretAccessKey, service: "s3", region: "auto" }).sign();
			await ask(address, { method: "PUT", headers, body: bytes, timeoutMs: TIMEOUT_MS }, async (response) => {
				await response.body?.cancel();
				if (!response.ok) throw new Error(`the bucket answered ${response.status}`);
			});
		},
	};
}
