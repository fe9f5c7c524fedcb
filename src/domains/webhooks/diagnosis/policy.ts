// Explains why a receiver's signature check fails, by trying the common mistakes of receivers. An old timestamp is reported only when
// the signature itself is right, because people usually investigate a request minutes after it arrived.

import { fromBase64, utf8 } from "../../../shared/bytes";
import { equalDigests, type HeaderRefusal, hmacSha256Hex, parseSignatureHeader, webhookDigest } from "../../../webhook-verify/verify";
import { SECRET_PREFIX } from "../signing/policy";
import { otherForms } from "./body-forms.policy";

const SIGNATURE_TOLERANCE_S = 300;

export const DIAGNOSES = [
	"VALID",
	"MISSING_HEADER",
	"MALFORMED_HEADER",
	"MISSING_TIMESTAMP",
	"INVALID_TIMESTAMP",
	"MISSING_SIGNATURE",
	"MALFORMED_SIGNATURE",
	"NO_ACTIVE_KEY",
	"TIMESTAMP_TOO_OLD",
	"TIMESTAMP_IN_FUTURE",
	"TIMESTAMP_IN_MILLISECONDS",
	"UPPERCASE_HEX",
	"REVOKED_KEY",
	"BODY_RESERIALIZED",
	"WRONG_SEPARATOR",
	"KEY_BASE64_DECODED",
	"KEY_WITHOUT_PREFIX",
	"BODY_ALONE",
	"UNKNOWN",
] as const;

export type DiagnosisReason = (typeof DIAGNOSES)[number];

export type Diagnosis = { valid: boolean; reason: DiagnosisReason; message: string };

type Trial = {
	reason: DiagnosisReason;
	message: string;
	secrets: readonly string[];
	/** The text whose HMAC is compared. */
	signed: Uint8Array;
	/** The HMAC key of a secret, by default the secret as text. */
	key?: (secret: string) => Uint8Array | undefined;
};

const HEX_DIGEST = /^[0-9a-fA-F]{64}$/;

const MALFORMED: Record<HeaderRefusal | "MALFORMED_SIGNATURE", string> = {
	MISSING_HEADER: "The header is empty. Copy the whole value of X-Service-Signature.",
	MALFORMED_HEADER: "The header is not a list of name=value pairs with a single t, such as t=1700000000,v1=5257a8....",
	MISSING_TIMESTAMP: "The header has no t, the unix time in seconds at which the request was signed.",
	INVALID_TIMESTAMP: "The value of t is not a whole number of seconds.",
	MISSING_SIGNATURE: "The header has no v1 entry. Entries of other schemes are ignored.",
	MALFORMED_SIGNATURE: "No v1 entry has 64 hexadecimal digits, the length of an HMAC-SHA256 digest.",
};

const SEPARATORS = [
	[":", "a colon"],
	["", "nothing"],
	[",", "a comma"],
	["\n", "a line feed"],
] as const;

/**
 * @param request.activeSecrets the secrets of the endpoint's active keys
 * @param request.revokedSecrets the secrets of revoked keys, as far as they are still stored
 * @param request.now unix milliseconds of real time, like the `t` of a signature
 */
export async function diagnose(request: {
	header: string;
	body: string;
	activeSecrets: readonly string[];
	revokedSecrets?: readonly string[] | undefined;
	now: number;
}): Promise<Diagnosis> {
	const { body, activeSecrets, revokedSecrets = [], now } = request;
	const parsed = parseSignatureHeader(request.header);
	if (!parsed.valid) return refuse(parsed.reason, MALFORMED[parsed.reason]);
	const signatures = parsed.signatures.filter((signature) => HEX_DIGEST.test(signature));
	if (signatures.length === 0) return refuse("MALFORMED_SIGNATURE", MALFORMED.MALFORMED_SIGNATURE);

	const { timestamp, timestampText } = parsed;
	const exact = await Promise.all(activeSecrets.map((secret) => webhookDigest(secret, timestampText, body)));
	if (anyEqual(exact, signatures)) return judgeClock(timestamp, now);

	const lowerCase = signatures.map((signature) => signature.toLowerCase());
	if (anyEqual(exact, lowerCase)) {
		return refuse("UPPERCASE_HEX", "The signature is right but written in upper case. Use lower-case hexadecimal.");
	}
	for (const trial of trials({ timestamp, timestampText, body, activeSecrets, revokedSecrets })) {
		for (const secret of trial.secrets) {
			const key = trial.key ? trial.key(secret) : utf8(secret);
			if (key && anyEqual([await hmacSha256Hex(key, trial.signed)], lowerCase)) return refuse(trial.reason, trial.message);
		}
	}

	if (activeSecrets.length === 0) return refuse("NO_ACTIVE_KEY", "The endpoint has no active signing key to check the signature with.");
	const clock = judgeClock(timestamp, now);
	const also = clock.valid ? "" : ` In addition, t is not within ${SIGNATURE_TOLERANCE_S} seconds of the current time.`;
	return refuse(
		"UNKNOWN",
		`No v1 entry matches this body under any active key, and no known mistake explains it. Check that the body is complete and unchanged, and that header and body belong to the same request to this endpoint.${also}`,
	);
}

