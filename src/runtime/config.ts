// Configuration: reads every variable once, at the first request. While one is wrong every request answers 503 and the
// log has its name, never its value.

import { importJWK } from "jose";
import * as z from "zod";
import { judgeUrl, parseNetworks, parsePorts } from "../shared/addresses";
import { fromBase64 } from "../shared/bytes";
import { Keyring } from "../shared/keyring";
import { isLoopback } from "../shared/origin";
import { reasonOf } from "../shared/reasons";
import { HOUR_MS } from "../shared/time";
import { TrustedIssuer } from "../shared/trusted-issuer";
import { faultsOfSenders, MessageVariables } from "./config.messages";
import { faultsOfOpenFga, OpenFga } from "./config.openfga";
import { faultsOfOperating, OPERATING_URLS, OperatingVariables } from "./config.operating";
import { faultsOfPaymentUrls, PaymentUrls } from "./config.payments";
import { ConsoleSignIn, faultOfSignIn } from "./console-sign-in";
import { CurrentAccountTerms } from "./current-account-terms";
import { faultsOfIssuers } from "./issuer-faults";
import { logger } from "./log";
import { RetentionPeriods } from "./retention-periods";
import { amount, duration, json, numberBy, parseDays, places, readBy } from "./variables";

export class ConfigurationError extends Error {
	/** What is wrong with each variable, by its name; never its value. */
	readonly variables: Readonly<Record<string, string>>;
	constructor(variables: Readonly<Record<string, string>>) {
		super(`configuration is missing or malformed: ${Object.keys(variables).join(", ")}`);
		this.variables = variables;
	}
}

/** NEW_PAYEE_OTP_ABOVE outside `local`. */
const NEW_PAYEE_DEFAULT = 50_000;
/** CAUTION_HOURS outside `local`. */
const CAUTION_DEFAULT = 24;
/** The shortest RECOVERY_WAIT in `production`. */
const RECOVERY_WAIT_LEAST = 72 * HOUR_MS;

const PrivateJwk = z.looseObject({ kty: z.literal("RSA"), n: z.string(), e: z.string(), d: z.string(), kid: z.string().min(1) });

const MIN_KEY_BITS = 2048;

/** A secret that guesses do not find, and no placeholder that somebody forgot to replace. */
const isStrong = (secret: string): boolean => secret.length >= 32 && new Set(secret).size >= 10;
const STRONG = "must have 32 characters or more, 10 of them different";

/** The address of a provider. `superRefine` demands HTTPS outside `local`. */
const providerUrl = z.url({ protocol: /^https?$/ });

