// Seals the secrets of connections, and pauses connections.

import type { Write } from "../../../db/database";
import { raise } from "../../../events/raise";
import type { ConnectionPause } from "../../../runtime/ports";
import type { Services } from "../../../runtime/services";
import type { Keyring } from "../../../shared/keyring";
import type { PaymentProvider } from "../../../shared/payment-providers";
import { toTimestamp } from "../../../shared/time";
import { isNewlyLow, isNewStatus, recordBalances, recordStatus } from "./checks.store";
import { connectionCannotVerify, connectionLowOnFloat, connectionPaused } from "./events";
import { type Balance, lowFloatOf, type Need } from "./float.policy";
import { isNews, pauseConnection } from "./store";
import type { ConnectionRow, Secrets } from "./table";

type Sealed = Pick<ConnectionRow, "organizationId" | "provider" | "version">;

/** Binds the sealed secrets to their connection and its version. */
export const contextOf = ({ organizationId, provider, version }: Sealed) => `${organizationId}:${provider}:${version}`;

export const sealSecrets = (keyring: Keyring, of: Sealed, secrets: Secrets): Promise<string> =>
	keyring.seal("connection", contextOf(of), JSON.stringify(secrets));

/** Undefined when they were sealed with a key that is no longer configured. */
export async function openSecrets(keyring: Keyring, row: Sealed & Pick<ConnectionRow, "sealed">): Promise<Secrets | undefined> {
	const opened = await keyring.open("connection", contextOf(row), row.sealed);
	return opened === undefined ? undefined : (JSON.parse(opened) as Secrets);
}

const waitingContextOf = ({ organizationId, provider }: Omit<Sealed, "version">) => `${organizationId}:${provider}:waiting`;

/** Seals the secrets of an account that waits to take the connection's place. */
export const sealWaiting = (keyring: Keyring, of: Omit<Sealed, "version">, secrets: Secrets): Promise<string> =>
	keyring.seal("connection", waitingContextOf(of), JSON.stringify(secrets));

export async function openWaiting(keyring: Keyring, of: Omit<Sealed, "version">, sealed: string): Promise<Secrets | undefined> {
	const opened = await keyring.open("connection", waitingContextOf(of), sealed);
	return opened === undefined ? undefined : (JSON.parse(opened) as Secrets);
}

type Paused = { readonly organizationId: string; readonly provider: PaymentProvider };

/** Pauses a connection, and notifies its organization. `services`: in the organization's home. */
export function pause(services: Services, connection: Paused, { reason, forMs }: ConnectionPause): Write[] {
	const { db, now } = services;
	const until = forMs === undefined ? null : now + forMs;
	const { organizationId, provider } = connection;
	return [
		raise(services, connectionPaused, {
			organizationId,
			data: { provider, reason, paused_until: until === null ? null : toTimestamp(until) },
			when: isNews(connection, { reason, until }, now),
		}),
		pauseConnection(db.orm, connection, { reason, until }, now),
	];
}

/** Stores that a question about a transaction was refused to the initiator, and notifies once. `services`: in the organization's home. */
export function cannotVerify(services: Services, connection: Paused, code: string): Write[] {
	const { db, now } = services;
	const { organizationId, provider } = connection;
	const told = { outcome: "FAILED", result: code.slice(0, 32) } as const;
	return [
		raise(services, connectionCannotVerify, {
			organizationId,
			data: { provider, result_code: told.result },
			when: isNewStatus(connection, told),
		}),
		recordStatus(db.orm, connection, told, now),
	];
}

type Checked = Paused & Pick<ConnectionRow, "lowFloat" | "payouts"> & { readonly checkId: string };

/** Keeps what the provider reports of the lender's accounts, and notifies once that the float is low. `services`: in the organization's home. */
export function hearBalances(services: Services, seen: Checked, balances: readonly Balance[], need: Need): Write[] {
	const { db, now } = services;
	const { organizationId, provider, checkId } = seen;
	const lowFloat = seen.payouts ? lowFloatOf(balances, need, seen.lowFloat, now) : null;
	const recorded = recordBalances(db.orm, checkId, { balances, lowFloat }, now);
	if (lowFloat === null) return [recorded];
	const { currency, available, waiting, paidLastDay } = lowFloat;
	return [
		raise(services, connectionLowOnFloat, {
			organizationId,
			data: { provider, currency, available, waiting, paid_last_day: paidLastDay },
			when: isNewlyLow(checkId),
		}),
		recorded,
	];
}

/** Keeps that a question about a transaction was answered. */
export const canVerify = ({ db, now }: Services, connection: Paused): Write =>
	recordStatus(db.orm, connection, { outcome: "SUCCEEDED", result: null }, now);
