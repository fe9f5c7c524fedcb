// The origin of an address.

import { expect, it } from "vitest";
import { originOf } from "../../src/shared/origin";

it.each([
	"https://api.example.com/v1/me?size=2",
	"https://api.example.com",
	"http://127.0.0.1:8787/a/b",
	"http://[::1]:8787/?q=//x/",
	"https://api.example.com/a://b",
])("the function gives the origin of %s as URL does", (url) => expect(originOf(url)).toBe(new URL(url).origin));
