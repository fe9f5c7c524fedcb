// What surrounds every page: navigation, the search, the clock, the end of a session.

import type { ComponentType } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { lead, readClock, useClock } from "./clock.ts";
import { type Config, config } from "./config.ts";
import { minute, plural, words } from "./format.ts";
import { listenForKeys } from "./keys.ts";
import { NoPage } from "./no-page.tsx";
import { Palette } from "./palette.tsx";
import { matchPath, type Params } from "./paths.ts";
import { endSession, PERSON_CHANGED, titleOf, whoAmI } from "./person.ts";
import type { PageProps, Route } from "./route.ts";
import { go, usePlace } from "./router.ts";
import { ROUTES } from "./routes.ts";
import { actFor, onSession, type State, signedOut } from "./session.ts";
import { Logo, SignIn, SignInOnceMore } from "./sign-in.tsx";
import { Dialog, useDoing } from "./ui/dialog.tsx";
import { Problem } from "./ui/problem.tsx";
import { forgetAll } from "./watch.ts";
import type { Person } from "./who.ts";

const CLOCK_EVERY_MS = 120_000;

export function Shell() {
	const [person, setPerson] = useState<Person>();
	const [error, setError] = useState<Error>();
	const [session, setSession] = useState<State>("in");
	const [palette, setPalette] = useState<"search" | "keys">();
	const [menu, setMenu] = useState(false);
	const { path } = usePlace();

	const identify = () => {
		setError(undefined);
		whoAmI().then((found) => {
			setPerson((before) => {
				// Another person must see nothing of the one before.
				if (before && before.id !== found.id) {
					forgetAll();
					go("/");
				}
				return found;
			});
		}, setError);
	};
	useEffect(() => {
		identify();
		const clock = setInterval(() => document.visibilityState === "visible" && void readClock(), CLOCK_EVERY_MS);
		let before: State = "in";
		const stop = onSession((state) => {
			setSession(state);
			// Who has signed in again may be another person.
			if (state === "in" && before !== "in") identify();
			before = state;
		});
		addEventListener(PERSON_CHANGED, identify);
		return () => {
			removeEventListener(PERSON_CHANGED, identify);
			clearInterval(clock);
			stop();
		};
	}, []);
	useLayoutEffect(() => listenForKeys({ person, open: setPalette }), [person]);
	useEffect(() => setMenu(false), [path]);

	return (
		<div class={menu ? "shell menu-open" : "shell"}>
			<a class="skip" href="#main">
				To the page
			</a>
			<aside>
				<div class="who">
					<Logo />
					<Acting person={person} onChange={setPerson} />
					<button type="button" class="menu" onClick={() => setPalette("search")}>
						Find
					</button>
					<button type="button" class="menu" aria-expanded={menu} aria-controls="menu" onClick={() => setMenu(!menu)}>
						{menu ? "Close" : "Menu"}
					</button>
				</div>
				<div id="menu" class="side">
					{person && <Navigation person={person} path={path} />}
					{person && <Me person={person} />}
				</div>
			</aside>
			<header class="top">
				<button type="button" class="search" onClick={() => setPalette("search")} aria-keyshortcuts="Control+K Meta+K /">
					Find a number, name, account, receipt … <kbd>Ctrl K</kbd>
				</button>
				<Now />
			</header>
			<main id="main" tabIndex={-1}>
				<Offline />
				{error && <Problem error={error} again={identify} />}
				{person && <CurrentPage person={person} />}
			</main>
			{palette && person && <Palette person={person} show={palette} onClose={() => setPalette(undefined)} />}
			{session === "weak" && <SignInOnceMore />}
			{session === "ended" && (
				<Dialog title="Your session has ended" class="again">
					<p class="about">Sign in again to go on where you are. Nothing that you typed is lost.</p>
					<SignIn />
					<div class="buttons end">
						<button type="button" onClick={signedOut}>
							Leave
						</button>
					</div>
				</Dialog>
			)}
		</div>
	);
}

/** The organization that the console acts for; a choice where there are several. */
function Acting({ person, onChange }: { readonly person: Person | undefined; readonly onChange: (person: Person) => void }) {
	if (!person) return <div class="acting" />;
	const { organizations, acting, kind } = person;
	const choose = (id: string) => {
		const next = organizations.find((one) => one.id === id);
		actFor(next?.id);
		forgetAll();
		onChange({ ...person, acting: next });
	};
	const name = acting?.name ?? (kind === "operator" ? "The platform" : "My account");
	return (
		<div class="acting">
			{organizations.length > 1 ? (
				<select aria-label="Organization" value={acting?.id} onChange={({ currentTarget }) => choose(currentTarget.value)}>
					{organizations.map((one) => (
						<option key={one.id} value={one.id}>
							{one.name}
						</option>
					))}
				</select>
			) : (
				<strong>{name}</strong>
			)}
			<small>{titleOf(person)}</small>
		</div>
	);
}

