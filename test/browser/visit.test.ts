// What a visit finds, on pages with planted faults.

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { PHONE, type Visited, visit } from "./visit.ts";

const PAGES: Readonly<Record<string, string>> = {
	"/sound": "<main><h1>Sound</h1><p>Nothing is wrong.</p></main>",
	"/broken":
		'<main style="width:500px"><h1>Broken</h1><img src="https://elsewhere.invalid/a.png"><script>throw new Error("planted")</script></main>',
	"/policy": "<main><h1>Policy</h1></main><script>document.title = 'ran'</script>",
	"/shifting": '<main><div id="a"></div><h1>Shifting</h1><p>text</p></main><script src="/shift.js"></script>',
};
/** Once it has been drawn without. */
const SHIFT =
	"requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => { document.getElementById('a').style.height = '400px' }, 100)))";

const server = createServer(({ url = "" }, response) => {
	if (url === "/shift.js") return void response.end(SHIFT);
	const strict = url === "/policy" && { "Content-Security-Policy": "script-src 'self'; require-trusted-types-for 'script'" };
	response.writeHead(200, { "Content-Type": "text/html", ...strict });
	response.end(
		`<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><link rel="icon" href="data:,"><title>Test</title>${PAGES[url]}`,
	);
});
let at = "";

beforeAll(async () => {
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	at = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => void server.close());

/** The faults of the page, once they are what they come to be. */
const found = async (address: string, until = /^/): Promise<string> => {
	let faults = "";
	const look = async ({ faults: all }: Visited) => {
		faults = (await all()).join("\n");
		return faults;
	};
	await visit(address, PHONE, (visited) => expect.poll(() => look(visited), { timeout: 20_000 }).toMatch(until), { at }).catch(() => {});
	return faults;
};

it("finds nothing wrong with a sound page", async () => {
	await visit("/sound", PHONE, async ({ weight }) => expect(await weight()).toBeLessThan(0.3), { at });
});

it("finds an exception, a request to elsewhere, scrolling sideways, and what axe finds", async () => {
	const faults = await found("/broken");
	for (const fault of ["exception: planted", "foreign request: https://elsewhere.invalid/a.png", "scrolls sideways", "axe image-alt"]) {
		expect(faults).toContain(fault);
	}
	await expect(visit("/broken", PHONE, async () => {}, { at })).rejects.toThrow("/broken at 390 px, light");
});

it("finds what the content policy refuses, under which it works itself", async () => {
	expect(await found("/policy")).toMatch(/^console: .*violates the following Content Security Policy/);
});

it("finds a layout that shifts", async () => {
	const shifts = /^the layout shifts by/;
	expect(await found("/shifting", shifts)).toMatch(shifts);
});
