// Trying an operation out with a token of the sandbox, which lives in this module as long as the page is open.

import { ABOVE, made } from "./page";

type Caller = "user" | "operator" | "nobody";
const tokens = new Map<string, Promise<string>>();

async function post(path: string, body: object): Promise<Record<string, string>> {
	const response = await fetch(`${ABOVE}${path}`, {
		method: "POST",
		headers: { "Content-Type": "application/json" },
		body: JSON.stringify(body),
	});
	const answer = (await response.json()) as Record<string, string>;
	if (!response.ok) throw new Error(`${path}: ${answer.description}`);
	return answer;
}

async function signIn(caller: Caller, subject: string): Promise<string> {
	const kind = caller === "operator" ? "operator" : "partner";
	const { token = "" } = await post("v1/sandbox/tokens", { kind, subject });
	if (caller === "operator") return token;
	return (await post("v1/auth/exchange", { partner_token: token })).access_token ?? "";
}

function tokenOf(caller: Caller, subject: string): Promise<string> {
	const name = `${caller} ${subject}`;
	const token = tokens.get(name) ?? signIn(caller, subject);
	tokens.set(name, token);
	// A refused request is sent again.
	token.catch(() => tokens.delete(name));
	return token;
}

const field = (label: string, input: HTMLElement): HTMLElement => made("label", {}, label, input);

function form(section: HTMLElement): HTMLFormElement {
	const { method = "GET", path = "", body } = section.dataset;
	const caller = made("select", {}, ...["user", "operator", "nobody"].map((value) => made("option", { value }, value)));
	const isPublic = section.querySelector(".who")?.textContent?.includes("no credentials");
	caller.value = isPublic ? "nobody" : /\/(platform|sandbox|integrations)\//.test(path) ? "operator" : "user";
	const subject = made("input", { value: "alice", spellcheck: "false" });
	const parameters = [...section.querySelectorAll<HTMLElement>("li[data-in]")].map(
		({ dataset: { in: place = "", name = "", example } }) => {
			const value = example ?? (name === "Idempotency-Key" ? crypto.randomUUID() : "");
			return { place, name, input: made("input", { value, spellcheck: "false", ...(place === "path" && { required: "" }) }) };
		},
	);
	const text = body === undefined ? undefined : made("textarea", { rows: "8", spellcheck: "false" });
	if (text && body) text.value = JSON.stringify(JSON.parse(body), null, 2);
	const result = made("output");
	const send = made("button", { class: "primary" }, "Send");
	const made_ = made(
		"form",
		{},
		field("Call as", caller),
		field("Named", subject),
		...parameters.map(({ name, input }) => field(name, input)),
		...(text ? [field("Body", text)] : []),
		send,
		result,
	);

	const run = async (): Promise<void> => {
		const filled = parameters.filter(({ input }) => input.value !== "");
		const address = path.replaceAll(/{(\w+)}/g, (_, name: string) =>
			encodeURIComponent(filled.find((one) => one.place === "path" && one.name === name)?.input.value ?? ""),
		);
		const query = new URLSearchParams(filled.filter(({ place }) => place === "query").map(({ name, input }) => [name, input.value]));
		const headers = new Headers(filled.filter(({ place }) => place === "header").map(({ name, input }) => [name, input.value]));
		if (text) headers.set("Content-Type", "application/json");
		headers.set("Accept", "application/json, application/problem+json");
		const as = caller.value as Caller;
		if (as !== "nobody") headers.set("Authorization", `Bearer ${await tokenOf(as, subject.value)}`);
		const response = await fetch(`${ABOVE}${address.slice(1)}${query.size > 0 ? `?${query}` : ""}`, {
			method,
			headers,
			...(text && { body: text.value }),
		});
		const answer = await response.text();
		const isJson = /json/.test(response.headers.get("Content-Type") ?? "");
		result.replaceChildren(
			made("b", { class: response.ok ? "good" : "bad" }, `${response.status} ${response.statusText}`),
			made("pre", { tabindex: "0" }, isJson && answer ? JSON.stringify(JSON.parse(answer), null, 2) : answer),
		);
	};
	made_.addEventListener("submit", async (event) => {
		event.preventDefault();
		send.disabled = true;
		await run().catch((error: Error) => result.replaceChildren(made("b", { class: "bad" }, error.message)));
		send.disabled = false;
	});
	return made_;
}

export function trying(): void {
	for (const details of document.querySelectorAll("details.try")) {
		details.addEventListener(
			"toggle",
			() => {
				const section = details.closest<HTMLElement>(".operation");
				if (section && !details.querySelector("form")) details.append(form(section));
			},
			{ once: true },
		);
	}
}
