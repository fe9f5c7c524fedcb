// The answer to a GET of the app settings, made once for the settings that this isolate remembers.

import { etagOf } from "../../http/answers/etag";
import type { Copied, CopyRequest } from "../../http/copy";
import { freshSettings } from "./store";
import { type AppSettings, AppSettingsBody, toAppSettings } from "./wire";

const answers = new WeakMap<AppSettings, Copied>();

/** Undefined when the settings must be read, and where the query asks about a platform or a version. */
export async function copyOf({ realNow, hasQuery, failed }: CopyRequest): Promise<Copied | undefined> {
	const settings = hasQuery || failed ? undefined : freshSettings(realNow);
	if (!settings) return undefined;
	const known = answers.get(settings);
	if (known) return known;
	// Without a version in question the answer is the same at every instant.
	const body = JSON.stringify(AppSettingsBody.parse(toAppSettings(settings, { now: realNow })));
	const answer = { body, etag: await etagOf(body) };
	answers.set(settings, answer);
	return answer;
}
