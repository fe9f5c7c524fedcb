// Refuses apps that must upgrade. A client that sends no readable version is not an app.

import { isVersion, judgeVersion } from "../domains/app-settings/policy";
import type { AnyOperation } from "../http/operation";
import type { Services } from "../runtime/services";
import { ApiError } from "../shared/errors";

export async function gate(request: Request, op: AnyOperation, services: Services): Promise<void> {
	const version = request.headers.get("x-app-version");
	if (version === null || op.gated === false || !isVersion(version)) return;
	const { currentSettings } = await import("../domains/app-settings/cache");
	const known = await currentSettings(services);
	// While the minimum is unknown, every version is served.
	if (!known) return;
	const platform = request.headers.get("x-app-platform")?.toUpperCase();
	if (judgeVersion(known.settings, platform, version, services.now).updateRequired) throw new ApiError("UPGRADE_REQUIRED");
}
