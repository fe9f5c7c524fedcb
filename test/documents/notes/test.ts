// Notes over HTTP.

import { expect, it } from "vitest";
import { call, expectOk } from "../../support/client";
import { givenMember, givenOrganization } from "../../support/factories";
import { eventsOf } from "../../support/loans";
import { listNotes, writeNote } from "./operations";

it("receivers get an event of a note, and the list has it before older notes", async () => {
	const { id, slug } = await givenOrganization();
	const { token } = await givenMember(id, "organization-owner");
	const by = { as: token, headers: { "x-organization-id": slug } };
	const first = expectOk(await call(writeNote, { ...by, body: { body: "Call the buyer" } }));
	const second = expectOk(await call(writeNote, { ...by, body: { body: "Called" } }));
	expect(expectOk(await call(listNotes, by)).data).toEqual([second, first]);
	expect((await eventsOf(id)).map(({ type, data }) => [type, data.note_id])).toEqual([
		["note.written", first.id],
		["note.written", second.id],
	]);
});
