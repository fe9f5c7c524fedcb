// The address of the service, as it is named to callers.

import type { Context } from "hono";
import { originOf } from "../../shared/origin";

export const addressOf = ({ env, req }: Pick<Context<{ Bindings: Env }>, "env" | "req">): string =>
	env.BASE_URL?.replace(/\/+$/, "") ?? originOf(req.url);
