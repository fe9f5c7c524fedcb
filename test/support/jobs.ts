// Services as a job gets them, in the home of an id.

import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import type { JobServices } from "../../src/runtime/services";
import { servicesFor } from "./outbound";

export const jobsFor = async (id: string): Promise<JobServices> => (await servicesFor({ env, ctx: createExecutionContext() })).at(id);
