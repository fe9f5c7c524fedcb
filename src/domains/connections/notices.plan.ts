// Tells an organization, and its owners, that somebody has changed by which account it pays and is paid.

import { raise } from "../../events/raise";
import type { Owed } from "../../runtime/home-messages";
import type { Services } from "../../runtime/services";
import { NAME_OF } from "../../shared/payment-providers";
import { noticesToOwners } from "../organizations/notices.plan";
import { connectionChanged } from "./model/events";
import type { ConnectionChange } from "./model/lifecycle";
import type { ConnectionRow } from "./model/table";

type About = Pick<ConnectionRow, "organizationId" | "provider" | "environment" | "shortCode"> & {
	/** null: the service, after the time of the one who asked. */
	readonly person: string | null;
	readonly owners: readonly { userId: string }[];
};

const TEXTS: Record<ConnectionChange, (account: string) => string> = {
	CONNECTED: (account) => `Your organization pays and is paid by ${account} from now on.`,
	UPDATED: (account) => `The credentials of ${account}, by which your organization pays and is paid, have been changed.`,
	REPLACEMENT_REQUESTED: (account) =>
		`Somebody wants your organization to pay and be paid by ${account}. It will in a day, or when a second person agrees, unless it is discarded.`,
	REPLACED: (account) => `Your organization pays and is paid by ${account} from now on, in the place of the account before.`,
	REPLACEMENT_DISCARDED: (account) => `Your organization will not pay and be paid by ${account}: somebody has discarded that.`,
	DISCONNECTED: (account) =>
		`Your organization pays and is paid by ${account} no more: it has been disconnected. From tomorrow another account can be connected.`,
};

/** The event, and the notices to the owners, of one change. Its `writes` belong in the commit of the change. */
export async function tell(services: Services, about: About, change: ConnectionChange): Promise<Owed> {
	const { organizationId, provider, environment, shortCode, person, owners } = about;
	const text = `${TEXTS[change](`${NAME_OF[provider]} ${shortCode}`)} If you do not know of this, look at it at once.`;
	const told = await noticesToOwners(services, owners, text);
	const data = { provider, change, environment, account: shortCode, changed_by: person };
	return { writes: [raise(services, connectionChanged, { organizationId, data }), ...told.writes], carry: told.carry };
}
