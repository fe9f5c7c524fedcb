// Signing in: as one of the sandbox's people, by phone and code, at an issuer, or with a partner's token.

import { useEffect, useState } from "preact/hooks";
import { call } from "./api.ts";
import { type Config, config } from "./config.ts";
import { countryCodeOf, words } from "./format.ts";
import { invitation, invitedAs } from "./invitation.ts";
import { ofService, ofToken } from "./renewal.ts";
import { current, demanded, type Session, signedIn, staysWeak } from "./session.ts";
import { Dialog, useDoing } from "./ui/dialog.tsx";
import { Field } from "./ui/page.tsx";
import { Problem } from "./ui/problem.tsx";

export const Logo = () => (
	<svg class="logo" viewBox="0 0 32 32" width="32" height="32" aria-hidden="true">
		<rect width="32" height="32" rx="7" />
		<path d="M9 10h14M9 16h8.5M9 22.5h14M9 25.5h14" stroke-width="1.7" stroke-linecap="square" />
	</svg>
);

export function SignInPage() {
	useEffect(() => {
		document.title = "Sign in · Financial Account Service";
	}, []);
	return (
		<main class="sign-in">
			<Logo />
			<h1>Financial Account Service</h1>
			<p class="about">The console of this installation</p>
			{invitation() && (
				<p class="notice is-waiting" role="status">
					<span>
						<strong>You are invited to join an organization.</strong> Sign in with the account of{" "}
						{invitedAs() ?? "the address that the invitation came to"}, then accept it.
					</span>
				</p>
			)}
			<SignIn />
		</main>
	);
}

/** Also in a dialog, when a session has ended. */
export function SignIn() {
	const [offered, set] = useState<Config>();
	const [busy, run, error] = useDoing();
	useEffect(() => void run(async () => set(await config())), []);
	const [at, setAt] = useState<Config["sign_in"][number]>();
	const begin = (session: () => Promise<Session>) => {
		setAt(undefined);
		void run(async () => signedIn(await session()));
	};
	const beginAt = (issuer: Config["sign_in"][number]) => {
		setAt(issuer);
		void run(async () => signedIn(await (await import("./issuers.ts")).signInAt(issuer)));
	};
	if (!offered)
		return error ? <Problem error={error} again={() => void run(async () => set(await config()))} /> : <div class="sign-in-space" />;
	return (
		<>
			{offered.environment === "local" && <People begin={begin} busy={busy} />}
			{offered.sign_in.length > 0 && (
				<section>
					<h2>With your work account</h2>
					<div class="ways">
						{offered.sign_in.map((issuer) => (
							<button type="button" key={`${issuer.issuer} ${issuer.client_id}`} disabled={busy} onClick={() => beginAt(issuer)}>
								<Way name={issuer.label} about={`Opens ${new URL(issuer.issuer).host} in a window`} />
							</button>
						))}
					</div>
				</section>
			)}
			{busy && at && <Opened at={at.label} />}
			{error && <Problem error={error} again={at && (() => beginAt(at))} />}
			<section>
				<h2>With your phone</h2>
				<Phone />
			</section>
			<PartnerToken />
		</>
	);
}

/** While somebody signs in in the window of the issuer. */
const Opened = ({ at }: { readonly at: string }) => (
	<div class="notice is-waiting" role="status">
		<div>
			<strong>Sign in at {at}</strong> in the window that has opened.
		</div>
		<button type="button" onClick={() => void import("./issuers.ts").then(({ giveUp }) => giveUp())}>
			Cancel
		</button>
	</div>
);

/** For a call that demands a more recent or a stronger sign-in: the issuer at which the person is signed in asks them once more. */
export function SignInOnceMore() {
	const [busy, run, error] = useDoing();
	const [issuer, set] = useState<Config["sign_in"][number]>();
	const at = current()?.at;
	// Before the click, because a window is opened only while that lasts.
	useEffect(() => void (at && import("./issuers.ts").then(async ({ issuerAt }) => set(await issuerAt(at)))), []);
	const begin = async () => {
		if (issuer) signedIn(await (await import("./issuers.ts")).signInAt(issuer, demanded()));
	};
	return (
		<Dialog title="Sign in once more" class="again" onClose={staysWeak}>
			<p class="about">
				This step asks for a fresh sign-in, so that nobody else takes it at a page that you left open. It continues afterwards, and you lose
				nothing that you typed.
			</p>
			{busy && issuer && <Opened at={issuer.label} />}
			{error && <Problem error={error} />}
			<div class="buttons end">
				<button type="button" onClick={staysWeak}>
					Not now
				</button>
				<button type="button" class="primary" disabled={busy || !issuer} onClick={() => void run(begin)}>
					Sign in at {issuer?.label ?? "your issuer"}
				</button>
			</div>
		</Dialog>
	);
}

