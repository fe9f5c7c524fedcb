// Connects organizations to their accounts with every provider of payments.

import type { Orm } from "../../db/database";
import { orStaleUnless } from "../../db/guards";
import { type Answer, first } from "../../db/reads";
import type { Owed } from "../../runtime/home-messages";
import type { Committed, HandlerServices, Services } from "../../runtime/services";
import { ApiError, badInput } from "../../shared/errors";
import { canonicalJson } from "../../shared/json";
import { toTimestamp } from "../../shared/time";
import { findOpenBy, hasNoneOpenBy } from "../disbursements/model/store";
import { findOwners, type Owner } from "../organizations/notices.plan";
import { findOpenReturnBy, hasNoReturnOpenBy } from "../repayments/returns/store";
import { UNCHECKED } from "./model/checks.store";
import { noConnection, noReplacement, REPLACED_AFTER_MS } from "./model/lifecycle";
import { openSecrets, openWaiting, sealSecrets, sealWaiting } from "./model/plan";
import { pullBy } from "./model/pulls.policy";
import {
	changeConnection,
	deleteConnection,
	findConnection,
	findFormer,
	keepFormer,
	replaceConnection,
	resumeConnection,
	setReplacement,
} from "./model/store";
import type { ConnectionRow, Replacement, Secrets } from "./model/table";
import type { CommonBody, ConnectionKind } from "./model/wire";
import { announceChange } from "./notices.plan";

type Named = Pick<ConnectionRow, "organizationId" | "provider">;
export type Kind<Wire> = Pick<ConnectionKind<never, Wire>, "provider" | "toWire">;

const PAYOUTS_OPEN = { description: "Payouts by the connection are open: wait for their results, or report them" };
const RETURNS_OPEN = { description: "Returns of money by the connection are open: wait for their results, or give them up" };

/** One statement each for what the connection's provider still has to do, or may have done. */
export const findOpen = (orm: Orm, named: Named) => ({
	payout: first(findOpenBy(orm, named)),
	moneyReturn: first(findOpenReturnBy(orm, named)),
});

/** An instruction that is repeated from another account could be paid a second time, and none but the account that was paid can give it back. */
export function mustHaveNone({ payout, moneyReturn }: Answer<ReturnType<typeof findOpen>>): void {
	if (payout) throw new ApiError("INVALID_STATE", PAYOUTS_OPEN);
	if (moneyReturn) throw new ApiError("INVALID_STATE", RETURNS_OPEN);
}

const orStaleIfOpen = (named: Named) => [orStaleUnless(hasNoneOpenBy(named)), orStaleUnless(hasNoReturnOpenBy(named))];

/** The person who connects, changes or disconnects an account: a member, or an operator where operators do not work in pairs. */
export type By = { readonly organizationId: string; readonly person: string };

/**
 * Connects the account that the body names. The first one, and changes of the connected one, hold at once; another one waits for a second
 * person or a day, because a stolen token must not lead the lender's money elsewhere.
 */
export async function connect<Body extends CommonBody, Wire>(
	services: HandlerServices,
	kind: ConnectionKind<Body, Wire>,
	{ organizationId, person, body }: By & { readonly body: Body },
): Promise<Committed<Wire>> {
	const { db, now, config } = services;
	if (config.ENVIRONMENT === "production" && body.environment === "sandbox") {
		throw badInput("environment", "must be production here", "NOT_ALLOWED");
	}
	const named = { organizationId, provider: kind.provider };
	const { seen, former, owners } = await db.read({
		seen: first(findConnection(db.orm, named)),
		former: first(findFormer(db.orm, named)),
		owners: findOwners(db.orm, organizationId),
	});
	const account = { environment: body.environment, ...kind.accountOf(body) };
	const isSame = seen !== undefined && isAccount(account, seen);
	if (!seen && former && !isAccount(account, former) && now < former.endedAt + REPLACED_AFTER_MS) {
		const from = toTimestamp(former.endedAt + REPLACED_AFTER_MS);
		throw new ApiError("INVALID_STATE", { description: `Another account was connected within a day: connect this one from ${from}` });
	}
	const secrets = kind.secretsOf(body, isSame ? await opened(services, seen) : undefined);
	const wanted = {
		...account,
		payouts: body.payouts,
		...kind.columnsOf(body, secrets),
		nominatedNumber: kind.nominatedNumberOf(body),
	};
	if (seen && !isSame) {
		const sealed = await sealWaiting(config.keyring, named, secrets);
		const waiting = { replacement: { ...wanted, sealed, requestedBy: person }, replacedAt: now + REPLACED_AFTER_MS };
		const announced = await announceChange(services, { ...named, ...account, person, owners }, "REPLACEMENT_REQUESTED");
		const answer = await services.commit(
			[setReplacement(db.orm, seen, waiting), ...announced.writes],
			kind.toWire({ ...seen, ...waiting }, now),
		);
		await announced.carry(services);
		return answer;
	}
	const row = await rowOf(services, named, { seen, isSame, wanted, secrets });
	const announced = await announceChange(services, { ...named, ...account, person, owners }, isSame ? "UPDATED" : "CONNECTED");
	const answer = await services.commit([changeConnection(db.orm, row), ...announced.writes], kind.toWire(row, now));
	await announced.carry(services);
	return answer;
}

type Account = Pick<ConnectionRow, "environment" | "shortCode" | "facts">;

const isAccount = (account: Account, row: Account): boolean => canonicalJson(accountIn(account)) === canonicalJson(accountIn(row));

