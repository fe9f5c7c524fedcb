// Connects organizations to their accounts with providers of payments, whichever the provider is.

import type { Orm } from "../../db/database";
import { orStaleUnless } from "../../db/guards";
import type { Committed, HandlerServices, Services } from "../../runtime/services";
import { ApiError, badInput } from "../../shared/errors";
import { canonicalJson } from "../../shared/json";
import { findOpenBy, hasNoneOpenBy } from "../disbursements/store";
import { UNCHECKED } from "../payment-connections/checks.store";
import { openSecrets, sealSecrets } from "../payment-connections/plan";
import { pullBy } from "../payment-connections/pulls.policy";
import { deleteConnection, findConnection, replaceConnection, resumeConnection } from "../payment-connections/store";
import type { ConnectionRow, Secrets } from "../payment-connections/table";
import type { CommonBody, ConnectionKind } from "../payment-connections/wire";
import { findOpenReturnBy, hasNoReturnOpenBy } from "../repayments/returns/store";

type Named = Pick<ConnectionRow, "organizationId" | "provider">;
type Kind<Wire> = Pick<ConnectionKind<never, Wire>, "provider" | "toWire">;

const PAYOUTS_OPEN = { description: "Payouts by the connection are open: wait for their results, or report them" };
const RETURNS_OPEN = { description: "Returns of money by the connection are open: wait for their results, or give them up" };

/** One statement each for what the connection's provider still has to do, or may have done. */
const findOpen = (orm: Orm, named: Named) => [findOpenBy(orm, named), findOpenReturnBy(orm, named)] as const;

/** An instruction that is repeated from another account could be paid a second time, and none but the account that was paid can give it back. */
function mustHaveNone([payout]: readonly unknown[], [moneyReturn]: readonly unknown[]): void {
	if (payout) throw new ApiError("INVALID_STATE", PAYOUTS_OPEN);
	if (moneyReturn) throw new ApiError("INVALID_STATE", RETURNS_OPEN);
}

const orStaleIfOpen = (named: Named) => [orStaleUnless(hasNoneOpenBy(named)), orStaleUnless(hasNoReturnOpenBy(named))];

export async function connect<Body extends CommonBody, Wire>(
	services: HandlerServices,
	kind: ConnectionKind<Body, Wire>,
	{ organizationId, body }: { readonly organizationId: string; readonly body: Body },
): Promise<Committed<Wire>> {
	const { db, now, config } = services;
	if (config.ENVIRONMENT === "production" && body.environment === "sandbox") {
		throw badInput("environment", "must be production here", "NOT_ALLOWED");
	}
	const named = { organizationId, provider: kind.provider };
	const [[seen], payouts, returns] = await db.read(findConnection(db.orm, named), ...findOpen(db.orm, named));
	const account = { environment: body.environment, ...kind.accountOf(body) };
	const isSame = seen !== undefined && canonicalJson(account) === canonicalJson(accountIn(seen));
	const isReplaced = seen !== undefined && !isSame;
	if (isReplaced) mustHaveNone(payouts, returns);
	const secrets = kind.secretsOf(body, isSame ? await opened(services, seen) : undefined);
	const pull = pullBy(kind.nominatedNumberOf(body), isSame ? seen.pull : null, now);
	const version = (seen?.version ?? 0) + 1;
	const row: ConnectionRow = {
		...named,
		...account,
		...kind.columnsOf(body, secrets),
		version,
		payouts: body.payouts,
		addressVersion: seen?.addressVersion ?? 1,
		sealed: await sealSecrets(config.keyring, { ...named, version }, secrets),
		status: "ACTIVE",
		pausedReason: null,
		pausedUntil: null,
		balances: (isSame && seen.balances) || null,
		balancesAt: isSame ? seen.balancesAt : null,
		// What is learnt about earlier credentials says nothing about these.
		...UNCHECKED,
		nextBalanceAt: now,
		pull,
		nextPullAt: pull && now,
		createdAt: seen?.createdAt ?? now,
		updatedAt: now,
	};
	return services.commit([...(isReplaced ? orStaleIfOpen(named) : []), replaceConnection(db.orm, row)], kind.toWire(row, now));
}

const accountIn = ({ environment, shortCode, facts }: ConnectionRow) => ({ environment, shortCode, facts });

async function opened({ config, log }: Services, row: ConnectionRow): Promise<Secrets | undefined> {
	const secrets = await openSecrets(config.keyring, row);
	if (!secrets)
		log.error("the secrets of a connection do not open: all must be sent anew", undefined, { organization: row.organizationId });
	return secrets;
}

export async function readConnection<Wire>({ db, now }: Services, { provider, toWire }: Kind<Wire>, organizationId: string): Promise<Wire> {
	const [[row]] = await db.read(findConnection(db.orm, { organizationId, provider }));
	if (!row) throw new ApiError("NOT_FOUND");
	return toWire(row, now);
}

export async function disconnect(
	services: HandlerServices,
	{ provider }: Pick<Kind<unknown>, "provider">,
	organizationId: string,
): Promise<Committed<undefined>> {
	const { db } = services;
	const named = { organizationId, provider };
	const [[seen], payouts, returns] = await db.read(findConnection(db.orm, named), ...findOpen(db.orm, named));
	if (!seen) throw new ApiError("NOT_FOUND");
	mustHaveNone(payouts, returns);
	return services.commit([...orStaleIfOpen(named), deleteConnection(db.orm, { ...named, version: seen.version })], undefined);
}

export async function resume<Wire>(
	services: HandlerServices,
	{ provider, toWire }: Kind<Wire>,
	organizationId: string,
): Promise<Committed<Wire>> {
	const { db, now } = services;
	const named = { organizationId, provider };
	const [[seen]] = await db.read(findConnection(db.orm, named));
	if (!seen) throw new ApiError("NOT_FOUND");
	const row: ConnectionRow = { ...seen, status: "ACTIVE", pausedReason: null, pausedUntil: null, updatedAt: now };
	return services.commit([resumeConnection(db.orm, { ...named, version: seen.version }, now)], toWire(row, now));
}
