// How the stand-in for Daraja answers a request that it does not take.

export const fault = (status: number, errorCode: string, errorMessage: string) =>
	Response.json({ requestId: "1", errorCode, errorMessage }, { status });

const FAULTS = {
	BUSY: [500, "500.003.02", "System is busy. Please try again in few minutes."],
	MAINTENANCE: [500, "500.002.1001", "Service is currently under maintenance. Please try again later"],
	LOCKED: [500, "500.001.1001", "Unable to lock subscriber, a transaction is already in process for the current subscriber"],
	INVALID: [400, "400.002.02", "Bad Request - Invalid number"],
	NOT_ALLOWED: [401, "401.001.01", "Invalid API call as no apiproduct match found"],
	TOKEN_EXPIRED: [404, "404.001.03", "Invalid Access Token"],
} as const;

/** DOWN: no answer. HTML: the page of a gateway. LOST: it is taken, and no answer comes. */
export type Failure = keyof typeof FAULTS | "DOWN" | "HTML" | "LOST";

/** The answer of a request that is not taken; undefined for a request that is. Throws where none comes. */
export function failureOf(answer: Failure | undefined): Response | undefined {
	if (answer === undefined || answer === "LOST") return undefined;
	if (answer === "DOWN") throw new TypeError("connection lost");
	if (answer === "HTML") return new Response("<html>Service Unavailable</html>", { status: 503, headers: { "Content-Type": "text/html" } });
	const [status, code, message] = FAULTS[answer];
	return fault(status, code, message);
}
