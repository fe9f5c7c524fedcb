// A user's accounts, read once for all who show them.

import { useWatch } from "../../watch.ts";
import type { reachOf } from "../list.tsx";

export const useAccountsOf = (userId: string, reach: ReturnType<typeof reachOf>) =>
	useWatch("GET /v1/accounts", { query: { user_id: userId, size: 25 }, ...reach });
