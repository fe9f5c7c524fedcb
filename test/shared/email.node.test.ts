// Which mail addresses are taken.

import { expect, it } from "vitest";
import { EmailAddress } from "../../src/shared/email";

it.each(["a@b.example", "first.last+tag@mail.b-c.example", `${"a".repeat(64)}@b.example`, `a@${"b".repeat(63)}.example`])(
	"takes %s",
	(text) => expect(EmailAddress.safeParse(text).success).toBe(true),
);

it.each([
	"a@b-.example",
	"a@-b.example",
	`${"a".repeat(65)}@b.example`,
	`a@${"b".repeat(64)}.example`,
	".a@b.example",
	"a..b@c.example",
	"a@b",
	"a@b@c.example",
	`a@${"b".repeat(60)}.${"c".repeat(60)}.${"d".repeat(60)}.${"e".repeat(60)}.${"f".repeat(20)}.example`,
])("refuses %s", (text) => expect(EmailAddress.safeParse(text).success).toBe(false));
