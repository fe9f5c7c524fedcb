// The addresses at which providers report what became of messages. Each holds a code that only this service can make, so that nothing has
// to be signed: one for each message where the provider takes an address with it, else one for the provider.

import { fromBase64, fromHex, toBase64Url, toHex } from "../shared/bytes";
import type { Keyring } from "../shared/keyring";

/** The providers that report, by their names in `MESSAGE_SENDERS`. */
export const AFRICASTALKING = "africastalking";
export const TWILIO = "twilio";

const CODE_BYTES = 16;
const PATH = "/v1/integrations/messages";

type Addressing = { readonly keyring: Keyring; readonly baseUrl: string };

const codeOf = async (keyring: Keyring, about: string): Promise<string> => {
	const check = fromBase64(await keyring.check("callback", `messages:${about}`, CODE_BYTES));
	return toHex(check ?? new Uint8Array());
};

const isCodeOf = (keyring: Keyring, about: string, code: string): Promise<boolean> =>
	keyring.verifyCheck("callback", `messages:${about}`, toBase64Url(fromHex(code)), CODE_BYTES);

export const addressForMessage = async ({ keyring, baseUrl }: Addressing, provider: string, messageId: string): Promise<string> =>
	`${baseUrl}${PATH}/${provider}/${messageId}/${await codeOf(keyring, `${provider}:${messageId}`)}`;

export const isCodeForMessage = (keyring: Keyring, provider: string, messageId: string, code: string): Promise<boolean> =>
	isCodeOf(keyring, `${provider}:${messageId}`, code);

export const addressForProvider = async ({ keyring, baseUrl }: Addressing, provider: string): Promise<string> =>
	`${baseUrl}${PATH}/${provider}/${await codeOf(keyring, provider)}`;

export const isCodeForProvider = (keyring: Keyring, provider: string, code: string): Promise<boolean> => isCodeOf(keyring, provider, code);
