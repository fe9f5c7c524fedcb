// What a message says, as it is sealed and as its reader gets it.

import type { Message } from "../../messages/catalogue";
import { messageText, type Sender } from "../../messages/texts";
import type { MessageReader, Services } from "../../runtime/services";
import { DEFAULT_LOCALE, type Locale } from "../../shared/locale";
import type { MessageRow } from "./table";

export type Content = {
	readonly message?: Message;
	/** The language in which somebody asked for it, where they have chosen none. */
	readonly locale?: Locale | undefined;
	/** Who sends it, where they are not the lender of its user. */
	readonly sender?: Sender;
	/** In place of all these, in what was stored before. */
	readonly text?: string;
	readonly otp_code?: string;
	/** The last line of a code's message, by which an app on Android knows it for its own. */
	readonly app_hash?: string;
	readonly token?: string;
};

export async function openContent({ config }: Services, { id, sealed }: Pick<MessageRow, "id" | "sealed">): Promise<Content | undefined> {
	const text = sealed === null ? undefined : await config.keyring.open("message", id, sealed);
	return text === undefined ? undefined : (JSON.parse(text) as Content);
}

/** The text for its reader, as `services.lenders` knows them. */
export function textOf({ message, locale, sender, text, app_hash }: Content, known: string | null): string | null {
	if (!message) return text ?? null;
	const reader = known === null ? undefined : (JSON.parse(known) as MessageReader);
	const chosen = reader?.locale ?? locale ?? reader?.lenderLocale ?? DEFAULT_LOCALE;
	const said = messageText(chosen, message, sender ?? { lender: reader?.lender ?? undefined, own: reader?.texts?.[chosen]?.[message.key] });
	return app_hash === undefined ? said : `${said}\n${app_hash}`;
}
