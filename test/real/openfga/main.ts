// `npm run test:real -- openfga`: the service against a real OpenFGA, which is built once by Go. Shows that both providers decide the same,
// that what is taken from a member holds before OpenFGA has it, that it gets each change with anything that happens in between, and what
// each failure of it is answered and logged as.

import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { checkAuthorization } from "../../../src/dev/authorization-check.ts";
import { readCommandLine } from "../../../src/dev/command-line.ts";
import { repository } from "../../../src/dev/service.ts";
import { compare, peopleAt } from "./decisions.ts";
import { faults } from "./faults.ts";
import { binary, freePort, Gate, KEY, type Server, startServer, VERSION } from "./server.ts";
import { comesToBe, command, Store } from "./store.ts";
import { merchantOf, type Person, Place, Results } from "./world.ts";

readCommandLine(`npm run test:real -- openfga\n\nRuns the service against OpenFGA ${VERSION}. Needs Go once, to build it.\n`, {});

const file = binary();
if (file === undefined) {
	console.log("openfga: not run, because go is not on this machine");
	process.exit(0);
}

const results = new Results();
const proxy = new Gate();
const front = await proxy.listen();
const ends: (() => Promise<unknown>)[] = [() => proxy.close()];
const folder = (name: string) => {
	const made = mkdtempSync(path.join(tmpdir(), `${name}-`));
	ends.push(async () => rmSync(made, { recursive: true, force: true }));
	return made;
};

async function serving(most?: number): Promise<{ server: Server; store: Store }> {
	const server = await startServer(file as string, most);
	ends.unshift(() => server.stop());
	const store = await Store.load(server.url);
	proxy.target = server.url;
	return { server, store };
}

const variablesFor = ({ ids }: Store) => ({
	...{ AUTHORIZATION_PROVIDER: "openfga", OPENFGA_URL: front, OPENFGA_TOKEN: KEY },
	...ids,
});

async function placeOn(statePath: string, variables: Record<string, string>): Promise<Place> {
	const place = await new Place().start(statePath, variables);
	ends.unshift(place.stop);
	return place;
}

/** The real one gets nothing. */
const deaf = () => {
	proxy.only = "write";
	proxy.fault = (_, response) => void response.writeHead(503).end("{}");
};
const hears = () => {
	proxy.only = undefined;
	proxy.fault = undefined;
};

async function commands(store: Store): Promise<void> {
	results.part("commands");
	const variables = { OPENFGA_URL: store.url, ...store.ids };
	results.is("load, then check", (await command(["check"], variables)).code, 0);
	const wrong = { ...variables, OPENFGA_MODEL_ID: "01ARZ3NDEKTSV4RRFFQ69G5FAV" };
	results.is("check of an unknown model", (await command(["check"], wrong)).code, 1);
	const checked = await checkAuthorization(repository, { ...variables, OPENFGA_TOKEN: KEY, AUTHORIZATION_PROVIDER: "openfga" });
	results.is("what deploy and npm start ask", checked, {});
}

async function eachChange(place: Place, store: Store): Promise<{ organization: string; owner: Person; xavier: Person }> {
	results.part("tuples");
	const organization = await place.organization("tuples");
	const object = `organization:${organization}`;
	const [owner, xavier] = [await place.person("tuples-owner"), await place.person("tuples-xavier")];
	await place.add(organization, owner, "organization-owner");
	await comesToBe(results, "an owner is added", () => store.of(owner), [`owner ${object}`]);
	const told = proxy.asked.length;
	await place.add(organization, xavier, "organization-viewer");
	await comesToBe(results, "a member is added", () => store.of(xavier), [`viewer ${object}`]);
	await place.change(organization, xavier, "organization-admin");
	await comesToBe(results, "their role is changed", () => store.of(xavier), [`admin ${object}`]);
	await place.change(organization, xavier, "organization-owner");
	await comesToBe(results, "they become an owner", () => store.of(xavier), [`owner ${object}`]);
	await place.change(organization, xavier, "organization-viewer");
	await comesToBe(results, "they are one no more", () => store.of(xavier), [`viewer ${object}`]);
	const grant = `/v1/financing/merchants/m-1/grants/${xavier.id}`;
	const sent = { as: place.operator, organization };
	await place.get("PUT", grant, { ...sent, body: { permissions: ["org:financing.merchants:read", "org:financing.invoices:write"] } });
	const merchant = merchantOf(organization, "m-1");
	const both = [`financing_invoices_write ${merchant}`, `financing_merchants_read ${merchant}`, `viewer ${object}`];
	await comesToBe(results, "a merchant is granted", () => store.of(xavier), both);
	await place.get("DELETE", grant, sent);
	await comesToBe(results, "the grant is taken back", () => store.of(xavier), [`viewer ${object}`]);
	await place.remove(organization, xavier);
	await comesToBe(results, "they are removed", () => store.of(xavier), []);
	await place.add(organization, xavier, "organization-admin");
	await comesToBe(results, "they come back", () => store.of(xavier), [`admin ${object}`]);
	results.is("requests for eight changes, /write each", proxy.asked.slice(told).filter((one) => one === "write").length, 8);
	return { organization, owner, xavier };
}