const Way = ({ name, about }: { readonly name: string; readonly about: string }) => (
	<>
		<span>
			<strong>{name}</strong>
			<span>{about}</span>
		</span>
		<svg viewBox="0 0 16 16" width="16" height="16" fill="none" stroke="currentColor" stroke-width="1.5" aria-hidden="true">
			<path d="M2 8h12M9.5 3.5L14 8l-4.5 4.5" />
		</svg>
	</>
);

const PEOPLE = [
	["Platform operator", "Waiting list, payments that match nothing, approvals, the sandbox’s clock", "signInOperator"],
	["Owner of an organization", "Webhook endpoints, live events, brand, members, approvals", "signInOwner"],
	["Borrower", "One loan: its schedule, its statement, and why each unit is owed", "signInBorrower"],
] as const;

function People({ begin, busy }: { readonly begin: (session: () => Promise<Session>) => void; readonly busy: boolean }) {
	return (
		<section>
			<h2>
				Start at once <span class="badge is-idle">{words("local")}</span>
			</h2>
			<div class="ways">
				{PEOPLE.map(([name, about, how]) => (
					<button type="button" key={name} disabled={busy} onClick={() => begin(async () => (await import("./sandbox-people.ts"))[how]())}>
						<Way name={name} about={about} />
					</button>
				))}
			</div>
			<p class="hint">A sandbox token, kept in this page’s memory. Closing or reloading the page ends it.</p>
		</section>
	);
}

function Phone() {
	const [number, setNumber] = useState("");
	const [code, setCode] = useState("");
	const [sent, setSent] = useState<string>();
	const [busy, run, error] = useDoing();
	const send = () =>
		run(async () => {
			const { id } = await call("POST /v1/auth/public/phone/verifications", { body: countryCodeOf(number) });
			setSent(id);
		});
	const confirm = (id: string) =>
		run(async () => {
			const confirmed = await call("POST /v1/auth/public/phone/verifications/{id}/confirm", { path: { id }, body: { otp_code: code } });
			const { access_token } = await call("POST /v1/auth/public/exchange/phone", {
				body: { phone_verification_token: confirmed.phone_verification_token },
			});
			signedIn(ofService(await call("POST /v1/auth/sign-in", { body: { custom_token: access_token } })));
		});
	return (
		<form
			onSubmit={(event) => {
				event.preventDefault();
				void (sent ? confirm(sent) : send());
			}}
		>
			{sent ? (
				<>
					<Field label="Code" hint={`Sent to ${number}. It has six digits.`}>
						{(ids) => (
							<div class="joined">
								<input
									{...ids}
									autofocus
									value={code}
									onInput={({ currentTarget }) => setCode(currentTarget.value.trim())}
									inputMode="numeric"
									autocomplete="one-time-code"
									pattern="\d{6}"
									required
								/>
								<button type="submit" class="primary" disabled={busy}>
									Sign in
								</button>
							</div>
						)}
					</Field>
					<button type="button" class="plain" onClick={() => setSent(undefined)}>
						Another number
					</button>
				</>
			) : (
				<Field label="Mobile number" hint="With its country: +254 …">
					{(ids) => (
						<div class="joined">
							<input
								{...ids}
								value={number}
								onInput={({ currentTarget }) => setNumber(currentTarget.value)}
								type="tel"
								autocomplete="tel"
								placeholder="+254 712 345 678"
								required
							/>
							<button type="submit" disabled={busy}>
								Send code
							</button>
						</div>
					)}
				</Field>
			)}
			{error && <Problem error={error} />}
		</form>
	);
}

function PartnerToken() {
	const [token, set] = useState("");
	const [busy, run, error] = useDoing();
	return (
		<details>
			<summary>With a partner’s token</summary>
			<form
				onSubmit={(event) => {
					event.preventDefault();
					void run(async () => signedIn(ofToken(await call("POST /v1/auth/exchange", { body: { partner_token: token.trim() } }), null)));
				}}
			>
				<Field label="Token" hint="Of an identity provider that this installation trusts. It is exchanged at once and kept nowhere.">
					{(ids) => (
						<textarea
							{...ids}
							class="mono"
							rows={4}
							value={token}
							onInput={({ currentTarget }) => set(currentTarget.value)}
							required
							spellcheck={false}
						/>
					)}
				</Field>
				{error && <Problem error={error} />}
				<button type="submit" disabled={busy}>
					Sign in
				</button>
			</form>
		</details>
	);
}
