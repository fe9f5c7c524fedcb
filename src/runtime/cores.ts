// Which core serves a request, where there are several regions: that of the region with the caller's rows. Credentials are only looked at,
// not verified, because every core serves everybody; from another region it merely takes longer.

import { regionOfHome } from "../db/places";
import { fromBase64, toHex } from "../shared/bytes";
import { homeOf, isUuid, uuidOfHex } from "../shared/ids";

export type Core = { readonly fetch: (request: Request) => Promise<Response> };
/** `CORE` is near the directory, `CORE_<REGION>` in each further region. */
export type Cores = { readonly CORE: Core; readonly PLACES?: string };

export function coreFor({ headers }: Pick<Request, "headers">, cores: Cores): Core {
	if (cores.PLACES === undefined) return cores.CORE;
	const home = homeNamedIn(headers);
	const region = home === undefined ? undefined : regionOfHome(home, cores.PLACES);
	const bound = cores as unknown as Readonly<Record<string, Core | undefined>>;
	return (region !== undefined && bound[`CORE_${region.toUpperCase()}`]) || cores.CORE;
}

/** The home of the acting organization, else of the user whom a token is for, or of the organization of an API key. */
function homeNamedIn(headers: Headers): number | undefined {
	const organization = headers.get("x-organization-id") ?? "";
	if (isUuid(organization)) return homeOf(organization);
	const [, claims = ""] = headers.get("authorization")?.split(".") ?? [];
	const subject = /"sub":"([0-9a-f-]{36})"/i.exec(textOf(claims))?.[1] ?? "";
	if (isUuid(subject)) return homeOf(subject);
	// Its bytes begin with the organization's id.
	const bytes = fromBase64((headers.get("x-api-key") ?? "").slice("sk_".length, "sk_".length + 24));
	return bytes?.length === 18 ? homeOf(uuidOfHex(toHex(bytes.subarray(0, 16)))) : undefined;
}

const textOf = (base64: string): string => new TextDecoder().decode(fromBase64(base64));
