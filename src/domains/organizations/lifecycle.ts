// The states of an organization. Operators alone move it, in both directions.

export const ORGANIZATION_STATES = ["ACTIVE", "SUSPENDED"] as const;
