// The ids of challenges that anybody may confirm: their last 32 bits are a keyed checksum, so that made-up ids never reach D1.

import type { Services } from "../../runtime/services";
import { fromBase64, fromHex, toBase64Url, toHex } from "../../shared/bytes";

const CHECK_BYTES = 4;
const UNCHECKED = -2 * CHECK_BYTES;

export async function newChallengeId({ config: { keyring }, newId }: Services): Promise<string> {
	const text = newId().slice(0, UNCHECKED);
	const check = fromBase64(await keyring.check("challenge", text, CHECK_BYTES)) ?? new Uint8Array();
	return `${text}${toHex(check)}`;
}

/** Whether this service made the id. */
export const isChallengeId = ({ config: { keyring } }: Services, id: string): Promise<boolean> =>
	keyring.verifyCheck("challenge", id.slice(0, UNCHECKED), toBase64Url(fromHex(id.slice(UNCHECKED))), CHECK_BYTES);
