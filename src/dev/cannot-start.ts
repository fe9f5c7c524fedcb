// Why the service, or the demo, cannot start.

/** A problem that the developer can fix; its message is printed without a stack trace. */
export class CannotStart extends Error {}

/** What a command prints of the error that ends it. */
export function reportOf(error: unknown): string {
	if (error instanceof CannotStart) return error.message;
	return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
