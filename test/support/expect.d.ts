// An overload of `expect` that spares the compiler work.

import "vitest";

declare module "vitest" {
	/** No matcher asks for the type of the actual value, and the compiler would make every matcher again for each type. */
	interface ExpectStatic {
		// biome-ignore lint/style/useShorthandFunctionType: it adds an overload to Vitest's interface
		(actual: unknown, message?: string): Assertion<unknown>;
	}
}
