// An answer that follows what somebody types: the service is asked once the typing pauses.

import { useEffect, useState } from "preact/hooks";

/** How long typing may pause before the service is asked. */
const PAUSE_MS = 400;

/**
 * The answer to the latest text, and the error of it; while a text waits for its answer, those of the one before.
 * @param asked what the answer depends on, as JSON
 */
export function useTrial<Body>(asked: string, ask: (signal: AbortSignal) => Promise<{ readonly body: Body }>) {
	const [answer, setAnswer] = useState<Body>();
	const [error, setError] = useState<Error>();
	useEffect(() => {
		const abort = new AbortController();
		const timer = setTimeout(() => {
			ask(abort.signal).then(
				({ body }) => {
					setAnswer(() => body);
					setError(undefined);
				},
				(failed) => abort.signal.aborted || setError(failed),
			);
		}, PAUSE_MS);
		return () => {
			clearTimeout(timer);
			abort.abort();
		};
	}, [asked]);
	return { answer, error };
}
