// An amount beyond 32 bits, and a value that a later version of the service may answer.

import type { components, paths } from "./client/schema";

type Apply = paths["/v1/accounts/loan/applications/partner/{application_id}/apply"]["post"];
type Wanted = Apply["requestBody"]["content"]["application/json"];
type Tenure = components["schemas"]["Tenure"];

const wanted: Wanted = JSON.parse('{"loan_amount":3000000000}');
const tenure: Tenure = { duration: 1, unit: "QUARTERS" };
if (wanted.loan_amount !== 3_000_000_000 || tenure.unit !== "QUARTERS") throw new Error("a value has changed");
