// What a page is to the shell.

import type { ComponentType } from "preact";
import type { Params } from "./paths.ts";
import type { Person, Who } from "./who.ts";

export interface PageProps {
	readonly params: Params;
	readonly query: URLSearchParams;
	readonly person: Person;
	/** Whether the person has such a page: `/approvals`. */
	readonly offers: (path: string) => boolean;
}

export interface Route {
	/** Below `/console`; `:id` is a parameter. */
	readonly path: string;
	/** In the navigation and the palette. */
	readonly title: string;
	/** Where the navigation has it; without one it is reached from another page. */
	readonly group?: "Home" | "Webhooks" | "Organization" | "Lending" | "Borrowing" | "Platform";
	/** After `g` it leads here. */
	readonly key?: string;
	/** To whom it is shown. The service decides again. */
	readonly who: Who;
	readonly load: () => Promise<{ readonly Page: ComponentType<PageProps> }>;
	/** Whether there is one with this id, for the palette. Rejects if not. */
	readonly finds?: (id: string) => Promise<unknown>;
}
