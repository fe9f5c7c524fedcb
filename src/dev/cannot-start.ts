// Why the service, or the demo, cannot start.

/** A problem that the developer can fix; its message is printed without a stack trace. */
export class CannotStart extends Error {}
