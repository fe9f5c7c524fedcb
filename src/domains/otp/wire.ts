// The request body that confirms with a one-time password.

import * as z from "zod";

/** A malformed code is rejected here and does not use up a try. */
export const OtpConfirmation = z.object({ otp_code: z.string().regex(/^\d{6}$/, "must be six digits") }).meta({ id: "OtpConfirmation" });
