// The bucket outside of D1 that backups are written to.

import type { Backup } from "../runtime/ports";

const httpMetadata = { contentType: "application/gzip" };

/** Undefined where no bucket is bound. */
export const backupBy = (bucket: R2Bucket | undefined): Backup | undefined =>
	bucket && {
		async write(name, bytes) {
			await bucket.put(name, bytes, { httpMetadata });
		},
	};
