// An app as the guide "An app in one evening" has one written: what it keeps on the device, and a function for each thing that its user does.

import { type Api, type ClientOptions, createClient, isApiError } from "../../../client/src/index.ts";

type Changes = Pick<Api, "applyForLoan" | "createLoanApplication" | "payInSandbox" | "readMyMessages" | "updateMe">;
type Change = { readonly key: string; readonly call: keyof Changes; readonly request: object };

/** What is still there when the app is closed and opened again. */
export type Device = {
	readonly id: string;
	refreshToken?: string | undefined;
	/** The changes that have no answer yet. */
	changes: Change[];
	/** What was shown last, by what it is about, with its `ETag`. */
	readonly shown: { [about: string]: { readonly etag: string; readonly body: unknown } };
};

export const newDevice = (): Device => ({ id: crypto.randomUUID(), changes: [], shown: {} });

export class SignedOut extends Error {}

type Given = Pick<ClientOptions, "baseUrl" | "fetch" | "timeoutMs"> & { readonly language?: string };

export class App {
	readonly #device: Device;
	readonly #anyone: Api;
	readonly #api: Api;
	/** The steps of a sign-in so far. */
	readonly #tokens = new Map<string, string>();
	#accessToken: string | undefined;

	constructor(device: Device, { language = "en", ...given }: Given) {
		this.#device = device;
		const headers = { "X-App-Platform": "ANDROID", "X-App-Version": "1.0.0", "Accept-Language": language };
		this.#anyone = createClient({ ...given, headers });
		this.#api = createClient({ ...given, headers, token: (refused) => this.#tokenAfter(refused) });
	}

	async #tokenAfter(refused: string | undefined): Promise<string> {
		if (this.#accessToken !== undefined && this.#accessToken !== refused) return this.#accessToken;
		const refresh_token = this.#device.refreshToken;
		if (refresh_token === undefined) throw new SignedOut();
		try {
			return this.#keep(await this.#anyone.refreshSession({ body: { refresh_token } }));
		} catch (error) {
			if (!isApiError(error) || error.body.reason !== "SESSION_ENDED") throw error;
			this.#device.refreshToken = undefined;
			throw new SignedOut();
		}
	}

	#keep({ access_token, refresh_token }: { access_token: string; refresh_token: string }): string {
		this.#device.refreshToken = refresh_token;
		this.#accessToken = access_token;
		return access_token;
	}

	/** Makes a change under a key that is kept until there is an answer. */
	async #change<Name extends keyof Changes>(
		call: Name,
		request: Parameters<Changes[Name]>[0],
	): Promise<Awaited<ReturnType<Changes[Name]>>> {
		const change = { key: crypto.randomUUID(), call, request };
		this.#device.changes.push(change);
		return this.#send(change) as Promise<Awaited<ReturnType<Changes[Name]>>>;
	}

	async #send(change: Change): Promise<unknown> {
		const { key, call, request } = change;
		const done = () => {
			this.#device.changes = this.#device.changes.filter((one) => one.key !== key);
		};
		try {
			const answer = await (this.#api[call] as (given: object) => Promise<unknown>)({ ...request, idempotencyKey: key });
			done();
			return answer;
		} catch (error) {
			if (isApiError(error) && error.status < 500 && error.status !== 429) done();
			throw error;
		}
	}

	/** When the app is opened, and when there is a network again. */
	async resume(): Promise<void> {
		for (const change of [...this.#device.changes]) await this.#send(change);
	}

	/** An answer that has not changed is the one on the device. */
	async #shown<Body>(about: string, read: (ifNoneMatch?: string) => ReturnType<Api["getAccount"]>): Promise<Body> {
		const known = this.#device.shown[about];
		const { status, headers, body } = await read(known?.etag).answer();
		if (status === 304) return known?.body as Body;
		this.#device.shown[about] = { etag: headers.get("etag") ?? "", body };
		return body as Body;
	}

	readonly settings = () => this.#anyone.getAppSettings({ query: { platform: "ANDROID", version: "1.0.0" } });
	readonly brand = (slug: string) => this.#anyone.getBrand({ path: { organizationId: slug } });

	readonly askForCode = (number: string, organization: string) =>
		this.#anyone.startPhoneVerification({ body: { mobile_country_code: "254", mobile_number: number, organization } });

	/** From the code that the user has typed to a session. Called again, it continues with what it has got. */
	async signIn(verification: string, otp_code: string): Promise<void> {
		const phone_verification_token = await this.#got(`${verification} ${otp_code}`, async () => {
			const confirmed = await this.#anyone.confirmPhoneVerification({ path: { id: verification }, body: { otp_code } });
			return confirmed.phone_verification_token;
		});
		const custom_token = await this.#got(phone_verification_token, async () => {
			const exchanged = await this.#anyone.exchangePhoneToken({ body: { phone_verification_token } });
			return exchanged.access_token;
		});
		this.#keep(await this.#anyone.signIn({ body: { custom_token, device_id: this.#device.id } }));
	}

	async #got(by: string, get: () => Promise<string>): Promise<string> {
		const token = this.#tokens.get(by) ?? (await get());
		this.#tokens.set(by, token);
		return token;
	}

	async me() {
		const me = await this.#api.getMe();
		if (me.kind !== "USER") throw new Error(`${me.kind} instead of a user`);
		return me;
	}

	readonly speak = (locale: "en" | "sw") => this.#change("updateMe", { body: { locale } });
	readonly products = () => this.#api.listLoanProducts();
	readonly offer = () => this.#change("createLoanApplication", { body: {} });
	readonly quote = (loan_product_id: string, loan_amount: number) => this.#api.quoteLoan({ body: { loan_product_id, loan_amount } });
	readonly apply = (application_id: string, loan_amount: number) =>
		this.#change("applyForLoan", { path: { application_id }, body: { loan_amount } });
	readonly application = (application_id: string) => this.#api.getLoanApplication({ path: { application_id } });

	async account(accountId: string) {
		const account = await this.#shown<Awaited<ReturnType<Api["getAccount"]>>>(accountId, (ifNoneMatch) =>
			this.#api.getAccount({ path: { accountId }, ifNoneMatch }),
		);
		if (account.type !== "CREDIT") throw new Error(`${account.type} instead of a loan`);
		return account;
	}

	readonly installments = (accountId: string) => this.#api.listInstallments({ path: { accountId } });
	readonly pay = (account_id: string, amount: number) => this.#change("payInSandbox", { body: { account_id, amount } });
	readonly inbox = () => this.#api.listMyMessages();
	readonly read = (through: string) => this.#change("readMyMessages", { body: { through } });

	/** What is on the device, for a screen without a network. */
	readonly lastShown = (about: string): unknown => this.#device.shown[about]?.body;

	async signOut(): Promise<void> {
		await this.#api.signOut({ body: {} });
		this.#device.refreshToken = undefined;
		this.#accessToken = undefined;
	}
}
