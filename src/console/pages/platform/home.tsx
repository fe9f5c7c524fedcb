// Home of operators: what waits for people, over all organizations, and the organization that they act for.

import { count, span, words } from "../../format.ts";
import type { PageProps } from "../../route.ts";
import type { Attention } from "../../typed.ts";
import { Loaded } from "../../ui/loaded.tsx";
import { Figures, FiguresSkeleton, Head, Link, Section } from "../../ui/page.tsx";
import { Badge } from "../../ui/state.tsx";
import { Time } from "../../ui/time.tsx";
import { onceRead, useWatch } from "../../watch.ts";
import { Unmatched } from "../lending/payments.tsx";
import { List } from "../list.tsx";
import { Organization } from "../webhooks/home.tsx";
import { KINDS, type Kind } from "./kinds.ts";
import { UserTable } from "./users.tsx";

/** Those with a figure of their own, and where they are worked off. */
const FIGURES: Readonly<Partial<Record<Kind, readonly [name: string, path: string]>>> = {
	WAITING_USER: ["On the waiting list", "/users?status=WAITING_LIST"],
	PAYMENT: ["Payments without account", "/payments"],
	APPROVAL: ["Approvals waiting", "/approvals"],
};
/** How many of those who wait are shown. */
const SHOWN = 5;
const LATE_SECONDS = 60;

const counted = ({ count: amount, more }: Attention): string => (more ? `${count(amount)}+` : count(amount));

export function Page(props: PageProps) {
	const { person } = props;
	const health = useWatch("GET /healthz", {}, 1);
	const payments = useWatch("GET /v1/platform/unmatched-payments", { query: { size: SHOWN }, organization: null }, 1);
	const users = useWatch("GET /v1/platform/users", { query: { size: SHOWN, status: "WAITING_LIST" }, organization: null }, 1);
	const attention = onceRead(useWatch("GET /v1/platform/attention", { organization: null }, 1), payments, users);
	return (
		<>
			<Head
				title="Home"
				badge={health.value ? <Badge of="good" word="Healthy" /> : health.error && <Badge of="failing" word="Not answering" />}
				about="The platform now"
			/>
			<Loaded of={attention} skeleton={<FiguresSkeleton />}>
				{({ data }) => {
					const waits = (kind: Kind) => data.some((one) => one.kind === kind && one.count > 0);
					return (
						<>
							<Figures of={[...data.flatMap(figureOf), overdue(health.value?.oldest_overdue_seconds)]} />
							<Others of={data.filter(({ kind, count }) => !FIGURES[kind] && count > 0)} />
							{waits("PAYMENT") && (
								<Section title="Payments without account" action={<Link to="/payments">All</Link>}>
									<Unmatched of={payments} person={person} paged={false} />
								</Section>
							)}
							{waits("WAITING_USER") && (
								<Section title="Waiting list" action={<Link to="/users?status=WAITING_LIST">All</Link>}>
									<List of={users} paged={false} empty={["Nobody waits", ""]}>
										{(rows) => <UserTable label="Waiting list" rows={rows} person={person} />}
									</List>
								</Section>
							)}
							{person.acting && <Organization {...props} />}
						</>
					);
				}}
			</Loaded>
		</>
	);
}

function figureOf(one: Attention) {
	const figure = FIGURES[one.kind];
	if (!figure) return [];
	const [name, path] = figure;
	const note = one.oldest ? (
		<>
			the oldest <Time at={one.oldest} />
		</>
	) : (
		"nothing waits"
	);
	return [{ name, value: one.count > 0 ? <Link to={path}>{counted(one)}</Link> : counted(one), note }];
}

const overdue = (seconds: number | undefined) => ({
	name: "Oldest overdue delivery",
	value: seconds === undefined ? "–" : span(seconds * 1_000),
	note: seconds ? "deliveries are late" : "nothing is late",
	bad: seconds !== undefined && seconds > LATE_SECONDS,
});

function Others({ of }: { readonly of: readonly Attention[] }) {
	if (of.length === 0) return null;
	return (
		<Section title="Work that waits for people" action={<Link to="/work">All</Link>}>
			<ul class="rows">
				{of.map((one) => (
					<li key={one.kind}>
						<Link to={`/work?kind=${one.kind}`}>{KINDS[one.kind]?.name ?? words(one.kind)}</Link>
						<span class="note">
							{counted(one)}
							{one.oldest && (
								<>
									, the oldest <Time at={one.oldest} />
								</>
							)}
						</span>
					</li>
				))}
			</ul>
		</Section>
	);
}
