// What the log says of a request.

import { describe, expect, it, vi } from "vitest";
import { confirmDaraja } from "../../../src/domains/repayments/recording/daraja.operations";
import { member, user } from "../../../src/http/callers/access";
import type { AnyOperation } from "../../../src/http/operation";
import wranglerToml from "../../../wrangler.toml?raw";
import { call } from "../../support/client";
import { givenMember, givenOrganization, givenUser } from "../../support/factories";
import { probe, whoami } from "../../support/probe";

const vars = {
	ENVIRONMENT: "sandbox",
	BASE_URL: "http://localhost",
	WEBHOOK_ALLOWED_NETWORKS: "",
	WEBHOOK_ALLOWED_PORTS: "443",
	RATE_LIMITS: "on",
};

async function lineOf(op: AnyOperation, as: string, headers: Record<string, string> = {}) {
	const lines: Record<string, unknown>[] = [];
	const log = vi.spyOn(console, "log").mockImplementation((text: string) => void lines.push(JSON.parse(text)));
	await probe([op], { as, headers }, { vars });
	log.mockRestore();
	return lines.find(({ message }) => message === "request");
}

describe("the log line of a request", () => {
	it("shows the same pseudonym for the same actor, and never a person's id", async () => {
		const [anna, ben] = [await givenUser(), await givenUser()];
		const lines = [];
		for (const { token } of [anna, anna, ben]) lines.push(await lineOf(whoami(user), token));
		const [first, second, other] = lines;
		expect(first).toMatchObject({ operation: "whoami", status: 200, caller: "user", actor: expect.stringMatching(/^[\w-]{11}$/) });
		expect(first?.duration_ms).toEqual(expect.any(Number));
		expect(second?.actor).toBe(first?.actor);
		expect(other?.actor).not.toBe(first?.actor);
		expect(JSON.stringify(lines)).not.toContain(anna.id);
	});

	it("has the path as the operation declares it, and never what was sent in it", async () => {
		const lines: string[] = [];
		const log = vi.spyOn(console, "log").mockImplementation((text: string) => void lines.push(text));
		const secret = "0123456789abcdef0123456789abcdef";
		const DARAJA_SECRETS = JSON.stringify([{ secret, organization_id: "nobodys" }]);
		const body = { TransID: "T1", TransTime: "20260101000000", TransAmount: "no amount" };
		await call(confirmDaraja, { path: { secret }, body, vars: { ...vars, DARAJA_SECRETS } });
		log.mockRestore();
		expect(lines.map((line) => JSON.parse(line))).toContainEqual(
			expect.objectContaining({ message: "request", status: 200, method: "POST", path: confirmDaraja.path }),
		);
		expect(lines.join("\n")).not.toContain(secret);
		// The lines of the platform would have the whole address.
		expect(wranglerToml).toContain("[observability.logs]\ninvocation_logs = false\n");
	});

	it("has the organization that the caller acts for, and the code of a refusal", async () => {
		const { id } = await givenOrganization();
		const viewer = await givenMember(id, "organization-viewer");
		const op = whoami(member("org:webhooks:read"));
		expect(await lineOf(op, viewer.token, { "x-organization-id": id })).toMatchObject({
			status: 403,
			code: "FORBIDDEN",
			organization: id,
			caller: "member",
			actor: expect.any(String),
		});
		const admin = await givenMember(id, "organization-admin");
		expect(await lineOf(op, admin.token, { "x-organization-id": id })).toMatchObject({ status: 200, caller: "member", organization: id });
		const line = await lineOf(op, "rubbish");
		expect(line).toMatchObject({ status: 401, code: "UNAUTHORISED" });
		expect(line).not.toHaveProperty("caller");
	});
});
