// Runs single steps of the sweep on the service's database, and answers what each has cost.

import { atInstant } from "../src/runtime/making-services";
import { steps } from "../src/wiring/cron";
import { servicesFor } from "../src/wiring/services";

// biome-ignore lint/style/noDefaultExport: the entry point of a Worker
export default {
	/** `GET /` names the steps. `POST /?step=…&later=…` runs one, as if it were so many milliseconds later. */
	async fetch(request, env, ctx) {
		const { searchParams } = new URL(request.url);
		if (request.method === "GET") return Response.json(steps.map(({ name }) => name));
		const step = steps.find(({ name }) => name === searchParams.get("step"));
		if (!step) return new Response("there is no such step", { status: 404 });
		const later = Number(searchParams.get("later"));
		const services = await servicesFor({ env, ctx });
		const more = await step.run(atInstant(services, services.now + later, services.realNow + later));
		const { rowsRead, rowsWritten } = services.db.meter;
		return Response.json({ more, rowsRead, rowsWritten });
	},
} satisfies ExportedHandler<Env>;
