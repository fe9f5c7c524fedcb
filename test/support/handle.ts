// Runs an operation's handler alone, for tests that count its statements or need other services than a request gets.

import type { Write } from "../../src/db/database";
import type { AnyOperation } from "../../src/http/operation";
import { type CommitOptions, Committed, type HandlerServices, type JobServices } from "../../src/runtime/services";

/** What the handler answers for this input. Its commit records no answer. */
// biome-ignore lint/suspicious/noExplicitAny: an answer of any operation
export async function handle(op: AnyOperation, input: object, services: JobServices): Promise<any> {
	const own: HandlerServices = {
		...services,
		async commit<T>(writes: readonly Write[], output: T, options?: CommitOptions) {
			await services.commit(writes, options);
			return new Committed(output);
		},
		moveTo: () => own,
	};
	const returned: unknown = await op.handle(input as never, own);
	return returned instanceof Committed ? returned.output : returned;
}
