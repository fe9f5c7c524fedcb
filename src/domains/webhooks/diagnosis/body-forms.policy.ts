/**
 * The forms that parsers, frameworks and editors give to a JSON body. The signature debugger tries them to explain a mismatch. It
 * cannot recover the original order of members unless that was ours or alphabetical.
 */
const ENVELOPE = ["delivery_id", "event_type", "payload_version", "sent_at", "organization_id", "data"];

/** The other forms of the body, keyed by the words that complete "The signature matches this body ...". */
export function otherForms(body: string): Map<string, string> {
	const forms = new Map<string, string>([
		["without leading and trailing whitespace", body.trim()],
		["with a line feed at its end", `${body}\n`],
		["with a carriage return and line feed at its end", `${body}\r\n`],
		["with LF line endings in place of CRLF", body.replaceAll("\r\n", "\n")],
		["with CRLF line endings", body.replaceAll(/\r?\n/g, "\r\n")],
		["with a byte order mark before it", `\ufeff${body}`],
	]);
	try {
		// trim removes a byte order mark, which JSON.parse would reject.
		const value: unknown = JSON.parse(body.trim());
		const compact = JSON.stringify(value);
		forms.set("as compact JSON", compact);
		forms.set("as JSON indented by two spaces", JSON.stringify(value, null, 2));
		forms.set("as JSON indented by four spaces", JSON.stringify(value, null, 4));
		forms.set("as JSON indented by tabs", JSON.stringify(value, null, "\t"));
		forms.set("as compact JSON with a line feed at its end", `${compact}\n`);
		forms.set("as JSON indented by two spaces with a line feed at its end", `${JSON.stringify(value, null, 2)}\n`);
		forms.set("as compact JSON with its members in the order of the delivery", JSON.stringify(inOrderOfDelivery(value)));
		forms.set("as compact JSON with its members sorted by name", JSON.stringify(sorted(value)));
		forms.set("as compact JSON with characters outside ASCII escaped", escaped(compact));
		forms.set("as compact JSON with slashes escaped", compact.replaceAll("/", "\\/"));
	} catch {
		// Not JSON, or nested too deeply to serialise: only the plain-text forms apply.
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
