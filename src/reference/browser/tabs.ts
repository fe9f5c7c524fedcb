// Who chooses curl or the client for one sample has chosen for all.

export function choosing(): void {
	document.addEventListener("change", ({ target }) => {
		if (!(target instanceof HTMLInputElement) || !target.closest(".tabs")) return;
		const top = target.getBoundingClientRect().top;
		for (const input of document.querySelectorAll<HTMLInputElement>(`.tabs input[value="${target.value}"]`)) input.checked = true;
		// The samples above have another height now.
		scrollBy(0, target.getBoundingClientRect().top - top);
	});
}
