// Rules between the members of an object as JSON Schema says them, for `meta` next to the refinement that holds them. They are conditions,
// because generators of clients make models of choices, and ignore conditions.

export type Keywords = { readonly [keyword: string]: unknown };

export const has = (name: string): Keywords => ({ required: [name] });
export const hasAny = (...names: readonly [string, ...string[]]): Keywords =>
	names.length === 1 ? has(names[0]) : { anyOf: names.map(has) };
export const lacks = (...names: readonly [string, ...string[]]): Keywords => ({ not: hasAny(...names) });
export const is = (member: string, value: string | boolean): Keywords => ({
	properties: { [member]: { const: value } },
	required: [member],
});
/** The member is there, and not null. */
export const hasText = (name: string): Keywords => all(has(name), { properties: { [name]: { type: "string" } } });
export const all = (...rules: readonly Keywords[]): Keywords => ({ allOf: rules });

/** Apart from their values, because an object with a member `then` is taken for a promise. */
const CONDITION = ["if", "then", "else"];

/** Where the condition holds, the first rule does, and elsewhere the second. */
export const when = (condition: Keywords, rule: Keywords, otherwise: Keywords = {}): Keywords =>
	Object.fromEntries([condition, rule, otherwise].map((part, place) => [CONDITION[place], part]));

export const atLeastOneOf = (one: string, other: string): Keywords => when(has(one), {}, has(other));
/** The member is sent where another has this value, and nowhere else. */
export const justWith = (name: string, member: string, value: string): Keywords => when(is(member, value), has(name), lacks(name));
