// Why a service that has just been started serves nobody: its variables are wrong, and only its log says which.

import { setTimeout as sleep } from "node:timers/promises";
import { CannotStart } from "./cannot-start.ts";
import { parsed } from "./log-lines.ts";

/** Asks the service whether it can serve with its variables. Only its log says what is wrong with them. */
export async function refuseWrongVariables(ask: () => Promise<{ status: number }>, heard: ReadonlySet<string>): Promise<void> {
	if ((await ask()).status !== 503) return;
	for (let waited = 0; waited < 2_000; waited += 50) {
		const variables = [...heard].map((message) => parsed(message)?.variables).find((found) => found !== undefined);
		if (variables) throw new CannotStart(wrongVariables(variables as Record<string, string>));
		await sleep(50);
	}
}

const wrongVariables = (variables: Readonly<Record<string, string>>): string =>
	[
		...Object.entries(variables).map(([name, reason]) => `${name}: ${reason}`),
		"Correct --var or .dev.vars (npm run -s secrets prints fresh secrets), or move it away: npm start then writes a new one, which needs new data.",
	].join("\n");
