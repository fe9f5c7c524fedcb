// Ends the Workers runtime when this process dies without a word (SIGKILL, out of memory): a shell that holds a pipe
// from us and, when the pipe closes, kills the processes that we named last. Nothing polls; Windows goes without.

import { type ChildProcess, spawn } from "node:child_process";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import path from "node:path";

const script = 'pids=; while read -r line; do pids=$line; done; [ -z "$pids" ] || kill -9 $pids 2>/dev/null';

/** Watches every runtime that this process starts from now on. Answers what ends the watching. */
export function watchRuntime(): () => void {
	if (process.platform === "win32") return () => {};
	// A group of its own: what kills our whole group must leave the watchdog to do its work.
	const watchdog = spawn("/bin/sh", ["-c", script], { stdio: ["pipe", "ignore", "ignore"], detached: true });
	watchdog.on("error", () => {});
	watchdog.stdin.on("error", () => {});
	watchdog.unref();
	const running = new Set<number>();
	const tell = (): void => void watchdog.stdin.write(`${[...running].join(" ")}\n`);
	// Miniflare hands out neither the process nor its id, and starts another when one crashes.
	const onChild = (message: unknown): void => {
		const { process: child } = message as { process: ChildProcess };
		child.once("spawn", () => {
			const { pid } = child;
			if (pid === undefined || !path.basename(child.spawnfile).startsWith("workerd")) return;
			running.add(pid);
			tell();
			child.once("exit", () => {
				// From now on the id may be another's.
				running.delete(pid);
				tell();
			});
		});
	};
	subscribe("child_process", onChild);
	return () => {
		unsubscribe("child_process", onChild);
		watchdog.stdin.end("\n");
	};
}
