// By which rule of docs/openapi.md a request was refused that the document allows.

import { readFileSync } from "node:fs";
import path from "node:path";

type Fault = { readonly path?: string; readonly reason?: string; readonly sub_code?: string };
export type Refused = {
	readonly code?: string;
	readonly reason?: string;
	readonly description?: string;
	readonly invalid_params?: readonly Fault[];
};

type Rule = {
	/** What the rule begins with in the page. */
	readonly rule: string;
	readonly faults?: RegExp;
	readonly codes?: RegExp;
	readonly statuses?: readonly number[];
};

const RULES: readonly Rule[] = [
	{ rule: "Text is trimmed", faults: /must have at least 1 character|must not be empty|must not be blank|must have visible characters/ },
	{ rule: "No text has half of a surrogate pair", faults: /NUL|lone surrogate|__proto__/ },
	{ rule: "A name or note that other people", faults: /must not contain control characters/ },
	{ rule: "An event type", faults: /is not an event type|event type/ },
	{ rule: "A time zone", faults: /IANA time zone|ISO 4217/ },
	{ rule: "A duration", faults: /must be a duration|ISO 8601 duration/ },
	{ rule: "A mail address", faults: /must be an email address/ },
	{ rule: "A phone number", faults: /in international form|is not a mobile number/ },
	{ rule: "In a list of scopes", faults: /must not repeat/ },
	{
		rule: "A URL is HTTPS",
		faults:
			/HTTPS URL|(?:url|jwks_uri) (?:is not a URL|must |has a )|public (?:name|address|HTTPS address)|address that is not public|does not resolve|has no configuration that/,
	},
	{ rule: "The name of a header", faults: /header/ },
	{
		rule: "An instant or a day",
		faults:
			/must (?:not )?be later than \d{4}-|must (?:not )?be (?:in the (?:future|past)|today|after today|within|from \d{4}-)|is in the future|is before (?:it was paid out|1970)|is not (?:over yet|closed yet: )/,
	},
	{ rule: "A whole number has at most", faults: /must be at (?:most|least) -?9007199254740991/ },
	{ rule: "A value that answers have as an open text", faults: /must be one of "/ },
	{
		rule: "A token, a one-time password",
		faults: /cursor of this list|is not valid: |has expired: |is not the code that was sent/,
		codes: /^(?:INVALID_TOKEN|MALFORMED_TOKEN|OTP_|CURSOR)/,
	},
	{
		rule: "A value with several forms",
		faults: /has none of the documented forms|^list(?:OwnedWork|Calls) query\.owner must be a UUID|must not have the form of an id/,
	},
	{ rule: "`If-Match` names", statuses: [412, 426] },
	{
		rule: "`after` and `before`",
		faults:
			/cannot be sent together with|^previewReschedule query\.\w+ is not for |together with due_before|is for the accounts of the acting organization/,
	},
	{
		rule: "`GET /v1/disbursements` needs",
		faults:
			/^list(?:Disbursements|Accounts) query.* is required, or|^listFollowUps query.* is required, one of them|^previewReschedule query\.\w+ is required for /,
	},
	{ rule: "An id in a signed body", faults: /must be the id in the path/ },
	{ rule: "`user_id` is sent by", faults: /user_id (?:is required|is not|must be left out)/ },
	{
		rule: "The data allow the amount",
		faults:
			/, and a multiple of |is not a reversal of|is not an account of the same|is required: the agent has no|is the (?:id|slug) of no|is not one that the product|is more than is|is no cycle|must be less than |is not configured|is the agent, or|has none that|must be another payee|must be the acting organization|must be one for which the user has|is not offered|is not chosen here|cannot be switched on|is no place that the product|is no member of the organization|is a current account$|is for credit accounts$|is not an account$|is no test issuer of|must be at least as many as there are|due_dates must each be later|are too (?:many|far ahead)$|payout needs an? |is more than the current account may hold|is a member of no event|, as the issuer has it$|is required with a bank's first statement|is the present number$|is not the tag of another user|has names that no deal|names no |makes? more than|results in |is more than the \d+ that|must be a multiple of \d+: no cents|, which can be paid (?:at once|out)$|belongs in TRUSTED_ISSUERS|ApiKey daily_amount must be at most |must be 1 to \d+$|^put\w+Connection \w+ is required$|, as the law demands$|is no published version of|has accounts that are not in the chart: |must have a number for every account of the chart/,
	},
	{
		rule: "Members fit each other",
		faults:
			/has no rate in|must be (?:at most \d+ days )?later than from|greater than|is not that of the |another currency|must not be below|is below m|overlaps |is (?:not )?after |is more than \d+ days after|divides the tenure|too many installments|\]\.cycles |has a rule already|names the same as|is (?:named|given) twice|is required with may_assert_user_ids$|must ascend by |must have a `min` of at most `max`|is not for a test issuer|has accounts more than once: |whose lines do not all belong to a product/,
	},
	{ rule: "The records of a `csv`", faults: / csv (?:has|record) / },
];

const page = readFileSync(path.resolve(import.meta.dirname, "../../../docs/openapi.md"), "utf8");
for (const { rule } of RULES) if (!page.includes(`| ${rule}`)) throw new Error(`docs/openapi.md has no rule "${rule}"`);

/** Undefined where one of its faults is of no rule. */
export function ruleOf(
	operation: string,
	status: number,
	{ code = "", reason = "", invalid_params: faults = [] }: Refused,
): string | undefined {
	const byFault = faults.map(
		({ path: member = "", reason: told = "" }) => RULES.find(({ faults: of }) => of?.test(`${operation} ${member} ${told}`))?.rule,
	);
	if (faults.length > 0) return byFault.includes(undefined) ? undefined : byFault[0];
	return RULES.find(({ codes, statuses }) => (statuses?.includes(status) ?? codes?.test(`${code} ${reason}`)) === true)?.rule;
}