function judgeClock(timestamp: number, now: number): Diagnosis {
	const age = Math.floor(now / 1000) - timestamp;
	if (Math.abs(age) <= SIGNATURE_TOLERANCE_S) return { valid: true, reason: "VALID", message: "The signature is valid." };
	if (inMilliseconds(timestamp)) return refuse("TIMESTAMP_IN_MILLISECONDS", MILLISECONDS);
	if (age > 0) {
		return refuse(
			"TIMESTAMP_TOO_OLD",
			`The signature matches, but it was made ${age} seconds ago and the tolerance is ${SIGNATURE_TOLERANCE_S}. A receiver that got the request in time was right to accept it.`,
		);
	}
	return refuse(
		"TIMESTAMP_IN_FUTURE",
		`The signature matches, but its t is ${-age} seconds in the future and the tolerance is ${SIGNATURE_TOLERANCE_S}. Compare the receiver's clock with real time.`,
	);
}

const MILLISECONDS = "t is in milliseconds, in the header or in the signed text. It must be in seconds in both.";

/** Unix time in seconds reaches this number in the year 5138; in milliseconds it passed it in 1973. */
function inMilliseconds(timestamp: number): boolean {
	return timestamp >= 100_000_000_000;
}

/** Each trial is a single mistake, so that the message names one thing to change. */
function* trials(request: {
	timestamp: number;
	timestampText: string;
	body: string;
	activeSecrets: readonly string[];
	revokedSecrets: readonly string[];
}): Generator<Trial> {
	const { timestamp, timestampText, body, activeSecrets, revokedSecrets } = request;
	const signed = utf8(`${timestampText}.${body}`);
	yield {
		reason: "REVOKED_KEY",
		message: "The signature was made with a signing key that has been revoked. Use the secret of an active key.",
		secrets: revokedSecrets,
		signed,
	};
	for (const [form, text] of otherForms(body)) {
		yield {
			reason: "BODY_RESERIALIZED",
			message: `The signature matches this body ${form}. It covers the raw bytes of the request: check the signature before parsing the body, and never serialise the body again.`,
			secrets: activeSecrets,
			signed: utf8(`${timestampText}.${text}`),
		};
	}
	for (const [separator, name] of SEPARATORS) {
		yield {
			reason: "WRONG_SEPARATOR",
			message: `The signed text has ${name} between t and the body instead of a full stop.`,
			secrets: activeSecrets,
			signed: utf8(timestampText + separator + body),
		};
	}
	yield {
		reason: "KEY_BASE64_DECODED",
		message: "The secret was decoded from base64. The HMAC key is the whole secret as text, including whsec_.",
		secrets: activeSecrets,
		signed,
		key: (secret) => fromBase64(withoutPrefix(secret)),
	};
	yield {
		reason: "KEY_WITHOUT_PREFIX",
		message: "The secret was used without its whsec_ prefix. The HMAC key is the whole secret as text.",
		secrets: activeSecrets,
		signed,
		key: (secret) => utf8(withoutPrefix(secret)),
	};
	const otherUnit = inMilliseconds(timestamp) ? Math.floor(timestamp / 1000) : timestamp * 1000;
	yield {
		reason: "TIMESTAMP_IN_MILLISECONDS",
		message: MILLISECONDS,
		secrets: activeSecrets,
		signed: utf8(`${otherUnit}.${body}`),
	};
	yield {
		reason: "BODY_ALONE",
		message: "The signature covers only the body. The signed text is t, a full stop and the body.",
		secrets: activeSecrets,
		signed: utf8(body),
	};
}

function withoutPrefix(secret: string): string {
	return secret.startsWith(SECRET_PREFIX) ? secret.slice(SECRET_PREFIX.length) : secret;
}

function anyEqual(digests: readonly string[], signatures: readonly string[]): boolean {
	return digests.some((digest) => signatures.some((signature) => equalDigests(digest, signature)));
}

function refuse(reason: DiagnosisReason, message: string): Diagnosis {
	return { valid: false, reason, message };
}
