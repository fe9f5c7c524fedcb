// Ends the Workers runtime when this process dies without running its exit handlers (SIGKILL, out of memory). The watchdog
// is a shell that reads a pipe from us and, when the pipe closes, kills the processes we named last. Not on Windows.

import { type ChildProcess, spawn } from "node:child_process";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import path from "node:path";

const script = 'pids=; while read -r line; do pids=$line; done; [ -z "$pids" ] || kill -9 $pids 2>/dev/null';

/** Watches every runtime that this process starts from now on. Returns a function that stops watching. */
export function watchRuntime(): () => void {
	if (process.platform === "win32") return () => {};
	// A process group of its own: a signal that kills our whole group must not kill the watchdog.
	const watchdog = spawn("/bin/sh", ["-c", script], { stdio: ["pipe", "ignore", "ignore"], detached: true });
	watchdog.on("error", () => {});
	watchdog.stdin.on("error", () => {});
	watchdog.unref();
	const running = new Set<number>();
	const tell = (): void => void watchdog.stdin.write(`${[...running].join(" ")}\n`);
	// Miniflare exposes neither the process nor its id, and starts another one after a crash.
	const onChild = (message: unknown): void => {
		const { process: child } = message as { process: ChildProcess };
		child.once("spawn", () => {
			const { pid } = child;
			if (pid === undefined || !path.basename(child.spawnfile).startsWith("workerd")) return;
			running.add(pid);
			tell();
			child.once("exit", () => {
				// The system may give the id to another process now.
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
