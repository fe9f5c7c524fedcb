// Who changes an organization's account with a provider of payments.

import type { OrganizationCaller } from "../../http/callers/access";
import type { By } from "./procedure";

export const personOf = (caller: OrganizationCaller): string => (caller.kind === "member" ? caller.userId : caller.operatorId);

export const byCaller = (caller: OrganizationCaller): By => ({ organizationId: caller.organizationId, person: personOf(caller) });
