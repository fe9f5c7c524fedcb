// A shortcode at Safaricom's Daraja on the wire.

import * as z from "zod";
import { toTimestamp } from "../../../shared/time";
import { PULL_OUTCOMES } from "./lifecycle";
import { answered, type CommonBody, type ConnectionKind, checked, common, keepSecrets, secret, toAnswered, toChecked } from "./wire";

export const DarajaConnection = z
	.object({
		...answered,
		...checked,
		short_code: z.string(),
		reject_unknown_accounts: z.boolean(),
		nominated_number: z.string().nullable(),
		last_pull: z
			.object({
				outcome: z.enum(PULL_OUTCOMES),
				at: z.iso.datetime(),
				complete_until: z.iso.datetime().meta({ description: "All payments before it have been looked for" }),
			})
			.nullable()
			.meta({
				description:
					"The outcome of the last search for unconfirmed payments. CREDENTIALS_REFUSED: consumer key or secret are wrong. PRODUCT_NOT_ALLOWED: the app lacks the product Pull Transactions. REFUSED: Daraja does not list the payments of the shortcode, or knows another number of it. NO_ANSWER: Daraja did not answer",
			}),
		has: z.object({ passkey: z.boolean(), initiator: z.boolean() }).meta({ description: "Which of the optional secrets are stored" }),
	})
	.meta({ id: "DarajaConnection" });

export const DarajaConnectionBody = z
	.strictObject({
		...common,
		short_code: z.string().regex(/^\d{5,9}$/, "must be the digits of a shortcode"),
		consumer_key: secret(255).optional(),
		consumer_secret: secret(255).optional(),
		passkey: secret(255).optional(),
		initiator_name: secret(255).optional(),
		security_credential: secret(2048)
			.optional()
			.meta({ description: "The initiator's password, encrypted by the portal: the service never has the password" }),
		reject_unknown_accounts: z
			.boolean()
			.default(false)
			.meta({ description: "Refuses payments to account numbers that nobody has, where Safaricom has enabled external validation" }),
		nominated_number: z
			.string()
			.regex(/^\+254\d{9}$/, "must be a Kenyan number, such as +254712345678")
			.optional()
			.meta({
				description:
					"The Safaricom number of the shortcode's registration, where Safaricom has enabled Pull Transactions: payments that it did not confirm are looked for. Left out, none are",
			}),
	})
	.meta({
		examples: [
			{
				environment: "sandbox",
				short_code: "600997",
				consumer_key: "the app's consumer key",
				consumer_secret: "the app's consumer secret",
				initiator_name: "testapi",
				security_credential: "RC6E9WDxXR4b9X2c6z3gp0oC5Th==",
				payouts: true,
			},
		],
	});

type Body = z.output<typeof DarajaConnectionBody> & CommonBody;

export const DARAJA: ConnectionKind<Body, z.input<typeof DarajaConnection>> = {
	provider: "daraja",
	accountOf: ({ short_code }) => ({ shortCode: short_code, facts: {} }),
	secretsOf: (body, known) =>
		keepSecrets(
			{
				consumerKey: body.consumer_key,
				consumerSecret: body.consumer_secret,
				passkey: body.passkey,
				initiatorName: body.initiator_name,
				securityCredential: body.security_credential,
			},
			known,
			(name, { initiatorName, securityCredential }) => {
				if (name === "passkey") return false;
				if (name === "consumerKey" || name === "consumerSecret") return true;
				// An initiator is of use with the credential alone, and verifies payments that are found.
				return body.payouts || body.nominated_number !== undefined || initiatorName !== null || securityCredential !== null;
			},
		),
	nominatedNumberOf: ({ nominated_number }) => nominated_number ?? null,
	columnsOf: ({ reject_unknown_accounts }, { passkey, initiatorName }) => ({
		rejectUnknownAccounts: reject_unknown_accounts,
		hasPasskey: passkey !== null,
		hasInitiator: initiatorName !== null,
	}),
	toWire: (row, now) => ({
		...toAnswered(row, now),
		...toChecked(row, now),
		short_code: row.shortCode,
		reject_unknown_accounts: row.rejectUnknownAccounts,
		nominated_number: row.pull?.number ?? null,
		last_pull: row.pull?.last
			? { outcome: row.pull.last.outcome, at: toTimestamp(row.pull.last.at), complete_until: toTimestamp(row.pull.until) }
			: null,
		has: { passkey: row.hasPasskey, initiator: row.hasInitiator },
	}),
};
