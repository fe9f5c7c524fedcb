// Turns away apps that are too old to be served. Clients that do not name a version, or none that reads as one, are no apps.

import { isVersion, judgeVersion } from "../domains/app-settings/policy";
import { currentSettings } from "../domains/app-settings/store";
import type { AnyOperation } from "../http/operation";
import type { Services } from "../runtime/services";
import { ApiError } from "../shared/errors";

export async function gate(request: Request, op: AnyOperation, services: Services): Promise<void> {
	const version = request.headers.get("x-app-version");
	if (version === null || op.gated === false || !isVersion(version)) return;
	const copy = await currentSettings(services);
	// Where the minimum is not known, nobody is locked out.
	if (!copy) return;
	const platform = request.headers.get("x-app-platform")?.toUpperCase();
	if (judgeVersion(copy.settings, platform, version, services.now).updateRequired) throw new ApiError("UPGRADE_REQUIRED");
}
