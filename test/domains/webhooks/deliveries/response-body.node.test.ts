// The first kilobyte of an answer is kept, in whole characters.

import { describe, expect, it } from "vitest";
import { readResponseBody } from "../../../../src/domains/webhooks/deliveries/response-body.policy";

const never = new AbortController().signal;
const bytes = (text: string) => new TextEncoder().encode(text);
const size = (text: string | null) => bytes(text ?? "").length;

/** A stream of the given chunks, which then ends, breaks off or stalls, and records whether it was cancelled. */
function stream(chunks: Uint8Array[], then: "END" | "BREAK" | "STALL" = "END", onCancel: () => void | Promise<void> = () => {}) {
	const seen = { cancelled: false, pulls: 0 };
	const body = new ReadableStream<Uint8Array>(
		{
			pull(controller) {
				const chunk = chunks[seen.pulls++];
				if (chunk !== undefined) return controller.enqueue(chunk);
				if (then === "END") return controller.close();
				if (then === "BREAK") return controller.error(new Error("internal error; reference = 1"));
				return new Promise<void>(() => {});
			},
			cancel() {
				seen.cancelled = true;
				return onCancel();
			},
		},
		{ highWaterMark: 0 },
	);
	return { body, seen };
}

describe("readResponseBody", () => {
	it("keeps a short body whole, however many chunks it has", async () => {
		const { body, seen } = stream([bytes("o"), bytes(""), bytes("k")]);
		expect(await readResponseBody(body, never)).toBe("ok");
		expect(seen.cancelled).toBe(false);
	});

	it("distinguishes a missing body from an empty one", async () => {
		expect(await readResponseBody(null, never)).toBeNull();
		expect(await readResponseBody(stream([]).body, never)).toBe("");
	});

	it.each([1_023, 1_024, 1_025, 5_000])("keeps at most 1,024 of %i bytes", async (length) => {
		for (const chunks of [[bytes("a".repeat(length))], Array.from({ length }, () => bytes("a"))]) {
			expect(await readResponseBody(stream(chunks).body, never)).toBe("a".repeat(Math.min(length, 1_024)));
		}
	});

	it("cancels the rest of a large body without reading it", async () => {
		const { body, seen } = stream(Array.from({ length: 100 }, () => bytes("a".repeat(512))));
		await readResponseBody(body, never);
		expect(seen).toEqual({ cancelled: true, pulls: 2 });
	});

	it.each([
		["é", 2],
		["€", 3],
		["🦁", 4],
	])("drops a %s that the limit splits, at every offset", async (character, width) => {
		for (let offset = 0; offset < width; offset++) {
			const text = `${"a".repeat(1_024 - width + offset)}${character}tail`;
			const kept = await readResponseBody(stream([bytes(text)]).body, never);
			expect(kept).toBe("a".repeat(1_024 - width + offset) + (offset === 0 ? character : ""));
			expect(kept).not.toContain("\ufffd");
		}
	});

	it("joins a character that is split over two chunks", async () => {
		const [first, second] = [bytes("€").subarray(0, 1), bytes("€").subarray(1)];
		expect(await readResponseBody(stream([first, second]).body, never)).toBe("€");
	});

	it("replaces invalid UTF-8 and stays within the limit", async () => {
		expect(await readResponseBody(stream([new Uint8Array([0x61, 0xff, 0x62])]).body, never)).toBe("a\ufffdb");
		const binary = await readResponseBody(stream([new Uint8Array(4_096).fill(0xff)]).body, never);
		expect(binary).toBe("\ufffd".repeat(341));
		expect(size(binary)).toBeLessThanOrEqual(1_024);
	});

	it("replaces a character that the receiver left incomplete", async () => {
		expect(await readResponseBody(stream([bytes("a€").subarray(0, 3)]).body, never)).toBe("a\ufffd");
	});

	it("keeps a byte order mark", async () => {
		expect(await readResponseBody(stream([bytes("\ufeffok")]).body, never)).toBe("\ufeffok");
	});

	it("keeps what arrived before the deadline when the body stalls", async () => {
		const { body, seen } = stream([bytes("par")], "STALL");
		expect(await readResponseBody(body, AbortSignal.timeout(20))).toBe("par");
		expect(seen.cancelled).toBe(true);
	});

	it("does not wait for a stalled body after the deadline", async () => {
		expect(await readResponseBody(stream([], "STALL").body, AbortSignal.abort())).toBe("");
	});

	it("does not wait for a cancellation that stalls or fails", async () => {
		const long = () => [bytes("a".repeat(2_000))];
		expect(size(await readResponseBody(stream(long(), "END", () => new Promise(() => {})).body, never))).toBe(1_024);
		const failing = stream(long(), "END", () => Promise.reject(new Error("gone")));
		expect(size(await readResponseBody(failing.body, never))).toBe(1_024);
	});

	it("keeps what arrived before the connection broke off", async () => {
		expect(await readResponseBody(stream([bytes("par")], "BREAK").body, never)).toBe("par");
	});

	it("keeps nothing of a body that is already being read", async () => {
		const { body } = stream([bytes("ok")]);
		body.getReader();
		expect(await readResponseBody(body, never)).toBeNull();
	});
});