const Variables = z
	.object({
		ENVIRONMENT: z.enum(["local", "sandbox", "production"]).default("production"),
		RELEASE: z.string().min(1).max(100).optional(),
		BASE_URL: z
			.url({ protocol: /^https?$/ })
			.transform((url) => url.replace(/\/+$/, ""))
			.optional(),
		TRUSTED_ISSUERS: json(z.array(TrustedIssuer)).default([]),
		CONSOLE_SIGN_IN: json(z.array(ConsoleSignIn).max(20)).default([]),
		SERVICE_KEYS: json(
			z.strictObject({
				keys: z
					.array(PrivateJwk)
					.min(1)
					.max(2)
					.refine((keys) => new Set(keys.map(({ kid }) => kid)).size === keys.length, "must not have the same kid twice"),
			}),
		),
		MASTER_KEY: z.string().min(1),
		/** Without it, dead letters wake the consumer up like other messages. */
		DEAD_LETTER_QUEUE: z.string().min(1).optional(),
		WEBHOOK_ALLOWED_NETWORKS: readBy(parseNetworks, "must be networks such as 10.0.0.0/8, separated by commas").prefault(""),
		WEBHOOK_ALLOWED_PORTS: readBy(parsePorts, "must be ports from 1 to 65535, separated by commas, or *").prefault("*"),
		DNS_OVER_HTTPS_URL: providerUrl.default("https://cloudflare-dns.com/dns-query"),
		MESSAGE_SENDER: z.enum(["outbox", "http", "list"]).default("http"),
		MESSAGE_SENDER_URL: providerUrl.optional(),
		MESSAGE_SENDER_TOKEN: z.string().min(1).optional(),
		...MessageVariables,
		MESSAGE_BUDGET_PER_MINUTE: numberBy(/^[1-9]\d{0,6}$/, "must be a number from 1 to 9999999").prefault("600"),
		PLACES: places.prefault([]),
		DATABASE_BYTES: numberBy(/^[1-9]\d{5,12}$/, "must be a number of bytes from 100000 on").prefault("10000000000"),
		WEBHOOK_QUOTA: numberBy(/^[1-9]\d{0,9}$/, "must be a number of deliveries from 1 on").prefault("2000000"),
		WEBHOOK_PACE: z.enum(["deployed", "unbounded"]).optional(),
		RETENTION_DAYS: readBy(parseDays, "must be a number of days from 1 to 3650").prefault("30"),
		RETENTION_PERIODS: json(RetentionPeriods).prefault({}),
		OPERATOR_PAIRS: z.enum(["on", "off"]).optional(),
		RATE_LIMITS: z.enum(["on", "off"]).default("on"),
		/** off: nothing is changed, by requests, queue messages or the sweep; reads go on. */
		WRITES: z.enum(["on", "off"]).default("on"),
		CUSTODIAN: z.enum(["sandbox", "http"]).default("http"),
		CUSTODIAN_URL: providerUrl.optional(),
		CUSTODIAN_SECRET: z.string().min(1).optional(),
		DISBURSER: z.enum(["sandbox", "http", "connections"]).default("http"),
		DISBURSER_URL: providerUrl.optional(),
		DISBURSER_SECRET: z.string().min(1).optional(),
		...PaymentUrls,
		TRANSFER_OTP_ABOVE: amount.prefault("1000000"),
		NEW_PAYEE_OTP_ABOVE: amount.optional(),
		API_KEY_DAILY_AMOUNT: amount.prefault("100000000"),
		CUSTODIAN_CREDITS_PER_DAY: amount.prefault("1000000000"),
		CAUTION_HOURS: numberBy(/^(0|[1-9]\d{0,2})$/, "must be a number of hours from 0 to 999").optional(),
		RECOVERY_WAIT: duration.prefault("PT72H"),
		SIM_SWAP_URL: providerUrl.optional(),
		SIM_SWAP_TOKEN: z.string().min(1).optional(),
		NAME_LOOKUP_URL: providerUrl.optional(),
		NAME_LOOKUP_TOKEN: z.string().min(1).optional(),
		CURRENT_ACCOUNTS: json(CurrentAccountTerms).prefault({}),
		DARAJA_SECRETS: json(
			z
				.array(
					z.strictObject({
						secret: z.string().min(1).max(255),
						organization_id: z.string().min(1).max(255),
						amount_per_day: z.int().min(0).default(1_000_000_000),
					}),
				)
				.refine((sources) => new Set(sources.map(({ secret }) => secret)).size === sources.length, "must not have the same secret twice"),
		).default([]),
		...OperatingVariables,
		...OpenFga,
	})
	.superRefine((vars, ctx) => {
		const local = vars.ENVIRONMENT === "local";
		const production = vars.ENVIRONMENT === "production";
		const refuse = (name: string, message: string) => ctx.addIssue({ code: "custom", path: [name], message });
		if (!local && !vars.BASE_URL) refuse("BASE_URL", "is required");
		if (!local && vars.WEBHOOK_ALLOWED_NETWORKS.length > 0) refuse("WEBHOOK_ALLOWED_NETWORKS", "is allowed in local only");
		if (!local && vars.RATE_LIMITS === "off") refuse("RATE_LIMITS", "off is allowed in local only");
		if (!local && vars.OPERATOR_PAIRS === "off") refuse("OPERATOR_PAIRS", "off is allowed in local only");
		if (production && vars.MESSAGE_SENDER === "outbox")
			refuse("MESSAGE_SENDER", "must not be outbox in production, because that keeps messages readable");
		if (production && vars.CUSTODIAN === "sandbox") refuse("CUSTODIAN", "must not be sandbox in production, because that moves no money");
		if (production && vars.DISBURSER === "sandbox") refuse("DISBURSER", "must not be sandbox in production, because that moves no money");
		const { CUSTODIAN_SECRET, DISBURSER_SECRET, DARAJA_SECRETS } = vars;
		for (const [name, secret] of Object.entries({ CUSTODIAN_SECRET, DISBURSER_SECRET })) {
			if (!local && secret !== undefined && !isStrong(secret)) refuse(name, STRONG);
		}
		for (const [index, { secret }] of DARAJA_SECRETS.entries()) {
			if (!local && !isStrong(secret)) refuse("DARAJA_SECRETS", `entry ${index}: secret ${STRONG}`);
		}
		if (production && (vars.CAUTION_HOURS ?? CAUTION_DEFAULT) < CAUTION_DEFAULT)
			refuse("CAUTION_HOURS", "must be at least 24 in production");
		if (production && vars.RECOVERY_WAIT < RECOVERY_WAIT_LEAST) refuse("RECOVERY_WAIT", "must be at least PT72H in production");
		if ((vars.NEW_PAYEE_OTP_ABOVE ?? 0) > vars.TRANSFER_OTP_ABOVE) refuse("NEW_PAYEE_OTP_ABOVE", "must be at most TRANSFER_OTP_ABOVE");
		if (vars.DISBURSER === "connections" && (vars.DISBURSER_URL === undefined) !== (vars.DISBURSER_SECRET === undefined))
			refuse("DISBURSER_URL", "must be set together with DISBURSER_SECRET");
		const faults = [faultsOfPaymentUrls(vars, local), faultsOfSenders(vars), faultsOfOpenFga(vars), faultsOfOperating(vars)];
		for (const [name, fault] of faults.flat()) refuse(name, fault);
		const needed = [
			...(vars.MESSAGE_SENDER === "http" ? (["MESSAGE_SENDER_URL", "MESSAGE_SENDER_TOKEN"] as const) : []),
			// Without its secret only the custodian's callbacks are off.
			...(vars.CUSTODIAN === "http" ? (["CUSTODIAN_URL"] as const) : []),
			...(vars.DISBURSER === "http" ? (["DISBURSER_URL", "DISBURSER_SECRET"] as const) : []),
		];
		// Locally the rest of the service can be tried without them.
		for (const name of local ? [] : needed) if (!vars[name]) refuse(name, "is required by the chosen provider");
		for (const service of ["NAME_LOOKUP", "SIM_SWAP"] as const) {
			const [url, token] = [`${service}_URL`, `${service}_TOKEN`] as const;
			if ((vars[url] === undefined) !== (vars[token] === undefined)) refuse(url, `must be set together with ${token}`);
		}
		for (const name of [
			"NAME_LOOKUP_URL",
			"SIM_SWAP_URL",
			"MESSAGE_SENDER_URL",
			"CUSTODIAN_URL",
			"DISBURSER_URL",
			"OPENFGA_URL",
			"DNS_OVER_HTTPS_URL",
			...OPERATING_URLS,
		] as const) {
			if (vars[name] && !isSecureAddress(vars[name], local)) refuse(name, "must be HTTPS");
		}
		const fault = faultOfSignIn(vars, local, (uri) => isSecureAddress(uri, local));
		if (fault) refuse("CONSOLE_SIGN_IN", fault);
		for (const issuerFault of faultsOfIssuers(vars, (uri) => isKeySetAddress(uri, local))) refuse("TRUSTED_ISSUERS", issuerFault);
	})
	.transform((vars) => {
		const { ENVIRONMENT, TRANSFER_OTP_ABOVE: most, NEW_PAYEE_OTP_ABOVE: given } = vars;
		const local = ENVIRONMENT === "local";
		return {
			...vars,
			NEW_PAYEE_OTP_ABOVE: given ?? (local ? most : Math.min(NEW_PAYEE_DEFAULT, most)),
			CAUTION_HOURS: vars.CAUTION_HOURS ?? (local ? 0 : CAUTION_DEFAULT),
		};
	});

