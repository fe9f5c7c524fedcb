// Requests as the service would send them, for `npm run listen`: their bodies, their signatures, and what they carry.

import { createHmac, randomUUID } from "node:crypto";

export type Fields = { readonly [name: string]: unknown };
export type Delivery = { readonly headers: Readonly<Record<string, string>>; readonly body: Buffer };

export const text = (value: unknown): string => (typeof value === "string" ? value : "");

/** The body of a request that carries these. */
export const batchOf = (deliveries: readonly Fields[]): Fields => ({ batch_id: randomUUID(), deliveries });

/** The headers that sign this body, in both forms. `id`: of the delivery or the batch. */
function signatures(secret: string, id: string, body: Buffer, now: number): Record<string, string> {
	const t = String(Math.floor(now / 1000));
	const digest = (key: string | Buffer, before: string, encoding: "hex" | "base64") =>
		createHmac("sha256", key).update(before).update(body).digest(encoding);
	return {
		"x-service-signature": `t=${t},v1=${digest(secret, `${t}.`, "hex")}`,
		"webhook-id": id,
		"webhook-timestamp": t,
		"webhook-signature": `v1,${digest(Buffer.from(secret.replace(/^whsec_/, ""), "base64"), `${id}.${t}.`, "base64")}`,
	};
}

/** A request as the service would send it, signed. */
export function signed(secret: string, envelope: Fields, now = Date.now()): Delivery {
	const body = Buffer.from(JSON.stringify(envelope));
	const { batch_id } = envelope;
	const id = text(batch_id ?? envelope.delivery_id);
	const about: Record<string, string> =
		batch_id === undefined
			? { "x-service-event-type": text(envelope.event_type), "x-service-delivery-id": id }
			: { "x-service-batch-id": id };
	return { body, headers: { "content-type": "application/json", ...about, ...signatures(secret, id, body, now) } };
}

/** The same request, signed with this secret instead of its own. */
export function signedAgain(secret: string, { headers, body }: Delivery, now = Date.now()): Delivery {
	const id = headers["x-service-batch-id"] ?? headers["x-service-delivery-id"] ?? "";
	return { body, headers: { ...headers, ...signatures(secret, id, body, now) } };
}

/** What a request carries, in a few words. */
export function contentOf(headers: Delivery["headers"], body: Buffer): string {
	const batch = headers["x-service-batch-id"];
	if (batch === undefined) return `${headers["x-service-event-type"]}  ${headers["x-service-delivery-id"]}`;
	const { deliveries } = JSON.parse(body.toString("utf8")) as { deliveries: readonly Fields[] };
	return `batch of ${deliveries.length}: ${[...new Set(deliveries.map(({ event_type }) => text(event_type)))].join(", ")}  ${batch}`;
}
