// A secret that is shown this once: who has not copied it is asked before it is gone.

import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { CopyButton } from "./copy.tsx";
import { Dialog } from "./dialog.tsx";

interface SecretProps {
	readonly title: string;
	/** null for one that was shown before. */
	readonly secret: string | null | undefined;
	/** What it is: `key`. */
	readonly what: string;
	readonly onClose: () => void;
	readonly children: ComponentChildren;
}

export function SecretDialog({ title, secret, what, onClose, children }: SecretProps) {
	const [copied, setCopied] = useState(false);
	const [leaves, leave] = useState(false);
	const close = () => (copied || leaves || !secret ? onClose() : leave(true));
	return (
		<Dialog title={title} onClose={close}>
			<p class="about">{children}</p>
			<p class="secret">
				<code>{secret ?? "It was shown before."}</code>
			</p>
			{leaves && (
				<p class="notice is-waiting" role="alert">
					<span>You have not copied it. Once this is closed nobody can show it again.</span>
				</p>
			)}
			<div class="buttons end">
				{secret && (
					<CopyButton text={secret} onCopied={() => setCopied(true)}>
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
