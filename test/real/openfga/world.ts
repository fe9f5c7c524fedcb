// People and an organization, made at a service by its own operations.

import { createHash } from "node:crypto";
import { startOwnService } from "../../../src/dev/own-service.ts";
import type { Service, Variables } from "../../../src/dev/service.ts";

export type Answer = { readonly status: number; readonly body: unknown; readonly headers: Headers };
export type Sent = { readonly as?: string; readonly body?: object; readonly organization?: string };

/** A service with its log. */
export class Place {
	readonly log: string[] = [];
	url = "";
	#service: Service | undefined;
	operator = "";

	async start(statePath: string, variables: Variables): Promise<this> {
		const onLog = ({ message }: { message: string }) => void this.log.push(message);
		this.#service = await startOwnService(statePath, { variables, onLog });
		this.url = this.#service.url;
		this.operator = await this.sandbox("operator", "olivia");
		return this;
	}

	stop = async (): Promise<void> => this.#service?.stop();

	async ask(method: string, path: string, { as, body, organization }: Sent = {}): Promise<Answer> {
		const response = await fetch(`${this.url}${path}`, {
			method,
			headers: {
				"content-type": "application/json",
				...(as && { authorization: `Bearer ${as}` }),
				...(organization && { "x-organization-id": organization }),
			},
			...(body && { body: JSON.stringify(body) }),
		});
		const text = await response.text();
		return { status: response.status, body: text === "" ? undefined : JSON.parse(text), headers: response.headers };
	}

	/** The answer's body, which must be a success. */
	async get<T>(method: string, path: string, sent: Sent = {}): Promise<T> {
		const { status, body } = await this.ask(method, path, sent);
		if (status >= 300) throw new Error(`${method} ${path} answered ${status} ${JSON.stringify(body)}`);
		return body as T;
	}

	async sandbox(kind: string, subject: string): Promise<string> {
		const body = { kind, subject, expires_in: 3600 };
		return (await this.get<{ token: string }>("POST", "/v1/sandbox/tokens", { body })).token;
	}

	/** A user whom the sandbox's partner signs in, off the waiting list. */
	async person(name: string): Promise<Person> {
		const partner_token = await this.sandbox("partner", name);
		const { access_token: token } = await this.get<{ access_token: string }>("POST", "/v1/auth/exchange", { body: { partner_token } });
		const { id } = await this.get<{ id: string }>("GET", "/v1/me", { as: token });
		await this.ask("POST", `/v1/platform/users/${id}/admit`, { as: this.operator, body: {} });
		return { name, id, token };
	}

	async organization(slug: string): Promise<string> {
		return (await this.get<{ id: string }>("POST", "/v1/platform/organizations", { as: this.operator, body: { name: slug, slug } })).id;
	}

	add = (organization: string, { id }: Person, role: string) =>
		this.get("POST", `/v1/platform/organizations/${organization}/members`, { as: this.operator, body: { user_id: id, role } });

	change = (organization: string, { id }: Person, role: string) =>
		this.get("PATCH", `/v1/organizations/${organization}/members/${id}`, { as: this.operator, body: { role } });

	remove = (organization: string, { id }: Person) =>
		this.get("DELETE", `/v1/organizations/${organization}/members/${id}`, { as: this.operator });

	advance = (advance: string) => this.get("POST", "/v1/sandbox/clock", { as: this.operator, body: { advance } });
}

export type Person = { readonly name: string; readonly id: string; readonly token: string };

export const merchantOf = (organization: string, merchant: string) =>
	`merchant:${organization}/${createHash("sha256").update(merchant).digest("hex")}`;

/** What is tried, and what came of it. */
export class Results {
	readonly rows: { part: string; what: string; expected: string; found: string; ok: boolean }[] = [];
	#part = "";

	part(name: string): void {
		this.#part = name;
		console.log(`… ${name}`);
	}

	is(what: string, found: unknown, expected: unknown): void {
		const [one, other] = [JSON.stringify(found), JSON.stringify(expected)];
		this.rows.push({ part: this.#part, what, expected: other ?? "", found: one ?? "", ok: one === other });
	}

	get failed(): boolean {
		return this.rows.some(({ ok }) => !ok);
	}

	print(): void {
		const short = (text: string) => (text.length > 60 ? `${text.slice(0, 57)}…` : text);
		console.table(
			this.rows.map(({ part, what, expected, found, ok }) => ({ part, what, expected: short(expected), found: short(found), ok })),
		);
		for (const { part, what, expected, found, ok } of this.rows)
			if (!ok) console.error(`${part}, ${what}:\n expected ${expected}\n found    ${found}`);
	}
}
