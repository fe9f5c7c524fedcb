// `npm run audit:export -- --token <token> [--url <url>] [--organization <id>] [--stream <stream>]`: writes one stream of the audit
// trail, rows and seals, one JSON value a line.

import { parseArgs } from "node:util";
import * as z from "zod";

const USAGE = `npm run -s audit:export -- --token <token> [--url <url>] [--organization <id or slug>] [--stream <stream>] > <export>

  --token         of an operator, or of a member with org:audit:read
  --url           of the service; http://127.0.0.1:8787 when absent
  --organization  whose trail it is to be, where the token alone does not say it
  --stream        another stream than the one in the organization's home
`;

const { values } = parseArgs({
	options: {
		token: { type: "string" },
		url: { type: "string", default: "http://127.0.0.1:8787" },
		organization: { type: "string" },
		stream: { type: "string" },
	},
});
const { token, url, organization, stream } = values;
if (!token) {
	process.stderr.write(USAGE);
	process.exit(2);
}

const Page = z.object({ data: z.array(z.unknown()), links: z.object({ next: z.string().nullable() }) });

/** Writes every item of a list, newest first. Rows that are added meanwhile come before the first page, and are left out. */
async function write(path: string, name: "row" | "seal"): Promise<void> {
	for (let after: string | null = ""; after !== null; ) {
		const query = new URLSearchParams({ size: "100", ...(stream && { stream }), ...(after && { after }) });
		const response = await fetch(`${url}${path}?${query}`, {
			headers: { authorization: `Bearer ${token}`, ...(organization && { "x-organization-id": organization }) },
		});
		if (!response.ok) throw new Error(`${path} answered ${response.status} ${await response.text()}`);
		const page = Page.parse(await response.json());
		for (const item of page.data) process.stdout.write(`${JSON.stringify({ [name]: item })}\n`);
		after = page.links.next;
	}
}

// Seals first: every row that one of them covers is there by then.
await write("/v1/audit/seals", "seal");
await write("/v1/audit", "row");
