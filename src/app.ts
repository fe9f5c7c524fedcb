// All operations, as one Hono app.

import { Hono } from "hono";
import { directory } from "./directory";
import * as appSettings from "./domains/app-settings/operations";
import * as apiKeys from "./domains/organizations/api-key.operations";
import * as organizations from "./domains/organizations/operations";
import * as sandbox from "./domains/sandbox/operations";
import * as users from "./domains/users/operations";
import { gate } from "./gate";
import { limit } from "./http/limits";
import { mount } from "./http/mount";
import type { AnyOperation } from "./http/operation";

const domains = [apiKeys, appSettings, organizations, sandbox, users];

export const operations: readonly AnyOperation[] = domains.flatMap((domain) => Object.values<unknown>(domain).filter(isOperation));

export const app = mount(new Hono<{ Bindings: Env }>(), operations, { directory, gate, limit });

function isOperation(value: unknown): value is AnyOperation {
	return typeof value === "object" && value !== null && "handle" in value && "access" in value;
}
