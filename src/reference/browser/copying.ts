// The buttons that copy the code beneath them.

const SHOWN_MS = 1500;

export function copying(): void {
	document.addEventListener("click", async ({ target }) => {
		if (!(target instanceof HTMLButtonElement) || target.className !== "copy") return;
		const text = target.closest("figure")?.querySelector("code")?.textContent ?? "";
		const copied = await navigator.clipboard.writeText(text).then(
			() => true,
			() => false,
		);
		target.textContent = copied ? "Copied" : "Not allowed";
		setTimeout(() => {
			target.textContent = "Copy";
		}, SHOWN_MS);
	});
}
