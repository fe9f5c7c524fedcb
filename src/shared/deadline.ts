// A time limit that leaves nothing behind. The timer of an `AbortSignal.timeout` stays until it fires, and the platform permits 10,000
// timers in an invocation, which hundreds of requests a second soon use up.

/** The result of the work. Its signal fires after `ms`, with the reason that `AbortSignal.timeout` gives, and the timer ends with the work. */
export async function withDeadline<T>(ms: number, work: (deadline: AbortSignal) => Promise<T>): Promise<T> {
	const controller = new AbortController();
	const timer = setTimeout(() => controller.abort(new DOMException("The operation timed out", "TimeoutError")), ms);
	try {
		return await work(controller.signal);
	} finally {
		clearTimeout(timer);
	}
}
