// Informs an organization, and its owners, that somebody has changed by which account it pays and is paid.

import { raise } from "../../events/raise";
import type { MessageKey } from "../../messages/catalogue";
import type { Owed } from "../../runtime/home-messages";
import type { Services } from "../../runtime/services";
import { NAME_OF } from "../../shared/payment-providers";
import { noticesToOwners, type Owner } from "../organizations/notices.plan";
import { connectionChanged } from "./model/events";
import type { ConnectionChange } from "./model/lifecycle";
import type { ConnectionRow } from "./model/table";

type About = Pick<ConnectionRow, "organizationId" | "provider" | "environment" | "shortCode"> & {
	/** null: the service, after the time of the one who asked. */
	readonly person: string | null;
	readonly owners: readonly Owner[];
};

const MESSAGES = {
	CONNECTED: "CONNECTION_MADE",
	UPDATED: "CONNECTION_CHANGED",
	REPLACEMENT_REQUESTED: "CONNECTION_REPLACEMENT_REQUESTED",
	REPLACED: "CONNECTION_REPLACED",
	REPLACEMENT_DISCARDED: "CONNECTION_REPLACEMENT_DISCARDED",
	DISCONNECTED: "CONNECTION_ENDED",
} as const satisfies Record<ConnectionChange, MessageKey>;

/** The event, and the notices to the owners, of one change. Its `writes` belong in the commit of the change. */
export async function announceChange(services: Services, about: About, change: ConnectionChange): Promise<Owed> {
	const { organizationId, provider, environment, shortCode, person, owners } = about;
	const values = { account: `${NAME_OF[provider]} ${shortCode}` };
	const told = await noticesToOwners(services, owners, { key: MESSAGES[change], values });
	const data = { provider, change, environment, account: shortCode, changed_by: person };
	return { writes: [raise(services, connectionChanged, { organizationId, data }), ...told.writes], carry: told.carry };
}
