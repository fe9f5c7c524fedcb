// Why the service, or the demo, cannot start.

/** A problem that the developer can fix; its message is printed without a stack trace. */
export class CannotStart extends Error {}

/** What the client rejects with, by its name, because not every command has the client. */
const OF_THE_CLIENT = ["ApiError", "HeldError", "ConnectionError"];

/** What a command prints of the error that ends it. */
export function reportOf(error: unknown): string {
	if (error instanceof CannotStart) return error.message;
	if (error instanceof Error && OF_THE_CLIENT.includes(error.name)) return error.message;
	return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
