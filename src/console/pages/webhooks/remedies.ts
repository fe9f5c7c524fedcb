// The lines of a receiver, in Node, that mend what the debugger has found.

import type { BodyOf } from "../../typed.ts";

type Reason = BodyOf<"POST /v1/webhooks/{webhook_id}/verify">["reason"];

const RAW = `// The raw bytes, before a parser has them.
app.post("/webhooks", express.raw({ type: "application/json" }), (request, response) => {
  const body = request.body; // a Buffer, not an object
});`;

const DIGEST = `const digest = createHmac("sha256", secret) // as text, with "whsec_"
  .update(\`\${t}.\`) // the seconds and a full stop
  .update(body) // the raw bytes
  .digest("hex"); // lower case`;

const SECONDS = `const t = Number(/(?:^|,)t=(\\d+)/.exec(header)?.[1]); // seconds
const isRecent = Math.abs(Date.now() / 1000 - t) <= 300;`;

const HEADER = `const header = request.headers["x-service-signature"]; // whole, and unchanged`;

const REMEDIES: Readonly<Partial<Record<Reason, string>>> = {
	MISSING_HEADER: HEADER,
	MALFORMED_HEADER: HEADER,
	MISSING_TIMESTAMP: HEADER,
	INVALID_TIMESTAMP: SECONDS,
	MISSING_SIGNATURE: HEADER,
	MALFORMED_SIGNATURE: DIGEST,
	TIMESTAMP_TOO_OLD: SECONDS,
	TIMESTAMP_IN_FUTURE: SECONDS,
	TIMESTAMP_IN_MILLISECONDS: SECONDS,
	UPPERCASE_HEX: DIGEST,
	BODY_RESERIALIZED: RAW,
	WRONG_SEPARATOR: DIGEST,
	KEY_BASE64_DECODED: DIGEST,
	KEY_WITHOUT_PREFIX: DIGEST,
	BODY_ALONE: DIGEST,
};

export const remedyOf = (reason: Reason): string | undefined => REMEDIES[reason];
