// Mail addresses in requests.

import * as z from "zod";

/** At most 64 characters before the @ (RFC 5321), and labels of a domain that neither begin nor end with a hyphen (RFC 1123). */
const ADDRESS =
	/^(?!\.)(?!.*\.\.)(?=[^@]{1,64}@)[A-Za-z0-9_'+\-.]*[A-Za-z0-9_+-]@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z]{2,}$/;

export const MAX_LENGTH = 254;

export const EmailAddress = z.email({ pattern: ADDRESS, abort: true }).max(MAX_LENGTH);
