// Writes one line for each test: what it has noticed.

import type { Reporter, TestCase } from "vitest/node";

export default class VerdictReporter implements Reporter {
	onTestCaseResult(test: TestCase): void {
		const { verdict } = test.meta();
		process.stdout.write(
			`\n@@${JSON.stringify({ file: test.module.relativeModuleId, name: test.fullName, ms: test.diagnostic()?.duration, verdict, state: test.result().state })}\n`,
		);
	}
	onTestRunEnd(_: unknown, errors: readonly unknown[]): void {
		for (const error of errors) process.stderr.write(`${String((error as Error).message ?? error)}\n${(error as Error).stack ?? ""}\n`);
	}
}
