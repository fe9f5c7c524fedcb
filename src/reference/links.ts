// Addresses of the reference's pages. They are relative, so that a page works at any address, and as a file.

/** The page `to` as it is linked from the page `from`; both are paths below `/docs`, the start page is "". */
export function hrefOf(from: string, to: string): string {
	const [page = "", anchor] = to.split("#");
	const up = from === "" ? "" : "../".repeat(from.split("/").length);
	if (page === from && anchor) return `#${anchor}`;
	return `${up}docs${page === "" ? "" : `/${page}`}${anchor ? `#${anchor}` : ""}`;
}

/** A file next to the reference, such as the OpenAPI document. */
export const fileHref = (from: string, file: string): string => (from === "" ? "" : "../".repeat(from.split("/").length)) + file;
