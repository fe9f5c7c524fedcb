// Writes entries of the journal.

import type { Statement } from "../../../db/database";
import { insertOf } from "../../../db/prebuilt";
import type { CalendarDate } from "../../../shared/time";
import { type JournalEntryRow, journalEntries } from "./table";

export const insertEntry: (row: JournalEntryRow) => Statement = insertOf(journalEntries);

/** The id of the source's first entry on the day. */
export const entryId = (sourceId: string, day: CalendarDate): string => `${sourceId}:${day}:0`;
