// Builds the checkout for the tests of the bundle, unless nothing has changed since it was built.

import type { TestProject } from "vitest/node";
import { bundle, configIn } from "../../src/dev/bundle.ts";

declare module "vitest" {
	interface ProvidedContext {
		/** The configuration of the built Worker. */
		builtConfig: string;
	}
}

export async function setup({ provide, config }: TestProject): Promise<void> {
	provide("builtConfig", configIn(await bundle(config.root)));
}