/** HTTPS, or in `local` plain HTTP to loopback: anybody on the way could read or change what is sent in the clear. */
function isSecureAddress(uri: string, local: boolean): boolean {
	if (!URL.canParse(uri)) return false;
	const { protocol, hostname, username, password } = new URL(uri);
	if (username !== "" || password !== "") return false;
	return protocol === "https:" || (local && (hostname === "localhost" || hostname === "127.0.0.1" || hostname === "[::1]"));
}

/** A public name over HTTPS, or in `local` loopback: an issuer must not make the service call private addresses. */
export const isKeySetAddress = (uri: string, local: boolean): boolean =>
	isSecureAddress(uri, local) && (isLoopback(uri) ? local : judgeUrl(uri, { allowedPorts: "*", allowedNetworks: [] }).ok);

export type ServiceKey = z.output<typeof PrivateJwk>;

export type Config = Omit<z.output<typeof Variables>, "OPERATOR_PAIRS"> & {
	readonly OPERATOR_PAIRS: "on" | "off";
	readonly keyring: Keyring;
};

/** Values, not promises: a promise of a cancelled request never completes, and later requests would wait for it. */
const read = new WeakMap<object, Config>();

/** The configuration of this Worker. Throws `ConfigurationError`. */
export async function configuration(env: Env): Promise<Config> {
	const known = read.get(env);
	if (known) return known;
	const fresh = nameMissingOperators(await parse(env));
	read.set(env, fresh);
	return fresh;
}

