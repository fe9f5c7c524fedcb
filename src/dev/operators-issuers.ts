// Who could operate a service by the TRUSTED_ISSUERS of its environment.

type Issuer = {
	readonly issuer?: string;
	readonly kind?: string;
	readonly disabled?: boolean;
	readonly required_claims?: Readonly<Record<string, unknown>>;
};

/** Those whose tokens make somebody an operator. */
function operatorsIn(issuers: string): Issuer[] {
	try {
		const entries: unknown = JSON.parse(issuers);
		return Array.isArray(entries) ? entries.filter((one: Issuer | null) => one?.kind === "operator" && one.disabled !== true) : [];
	} catch {
		return [];
	}
}

export const namesOperators = (issuers: string): boolean => operatorsIn(issuers).length > 0;

/** At which anybody can get an account, or a token for any audience. */
const ADMITS_EVERYBODY = [
	/^(https:\/\/)?accounts\.google\.com$/,
	/^https:\/\/securetoken\.google\.com\//,
	/^https:\/\/login\.microsoftonline\.com\/9188040d-6c67-4c5b-b112-36a304b66dad\//,
	/^https:\/\/appleid\.apple\.com$/,
	/^https:\/\/gitlab\.com$/,
	/^https:\/\/token\.actions\.githubusercontent\.com$/,
	/^https:\/\/www\.linkedin\.com/,
	/^https:\/\/www\.facebook\.com$/,
	/\.supabase\.co\//,
];

/** Operators' issuers that admit everybody, where no claim tells your people from others. */
export const openToAll = (issuers = ""): string[] =>
	operatorsIn(issuers).flatMap(({ issuer = "", required_claims = {} }) =>
		ADMITS_EVERYBODY.some((one) => one.test(issuer)) && Object.keys(required_claims).length === 0 ? [issuer] : [],
	);
