// JSON of any form, as a member of what goes over the wire.

import * as z from "zod";

export const JsonValue = z.json().meta({ id: "JsonValue", description: "Any JSON value" });