async function takenAway(place: Place, store: Store, { organization, xavier }: { organization: string; xavier: Person }): Promise<void> {
	results.part("taken away, the tuple left");
	const asks = async () => {
		const [read, write] = [
			await place.ask("GET", "/v1/audit", { as: xavier.token, organization }),
			await place.ask("PATCH", `/v1/organizations/${organization}`, { as: xavier.token, body: { name: "Acme by Xavier" } }),
		];
		return [read.status, write.status];
	};
	results.is("an admin reads and writes", await asks(), [200, 200]);
	deaf();
	await place.change(organization, xavier, "organization-viewer");
	results.is("demoted: the next read and write", await asks(), [403, 403]);
	results.is("while OpenFGA says", await store.of(xavier), [`admin organization:${organization}`]);
	await place.remove(organization, xavier);
	results.is("removed: the next read and write", await asks(), [403, 404]);
	results.is("while OpenFGA says so still", await store.of(xavier), [`admin organization:${organization}`]);
	hears();
	await place.advance("PT1H");
	await comesToBe(results, "and it hears in the end", () => store.of(xavier), []);
}

async function anHourAway(place: Place, store: Store, organization: string): Promise<void> {
	results.part("an hour away");
	const yara = await place.person("hour-yara");
	await place.add(organization, yara, "organization-viewer");
	await comesToBe(results, "before", () => store.of(yara), [`viewer organization:${organization}`]);
	proxy.fault = (_, response) => void response.destroy();
	await place.change(organization, yara, "organization-developer");
	const asked = proxy.asked.length;
	for (let minutes = 0; minutes < 60; minutes += 5) await place.advance("PT5M");
	const attempts = proxy.asked.slice(asked).filter((one) => one === "write").length / 2;
	results.is(`attempts in an hour: ${attempts}`, attempts >= 4 && attempts <= 12, true);
	const work = async () => {
		const page = await place.get<{ data: { state: string; reason: string }[] }>("GET", "/v1/platform/work?kind=AUTHORIZATION_SYNC", {
			as: place.operator,
		});
		return page.data.map(({ state, reason }) => `${state} ${reason}`);
	};
	results.is("it is work", await work(), ["FAILED unreachable"]);
	hears();
	await place.advance("PT1H");
	await comesToBe(results, "afterwards", () => store.of(yara), [`developer organization:${organization}`]);
	results.is("no work is left", await work(), []);
}

async function byHand(store: Store, organization: string, statePath: string): Promise<void> {
	results.part("sync");
	const variables = { OPENFGA_URL: store.url, ...store.ids };
	const run = (...words: string[]) => command(["sync", ...words, "--persist-to", statePath], variables);
	const before = await store.all();
	const settled = await run();
	results.is("a store that nobody has changed", [settled.code, settled.stdout], [0, "The store says what the service says.\n"]);
	const some = before.filter((_, index) => index % 2 === 0);
	const intruder = `user:00000000-0000-7000-8000-000000000000 owner organization:${organization}`;
	await store.change([intruder], some);
	const changed = await store.all();
	const dry = await run();
	results.is("changed by hand: dry", [dry.code, dry.stdout.split("\n").filter((line) => /^[+-] /.test(line)).length], [1, some.length + 1]);
	results.is("which changes nothing", await store.all(), changed);
	results.is("--write", (await run("--write")).code, 0);
	results.is("the store is as it was", await store.all(), before);
}

