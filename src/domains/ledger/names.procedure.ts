// Finds what those are called who have asked for something in the ledger and approved it.

import type { Services } from "../../runtime/services";
import { displaysOf } from "../organizations/members/display.procedure";

type ByTwo = {
	readonly organizationId: string;
	readonly requestedBy: string;
	readonly askerCalled: string | null;
	readonly approvedBy: string;
	readonly deciderCalled: string | null;
};

/** The rows are in their organization's home, which knows its members. */
export const namesIn = (services: Services, rows: readonly ByTwo[]) =>
	displaysOf(
		services,
		rows.flatMap(({ organizationId, requestedBy, askerCalled, approvedBy, deciderCalled }) => [
			{ organizationId, id: requestedBy, called: askerCalled, apart: false },
			{ organizationId, id: approvedBy, called: deciderCalled, apart: false },
		]),
	);
