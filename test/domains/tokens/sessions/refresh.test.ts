// Refresh tokens over HTTP: what a lost answer costs, and what a thief gets.

import { decodeJwt } from "jose";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { refreshSession } from "../../../../src/domains/tokens/sessions/operations";
import { refreshTokens } from "../../../../src/domains/tokens/table";
import { call, expectOk } from "../../../support/client";
import { db } from "../../../support/factories";
import { beforeCommit } from "../../../support/loans";
import { meStatus, refresh, signedIn } from "../../../support/phone-sign-in";

beforeEach(() => vi.useFakeTimers({ toFake: ["Date"] }));
const later = (ms: number) => vi.setSystemTime(Date.now() + ms);

describe("a refresh token", () => {
	it("is replaced at each use within the same session", async () => {
		const first = await signedIn();
		const second = expectOk(await refresh(first.refresh_token));
		expect(second.refresh_token).not.toBe(first.refresh_token);
		expect(decodeJwt(second.access_token).sid).toBe(decodeJwt(first.access_token).sid);
		expect((await refresh(second.refresh_token)).status).toBe(200);
	});

	it("returns the same successor for 10 s, also to concurrent calls", async () => {
		const { refresh_token } = await signedIn();
		const answers = await Promise.all([refresh(refresh_token), refresh(refresh_token)]);
		later(9_999);
		answers.push(await refresh(refresh_token));
		expect(new Set(answers.map((answer) => expectOk(answer).refresh_token)).size).toBe(1);
	});

	it("returns the same successor to a caller who was without a network for most of a day, and makes nothing new", async () => {
		const { refresh_token } = await signedIn();
		const lost = expectOk(await refresh(refresh_token));
		const rows = async () => (await db.select().from(refreshTokens)).length;
		const before = await rows();
		later(23 * 3_600_000);
		const found = expectOk(await refresh(refresh_token));
		expect([found.refresh_token, await rows()]).toEqual([lost.refresh_token, before]);
		expect(await meStatus(found.access_token)).toBe(200);
		expect(expectOk(await refresh(found.refresh_token)).refresh_token).not.toBe(found.refresh_token);
	});

	it("that a thief presents late ends the session when the owner and the thief have both used its successor, in either order", async () => {
		for (const thiefFirst of [false, true]) {
			const stolen = await signedIn();
			const owners = expectOk(await refresh(stolen.refresh_token));
			later(60_000);
			const thiefs = expectOk(await refresh(stolen.refresh_token));
			expect(thiefs.refresh_token).toBe(owners.refresh_token);
			const [one, other] = thiefFirst ? [thiefs, owners] : [owners, thiefs];
			const used = expectOk(await refresh(one.refresh_token));
			later(60_000);
			expect((await refresh(other.refresh_token)).status).toBe(400);
			expect((await refresh(used.refresh_token)).status).toBe(400);
			expect(await meStatus(used.access_token)).toBe(401);
		}
	});

	it("that a thief and the owner present at once gives both the same successor, and ends the session at its second use", async () => {
		const stolen = await signedIn();
		expectOk(await refresh(stolen.refresh_token));
		later(60_000);
		const [one, other] = (await Promise.all([refresh(stolen.refresh_token), refresh(stolen.refresh_token)])).map(expectOk);
		expect(one?.refresh_token).toBe(other?.refresh_token);
		expectOk(await refresh(one?.refresh_token ?? ""));
		later(60_000);
		expect((await refresh(other?.refresh_token ?? "")).status).toBe(400);
	});

	it("ends the session when it is presented late while its successor is being used", async () => {
		const first = await signedIn();
		const second = expectOk(await refresh(first.refresh_token));
		later(60_000);
		const vars = beforeCommit(async () => void expectOk(await refresh(second.refresh_token)));
		expect((await call(refreshSession, { body: { refresh_token: first.refresh_token }, vars })).status).toBe(400);
		expect(await meStatus(second.access_token)).toBe(401);
	});

	it("ends the whole session, access tokens included, when it is used again after a day", async () => {
		const first = await signedIn();
		const second = expectOk(await refresh(first.refresh_token));
		later(24 * 3_600_000);
		expect(await refresh(first.refresh_token)).toMatchObject({ status: 400, body: { code: "BAD_REQUEST" } });
		expect(await refresh(second.refresh_token)).toMatchObject({ status: 400, body: { code: "BAD_REQUEST" } });
		expect(await meStatus(first.access_token)).toBe(401);
		expect(await meStatus(second.access_token)).toBe(401);
	});

	it("ends the session immediately when its successor has been used", async () => {
		const first = await signedIn();
		const second = expectOk(await refresh(first.refresh_token));
		const third = expectOk(await refresh(second.refresh_token));
		expect((await refresh(first.refresh_token)).status).toBe(400);
		expect((await refresh(third.refresh_token)).status).toBe(400);
	});

	it("expires after 30 days without use, and its session after 90 days", async () => {
		const day = 24 * 3_600_000;
		const idle = await signedIn();
		later(30 * day);
		expect((await refresh(idle.refresh_token)).status).toBe(400);
		let { refresh_token } = await signedIn();
		for (let i = 0; i < 4; i++) {
			later(22 * day);
			({ refresh_token } = expectOk(await refresh(refresh_token)));
		}
		later(2 * day);
		expect((await refresh(refresh_token)).status).toBe(400);
	});

	it("is refused when the service did not issue it", async () => {
		expect(await refresh("rt_nonsense")).toMatchObject({ status: 400, body: { code: "BAD_REQUEST" } });
	});
});
