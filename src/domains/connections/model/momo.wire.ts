// A wallet at MTN MoMo on the wire.

import * as z from "zod";
import { badInput } from "../../../shared/errors";
import { MARKET_NAMES } from "../../../shared/momo-markets";
import { is, when } from "../../../shared/schema-rules";
import { answered, type CommonBody, type ConnectionKind, common, keepSecrets, secret, toAnswered } from "./wire";

const target = z.enum(MARKET_NAMES).meta({ description: "The market whose wallets it pays, in its currency; the sandbox pays in EUR" });

export const MomoConnection = z.object({ ...answered, target_environment: target, api_user: z.uuid() }).meta({ id: "MomoConnection" });

export const MomoConnectionBody = z
	.strictObject({
		...common,
		target_environment: target,
		api_user: z.uuid().toLowerCase().meta({ description: "The API user's id, from the portal" }),
		api_key: secret(255).optional(),
		subscription_key: secret(255).optional().meta({ description: "Of the product Disbursements" }),
	})
	.meta({
		...when(is("environment", "sandbox"), is("target_environment", "sandbox"), { not: is("target_environment", "sandbox") }),
		examples: [
			{
				environment: "sandbox",
				target_environment: "sandbox",
				api_user: "8ecc7cf3-0db8-4013-9c7b-da4894460041",
				api_key: "the API user's key",
				subscription_key: "the subscription's primary key",
				payouts: true,
			},
		],
	});

type Body = z.output<typeof MomoConnectionBody> & CommonBody;

export const MOMO: ConnectionKind<Body, z.input<typeof MomoConnection>> = {
	provider: "momo",
	accountOf({ environment, target_environment, api_user }) {
		if ((environment === "sandbox") !== (target_environment === "sandbox")) {
			throw badInput("target_environment", "must be sandbox in the sandbox, and a market in production", "NOT_ALLOWED");
		}
		return { shortCode: api_user, facts: { targetEnvironment: target_environment } };
	},
	secretsOf: ({ api_key, subscription_key }, known) =>
		keepSecrets({ apiKey: api_key, subscriptionKey: subscription_key }, known, () => true),
	nominatedNumberOf: () => null,
	columnsOf: () => ({ rejectUnknownAccounts: false, hasPasskey: false, hasInitiator: false }),
	toWire: (row, now) => ({
		...toAnswered(row, now),
		target_environment: target.parse(row.facts.targetEnvironment),
		api_user: row.shortCode,
	}),
};
