// Home of members: what needs somebody now, with its remedy, and how deliveries went.

import { Days } from "../../charts/days.tsx";
import { day, plural } from "../../format.ts";
import type { PageProps } from "../../route.ts";
import type { BodyOf, LenderAttention, WebhookEndpoint } from "../../typed.ts";
import { Loaded, Rows } from "../../ui/loaded.tsx";
import { Figures, Head, Link, Section } from "../../ui/page.tsx";
import { Mark, type Shape } from "../../ui/state.tsx";
import { Time } from "../../ui/time.tsx";
import { isRead, onceRead, useWatch, type Watched } from "../../watch.ts";
import { operators, permitted } from "../../who.ts";
import { counted, sums, waitsOf } from "../lending/today.ts";
import { NoEndpoint } from "./endpoints.tsx";
import { EndpointsTable, rowsOf, type Stats } from "./endpoints-table.tsx";
import { WHY_SUSPENDED } from "./words.ts";

const seesWebhooks = permitted("org:webhooks:read");
const seesLending = permitted("org:lending:read");
const seesApprovals = permitted("org:approvals:read");
/** As many as one page of the statistics has. */
const SHOWN = 12;
/** Endpoints in trouble that are named. */
const MOST_NAMED = 5;

export function Page(props: PageProps) {
	return (
		<>
			<Head title="Home" about={`What needs you now at ${props.person.acting?.name ?? "the organization"}`} />
			<Organization {...props} />
		</>
	);
}

/** What needs attention in the organization that the person acts for, and its endpoints. */
export function Organization({ person, offers }: PageProps) {
	const developer = seesWebhooks(person);
	const lender = seesLending(person);
	const lending = useWatch("GET /v1/attention", lender ? {} : undefined, 2);
	const trend = useWatch("GET /v1/portfolio/trend", lender ? {} : undefined);
	const stats = useWatch("GET /v1/webhooks/stats", developer ? {} : undefined, 2);
	const endpoints = onceRead(useWatch("GET /v1/webhooks", developer ? {} : undefined, 3), ...(developer ? [stats] : []));
	// Operators see the approvals of all organizations.
	const approving = !lender && !operators(person) && seesApprovals(person) && offers("/approvals");
	const approvals = useWatch("GET /v1/approvals", approving ? { query: { status: "PENDING", size: 100 } } : undefined, 2);
	const figures = stats.value?.data ?? [];
	const troubled = (endpoints.value ?? []).flatMap((one) =>
		needOf(
			one,
			figures.find(({ webhook_id }) => webhook_id === one.id),
		),
	);
	const needs = [
		...lendingNeeds(lending.value, offers),
		...approvalsNeed(approvals.value),
		...troubled.slice(0, MOST_NAMED),
		...moreNeed(troubled.length - MOST_NAMED),
	];
	// All at once, because what needs attention moves what is below it.
	if ((developer && !isRead(endpoints)) || (approving && !isRead(approvals)) || (lender && !(isRead(lending) && isRead(trend))))
		return <Rows of={8} />;
	// Operators act for one of many, which is named.
	const where = operators(person) ? ` at ${person.acting?.name}` : "";
	const isKnown = [endpoints, approvals, lending].every(({ error }) => error === undefined);
	return (
		<>
			{lending.value && <Lending of={lending.value} />}
			<Section title={`Needs attention${where}`}>
				{needs.length > 0 ? (
					<ul class="list">
						{needs.map((need) => (
							<li key={need.title}>
								<Mark of={need.of} />
								<div>
									<strong>{need.title}</strong>
									<p>{need.remedy}</p>
								</div>
								<Link to={need.to} class="button">
									{need.verb}
								</Link>
							</li>
						))}
					</ul>
				) : (
					<ul class="list">
						<li>
							{isKnown && <Mark of="good" />}
							<div>
								<p>{isKnown ? "Nothing needs you now." : "Not known just now."}</p>
							</div>
						</li>
					</ul>
				)}
			</Section>
			{lender && (
				<Section title={`Thirty days${where}`} note={trend.value?.to && `Up to ${day(trend.value.to)}, the last closed day.`}>
					<Loaded of={trend}>
						{({ data }) =>
							data.length > 0 ? (
								data.map((of) => <Days key={of.currency} of={of} />)
							) : (
								<p class="foot-note">No day is closed yet: a day is closed ten minutes after midnight.</p>
							)
						}
					</Loaded>
				</Section>
			)}
			{developer && (
				<Section title={`Endpoints${where}`} action={<Link to="/endpoints">All endpoints</Link>}>
					<Loaded of={endpoints} skeleton={5}>
						{(all) => (all.length === 0 ? <NoEndpoint /> : <EndpointsTable rows={rowsOf(shownOf(all, stats), stats.value?.data ?? [])} />)}
					</Loaded>
				</Section>
			)}
		</>
	);
}

