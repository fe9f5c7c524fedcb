// The book of an account with the terms of its cycles, and what is stored of it.

import type { FrozenTerms } from "../../loan-products/model/policy";
import type { AllocationRow } from "./allocation-rows.policy";
import type { Book, Cycle } from "./facts.policy";
import type { PenaltyRow } from "./penalty-rows.policy";

export type AccountCycle = Cycle & { readonly terms: FrozenTerms };
export type AccountBook = Omit<Book, "cycles"> & { readonly cycles: readonly AccountCycle[] };

/** What earlier postings recorded of the book. */
export type Recorded = { readonly allocations: readonly AllocationRow[]; readonly penalties: readonly PenaltyRow[] };
