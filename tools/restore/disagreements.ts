// Where databases disagree after one of them was put back: money that one has sent and the other not received, names without their things,
// and copies that are missing or not the same. The sweep mends what it can; this lists what people must mend.

export type Row = Readonly<Record<string, unknown>>;
/** A database, by the name of its binding. */
export type Asked = { readonly name: string; rows(query: string): Promise<readonly Row[]> };
type Placed = Row & { readonly place: string };

/** What every database has a copy of: its `id`, and then what the copies have in common. */
const COPIED: Readonly<Record<string, string>> = {
	organization: "select id, status, name from organizations",
	product: "select id, name, retired_at, suspended_at, deals, terms_text from loan_products where organization_id is null",
	"text of terms":
		"select loan_product_id || ' ' || version as id, sha256 from terms_texts where loan_product_id in (select id from loan_products where organization_id is null)",
	"commission model": "select id, model_id, currency, effective_from, rules from commission_models",
};

/** @param databases all of them, the directory first */
export async function disagreements(databases: readonly Asked[]): Promise<string[]> {
	const [directory] = databases;
	if (!directory) return [];
	const everywhere = async (query: string): Promise<Placed[]> =>
		(await Promise.all(databases.map(async ({ name, rows }) => (await rows(query)).map((row) => ({ ...row, place: name }))))).flat();
	const byId = (rows: readonly Placed[], id = "id") => new Map(rows.map((row) => [String(row[id]), row]));
	const found: string[] = [];

	const sent = byId(await everywhere("select id, status from transfers where destination = 'INTERNAL'"));
	const received = byId(await everywhere("select transfer_id, outcome from incoming_transfers"), "transfer_id");
	for (const [id, { status, place }] of sent)
		if (status === "COMPLETED" && received.get(id)?.outcome !== "CREDITED")
			found.push(`transfer ${id}: paid in ${place}, and credited nowhere`);
	for (const [id, { outcome, place }] of received)
		if (outcome === "CREDITED" && !["COMPLETED", "PENDING"].includes(String(sent.get(id)?.status)))
			found.push(`transfer ${id}: credited in ${place}, and paid nowhere`);

	found.push(
		...unlikePayments(
			await everywhere(
				"select id, status, account_id, posted_as_id, mobile_money_transaction_id || ' ' || amount || ' ' || currency as reported, fingerprint from payments",
			),
		),
	);

	const copies = await Promise.all(Object.entries(COPIED).map(async ([what, query]) => [what, await everywhere(query)] as const));
	for (const [what, rows] of copies)
		found.push(
			...unlike(
				what,
				rows,
				databases.map(({ name }) => name),
			),
		);

	const users = byId(await everywhere("select id, tag from users"));
	const ofOrganizations = new Set(copies.flatMap(([what, rows]) => (what === "organization" ? rows.map(({ id }) => String(id)) : [])));
	const names = await directory.rows("select kind, id, value from names where kind in ('SLUG', 'PHONE', 'TAG', 'IDENTITY')");
	for (const { kind, id } of names)
		if (!(kind === "SLUG" ? ofOrganizations.has(String(id)) : users.has(String(id)))) found.push(`name ${kind} of ${id}: there is nobody`);
	const tags = new Set(names.flatMap(({ kind, value }) => (kind === "TAG" ? [value] : [])));
	for (const [id, { tag, place }] of users)
		if (tag !== null && !tags.has(tag)) found.push(`user ${id} in ${place}: the tag is in no directory`);

	const pair = (row: Row) => `${row.organization_id} ${row.user_id}`;
	const memberships = new Map((await everywhere("select organization_id, user_id, role from memberships")).map((row) => [pair(row), row]));
	const members = new Map(
		(await everywhere("select organization_id, user_id, role from organization_members where removed_at is null")).map((row) => [
			pair(row),
			row,
		]),
	);
	for (const [key, { place, role }] of memberships) {
		const member = members.get(key);
		if (!member) found.push(`membership ${key} in ${place}: the organization does not know it`);
		else if (member.role !== role)
			found.push(`membership ${key}: ${role} in ${place}, and for the organization ${member.role} in ${member.place}`);
	}
	for (const [key, { place }] of members) if (!memberships.has(key)) found.push(`member ${key} in ${place}: the user does not know it`);
	return found.sort();
}

/** Copies that a database lacks, or that are not the same in all. */
function unlike(what: string, rows: readonly Placed[], databases: readonly string[]): string[] {
	return [...Map.groupBy(rows, ({ id }) => String(id))].flatMap(([id, [first, ...others]]) => {
		const lacking = databases.filter((name) => ![first, ...others].some((row) => row?.place === name));
		const differing = others.flatMap((other) => {
			const columns = Object.keys(other).filter((column) => column !== "place" && other[column] !== first?.[column]);
			return columns.length === 0 ? [] : [`${what} ${id}: ${columns.join(", ")} in ${other.place} not as in ${first?.place}`];
		});
		return lacking.length === 0 ? differing : [`${what} ${id}: missing in ${lacking.join(", ")}`, ...differing];
	});
}

/** Payments that one database has given to an account of another, and only one of the two knows. */
function unlikePayments(payments: readonly Placed[]): string[] {
	const ids = new Set(payments.map(({ id }) => id));
	const reports = Map.groupBy(payments, (row) => row.reported);
	const others = ({ id, reported }: Row): readonly Placed[] =>
		(reports.get(reported) ?? []).filter((other) => other.id !== id && other.account_id !== null && other.status !== "MATCHED");
	return payments.flatMap((payment) => {
		const { id, status, posted_as_id, place, fingerprint } = payment;
		// An organization that reported the payment itself has it already, and got no copy.
		if (status === "MATCHED" && !ids.has(posted_as_id) && others(payment).length === 0)
			return [`payment ${id}: matched in ${place}, and its copy ${posted_as_id} is nowhere`];
		const copy = others(payment).find((other) => other.fingerprint === fingerprint);
		return status === "UNMATCHED" && copy ? [`payment ${id}: unmatched in ${place}, and posted in ${copy.place} as ${copy.id}`] : [];
	});
}