/** The row that the path belongs to: for a page without a group, the row with which its path begins. */
function isWithin(route: Route, path: string): boolean {
	return route.path === "/" ? path === "/" : path === route.path || path.startsWith(`${route.path}/`);
}

function Navigation({ person, path }: { readonly person: Person; readonly path: string }) {
	const offered = ROUTES.filter(({ group, who }) => group && who(person));
	return (
		<nav aria-label="Pages">
			{[...Map.groupBy(offered, ({ group }) => group)].map(([group, routes]) => (
				<div key={group}>
					{group !== "Home" && <h2>{group}</h2>}
					<ul>
						{routes.map((route) => (
							<li key={route.path}>
								<a href={`/console${route.path === "/" ? "" : route.path}`} aria-current={isWithin(route, path) ? "page" : undefined}>
									{route.title}
								</a>
							</li>
						))}
					</ul>
				</div>
			))}
		</nav>
	);
}

function Me({ person }: { readonly person: Person }) {
	const [busy, run, error] = useDoing();
	const [stays, setStays] = useState(false);
	const leave = async () => {
		const done = await run(() => endSession(person));
		if (done) signedOut();
		else setStays(true);
	};
	return (
		<div class="me">
			<div>
				<span>{person.name}</span>
				<small>{person.kind === "member" ? "Member" : words(person.kind)}</small>
			</div>
			<button type="button" disabled={busy} onClick={() => void leave()}>
				Sign out
			</button>
			{stays && (
				<Dialog title="Your session has not ended" onClose={() => setStays(false)}>
					{error && <Problem error={error} />}
					<p class="about">
						The service does not know that you leave. This page forgets you all the same, but a copy of your session would still be good.
					</p>
					<div class="buttons end">
						<button type="button" onClick={signedOut}>
							Leave all the same
						</button>
						<button type="button" class="primary" disabled={busy} onClick={() => void leave()}>
							Sign out again
						</button>
					</div>
				</Dialog>
			)}
		</div>
	);
}

function Now() {
	const now = useClock();
	const [offered, set] = useState<Config>();
	useEffect(() => void config().then(set, () => {}), []);
	const days = Math.floor(lead() / 86_400_000);
	if (!offered) return null;
	return (
		<div class="service-clock">
			<span>
				{minute(now)}
				{days > 0 && `, ${plural(days, "day")} ahead`}
			</span>
			{offered.environment !== "production" && <span class="badge is-idle">{words(offered.environment)}</span>}
		</div>
	);
}

function Offline() {
	const [online, set] = useState(navigator.onLine);
	useEffect(() => {
		const look = () => set(navigator.onLine);
		addEventListener("online", look);
		addEventListener("offline", look);
		return () => {
			removeEventListener("online", look);
			removeEventListener("offline", look);
		};
	}, []);
	return (
		<div role="status">
			{!online && <p class="notice is-waiting">You are offline. This is the last data that we have; it updates when you reconnect.</p>}
		</div>
	);
}

const pages = new Map<Route, ComponentType<PageProps>>();

function routeOf(path: string, person: Person): [Route, Params] | undefined {
	for (const route of ROUTES) {
		const params = matchPath(route.path, path);
		if (params && route.who(person)) return [route, params];
	}
	return undefined;
}

function CurrentPage({ person }: { readonly person: Person }) {
	const { path, query } = usePlace();
	const [, render] = useState({});
	const [error, setError] = useState<Error>();
	const found = routeOf(path, person);
	const route = found?.[0];
	const isFirst = useRef(true);

	useEffect(() => {
		setError(undefined);
		if (route && !pages.has(route)) {
			route.load().then(({ Page }) => {
				pages.set(route, Page);
				render({});
			}, setError);
		}
	}, [route]);
	useEffect(() => {
		if (!isFirst.current) {
			scrollTo(0, 0);
			document.getElementById("main")?.focus({ preventScroll: true });
		}
		isFirst.current = false;
	}, [path]);

	if (!found) return <NoPage path={path} person={person} />;
	if (error) return <Problem error={error} again={() => location.reload()} />;
	const Page = route && pages.get(route);
	return Page ? (
		<Page
			key={`${path} ${person.acting?.id}`}
			params={found[1]}
			query={query}
			person={person}
			offers={(to) => routeOf(to, person) !== undefined}
		/>
	) : null;
}
