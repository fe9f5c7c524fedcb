// The id under which a request is found in the log.

/** The client's own id where it is well-formed, else a new one. */
export const requestIdFrom = (sent = ""): string => (/^[A-Za-z0-9._-]{1,128}$/.test(sent) ? sent : crypto.randomUUID());