/** The connection as the version after the version that was read. */
async function rowOf(
	{ config, now }: Services,
	named: Named,
	about: {
		readonly seen: ConnectionRow | undefined;
		readonly isSame: boolean;
		readonly wanted: Omit<Replacement, "sealed" | "requestedBy">;
		readonly secrets: Secrets;
	},
): Promise<ConnectionRow> {
	const { seen, isSame, secrets } = about;
	const { nominatedNumber, ...wanted } = about.wanted;
	const version = (seen?.version ?? 0) + 1;
	const pull = pullBy(nominatedNumber, (isSame && seen?.pull) || null, now);
	return {
		...named,
		...wanted,
		version,
		addressVersion: seen?.addressVersion ?? 1,
		sealed: await sealSecrets(config.keyring, { ...named, version }, secrets),
		status: "ACTIVE",
		pausedReason: null,
		pausedUntil: null,
		balances: (isSame && seen?.balances) || null,
		balancesAt: (isSame && seen?.balancesAt) || null,
		// Without payouts nothing asks for the balance, so that a warning would stay.
		lowFloat: (isSame && wanted.payouts && seen?.lowFloat) || null,
		// An answer about earlier credentials says nothing about these.
		...UNCHECKED,
		nextBalanceAt: now,
		pull,
		nextPullAt: pull && now,
		replacement: seen?.replacement ?? null,
		replacedAt: seen?.replacedAt ?? null,
		createdAt: seen?.createdAt ?? now,
		updatedAt: now,
	};
}

/**
 * What puts the account that waits in the connection's place; undefined where its secrets do not open. Nothing that was ordered by the
 * account before it may be open.
 */
export async function replacementOf(
	services: Services,
	seen: ConnectionRow,
	{ person, owners }: { readonly person: string | null; readonly owners: readonly Owner[] },
): Promise<(Owed & { readonly row: ConnectionRow }) | undefined> {
	const { db, config } = services;
	const { organizationId, provider, replacement } = seen;
	const named = { organizationId, provider };
	if (!replacement) return undefined;
	const { sealed, requestedBy: _, ...wanted } = replacement;
	const secrets = await openWaiting(config.keyring, named, sealed);
	if (!secrets) return undefined;
	const row = { ...(await rowOf(services, named, { seen, isSame: false, wanted, secrets })), replacement: null, replacedAt: null };
	const announced = await announceChange(services, { ...row, person, owners }, "REPLACED");
	return { row, writes: [...orStaleIfOpen(named), replaceConnection(db.orm, seen, row), ...announced.writes], carry: announced.carry };
}

/** The account that waits will not be connected. */
export async function discard(
	services: HandlerServices,
	{ provider }: Pick<Kind<unknown>, "provider">,
	{ organizationId, person }: By,
): Promise<Committed<undefined>> {
	const { db } = services;
	const { seen, owners } = await db.read({
		seen: first(findConnection(db.orm, { organizationId, provider })),
		owners: findOwners(db.orm, organizationId),
	});
	if (!seen?.replacement) throw noReplacement(provider);
	const announced = await announceChange(services, { ...seen, ...accountIn(seen.replacement), person, owners }, "REPLACEMENT_DISCARDED");
	const answer = await services.commit(
		[setReplacement(db.orm, seen, { replacement: null, replacedAt: null }), ...announced.writes],
		undefined,
	);
	await announced.carry(services);
	return answer;
}

const accountIn = ({ environment, shortCode, facts }: Account): Account => ({ environment, shortCode, facts });

async function opened({ config, log }: Services, row: ConnectionRow): Promise<Secrets | undefined> {
	const secrets = await openSecrets(config.keyring, row);
	if (!secrets)
		log.error("the secrets of a connection do not open: all must be sent again", undefined, { organization: row.organizationId });
	return secrets;
}

export async function readConnection<Wire>({ db, now }: Services, { provider, toWire }: Kind<Wire>, organizationId: string): Promise<Wire> {
	const row = await db.read(first(findConnection(db.orm, { organizationId, provider })));
	if (!row) throw noConnection(provider);
	return toWire(row, now);
}

export async function disconnect(
	services: HandlerServices,
	{ provider }: Pick<Kind<unknown>, "provider">,
	{ organizationId, person }: By,
): Promise<Committed<undefined>> {
	const { db, now } = services;
	const named = { organizationId, provider };
	const { seen, owners, open } = await db.read({
		seen: first(findConnection(db.orm, named)),
		owners: findOwners(db.orm, organizationId),
		open: findOpen(db.orm, named),
	});
	if (!seen) throw noConnection(provider);
	mustHaveNone(open);
	const announced = await announceChange(services, { ...seen, person, owners }, "DISCONNECTED");
	const answer = await services.commit(
		[
			...orStaleIfOpen(named),
			deleteConnection(db.orm, { ...named, version: seen.version }),
			keepFormer(db.orm, { ...named, ...accountIn(seen), endedAt: now }),
			...announced.writes,
		],
		undefined,
	);
	await announced.carry(services);
	return answer;
}

export async function resume<Wire>(
	services: HandlerServices,
	{ provider, toWire }: Kind<Wire>,
	organizationId: string,
): Promise<Committed<Wire>> {
	const { db, now } = services;
	const named = { organizationId, provider };
	const seen = await db.read(first(findConnection(db.orm, named)));
	if (!seen) throw noConnection(provider);
	const row: ConnectionRow = { ...seen, status: "ACTIVE", pausedReason: null, pausedUntil: null, updatedAt: now };
	return services.commit([resumeConnection(db.orm, { ...named, version: seen.version }, now)], toWire(row, now));
}
