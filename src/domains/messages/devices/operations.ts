// The devices on which a user gets pushes. The app registers its own at each start, so that what was lost comes back.

import * as z from "zod";
import { first } from "../../../db/reads";
import { userOnWaitingList } from "../../../http/callers/access";
import { operation } from "../../../http/operation";
import type { JobServices } from "../../../runtime/services";
import { sha256Hex } from "../../../shared/bytes";
import { ApiError } from "../../../shared/errors";
import { DAY_MS } from "../../../shared/time";
import { DEVICE_ID, deviceHashOf } from "../../users/model/device.crypto";
import { findDevice, findDevices, putDevice, removeDevice, takeToken } from "./store";
import type { DeviceRow } from "./table";
import { sealToken } from "./token.crypto";
import { Device, DeviceBody, MOST_DEVICES, toDevice } from "./wire";

const ById = z.object({ device_id: z.string().min(DEVICE_ID.least).max(DEVICE_ID.most) });

export const registerDevice = operation({
	id: "registerDevice",
	method: "PUT",
	path: "/v1/me/devices/{device_id}",
	summary: "Get pushes on a device",
	description: `Call it at each start of the app, with the \`device_id\` of the sign-in. A push says that there is a message, and has its id as \`message_id\`. With more than ${MOST_DEVICES} devices, the device that was registered longest ago gets none.`,
	access: userOnWaitingList,
	request: { path: ById, body: DeviceBody },
	response: Device,
	async handle({ path, body: { platform, push_token, app_version = null, locale = null }, caller: { userId } }, services) {
		const { db, now, config } = services;
		const deviceHash = await deviceHashOf(userId, path.device_id);
		const tokenHash = await sha256Hex(push_token);
		const known = await db.read(first(findDevice(db.orm, userId, deviceHash)));
		const told = { platform, tokenHash, appVersion: app_version, locale };
		if (known && now - known.updatedAt < DAY_MS && isAs(known, told)) return toDevice(known);
		const sealedToken = await sealToken(config.keyring, { userId, deviceHash }, push_token);
		const row = { ...told, userId, deviceHash, sealedToken, createdAt: known?.createdAt ?? now, updatedAt: now };
		const answer = await services.commit(putDevice(db.orm, row), toDevice(row));
		services.afterwards((job) => takeElsewhere(job, row));
		return answer;
	},
});

/** In the databases of other users, which no commit here reaches; a crash leaves it to the next registration. */
async function takeElsewhere(job: JobServices, row: DeviceRow): Promise<void> {
	const others = job.everywhere().filter(({ db }) => db !== job.db);
	await Promise.all(others.map((there) => there.commit([takeToken(there.db.orm, row)])));
}

const isAs = (row: DeviceRow, told: Pick<DeviceRow, "platform" | "tokenHash" | "appVersion" | "locale">): boolean =>
	row.platform === told.platform && row.tokenHash === told.tokenHash && row.appVersion === told.appVersion && row.locale === told.locale;

export const listDevices = operation({
	id: "listDevices",
	method: "GET",
	path: "/v1/me/devices",
	summary: "List the devices on which the signed-in user gets pushes",
	access: userOnWaitingList,
	request: {},
	response: z.object({ data: z.array(Device) }),
	async handle({ caller: { userId } }, { db }) {
		return { data: (await db.read(findDevices(db.orm, userId))).map(toDevice) };
	},
});

export const deleteDevice = operation({
	id: "deleteDevice",
	method: "DELETE",
	path: "/v1/me/devices/{device_id}",
	summary: "Get no pushes on a device any more",
	description: "By its `device_id`, or its `id` of the list. A sign-out does the same.",
	access: userOnWaitingList,
	request: { path: ById },
	response: null,
	errors: ["NOT_FOUND"],
	async handle({ path: { device_id }, caller: { userId } }, services) {
		const { db } = services;
		const hashes = [await deviceHashOf(userId, device_id), device_id];
		const known = (await db.read(findDevices(db.orm, userId))).some(({ deviceHash }) => hashes.includes(deviceHash));
		if (!known) throw new ApiError("NOT_FOUND", { description: "There is no such device" });
		return services.commit([removeDevice(db.orm, userId, hashes)], undefined);
	},
});
