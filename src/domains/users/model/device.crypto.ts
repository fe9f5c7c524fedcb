// How a device of a user is known: by a digest of the random value that the app keeps on it.

import { sha256Hex } from "../../../shared/bytes";

/** Nobody else's device has the same value. */
export const deviceHashOf = (userId: string, deviceId: string): Promise<string> => sha256Hex(`device\n${userId}\n${deviceId}`);

/** The random value that the app makes once and keeps on the device. */
export const DEVICE_ID = { least: 16, most: 255 } as const;
