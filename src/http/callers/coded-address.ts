// Operations at addresses that a provider is given. It signs nothing: the code in the path shows that it is asked, and about what.

import * as z from "zod";
import { ApiError } from "../../shared/errors";
import { anyone } from "./access";
import { refusalOfGuess } from "./failed-credentials";

/** Only the service can make it. */
export const Code = z.string().regex(/^[0-9a-f]{32}$/, "must be 32 hex digits");

/** The path of an address about one row, whose home it is answered in. */
export const codedPath = z.object({ id: z.uuid().toLowerCase(), code: Code });

/** What such operations have in common. A provider sends for all from few addresses, so each coded address has a limit of its own. */
export const atCodedAddress = { access: anyone, limit: "coded", errors: ["NOT_FOUND"] } as const;

/** Refuses a wrong code, which costs no look-up and counts as a failure of the client's address. */
export const noSuchAddress = (): ApiError => refusalOfGuess(new ApiError("NOT_FOUND", { description: "No operation has this path" }));
