// The request body that confirms with a one-time password.

import * as z from "zod";
import type { Reason } from "../../shared/errors";

/** With which a send, another send and a try are refused. */
export const SEND_REASONS = ["OTP_WAIT"] as const satisfies readonly Reason[];
export const RESEND_REASONS = ["OTP_WAIT", "OTP_TRIES_USED"] as const satisfies readonly Reason[];
export const TRY_REASONS = ["OTP_WRONG", "OTP_EXPIRED", "OTP_USED", "OTP_TRIES_USED"] as const satisfies readonly Reason[];

/** A malformed code is rejected here and does not use up a try. */
export const OtpConfirmation = z.object({ otp_code: z.string().regex(/^\d{6}$/, "must be six digits") }).meta({ id: "OtpConfirmation" });
