// Notes that an organization's members write for each other.

import { eq } from "drizzle-orm";
import * as z from "zod";
import { byCreation, rowsOf } from "../../../src/db/keyset";
import { raise } from "../../../src/events/raise";
import { member } from "../../../src/http/callers/access";
import { operation } from "../../../src/http/operation";
import { Links, listReply, paging, readPage } from "../../../src/http/paging";
import { noteWritten } from "./events";
import { notes } from "./table";
import { Note, NoteBody, toNote } from "./wire";

const access = member("org:members:read");

export const writeNote = operation({
	id: "writeNote",
	method: "POST",
	path: "/v1/notes",
	summary: "Write a note",
	access,
	request: { body: NoteBody },
	response: Note,
	status: 201,
	async handle({ caller: { organizationId }, body: { body } }, services) {
		const { db, now } = services;
		const row = { id: services.newId(), organizationId, body, createdAt: now };
		const written = raise(services, noteWritten, { organizationId, entityId: row.id, data: { note_id: row.id } });
		return services.commit([db.orm.insert(notes).values(row), written], toNote(row));
	},
});

export const listNotes = operation({
	id: "listNotes",
	method: "GET",
	path: "/v1/notes",
	summary: "Notes of the organization, newest first",
	access,
	request: { query: z.object(paging) },
	response: z.object({ data: z.array(Note), links: Links }),
	async handle({ caller: { organizationId }, query }, services) {
		const page = await readPage(services, query, {
			list: "notes",
			owner: organizationId,
			filters: {},
			select: rowsOf(notes),
			key: byCreation(notes),
			where: eq(notes.organizationId, organizationId),
		});
		return listReply(services, page, toNote);
	},
});
