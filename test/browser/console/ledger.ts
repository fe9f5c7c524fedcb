// What members do on the pages of the ledger.

import { itsClosings } from "./closings.ts";
import { itsOwnNumbers } from "./own-numbers.ts";
import { itsProvisions } from "./provisions.ts";

export function itsLedger(): void {
	itsClosings();
	itsProvisions();
	itsOwnNumbers();
}
