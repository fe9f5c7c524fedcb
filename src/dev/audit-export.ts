// `npm run audit:export -- --token <token> [--url <url>] [--organization <id>] [--stream <stream>]`: writes one stream of the audit
// trail, rows and seals, one JSON value a line.

import * as z from "zod";
import { misused, readCommandLine } from "./command-line.ts";

const usage = `npm run -s audit:export -- --token <token> [--url <url>] [--organization <id or slug>] [--stream <stream>] > <export>

  --token         of an operator, or of a member with org:audit:read
  --url           of the service (default: BASE_URL, else http://127.0.0.1:8787)
  --organization  whose trail it is to be, where the token alone does not say it
  --stream        another stream than the one in the organization's home
`;

const { values } = readCommandLine(usage, {
	options: {
		token: { type: "string" },
		url: { type: "string", default: process.env.BASE_URL ?? "http://127.0.0.1:8787" },
		organization: { type: "string" },
		stream: { type: "string" },
	},
});
const { token = misused(usage, "--token is required."), organization, stream } = values;
const url = values.url.replace(/\/+$/, "");

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

try {
	// Seals first: every row that one of them covers is there by then.
	await write("/v1/audit/seals", "seal");
	await write("/v1/audit", "row");
} catch (error) {
	if (!(error instanceof Error)) throw error;
	// What `fetch` throws does not say more.
	const unreachable = error instanceof TypeError && error.cause !== undefined;
	process.stderr.write(`${unreachable ? `Nothing answers at ${url}.` : error.message}\n`);
	process.exit(1);
}
