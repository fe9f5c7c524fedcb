// Every kind of message between homes.

import { productCopy } from "../domains/loans/products/store";
import { memberCopy, organizationCopy } from "../domains/organizations/copies.store";
import { carryHomeMessages, type HomeMessage } from "../runtime/home-messages";
import type { JobServices } from "../runtime/services";

const homeMessages: readonly HomeMessage[] = [memberCopy, organizationCopy, productCopy];

/** Carries what requests have left behind. */
export const completeHomeMessages = (services: JobServices): Promise<void> => carryHomeMessages(services, homeMessages);