/** Said at the start of an isolate, because nothing else would: the deployer would find out when an operator is needed. */
function nameMissingOperators<C extends { ENVIRONMENT: string; TRUSTED_ISSUERS: readonly TrustedIssuer[] }>(config: C): C {
	const { ENVIRONMENT, TRUSTED_ISSUERS } = config;
	// On this machine the sandbox's own issuer signs operators in.
	if (ENVIRONMENT !== "local" && !TRUSTED_ISSUERS.some(({ kind, disabled }) => kind === "operator" && !disabled))
		logger({}).error("nobody can operate this service: TRUSTED_ISSUERS names no issuer of the kind operator", undefined, {
			environment: ENVIRONMENT,
		});
	return config;
}

async function parse(env: Env): Promise<Config> {
	const result = Variables.safeParse(env, { error: reasonOf });
	if (!result.success) throw new ConfigurationError(Object.fromEntries(result.error.issues.toReversed().map(complaintOf)));
	const keyring = await Keyring.parse(result.data.MASTER_KEY).catch(() => {
		throw new ConfigurationError({ MASTER_KEY: "must be 32 bytes in base64, or several such keys separated by commas, each once" });
	});
	if (!(await Promise.all(result.data.SERVICE_KEYS.keys.map(canSign))).every(Boolean)) {
		throw new ConfigurationError({ SERVICE_KEYS: `holds a key that cannot sign RS256, or has fewer than ${MIN_KEY_BITS} bits` });
	}
	const { OPERATOR_PAIRS = result.data.ENVIRONMENT === "local" ? "off" : "on" } = result.data;
	return { ...result.data, OPERATOR_PAIRS, keyring };
}

/** The variable, and what is wrong with it; within a JSON value also where. */
function complaintOf({ path: [name, ...within], message }: z.core.$ZodIssue): [name: string, reason: string] {
	return [String(name), within.length > 0 ? `${within.map(String).join(".")} ${message}` : message];
}

/** Checked with the configuration, so that a wrong key is reported immediately and not when the first token is signed. */
async function canSign(key: ServiceKey): Promise<boolean> {
	const bytes = fromBase64(key.n)?.length ?? 0;
	return (
		bytes * 8 >= MIN_KEY_BITS &&
		importJWK(key, "RS256").then(
			() => true,
			() => false,
		)
	);
}
