// docs/operations.md says who calls the service and from where.

import { readFileSync } from "node:fs";
import { isIPv4 } from "node:net";
import { expect, it } from "vitest";

const page = readFileSync("docs/operations.md", "utf8");
const section = page.split(/^(?=## )/m).find((text) => text.startsWith("## Who calls the service\n")) ?? "";
const { paths } = JSON.parse(readFileSync("docs/openapi.json", "utf8")) as { paths: Record<string, unknown> };
const BASE = "/v1/integrations/";

it("the page of operators names who calls each path of integrations, and no other", () => {
	const named = [...section.matchAll(/^\| (`[^|]+`) \|/gm)].flatMap(([, cell = ""]) =>
		[...cell.matchAll(/`([^`]+)`/g)].map(([, path = ""]) => path),
	);
	const own = named.filter((path) => path !== BASE);
	const called = Object.keys(paths).filter((path) => path.startsWith(BASE));
	for (const path of called)
		expect(
			own.filter((prefix) => path.startsWith(BASE + prefix)),
			path,
		).toHaveLength(1);
	for (const prefix of own)
		expect(
			called.some((path) => path.startsWith(BASE + prefix)),
			prefix,
		).toBe(true);
});

it("the addresses of Daraja are a list that can be pasted, each once", () => {
	const [, list = ""] = /^```text\n((?:[\d.]+\n)+)```$/m.exec(section) ?? [];
	const addresses = list.trim().split("\n");
	expect(addresses).toHaveLength(12);
	expect(new Set(addresses.filter(isIPv4)).size).toBe(12);
});
