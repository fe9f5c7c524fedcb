// Rows and seals of the audit trail on the wire. Hashes are made over these forms, so that everybody who has an export can verify
// them. Therefore neither form may ever change.

import * as z from "zod";
import { ACTOR_KINDS, type AuditRow as StoredRow } from "../../db/audit.table";
import { JsonValue } from "../../shared/json-value";
import { toTimestamp } from "../../shared/time";
import type { AuditSealRow } from "./table";

export const AuditRow = z
	.object({
		stream: z.string(),
		sequence: z.int().meta({ description: "Without gaps within the stream" }),
		id: z.uuid(),
		operation: z.string().meta({ description: "The operation's id in the API reference" }),
		actor_kind: z.enum(ACTOR_KINDS),
		actor_id: z.string().meta({ description: "The id of the user or of the API key; an operator's issuer and subject" }),
		entity_id: z.string().nullable().meta({ description: "The created or changed thing: the last id of the target" }),
		target: z
			.record(z.string(), z.string())
			.meta({ description: "The account that the answer names, the ids in the path, and the id of what was created" }),
		changes: z.record(z.string(), JsonValue).meta({
			description:
				"The body as sent, with a digest in place of each text that is not an enum value, an id, a date or the code of a currency",
		}),
		request_id: z.string(),
		created_at: z.iso.datetime(),
	})
	.meta({ id: "AuditRow" });

export type AuditRowWire = z.input<typeof AuditRow>;

export const toAuditRow = (row: StoredRow): AuditRowWire => ({
	stream: row.stream,
	sequence: row.sequence,
	id: row.id,
	operation: row.operation,
	actor_kind: row.actorKind,
	actor_id: row.actorId,
	entity_id: row.entityId,
	target: row.target,
	changes: row.changes as AuditRowWire["changes"],
	request_id: row.requestId,
	created_at: toTimestamp(row.createdAt),
});

export const ActorDisplay = z
	.record(z.string(), z.string().nullable())
	.meta({ description: "By actor_id: a member's name, address or tag, a key's name, an operator's subject" });

export const AuditSeal = z
	.object({
		stream: z.string(),
		from_sequence: z.int(),
		through_sequence: z.int(),
		leaves: z
			.array(z.string())
			.meta({ description: "SHA-256 over the canonical JSON of each row, in hex; 64 zeros for a row that was missing" }),
		root: z.string().meta({ description: "SHA-256 over the concatenated leaves" }),
		previous: z.string().meta({ description: "The hash of the seal before it; 64 zeros in the first one" }),
		hash: z.string().meta({ description: "SHA-256 over the canonical JSON of all members but leaves, hash and signature" }),
		signature: z.string().meta({ description: "Compact JWS of the hash, by a key of /.well-known/jwks.json" }),
		sealed_at: z.iso.datetime(),
	})
	.meta({ id: "AuditSeal" });

export type AuditSealWire = z.input<typeof AuditSeal>;

export const toAuditSeal = (row: AuditSealRow): AuditSealWire => ({
	stream: row.stream,
	from_sequence: row.fromSequence,
	through_sequence: row.throughSequence,
	leaves: [...row.leaves],
	root: row.root,
	previous: row.previous,
	hash: row.hash,
	signature: row.signature,
	sealed_at: toTimestamp(row.sealedAt),
});

export const VerifiedThrough = z
	.object({ sequence: z.int(), hash: z.string(), sealed_at: z.iso.datetime() })
	.nullable()
	.meta({ description: "The last seal up to which the trail is verified; null before the first one" });

export const toVerifiedThrough = (seal: Pick<AuditSealRow, "throughSequence" | "hash" | "sealedAt"> | undefined) =>
	seal ? { sequence: seal.throughSequence, hash: seal.hash, sealed_at: toTimestamp(seal.sealedAt) } : null;
