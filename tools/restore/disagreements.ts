// Where databases disagree after one of them was put back: money that one has sent and the other not received, names without their things,
// and missing copies. The sweep mends what it can; this lists what people must mend.

export type Row = Readonly<Record<string, unknown>>;
/** A database, by the name of its binding. */
export type Asked = { readonly name: string; rows(query: string): Promise<readonly Row[]> };

/** @param databases all of them, the directory first */
export async function disagreements(databases: readonly Asked[]): Promise<string[]> {
	const [directory] = databases;
	if (!directory) return [];
	const everywhere = async (query: string): Promise<(Row & { readonly place: string })[]> =>
		(await Promise.all(databases.map(async ({ name, rows }) => (await rows(query)).map((row) => ({ ...row, place: name }))))).flat();
	const byId = (rows: readonly (Row & { readonly place: string })[], id = "id") => new Map(rows.map((row) => [String(row[id]), row]));
	const found: string[] = [];

	const sent = byId(await everywhere("select id, status from transfers where destination = 'INTERNAL'"));
	const received = byId(await everywhere("select transfer_id, outcome from incoming_transfers"), "transfer_id");
	for (const [id, { status, place }] of sent)
		if (status === "COMPLETED" && received.get(id)?.outcome !== "CREDITED")
			found.push(`transfer ${id}: paid in ${place}, and credited nowhere`);
	for (const [id, { outcome, place }] of received)
		if (outcome === "CREDITED" && !["COMPLETED", "PENDING"].includes(String(sent.get(id)?.status)))
			found.push(`transfer ${id}: credited in ${place}, and paid nowhere`);

	const organizations = await everywhere("select id from organizations");
	for (const [id, places] of Map.groupBy(organizations, (row) => String(row.id))) {
		const lacking = databases.filter(({ name }) => !places.some(({ place }) => place === name)).map(({ name }) => name);
		if (lacking.length > 0) found.push(`organization ${id}: missing in ${lacking.join(", ")}`);
	}

	const users = byId(await everywhere("select id, tag from users"));
	const ofOrganizations = new Set(organizations.map(({ id }) => String(id)));
	const names = await directory.rows("select kind, id, value from names where kind in ('SLUG', 'PHONE', 'TAG', 'IDENTITY')");
	for (const { kind, id } of names)
		if (!(kind === "SLUG" ? ofOrganizations.has(String(id)) : users.has(String(id)))) found.push(`name ${kind} of ${id}: there is nobody`);
	const tags = new Set(names.flatMap(({ kind, value }) => (kind === "TAG" ? [value] : [])));
	for (const [id, { tag, place }] of users)
		if (tag !== null && !tags.has(tag)) found.push(`user ${id} in ${place}: the tag is in no directory`);

	const pair = (row: Row) => `${row.organization_id} ${row.user_id}`;
	const memberships = new Map((await everywhere("select organization_id, user_id from memberships")).map((row) => [pair(row), row]));
	const members = new Map(
		(await everywhere("select organization_id, user_id from organization_members where removed_at is null")).map((row) => [pair(row), row]),
	);
	for (const [key, { place }] of memberships)
		if (!members.has(key)) found.push(`membership ${key} in ${place}: the organization does not know it`);
	for (const [key, { place }] of members) if (!memberships.has(key)) found.push(`member ${key} in ${place}: the user does not know it`);
	return found.sort();
}
