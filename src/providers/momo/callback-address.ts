// The address to which MTN MoMo reports what became of a transfer.

import type { Keyring } from "../../shared/keyring";
import { codeFor, isCodeFor } from "../callback-code";

const asked = (id: string) => ({ provider: "momo" as const, question: "payout", id });

export const addressFor = async (
	{ keyring, baseUrl }: { readonly keyring: Keyring; readonly baseUrl: string },
	id: string,
): Promise<string> => `${baseUrl}/v1/integrations/mobile-money/momo/results/${id}/${await codeFor(keyring, asked(id))}`;

/** Whether the code was made for this payout, with any of the master keys. */
export const isCodeOf = (keyring: Keyring, id: string, code: string): Promise<boolean> => isCodeFor(keyring, asked(id), code);
