// The Link header of lists.

import { describe, expect, it } from "vitest";
import { givenOrganization, operatorToken } from "../support/factories";
import { givenInvitation } from "../support/invitations";
import { servePath } from "../support/serve";

type Page = { data: { id: string }[]; links: { next: string | null; prev: string | null } };

async function page(path: string): Promise<{ body: Page; link: string | null }> {
	const response = await servePath(path, { headers: { authorization: `Bearer ${await operatorToken()}` } });
	expect(response.status).toBe(200);
	return { body: await response.json(), link: response.headers.get("Link") };
}

/** The path that the header names for a neighbour. */
function linked(link: string | null, rel: "next" | "prev"): string {
	const [, target = ""] = new RegExp(`<([^>]*)>; rel="${rel}"`).exec(link ?? "") ?? [];
	const { pathname, search } = new URL(target);
	return `${pathname}${search}`;
}

describe("the Link header of a list", () => {
	it("names the neighbours of a page, with the same filters", async () => {
		const { id } = await givenOrganization();
		for (let i = 0; i < 3; i++) await givenInvitation(await operatorToken(), id);
		const path = `/v1/organizations/${id}/members/invitations?size=1&roles=organization-viewer`;
		const first = await page(path);
		expect(first.link).not.toContain('rel="prev"');
		const next = linked(first.link, "next");
		expect(new URLSearchParams(next.split("?")[1]).get("after")).toBe(first.body.links.next);
		expect(next).toContain("size=1&roles=organization-viewer");
		const second = await page(next);
		expect(second.body.data[0]?.id).not.toBe(first.body.data[0]?.id);
		expect((await page(linked(second.link, "prev"))).body.data).toEqual(first.body.data);
	});

	it("is left out of an answer to a query so long that clients would refuse the header", async () => {
		const { id } = await givenOrganization();
		for (let i = 0; i < 2; i++) await givenInvitation(await operatorToken(), id);
		const role = [..."organization-viewer"].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join("");
		const { body, link } = await page(`/v1/organizations/${id}/members/invitations?size=1${`&roles=${role}`.repeat(100)}`);
		expect(link).toBeNull();
		expect(body.links.next).toEqual(expect.any(String));
	});
});
