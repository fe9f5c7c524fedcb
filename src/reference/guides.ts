// The guides: docs/guides/*.md as pages, with their sections.

import { html, raw } from "hono/html";
import { Marked } from "marked";
import { slugOf } from "./contents";
import { hrefOf } from "./links";
import { code } from "./operation";
import type { Html } from "./schema";

export type Guide = {
	/** Below `/docs`. */
	readonly path: string;
	readonly title: string;
	/** The first paragraph, as plain text. */
	readonly about: string;
	readonly sections: readonly { readonly id: string; readonly title: string; readonly text: string }[];
	readonly markdown: string;
};

/** In the order in which a newcomer needs them. */
const ORDER = [
	"first-webhook",
	"sign-your-users-in",
	"an-app-in-one-evening",
	"from-offer-to-repayment",
	"where-every-unit-comes-from",
	"idempotency-and-retries",
	"paging-and-bookmarks",
	"sandbox-clock",
	"organizations-roles-keys",
	"console-sign-in",
	"receiving-webhooks",
	"current-accounts-and-transfers",
	"clients",
	"going-live",
];

/** @param files Markdown by the names of the files */
export function guidesOf(files: Readonly<Record<string, string>>): Guide[] {
	const nameOf = (file: string) => file.slice(file.lastIndexOf("/") + 1).replace(/\.md$/, "");
	return Object.entries(files)
		.map(([file, markdown]) => ({ name: nameOf(file), markdown }))
		.sort((a, b) => ORDER.indexOf(a.name) - ORDER.indexOf(b.name))
		.map(({ name, markdown }) => {
			const [head = "", ...sections] = markdown.split(/^## /m);
			const [title = "", ...paragraphs] = head.split("\n\n");
			return {
				path: `guides/${name}`,
				title: title.replace(/^# /, "").trim(),
				about: plain(paragraphs[0] ?? ""),
				sections: sections.map((section) => {
					const end = section.indexOf("\n");
					return { id: slugOf(section.slice(0, end)), title: section.slice(0, end), text: plain(section.slice(end)) };
				}),
				markdown,
			};
		});
}

const TEST_TOKENS = `> On this service \`/v1/sandbox/tokens\` has tokens of test issuers alone. Before you begin, set \`ISSUER\` to the name of a test issuer, which the lender has registered with the kind \`sandbox\`, and \`OPERATOR\` to a token of an operator, for the steps that need one.

`;

/** A guide as it can be followed on a deployed sandbox, where only test issuers sign somebody in. */
export function withTestIssuer(markdown: string): string {
	if (!markdown.includes("/v1/sandbox/tokens")) return markdown;
	const told = markdown
		.replaceAll(/^OPERATOR=.*operator.*$/gm, () => 'test -n "$OPERATOR"')
		.replaceAll(
			/^PARTNER=.*subject\\?":\\?"(\w+).*$/gm,
			(_, subject: string) =>
				`PARTNER=$(curl -s $API/v1/sandbox/tokens -H "$json" -d "{\\"kind\\":\\"partner\\",\\"issuer\\":\\"$ISSUER\\",\\"subject\\":\\"${subject}-$RANDOM\\"}" | field token)`,
		);
	return told.replace(/^(?=## )/m, () => TEST_TOKENS);
}

const plain = (markdown: string): string =>
	markdown
		.replaceAll(/```\w*\n|\[([^\]]*)\]\([^)]*\)/g, "$1")
		.replaceAll(/[`*|]/g, "")
		.replaceAll(/\s+/g, " ")
		.trim();

const LANGUAGES: Readonly<Record<string, string>> = { sh: "Request", ts: "Client", json: "Answer", http: "Delivery", csv: "Answer" };

/** A link from one guide to another file of the repository, as the page that shows it: `../openapi.json`, `first-webhook.md`. */
const addressOf = (page: string, target: string, address: string): string => {
	if (target.startsWith("#")) return target;
	if (target.startsWith("/docs/")) return hrefOf(page, target.slice("/docs/".length));
	if (target.startsWith("/")) return `${address}${target}`;
	return hrefOf(page, `guides/${target.replace(/\.md(?=#|$)/, "")}`);
};

/** What `npm start` serves, which the guides name. */
const LOCAL = "http://127.0.0.1:8787";

/** @param address of the service */
export async function guideBody(guide: Guide, address: string): Promise<Html> {
	const blocks: string[] = [];
	const marked = new Marked({
		async: true,
		renderer: {
			heading({ tokens, depth, text }) {
				if (depth === 1) return "";
				const id = slugOf(text);
				return `<h${depth} id="${id}"><a href="#${id}">${this.parser.parseInline(tokens)}</a></h${depth}>`;
			},
			link({ href, tokens }) {
				return `<a href="${addressOf(guide.path, href, address)}">${this.parser.parseInline(tokens)}</a>`;
			},
			code({ text, lang = "" }) {
				const [language = "", ...words] = lang.split(" ");
				return `<!--block ${blocks.push(String(code(words.join(" ") || LANGUAGES[language] || language, text, language))) - 1}-->`;
			},
		},
	});
	const made = await marked.parse(guide.markdown.replaceAll(LOCAL, address));
	return html`<div class="guide">${raw(made.replaceAll(/<!--block (\d+)-->/g, (_, index) => blocks[Number(index)] ?? ""))}</div>`;
}
