/**
 * The forms into which parsers, frameworks and editors bring a JSON body, with which the signature debugger explains a mismatch.
 * Surprising: an order of members that is neither ours nor alphabetical cannot be found again.
 */
const ENVELOPE = ["delivery_id", "event_type", "payload_version", "sent_at", "organization_id", "data"];

/** Forms other than the body's own, under the words that complete "the signature matches this body ...". */
export function otherForms(body: string): Map<string, string> {
	const forms = new Map<string, string>([
		["without the blanks and line breaks around it", body.trim()],
		["with a line break at its end", `${body}\n`],
		["with a carriage return and line break at its end", `${body}\r\n`],
		["with line breaks in place of carriage returns and line breaks", body.replaceAll("\r\n", "\n")],
		["with carriage returns before its line breaks", body.replaceAll(/\r?\n/g, "\r\n")],
		["with a byte order mark before it", `\ufeff${body}`],
	]);
	try {
		// A byte order mark counts as a blank to trim, and not to JSON.parse.
		const value: unknown = JSON.parse(body.trim());
		const compact = JSON.stringify(value);
		forms.set("as compact JSON", compact);
		forms.set("as JSON indented by two spaces", JSON.stringify(value, null, 2));
		forms.set("as JSON indented by four spaces", JSON.stringify(value, null, 4));
		forms.set("as JSON indented by tabs", JSON.stringify(value, null, "\t"));
		forms.set("as compact JSON with a line break at its end", `${compact}\n`);
		forms.set("as JSON indented by two spaces with a line break at its end", `${JSON.stringify(value, null, 2)}\n`);
		forms.set("as compact JSON with its members in the order of delivery", JSON.stringify(inOrderOfDelivery(value)));
		forms.set("as compact JSON with its members sorted by name", JSON.stringify(sorted(value)));
		forms.set("as compact JSON with characters outside ASCII escaped", escaped(compact));
		forms.set("as compact JSON with slashes escaped", compact.replaceAll("/", "\\/"));
	} catch {
		// Not JSON, or nested too deep to be written again: the forms of plain text remain.
	}
	for (const [form, text] of forms) if (text === body) forms.delete(form);
	return forms;
}

function inOrderOfDelivery(value: unknown): unknown {
	if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
	const place = (name: string) => (ENVELOPE.includes(name) ? ENVELOPE.indexOf(name) : ENVELOPE.length);
	return Object.fromEntries(Object.entries(value).sort(([a], [b]) => place(a) - place(b)));
}

function sorted(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(sorted);
	if (typeof value !== "object" || value === null) return value;
	const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
	return Object.fromEntries(members.map(([name, member]) => [name, sorted(member)]));
}

function escaped(json: string): string {
	return json.replaceAll(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
