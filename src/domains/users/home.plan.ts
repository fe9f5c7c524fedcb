// Gives a user who has no home organization one, once: before their first application, which goes by their home's products.

import type { Write } from "../../db/database";
import type { Services } from "../../runtime/services";
import { ApiError } from "../../shared/errors";
import { joinOrganization } from "../current-accounts/accounts/store";
import type { OrganizationRow } from "../organizations/table";
import { joinHome } from "./model/plan";
import { hasNotApplied } from "./profile.store";

type Homeless = { readonly id: string; readonly homeOrganizationId: string | null };

/** The writes; none if it is their home already. `applied`: whether they have applied for a loan. */
export function planHome(services: Services, user: Homeless, organization: OrganizationRow, applied: boolean): Write[] {
	if (user.homeOrganizationId === organization.id) return [];
	const refuse = (description: string) => new ApiError("INVALID_STATE", { description });
	if (user.homeOrganizationId !== null) throw refuse("The user has another home organization, which never changes");
	if (applied) throw refuse("The user has applied for a loan: a home is set before the first application");
	// Their events must be in the organization's home, and their rows cannot move there.
	if (services.at(organization.id).db !== services.db) throw refuse("The user's data is in another database than the organization's");
	return [
		...joinHome(services, user.id, organization.id, hasNotApplied(user.id)),
		joinOrganization(services.db.orm, user.id, organization.id),
	];
}
