// Builds the statements on the devices of users.

import { and, desc, eq, inArray, lt, ne, or, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { assign, bareList, excluded } from "../../../db/columns";
import type { Orm, Statement, Write } from "../../../db/database";
import { type DeviceRow, devices } from "./table";
import { MOST_DEVICES } from "./wire";

const d = devices;
const eachDevice = alias(devices, "each_device");

export const findDevice = (orm: Orm, userId: string, deviceHash: string) =>
	orm
		.select()
		.from(devices)
		.where(and(eq(d.userId, userId), eq(d.deviceHash, deviceHash)));

export const findDevices = (orm: Orm, userId: string) =>
	orm.select().from(devices).where(eq(d.userId, userId)).orderBy(desc(d.updatedAt), desc(d.deviceHash)).limit(MOST_DEVICES);

/** The device with what is known of it now. An earlier holder of the token loses it, and the device that was seen longest ago goes. */
export const putDevice = (orm: Orm, row: DeviceRow): Write[] => [
	orm.delete(devices).where(and(eq(d.tokenHash, row.tokenHash), or(ne(d.userId, row.userId), ne(d.deviceHash, row.deviceHash)))),
	orm.run(sql`
		insert into ${d} (${bareList(d.userId, d.deviceHash, d.platform, d.tokenHash, d.sealedToken, d.appVersion, d.locale, d.createdAt, d.updatedAt)})
		values (${row.userId}, ${row.deviceHash}, ${row.platform}, ${row.tokenHash}, ${row.sealedToken}, ${row.appVersion}, ${row.locale}, ${row.createdAt}, ${row.updatedAt})
		on conflict (${bareList(d.userId, d.deviceHash)}) do update set ${assign(d, {
			platform: excluded(d.platform),
			tokenHash: excluded(d.tokenHash),
			sealedToken: excluded(d.sealedToken),
			appVersion: excluded(d.appVersion),
			locale: excluded(d.locale),
			updatedAt: excluded(d.updatedAt),
		})}`),
	orm.delete(devices).where(
		sql`${d.userId} = ${row.userId} and ${d.deviceHash} in (select ${eachDevice.deviceHash} from ${devices} ${eachDevice}
				where ${eachDevice.userId} = ${row.userId} order by ${eachDevice.updatedAt} desc, ${eachDevice.deviceHash} desc limit -1 offset ${MOST_DEVICES})`,
	),
];

/** Takes a token from its earlier holder, in another database than that of its present one. */
export const takeToken = (orm: Orm, { tokenHash, updatedAt }: DeviceRow): Statement =>
	orm.delete(devices).where(and(eq(d.tokenHash, tokenHash), lt(d.updatedAt, updatedAt)));

export const removeDevice = (orm: Orm, userId: string, deviceHashes: readonly string[]): Statement =>
	orm.delete(devices).where(and(eq(d.userId, userId), inArray(d.deviceHash, [...deviceHashes])));

/** The devices on which the user has signed out. `which`: a condition on the digest of the device. */
export const forgetDevices = (orm: Orm, userId: string, which: (deviceHash: typeof d.deviceHash) => SQL): Statement =>
	orm.delete(devices).where(and(eq(d.userId, userId), which(d.deviceHash)));

/** The device, if the token is still its own. */
export const removeDead = (
	orm: Orm,
	{ userId, deviceHash, tokenHash }: Pick<DeviceRow, "userId" | "deviceHash" | "tokenHash">,
): Statement => orm.delete(devices).where(and(eq(d.userId, userId), eq(d.deviceHash, deviceHash), eq(d.tokenHash, tokenHash)));
