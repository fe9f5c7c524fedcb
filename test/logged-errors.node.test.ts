// A test fails for an error of the service's log that it does not name, and for a named error that does not come.

import { channel } from "node:diagnostics_channel";
import { afterEach, expect, it } from "vitest";
import { SERVICE_LOG } from "../src/dev/log-lines.ts";
import { allowErrors, expectErrors, expectNoOtherErrors, forgetErrors, noteError } from "./support/errors.ts";
import "./support/heard-services.ts";

const FAILS = /^errors that the service logs/;
const line = (message: string) => JSON.stringify({ level: "error", message });

afterEach(forgetErrors);

it("errors that nobody names fail a test, and those that it expects or allows do not", () => {
	noteError(line("the key is lost"));
	expect(expectNoOtherErrors).toThrow(FAILS);
	expect(expectNoOtherErrors).not.toThrow();
	expectErrors("the key is lost");
	expect(expectNoOtherErrors).toThrow(FAILS);
	expectErrors("the key is lost");
	allowErrors("no answer", "no key");
	for (const message of ["the key is lost", "no answer"]) noteError(line(message));
	expect(expectNoOtherErrors).not.toThrow();
});

it("a service that is started in the tests' process is heard, its errors alone", () => {
	for (const level of ["info", "error"]) channel(SERVICE_LOG).publish({ level, message: line(`said as ${level}`) });
	expect(expectNoOtherErrors).toThrow(FAILS);
	channel(SERVICE_LOG).publish({ level: "warn", message: line("slow") });
	expect(expectNoOtherErrors).not.toThrow();
});