/** The loans of today in figures. */
function Lending({ of: { due_today, overdue } }: { readonly of: LenderAttention }) {
	const [, over30, , over90] = overdue.past_due;
	const link = (count: number, over: number, text: string) => (count > 0 ? <Link to={`/portfolio?over=${over}`}>{text}</Link> : "None");
	const late = (one: { readonly count: number } | undefined, over: number) =>
		link(one?.count ?? 0, over, counted({ count: one?.count ?? 0, more: false }));
	return (
		<Figures
			of={[
				{
					name: "Due today",
					value: due_today.count > 0 ? <Link to="/accounts?due=today">{counted(due_today)}</Link> : "None",
					note: "loans with an installment to be paid",
				},
				{
					name: "Overdue",
					value: link(overdue.count, 0, counted(overdue)),
					bad: overdue.count > 0,
					note: overdue.oldest_due_date ? `${sums(overdue.amounts)}, since ${day(overdue.oldest_due_date)}` : "all is paid in time",
				},
				{ name: "Over 30 days late", value: late(over30, 30), bad: (over30?.count ?? 0) > 0, note: "of these" },
				{ name: "Over 90 days late", value: late(over90, 90), bad: (over90?.count ?? 0) > 0, note: "in default" },
			]}
		/>
	);
}

function lendingNeeds(found: LenderAttention | undefined, offers: PageProps["offers"]): Need[] {
	if (!found) return [];
	return waitsOf(found)
		.filter(({ to }) => offers(to.replace(/\?.*/, "")))
		.map(({ remedy, oldest, ...line }) => ({
			...line,
			remedy: oldest ? (
				<>
					{remedy} The oldest came <Time at={oldest} />.
				</>
			) : (
				remedy
			),
		}));
}

const shownOf = (all: readonly WebhookEndpoint[], stats: Watched<BodyOf<"GET /v1/webhooks/stats">>) =>
	all.length <= SHOWN || !stats.value
		? all.slice(0, SHOWN)
		: all.filter(({ id }) => stats.value?.data.some((one) => one.webhook_id === id));

/** Of very many endpoints in trouble, the rest in one line. */
const moreNeed = (more: number): Need[] =>
	more > 0
		? [
				{
					of: "failing",
					title: `${plural(more, "more endpoint")} ${more === 1 ? "fails or is" : "fail or are"} suspended`,
					remedy: "If many fail alike, the cause is often one receiver or its network.",
					to: "/endpoints",
					verb: "Look",
				},
			]
		: [];

interface Need {
	readonly of: Shape;
	readonly title: string;
	readonly remedy: preact.ComponentChildren;
	readonly to: string;
	readonly verb: string;
}

function needOf({ id, name, status, suspension_reason, suspended_at, failures_in_row }: WebhookEndpoint, stats: Stats | undefined): Need[] {
	const to = `/endpoints/${id}`;
	if (status === "SUSPENDED" && suspension_reason !== "MANUAL" && suspended_at) {
		const remedy = (
			<>
				Suspended <Time at={suspended_at} />. {suspension_reason && WHY_SUSPENDED[suspension_reason]} Repair the receiver, resume, then
				recover what it missed.
			</>
		);
		return [{ of: "ended", title: name, remedy, to, verb: "Look" }];
	}
	if (status === "ACTIVE" && failures_in_row > 0) {
		const remedy = `${plural(failures_in_row, "delivery", "deliveries")} failed in a row. At ten it is suspended. See what the receiver answers.`;
		return [{ of: "failing", title: name, remedy, to, verb: "Look" }];
	}
	const latest = stats?.buckets.findLast(({ attempts }) => attempts > 0);
	if (status === "ACTIVE" && latest?.delivered === 0) {
		const remedy = `None of its latest ${plural(latest.attempts, "attempt")} succeeded; each is made again. See what the receiver answers.`;
		return [{ of: "failing", title: name, remedy, to, verb: "Look" }];
	}
	return [];
}

function approvalsNeed(page: BodyOf<"GET /v1/approvals"> | undefined): Need[] {
	if (!page || page.data.length === 0) return [];
	const { data, links } = page;
	const first = data.reduce((one, other) => (one.expires_at < other.expires_at ? one : other));
	const title = links.next
		? "More than 100 approvals wait for a decision"
		: `${plural(data.length, "approval")} ${data.length === 1 ? "waits" : "wait"} for a decision`;
	const remedy = (
		<>
			The {data.length === 1 ? "request" : "oldest"} expires <Time at={first.expires_at} />.
		</>
	);
	return [{ of: "waiting", title, remedy, to: "/approvals", verb: "Decide" }];
}
