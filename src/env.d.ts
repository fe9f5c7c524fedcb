// The Worker's bindings and variables, as wrangler.toml and .dev.vars name them.
declare namespace Cloudflare {
	interface GlobalProps {
		mainModule: typeof import("./worker");
		durableNamespaces: "IdempotencyKeys" | "DeliveryRetry" | "Sweep";
	}
	interface Env {
		DB: D1Database;
		WEBHOOK_QUEUE: Queue<import("./events/queue").EndpointMessage>;
		WEBHOOK_SLOW_QUEUE: Queue<import("./events/queue").EndpointMessage>;
		IDEMPOTENCY_KEYS: DurableObjectNamespace<import("./http/idempotency/idempotency-keys").IdempotencyKeys>;
		DELIVERY_RETRIES: DurableObjectNamespace<import("./domains/webhooks/deliveries/delivery-retry.object").DeliveryRetry>;
		/** Absent: the cron sweeps by itself. */
		SWEEPS?: DurableObjectNamespace<import("./wiring/sweep.object").Sweep>;
		/** The API reference, in deployments and `npm start`. */
		ASSETS?: Fetcher;
		METRICS?: AnalyticsEngineDataset;
		/** Where finished deliveries go that leave the database; absent: they stay until they are purged. */
		ARCHIVE?: R2Bucket;
		/** Where what changes is written, so that databases can be made from it; absent: there is only D1's own history. */
		BACKUP?: R2Bucket;
		USER_LIMIT?: RateLimit;
		CLIENT_LIMIT?: RateLimit;
		ADDRESS_LIMIT?: RateLimit;
		EXCHANGE_LIMIT?: RateLimit;
		CODED_LIMIT?: RateLimit;
		HEAVY_LIMIT?: RateLimit;
		/** `npm start` only: answers why a connection to a URL fails, because the local runtime does not say it. */
		CONNECTION_DIAGNOSIS?: Fetcher;
		FAILURE_LIMIT?: RateLimit;
		ENVIRONMENT?: string;
		/** Set by `npm run deploy`. */
		RELEASE?: string;
		BASE_URL?: string;
		PLACES?: string;
		TRUSTED_ISSUERS?: string;
		CONSOLE_SIGN_IN?: string;
		SERVICE_KEYS?: string;
		MASTER_KEY?: string;
		WEBHOOK_ALLOWED_NETWORKS?: string;
		WEBHOOK_ALLOWED_PORTS?: string;
		DNS_OVER_HTTPS_URL?: string;
		MESSAGE_SENDER?: string;
		MESSAGE_SENDER_URL?: string;
		MESSAGE_SENDER_TOKEN?: string;
		MESSAGE_SENDERS?: string;
		AFRICASTALKING_API_KEY?: string;
		TWILIO_AUTH_TOKEN?: string;
		RESEND_API_KEY?: string;
		FCM_SERVICE_ACCOUNT?: string;
		FCM_URL?: string;
		APNS_KEY?: string;
		APNS_URL?: string;
		MESSAGE_BUDGET_PER_MINUTE?: string;
		RETENTION_PERIODS?: string;
		OPERATOR_PAIRS?: string;
		RATE_LIMITS?: string;
		WRITES?: string;
		CUSTODIAN?: string;
		CUSTODIAN_URL?: string;
		CUSTODIAN_SECRET?: string;
		CURRENT_ACCOUNTS?: string;
		DISBURSER?: string;
		DISBURSER_URL?: string;
		DISBURSER_SECRET?: string;
		TRANSFER_OTP_ABOVE?: string;
		API_KEY_DAILY_AMOUNT?: string;
		CUSTODIAN_CREDITS_PER_DAY?: string;
		NEW_PAYEE_OTP_ABOVE?: string;
		CAUTION_HOURS?: string;
		SIM_SWAP_URL?: string;
		SIM_SWAP_TOKEN?: string;
		NAME_LOOKUP_URL?: string;
		NAME_LOOKUP_TOKEN?: string;
		DARAJA_SECRETS?: string;
		ALERT_URL?: string;
		HEARTBEAT_URL?: string;
		ALERT_UNMATCHED_ABOVE?: string;
		BACKUP_URL?: string;
		BACKUP_ACCESS_KEY_ID?: string;
		BACKUP_SECRET_ACCESS_KEY?: string;
		METRICS_URL?: string;
		METRICS_TOKEN?: string;
		METRICS_DATASET?: string;
		AUTHORIZATION_PROVIDER?: string;
		DEAD_LETTER_QUEUE?: string;
		OPENFGA_URL?: string;
		OPENFGA_STORE_ID?: string;
		OPENFGA_MODEL_ID?: string;
		OPENFGA_TOKEN?: string;
		OPENFGA_TUPLES?: string;
		OPENFGA_CHECKS_PER_REQUEST?: string;
	}
}
interface Env extends Cloudflare.Env {}
