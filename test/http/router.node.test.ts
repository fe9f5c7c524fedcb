// Literal paths go before those with parameters.

import { describe, expect, it } from "vitest";
import { OperationRouter } from "../../src/http/router";

function routerOf(...routes: readonly string[]) {
	const router = new OperationRouter<string>();
	for (const route of routes) {
		const [method = "", path = ""] = route.split(" ");
		router.add(method, path, route);
	}
	return router;
}

describe("OperationRouter", () => {
	const router = routerOf(
		"GET /v1/events/types",
		"GET /v1/events/:id",
		"POST /v1/events/:id",
		"POST /v1/events/:id/:part",
		"GET /v1/users/:userId/keys/:id",
		"GET /v1/users/self/keys/:id",
		"GET /v1/users/:userId/keys/:id/:part",
		"GET /v1/users/:userId/keys/first/:part",
		"GET /",
	);

	it.each<[string, string, unknown]>([
		["GET", "/v1/events/types", [[["GET /v1/events/types", {}]]]],
		["GET", "/v1/events/e1", [[["GET /v1/events/:id", { id: "e1" }]]]],
		["POST", "/v1/events/e1", [[["POST /v1/events/:id", { id: "e1" }]]]],
		["POST", "/v1/events/types/first", [[["POST /v1/events/:id/:part", { id: "types", part: "first" }]]]],
		["GET", "/v1/users/u1/keys/k%2F1", [[["GET /v1/users/:userId/keys/:id", { userId: "u1", id: "k%2F1" }]]]],
		// A literal segment goes before a parameter, in every order of adding.
		["GET", "/v1/users/self/keys/k1", [[["GET /v1/users/self/keys/:id", { id: "k1" }]]]],
		["GET", "/v1/users/u1/keys/first/p1", [[["GET /v1/users/:userId/keys/first/:part", { userId: "u1", part: "p1" }]]]],
		["GET", "/", [[["GET /", {}]]]],
		// A client's text stands for itself, though it looks like a route.
		["GET", "/v1/events/:id", [[["GET /v1/events/:id", { id: ":id" }]]]],
		["GET", "/v1/events/*", [[["GET /v1/events/:id", { id: "*" }]]]],
		["GET", "/v1/users/:userId/keys/:id", [[["GET /v1/users/:userId/keys/:id", { userId: ":userId", id: ":id" }]]]],
	])("matches %s %s", (method, path, expected) => expect(router.match(method, path)).toEqual(expected));

	it.each([
		["GET", "/v1/events"],
		["GET", "/v1/events/"],
		["GET", "/v1/events/e1/"],
		["GET", "/v1/Events/types"],
		["DELETE", "/v1/events/e1"],
		// A literal path does not take the methods of the one with parameters.
		["POST", "/v1/events/types"],
		["GET", "/v1/users//keys/k1"],
		["GET", "/v1/users/__proto__"],
		["GET", ""],
	])("matches nothing for %s %s", (method, path) => expect(router.match(method, path)).toEqual([[]]));

	it("matches a more specific route that is added after a match", () => {
		const later = routerOf("GET /v1/events/:id");
		expect(later.match("GET", "/v1/events/types")).toEqual([[["GET /v1/events/:id", { id: "types" }]]]);
		later.add("GET", "/v1/events/types", "literal");
		expect(later.match("GET", "/v1/events/types")).toEqual([[["literal", {}]]]);
	});

	it.each(["GET *", "GET /v1/*", "ALL /v1/events"])("rejects %s", (route) => expect(() => routerOf(route)).toThrow(/no middleware/));
});
