// The codes in the addresses to which providers post what became of payments. They sign nothing, so each address holds a code that only
// this service can make, good for one question about one row. It is hex, because some refuse addresses that contain certain words.

import { fromBase64, fromHex, toBase64Url, toHex } from "../shared/bytes";
import type { Keyring } from "../shared/keyring";
import type { PaymentProvider } from "../shared/payment-providers";

const CODE_BYTES = 16;

export type Asked = { readonly provider: PaymentProvider; readonly question: string; readonly id: string };

const textOf = ({ provider, question, id }: Asked) => `${provider}:${question}:${id}`;

/** 32 hex digits. */
export async function codeFor(keyring: Keyring, asked: Asked): Promise<string> {
	const check = fromBase64(await keyring.check("callback", textOf(asked), CODE_BYTES));
	return toHex(check ?? new Uint8Array());
}

/** Whether the code was made for this question and row, with any of the master keys. */
export const isCodeFor = (keyring: Keyring, asked: Asked, code: string): Promise<boolean> =>
	keyring.verifyCheck("callback", textOf(asked), toBase64Url(fromHex(code)), CODE_BYTES);
