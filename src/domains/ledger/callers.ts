// Who may read a ledger.

import { apiKey, type KeyCaller, member, type OrganizationCaller, oneOf } from "../../http/callers/access";

export const ledgerReader = oneOf<KeyCaller, OrganizationCaller>(apiKey("ledger:read"), member("org:ledger:read"));
