// What the terminal shows of the runtime's own lines.

import { expect, it } from "vitest";
import { ofRuntime } from "../../src/dev/log-lines.ts";

it("of the Workers runtime's own lines, only exceptions and crashes are printed, without its sources", () => {
	expect(ofRuntime('{"level":"info","message":"swept"}')).toBe('{"level":"info","message":"swept"}');
	expect(
		ofRuntime(
			"uncaught exception; exception = workerd/api/actor-state.c++:1202: failed: broken.outputGateBroken; jsg.Error: lost\nstack: /bin/workerd@338b6f3",
		),
	).toBe("uncaught in the Worker: Error: lost");
	expect(ofRuntime("uncaught exception; source = Uncaught (in promise); stack = Error: x")).toBeUndefined();
	expect(
		ofRuntime("kj/async-io-unix.c++:186: disconnected: ::write(fd, buffer, size): Broken pipe; stack: /bin/workerd@338b6f3"),
	).toBeUndefined();
	expect(ofRuntime("*** Received signal #11: Segmentation fault")).toBe(
		"the Workers runtime has crashed: Received signal #11: Segmentation fault",
	);
});
