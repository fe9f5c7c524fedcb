// Entity tags. A tag is a hash of the body, so the same answer has the same tag everywhere.

import { sha256Hex } from "../../shared/bytes";
import { ApiError } from "../../shared/errors";

export const etagOf = async (body: string): Promise<string> => `"${(await sha256Hex(body)).slice(0, 32)}"`;

/** Whether `If-None-Match` names the tag, by the weak comparison that RFC 9110 requires. */
export const namesEtag = (ifNoneMatch: string | undefined, etag: string): boolean =>
	ifNoneMatch !== undefined && tags(ifNoneMatch).some((tag) => tag === "*" || tag.replace(/^W\//, "") === etag);

/** Refuses (412) a change when the client has seen another state of the resource. Without `If-Match` nothing is refused. */
export async function requireMatch(ifMatch: string | undefined, current: unknown): Promise<void> {
	if (ifMatch === undefined) return;
	const etag = await etagOf(JSON.stringify(current));
	if (!tags(ifMatch).some((tag) => tag === "*" || tag === etag)) throw new ApiError("PRECONDITION_FAILED");
}

const tags = (header: string): string[] => header.split(",").map((tag) => tag.trim());
