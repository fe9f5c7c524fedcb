// A secret that is shown this once: who has not copied it is asked before it is gone.

import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { CopyButton } from "./copy.tsx";
import { Dialog } from "./dialog.tsx";

interface SecretProps {
	readonly title: string;
	/** null for a secret that was shown before. */
	readonly secret: string | null | undefined;
	/** What it is: `key`. */
	readonly what: string;
	readonly onClose: () => void;
	readonly children: ComponentChildren;
}

/** `close` asks first while a secret is shown that nobody has copied. */
export function useSecret(secret: string | null | undefined, onClose: () => void) {
	const [copied, setCopied] = useState(false);
	const [leaves, leave] = useState(false);
	return {
		leaves,
		onCopied: () => setCopied(true),
		close: () => (copied || leaves || !secret ? onClose() : leave(true)),
		asks: leaves && (
			<p class="notice is-waiting" role="alert">
				<span>You have not copied it. Nobody can show it again once you close this.</span>
			</p>
		),
	};
}

export function SecretDialog({ title, secret, what, onClose, children }: SecretProps) {
	const { leaves, onCopied, close, asks } = useSecret(secret, onClose);
	return (
		<Dialog title={title} onClose={close}>
			<p class="about">{children}</p>
			<p class="secret">
				<code>{secret ?? "It was shown before."}</code>
			</p>
			{asks}
			<div class="buttons end">
				{secret && (
					<CopyButton text={secret} onCopied={onCopied}>
						{`Copy the ${what}`}
					</CopyButton>
				)}
				<button type="button" class={leaves ? "danger" : "primary"} onClick={close}>
					{leaves ? "Close without a copy" : "Done"}
				</button>
			</div>
		</Dialog>
	);
}
