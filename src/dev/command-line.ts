// How each `npm run` command reads its options: `--help` prints its usage, and a mistake names what is wrong and prints the usage too.

import { type ParseArgsConfig, parseArgs } from "node:util";

/** The options and arguments of this command. Ends the process with 0 after `--help`, and with 2 after a mistake. */
export function readCommandLine<const Config extends ParseArgsConfig>(usage: string, config: Config): ReturnType<typeof parseArgs<Config>> {
	if (process.argv.slice(2).some((argument) => argument === "--help" || argument === "-h")) {
		process.stdout.write(usage);
		process.exit(0);
	}
	try {
		return parseArgs(config);
	} catch (error) {
		// The only errors with a code that the parser throws are about the command line.
		if (!(error instanceof TypeError && "code" in error)) throw error;
		return misused(usage, error.message);
	}
}

/** Prints what is wrong and how to call the command, and ends the process with 2. */
export function misused(usage: string, problem: string): never {
	process.stderr.write(`${problem}\n\n${usage}`);
	process.exit(2);
}
