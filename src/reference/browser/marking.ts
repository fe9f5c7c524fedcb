// Marks in the menu what is being read.

export function marking(): void {
	const entries = new Map(
		[...document.querySelectorAll<HTMLAnchorElement>('#menu ul ul a[href^="#"]')].map((link) => [link.hash.slice(1), link]),
	);
	const menu = document.getElementById("menu");
	let marked: HTMLAnchorElement | undefined;
	const mark = (link: HTMLAnchorElement | undefined): void => {
		if (link === marked) return;
		marked?.removeAttribute("aria-current");
		link?.setAttribute("aria-current", "location");
		marked = link;
		// Only the menu itself scrolls.
		if (link && menu && menu.scrollHeight > menu.clientHeight) {
			const { top, bottom } = link.getBoundingClientRect();
			const bounds = menu.getBoundingClientRect();
			if (top < bounds.top || bottom > bounds.bottom) menu.scrollTop += top - bounds.top - bounds.height / 3;
		}
	};
	const headings = [...entries.keys()].map((id) => document.getElementById(id)).filter((heading) => heading !== null);
	let waiting = false;
	const look = (): void => {
		waiting = false;
		const read = headings.findLast((heading) => heading.getBoundingClientRect().top < 120);
		mark(read && entries.get(read.id));
	};
	addEventListener(
		"scroll",
		() => {
			if (!waiting) requestAnimationFrame(look);
			waiting = true;
		},
		{ passive: true },
	);
	look();
	// A place in the page was chosen: the menu of a phone has done its work.
	menu?.addEventListener("click", ({ target }) => {
		if (target instanceof HTMLAnchorElement && target.hash && menu.matches(":popover-open")) menu.hidePopover();
	});
}