async function hundredMerchants(place: Place, store: Store, most: number): Promise<void> {
	const slug = `merchants-${most}`;
	const organization = await place.organization(slug);
	const member = await place.person(slug);
	await place.add(organization, member, "organization-viewer");
	const names = Array.from({ length: 100 }, (_, at) => `m ${at}*é`);
	const permissions = ["org:financing.invoices:write"];
	for (const name of names)
		await place.get("PUT", `/v1/financing/merchants/${encodeURIComponent(name)}/grants/${member.id}`, {
			...{ as: place.operator, organization, body: { permissions } },
		});
	await comesToBe(results, `${most} a request: 100 grants have arrived`, async () => (await store.of(member)).length, 101, 60);
	const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
	const invoices = names.map((merchant_id, at) => ({
		...{ merchant_id, invoice_number: `${slug}-${at}`, amount_minor_units: 90_000, currency: "KES" },
		...{ issued_date: day(-1), due_date: day(30) },
	}));
	const asked = proxy.asked.length;
	const took = proxy.took.length;
	const began = performance.now();
	const { status } = await place.ask("POST", "/v1/financing/invoices/batch", { as: member.token, organization, body: { invoices } });
	const ms = Math.round(performance.now() - began);
	const calls = proxy.asked.slice(asked).filter((one) => one !== "write");
	results.is(
		`${most} a request: 100 invoices of 100 merchants, ${ms} ms`,
		[status, calls],
		[201, most < 100 ? ["batch-check", "batch-check"] : ["batch-check"]],
	);
	console.log(`${most} checks a request: ${calls.join(", ")}; OpenFGA took ${proxy.took.slice(took).map(Math.round).join(", ")} ms`);
}

/** The launcher, which dies between the commit and the request. */
async function launcher(statePath: string, variables: Record<string, string>) {
	const port = await freePort();
	const words = Object.entries({ ...variables, RATE_LIMITS: "off" }).flatMap(([name, value]) => ["--var", `${name}:${value}`]);
	const child = spawn(process.execPath, ["src/dev/start.ts", "--port", String(port), "--persist-to", statePath, ...words], {
		cwd: repository,
		stdio: "ignore",
	});
	const ended = new Promise<void>((resolve) => child.on("close", () => resolve()));
	const place = new Place();
	place.url = `http://127.0.0.1:${port}`;
	for (let tries = 0; ; tries++) {
		if (
			await fetch(`${place.url}/healthz`).then(
				({ ok }) => ok,
				() => false,
			)
		)
			break;
		if (tries === 600 || child.exitCode !== null) throw new Error("npm start does not start");
		await sleep(100);
	}
	place.operator = await place.sandbox("operator", "olivia");
	const kill = async () => {
		child.kill("SIGKILL");
		await ended;
	};
	ends.unshift(kill);
	return { place, kill };
}

async function killed(store: Store): Promise<void> {
	results.part("killed in between");
	const statePath = folder("killed");
	const first = await launcher(statePath, variablesFor(store));
	const organization = await first.place.organization("killed");
	const zoe = await first.place.person("killed-zoe");
	await first.place.add(organization, zoe, "organization-admin");
	await comesToBe(results, "before", () => store.of(zoe), [`admin organization:${organization}`]);
	const dead = new Promise<void>((resolve) => {
		proxy.only = "write";
		proxy.fault = async (_, response) => {
			await first.kill();
			response.destroy();
			resolve();
			return undefined;
		};
	});
	await first.place.change(organization, zoe, "organization-viewer").catch(() => {});
	await dead;
	results.is("killed when it is about to tell", await store.of(zoe), [`admin organization:${organization}`]);
	hears();
	const second = await launcher(statePath, variablesFor(store));
	const members = await second.place.get<{ data: { role: string }[] }>("GET", `/v1/organizations/${organization}/members`, {
		as: second.place.operator,
	});
	results.is(
		"the change was committed",
		members.data.map(({ role }) => role),
		["organization-viewer"],
	);
	await second.place.advance("PT1M");
	await comesToBe(results, "and is told after the start", () => store.of(zoe), [`viewer organization:${organization}`]);
	await second.kill();
}

try {
	const { store } = await serving();
	await commands(store);
	const embedded = await placeOn(folder("embedded"), {});
	const statePath = folder("openfga");
	const place = await placeOn(statePath, variablesFor(store));
	const [one, other] = [await peopleAt(embedded, "acme"), await peopleAt(place, "acme")];
	await comesToBe(results, "OpenFGA knows six members", async () => (await store.all()).length, 6);
	await compare(results, one, other);
	const tuples = await eachChange(place, store);
	await takenAway(place, store, tuples);
	await anHourAway(place, store, tuples.organization);
	await byHand(store, tuples.organization, statePath);
	await faults(results, { place, proxy, owner: tuples.owner, organization: tuples.organization });
	results.part("100 merchants");
	await hundredMerchants(place, store, 50);
	await killed(store);
	results.part("100 merchants");
	const larger = await serving(100);
	const wide = await placeOn(folder("wide"), { ...variablesFor(larger.store), OPENFGA_CHECKS_PER_REQUEST: "100" });
	await hundredMerchants(wide, larger.store, 100);
} finally {
	for (const end of ends) await end();
}
results.print();
process.exitCode = results.failed ? 1 : 0;
