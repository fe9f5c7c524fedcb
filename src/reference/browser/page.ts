// The page that the script runs on.

/** What lies above `/docs`, as a relative address that ends with a slash or is empty. */
export const ABOVE = document.body.dataset.docs ?? "";

type Attributes = Readonly<Record<string, string>>;

/** An element with these attributes and this within. Texts are texts, never markup. */
export function made<Name extends keyof HTMLElementTagNameMap>(
	name: Name,
	attributes: Attributes = {},
	...within: readonly (Node | string)[]
): HTMLElementTagNameMap[Name] {
	const element = document.createElement(name);
	for (const [attribute, value] of Object.entries(attributes)) element.setAttribute(attribute, value);
	element.append(...within);
	return element;
}
