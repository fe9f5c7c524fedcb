// Reads the processor time of the runtime from /proc.

import { readdirSync, readFileSync } from "node:fs";

/** Linux counts in hundredths of a second on every processor. */
const MS_PER_TICK = 10;

/** The processor time (ms) that the runtime which this process has started has taken; undefined without /proc. */
export function processorMs(): number | undefined {
	const stat = runtimeStat();
	if (stat === undefined) return undefined;
	// After the name, which may hold spaces, come the fields from the third on.
	const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
	return (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK;
}

function runtimeStat(): string | undefined {
	try {
		return readdirSync("/proc")
			.filter((entry) => /^\d+$/.test(entry))
			.map(statOf)
			.find((stat) => stat?.includes("(workerd) ") && parentIn(stat) === process.pid);
	} catch {
		// A system without /proc.
		return undefined;
	}
}

const parentIn = (stat: string): number => Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);

function statOf(pid: string): string | undefined {
	try {
		return readFileSync(`/proc/${pid}/stat`, "utf8");
	} catch {
		// The process has ended meanwhile.
		return undefined;
	}
}
