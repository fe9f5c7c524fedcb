// What people take elsewhere: ids, addresses, commands.

import { useEffect, useState } from "preact/hooks";
import { shortId } from "../format.ts";

function useCopied(onCopied?: () => void): [copied: boolean, copy: (text: string) => void] {
	const [copied, set] = useState(false);
	useEffect(() => {
		if (!copied) return;
		const timer = setTimeout(set, 1_500, false);
		return () => clearTimeout(timer);
	}, [copied]);
	const copy = (text: string): void =>
		void navigator.clipboard?.writeText(text).then(
			() => {
				set(true);
				onCopied?.();
			},
			() => {},
		);
	return [copied, copy];
}

const Sheets = ({ done }: { readonly done: boolean }) => (
	<svg viewBox="0 0 12 12" width="12" height="12" fill="none" stroke="currentColor" stroke-width="1.25" aria-hidden="true">
		{done ? <path d="M1.5 6.5l3 3 6-7" /> : <path d="M4.5 1.5h6v6h-6zM4.5 4.5h-3v6h6v-3" />}
	</svg>
);

/** A button of an icon. */
export function CopyIcon({ text, what }: { readonly text: string; readonly what: string }) {
	const [copied, copy] = useCopied();
	return (
		<button type="button" class="copy" onClick={() => copy(text)} aria-label={copied ? "Copied" : `Copy ${what}`} title={`Copy ${what}`}>
			<Sheets done={copied} />
		</button>
	);
}

interface CopyButtonProps {
	readonly text: string | (() => string);
	readonly children?: string;
	readonly onCopied?: () => void;
}

/** A button with words. */
export function CopyButton({ text, children = "Copy", onCopied }: CopyButtonProps) {
	const [copied, copy] = useCopied(onCopied);
	return (
		<button type="button" onClick={() => copy(typeof text === "string" ? text : text())}>
			{copied ? "Copied" : children} <Sheets done={copied} />
		</button>
	);
}

/** An id: its last eight characters, copied whole. */
export function Id({ of, what = "id" }: { readonly of: string; readonly what?: string }) {
	return (
		<span class="id">
			<code title={of}>{shortId(of)}</code>
			<CopyIcon text={of} what={what} />
		</span>
	);
}
