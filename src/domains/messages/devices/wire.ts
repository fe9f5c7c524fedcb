// Devices on the wire. A push token never leaves the service.

import * as z from "zod";
import { LOCALES } from "../../../shared/locale";
import { PUSH_PLATFORMS } from "../../../shared/push-platforms";
import { toTimestamp } from "../../../shared/time";
import type { DeviceRow } from "./table";

export const MOST_DEVICES = 10;

export const Device = z
	.object({
		id: z.string(),
		platform: z.enum(PUSH_PLATFORMS),
		app_version: z.string().nullable(),
		locale: z.enum(LOCALES).nullable(),
		created_at: z.iso.datetime(),
		updated_at: z.iso.datetime(),
	})
	.meta({ id: "Device" });

export const DeviceBody = z
	.object({
		platform: z.enum(PUSH_PLATFORMS),
		push_token: z
			.string()
			.max(4096)
			.regex(/^[\w:.~-]+$/, "must be a token as Firebase or Apple gives it")
			.meta({ description: "Firebase's; on IOS Apple's, in hex, where the lender pushes by APNs" }),
		app_version: z.string().min(1).max(50).optional(),
		locale: z.enum(LOCALES).optional(),
	})
	.meta({ id: "DeviceInput", examples: [{ platform: "ANDROID", push_token: "eT4x9:APA91bF-0a1b2c", app_version: "4.2.0", locale: "sw" }] });

export const toDevice = (row: DeviceRow): z.input<typeof Device> => ({
	id: row.deviceHash,
	platform: row.platform,
	app_version: row.appVersion,
	locale: row.locale,
	created_at: toTimestamp(row.createdAt),
	updated_at: toTimestamp(row.updatedAt),
});
