// Push tokens are sealed: with one anybody can push to the device, as far as the provider lets them.

import type { Keyring } from "../../../shared/keyring";

type Of = { readonly userId: string; readonly deviceHash: string };

export const tokenContext = ({ userId, deviceHash }: Of): string => `${userId} ${deviceHash}`;

export const sealToken = (keyring: Keyring, of: Of, token: string): Promise<string> => keyring.seal("push-token", tokenContext(of), token);

export const openToken = (keyring: Keyring, { sealedToken, ...of }: Of & { readonly sealedToken: string }): Promise<string | undefined> =>
	keyring.open("push-token", tokenContext(of), sealedToken);
