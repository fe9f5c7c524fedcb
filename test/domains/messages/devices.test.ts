// The devices on which users get pushes: whose they are, how many there are, and how long.

import { beforeAll, expect, it } from "vitest";
import { deleteDevice, listDevices, registerDevice } from "../../../src/domains/messages/devices/operations";
import { devices } from "../../../src/domains/messages/devices/table";
import { MOST_DEVICES } from "../../../src/domains/messages/devices/wire";
import { revokeSessions, signOut } from "../../../src/domains/tokens/sessions/operations";
import { signIn } from "../../../src/domains/tokens/sign-in.operations";
import { MINUTE_MS } from "../../../src/shared/time";
import { call, expectOk } from "../../support/client";
import { moveClock } from "../../support/clock";
import { eventually } from "../../support/eventually";
import { db, givenUser, operatorToken } from "../../support/factories";
import { customToken } from "../../support/phone-sign-in";
import { deviceOf, givenDevice } from "../../support/pushes";
import { givenPerson, HOMES, openSecond, SECOND } from "../../support/two-homes";

const PHONE = deviceOf("phone");
const list = async (as: string) => expectOk(await call(listDevices, { as })).data;
const remove = async (as: string, device_id: string) => (await call(deleteDevice, { as, path: { device_id } })).status;
const signedInOn = async (device_id: string) =>
	expectOk(await call(signIn, { body: { custom_token: await customToken(), device_id } })).access_token;

beforeAll(openSecond);

it("an app registers its device at each start: the service keeps what has changed, and never answers the token", async () => {
	const { token: as } = await givenUser({ status: "WAITING_LIST" });
	const register = async (body: object) =>
		expectOk(await call(registerDevice, { as, path: { device_id: PHONE }, body: { platform: "ANDROID", push_token: "token-1", ...body } }));
	const first = await register({ app_version: "4.2.0", locale: "sw" });
	expect(first).toMatchObject({ platform: "ANDROID", app_version: "4.2.0", locale: "sw" });
	await moveClock(MINUTE_MS);
	expect(await register({ app_version: "4.2.0", locale: "sw" })).toEqual(first);
	const second = await register({ push_token: "token-2", app_version: "4.3.0" });
	expect(second).toMatchObject({ id: first.id, app_version: "4.3.0", locale: null, created_at: first.created_at });
	expect(second.updated_at > first.updated_at).toBe(true);
	expect(await list(as)).toEqual([second]);
	const [row] = await db.select().from(devices);
	expect(JSON.stringify([second, row])).not.toMatch(/token-\d|phone/);
});

it("a device is removed by the app's value or by its id, and only by its user", async () => {
	const mine = await givenUser();
	const { id } = await givenDevice(mine.token, "token-1", "IOS", PHONE);
	const other = await givenUser();
	expect([await remove(other.token, PHONE), await remove(other.token, id)]).toEqual([404, 404]);
	expect([await remove(mine.token, id), await remove(mine.token, id), await list(mine.token)]).toEqual([204, 404, []]);
	await givenDevice(mine.token, "token-1", "IOS", PHONE);
	expect([await remove(mine.token, PHONE), await list(mine.token)]).toEqual([204, []]);
});

it("with more devices than a user may have, the device that was registered longest ago goes", async () => {
	const { token } = await givenUser();
	const ids: string[] = [];
	for (let n = 0; n <= MOST_DEVICES; n++) {
		ids.push((await givenDevice(token, `token-${n}`)).id);
		await moveClock(1);
	}
	expect((await list(token)).map(({ id }) => id)).toEqual(ids.slice(1).reverse());
});

it("a push token is on one device: the user who registers it last has it, also of users in two databases", async () => {
	const [mine, other] = [await givenUser(), await givenUser()];
	await givenDevice(mine.token, "token-1", "ANDROID", PHONE);
	await givenDevice(other.token, "token-1", "ANDROID", PHONE);
	expect([(await list(mine.token)).length, (await list(other.token)).length]).toEqual([0, 1]);
	const [here, there] = [await givenPerson(HOMES[0]), await givenPerson(HOMES[1])];
	const body = { platform: "ANDROID", push_token: "token-2" } as const;
	const register = async (as: string) => expectOk(await call(registerDevice, { as, path: { device_id: PHONE }, body, vars: SECOND }));
	await register(here.token);
	await moveClock(1);
	await register(there.token);
	const count = async (as: string) => expectOk(await call(listDevices, { as, vars: SECOND })).data.length;
	await eventually(async () => expect([await count(here.token), await count(there.token)]).toEqual([0, 1]));
});

it("a sign-out ends the pushes on its device, and on all where it is of all sessions", async () => {
	const phone = await signedInOn(PHONE);
	await givenDevice(phone, "token-1", "ANDROID", PHONE);
	const tablet = await signedInOn(deviceOf("tablet"));
	await givenDevice(tablet, "token-2", "ANDROID", deviceOf("tablet"));
	expectOk(await call(signOut, { as: tablet, body: {} }));
	const left = await list(phone);
	expect(left).toHaveLength(1);
	expectOk(await call(signOut, { as: phone, body: { all: true } }));
	expect(await db.$count(devices)).toBe(0);
	const again = await signedInOn(PHONE);
	await givenDevice(again, "token-1", "ANDROID", PHONE);
	const [row] = await db.select().from(devices);
	expectOk(await call(revokeSessions, { as: await operatorToken(), path: { userId: row?.userId ?? "" } }));
	expect(await db.$count(devices)).toBe(0);
});
