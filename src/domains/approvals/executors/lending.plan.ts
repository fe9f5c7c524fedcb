// Who decides about an account: the lender of its product.

import type { Decider } from "../table";

/** A product without an organization is the platform's. */
export const deciderOf = (product: { organizationId: string | null } | undefined): Decider =>
	product?.organizationId ? "ORGANIZATION" : "OPERATOR";
