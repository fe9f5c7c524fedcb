// People by their names: who stands behind the ids of a list.

import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import type { BodyOf, PlatformUser } from "../typed.ts";
import { useWatch, type Watched } from "../watch.ts";
import { either, operators, type Person, permitted } from "../who.ts";
import { reachOf } from "./list.tsx";

const sees = either(permitted("org:lending:read"), operators);

export type People = ReadonlyMap<string, PlatformUser>;

/** The latest answer about ids, also while fewer of them are asked about: a list from which a row goes keeps the others meanwhile. */
export function useCovering<Body>(wanted: readonly string[], { value }: Watched<Body>): Body | undefined {
	const latest = useRef<{ readonly of: readonly string[]; readonly body: Body }>();
	if (value !== undefined) latest.current = { of: wanted, body: value };
	const { of = [], body } = latest.current ?? {};
	return wanted.every((id) => of.includes(id)) ? body : undefined;
}

type Maybe = string | false | null | undefined;
type EachLine = "GET /v1/platform/users" | "GET /v1/accounts" | "GET /v1/approvals";
export type Each<L extends EachLine> = ReadonlyMap<string, BodyOf<L>["data"][number]>;

/** What has these ids, in one request; undefined until it is read, and nothing for who may not see it. */
export function useEach<L extends EachLine>(line: L, ids: readonly Maybe[] | undefined, person: Person | undefined): Each<L> | undefined {
	const wanted = [...new Set((ids ?? []).flatMap((id) => (id ? [id] : [])))].sort().slice(0, 100);
	const asks = person !== undefined && sees(person) && wanted.length > 0;
	const read: Watched<BodyOf<EachLine>> = useWatch<EachLine>(line, asks ? { query: { ids: wanted }, ...reachOf(person) } : undefined);
	const found = useCovering(wanted, read);
	if (ids === undefined || (asks && !found && !read.error)) return undefined;
	return new Map(found?.data.map((one) => [one.id, one])) as Each<L>;
}

export const usePeople = (ids: readonly Maybe[] | undefined, person: Person | undefined): People | undefined =>
	useEach("GET /v1/platform/users", ids, person);

/** `Jane A.`, else the tag. */
export const nameOf = ({ display_name, tag }: PlatformUser): string => display_name ?? tag;

/** `Jane A. (+254******678)` */
export const calledOf = (user: PlatformUser): string => nameOf(user) + (user.mobile_number ? ` (${user.mobile_number})` : "");

/** The name with the masked number below it, as a cell of a table. `narrow`: the content next to it where there is room. */
export function Named({ of: user, narrow }: { readonly of: PlatformUser | undefined; readonly narrow?: ComponentChildren }) {
	return (
		<>
			{user ? nameOf(user) : "–"}
			{user && <small>{user.mobile_number ?? (user.display_name ? user.tag : "no number")}</small>}
			{narrow && <small class="narrow">{narrow}</small>}
		</>
	);
}
