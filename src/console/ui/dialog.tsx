// Dialogs: the browser's own, which keep the focus and give it back.

import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import { Problem } from "./problem.tsx";

interface DialogProps {
	readonly title: string;
	/** Also with Escape; without it the dialog cannot be left. */
	readonly onClose?: () => void;
	readonly children: ComponentChildren;
	readonly class?: string;
}

export function Dialog({ title, onClose, children, class: name }: DialogProps) {
	const dialog = useRef<HTMLDialogElement>(null);
	const id = useId();
	// Before anything is drawn: a key that is pressed next is the dialog's.
	useLayoutEffect(() => {
		const before = document.activeElement;
		const element = dialog.current;
		element?.showModal();
		return () => {
			// First: nothing outside of an open dialog takes the focus.
			element?.close();
			giveBack(before);
		};
	}, []);
	return (
		<dialog
			ref={dialog}
			class={name}
			aria-labelledby={id}
			onCancel={(event) => {
				event.preventDefault();
				onClose?.();
			}}
		>
			<h2 id={id}>{title}</h2>
			{children}
		</dialog>
	);
}

/** How long what was done may take until it shows. */
const SHOWN_MS = 10_000;

/** To what had the focus; to the page, where that is gone, or goes because of what was done. */
function giveBack(before: Element | null): void {
	const toPage = () => document.getElementById("main")?.focus({ preventScroll: true });
	if (!(before instanceof HTMLElement && before.isConnected && before !== document.body)) {
		toPage();
		return;
	}
	before.focus({ preventScroll: true });
	const watch = new MutationObserver(() => {
		if (before.isConnected) return;
		watch.disconnect();
		if (document.activeElement === document.body) toPage();
	});
	watch.observe(document.body, { childList: true, subtree: true });
	setTimeout(() => watch.disconnect(), SHOWN_MS);
}

/** The end of a dialog that only shows something. `first`: the button has the focus. */
export const Close = ({ onClose, first = false }: { readonly onClose: () => void; readonly first?: boolean }) => (
	<div class="buttons end">
		<button type="button" autofocus={first} onClick={onClose}>
			Close
		</button>
	</div>
);

interface ConfirmProps {
	/** Names the object: `Suspend Collections CRM?` */
	readonly title: string;
	/** What will happen. */
	readonly children: ComponentChildren;
	/** What the button says, a verb. */
	readonly verb: string;
	readonly dangerous?: boolean;
	/** What was entered is not enough yet. */
	readonly disabled?: boolean;
	readonly onConfirm: () => Promise<unknown>;
	readonly onClose: () => void;
}

/** Asks before something is done. The safe button has the focus; a refusal is shown in place. */
export function Confirm({ title, children, verb, dangerous = false, disabled = false, onConfirm, onClose }: ConfirmProps) {
	const [busy, run, error] = useDoing();
	return (
		<Dialog title={title} onClose={onClose}>
			<form
				onSubmit={(event) => {
					event.preventDefault();
					void run(onConfirm).then((done) => done && onClose());
				}}
			>
				<div class="prose">{children}</div>
				<Answer verb={verb} kind={dangerous ? "danger" : "primary"} disabled={busy || disabled} error={error} onClose={onClose} safe />
			</form>
		</Dialog>
	);
}

interface AnswerProps {
	readonly verb: string;
	readonly kind?: "primary" | "danger";
	readonly disabled: boolean;
	readonly error: Error | undefined;
	readonly onClose: () => void;
	/** The safe button has the focus. */
	readonly safe?: boolean;
}

/** The end of a dialog's form: what was refused, and both buttons. */
export function Answer({ verb, kind = "primary", disabled, error, onClose, safe = false }: AnswerProps) {
	return (
		<>
			{error && <Problem error={error} />}
			<div class="buttons end">
				<button type="button" autofocus={safe} onClick={onClose}>
					Cancel
				</button>
				<button type="submit" class={kind} disabled={disabled}>
					{verb}
				</button>
			</div>
		</>
	);
}

/** Something under way: not begun twice, and its error kept until the next try. */
export function useDoing(): [busy: boolean, run: (work: () => Promise<unknown>) => Promise<boolean>, error: Error | undefined] {
	const [state, set] = useState<{ busy: boolean; error?: Error }>({ busy: false });
	const run = async (work: () => Promise<unknown>): Promise<boolean> => {
		set({ busy: true });
		try {
			await work();
			set({ busy: false });
			return true;
		} catch (error) {
			set({ busy: false, error: error as Error });
			return false;
		}
	};
	return [state.busy, run, state.error];
}
