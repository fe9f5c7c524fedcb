// Sealing and tagging by derived keys, and their rotation.

import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { Keyring } from "../../src/shared/keyring";

const [older, newer] = [randomBytes(32).toString("base64"), randomBytes(32).toString("base64")];

describe("a keyring", () => {
	it("opens a sealed text only with its own context and purpose", async () => {
		const keys = await Keyring.parse(newer);
		const sealed = await keys.seal("webhook-secret", "org|hook|key", "whsec_x");
		expect(await keys.open("webhook-secret", "org|hook|key", sealed)).toBe("whsec_x");
		expect(await keys.open("webhook-secret", "org|hook|other", sealed)).toBeUndefined();
		expect(await keys.open("message", "org|hook|key", sealed)).toBeUndefined();
		const changed = sealed.replace(/[^.](?=[^.]*$)/, (first) => (first === "A" ? "B" : "A"));
		expect(await keys.open("webhook-secret", "org|hook|key", changed)).toBeUndefined();
		expect(await keys.open("webhook-secret", "org|hook|key", "nonsense")).toBeUndefined();
		expect(sealed).not.toContain("whsec");
	});

	it("seals the same text differently each time", async () => {
		const keys = await Keyring.parse(newer);
		expect(await keys.seal("message", "", "x")).not.toBe(await keys.seal("message", "", "x"));
	});

	it("opens and verifies with every key, and seals and tags with the first", async () => {
		const before = await Keyring.parse(older);
		const rotated = await Keyring.parse(`${newer}, ${older}`);
		expect(await rotated.open("message", "c", await before.seal("message", "c", "text"))).toBe("text");
		expect(await rotated.verifyTag("cursor", "here", await before.tag("cursor", "here"))).toBe(true);
		expect(await before.open("message", "c", await rotated.seal("message", "c", "text"))).toBeUndefined();
		expect(await before.verifyTag("cursor", "here", await rotated.tag("cursor", "here"))).toBe(false);
	});

	it("makes digests by the last key, and by the one before it too while the last is retired", async () => {
		const before = await Keyring.parse(older);
		const rotated = await Keyring.parse(`${newer},${older}`);
		const retiring = await Keyring.parse(`${newer}, retire:${older}`);
		const after = await Keyring.parse(newer);
		const { value } = await before.digests("phone", "x");
		expect(await rotated.digests("phone", "x")).toEqual({ value });
		const next = { value: await after.digest("phone", "x"), keyId: (await after.oldest()).id };
		expect(await retiring.digests("phone", "x")).toEqual({ value, next });
		expect(await retiring.open("message", "c", await before.seal("message", "c", "text"))).toBe("text");
		expect([await rotated.successor(), await retiring.successor()]).toEqual([undefined, await after.oldest()]);
	});

	it("verifies a tag only for its own purpose and text", async () => {
		const keys = await Keyring.parse(newer);
		const tag = await keys.tag("cursor", "here");
		expect(await keys.verifyTag("cursor", "there", tag)).toBe(false);
		expect(await keys.verifyTag("otp", "here", tag)).toBe(false);
		expect(await keys.verifyTag("cursor", "here", "")).toBe(false);
	});

	it.each([
		"",
		"short",
		Buffer.alloc(31).toString("base64"),
		`${newer},`,
		`retire:${newer}`,
		`retire:${newer},${older}`,
		`${newer},${newer}`,
	])("rejects %j as a master key", async (text) => {
		await expect(Keyring.parse(text)).rejects.toThrow();
	});
});
