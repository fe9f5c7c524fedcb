// An amount beyond 32 bits, and a value that a later version of the service may answer.

import type { ApplyForLoanData, Tenure } from "./client/types.gen";

type Wanted = ApplyForLoanData["body"];

const wanted: Wanted = JSON.parse('{"loan_amount":3000000000}');
const tenure: Tenure = { duration: 1, unit: "QUARTERS" };
if (wanted.loan_amount !== 3_000_000_000 || tenure.unit !== "QUARTERS") throw new Error("a value has changed");
