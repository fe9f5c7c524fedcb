// Accepts an invitation to become a member of an organization.

import { useState } from "preact/hooks";
import { call, Refused } from "../api.ts";
import { invitation, invitedAs } from "../invitation.ts";
import { endSession, personChanged, ROLE_NAMES } from "../person.ts";
import type { PageProps } from "../route.ts";
import { actFor, signedOut } from "../session.ts";
import type { BodyOf } from "../typed.ts";
import { useDoing } from "../ui/dialog.tsx";
import { Empty } from "../ui/loaded.tsx";
import { Done, Field, Head, Link } from "../ui/page.tsx";
import { Problem } from "../ui/problem.tsx";

type Joined = BodyOf<"POST /v1/invitations/accept">;

/** Why the address of a sign-in is not enough, by the service's reason. `address`: that the invitation came to. */
const WRONG_ADDRESS: Readonly<Record<string, (address: string) => string>> = {
	ADDRESS_DIFFERS: (address) => `The invitation is for ${address}, and you signed in with another one.`,
	ADDRESS_UNPROVEN: () => "Your sign-in names no mail address that is proven, so that nobody knows whether the invitation is for you.",
};

/** The page is drawn again once the console acts for the organization. */
let latest: Joined | undefined;

export function Page({ person }: PageProps) {
	const [token, setToken] = useState(invitation() ?? "");
	const [joined, setJoined] = useState(latest?.user_id === person.id ? latest : undefined);
	const [busy, run, error] = useDoing();
	// The address keeps the invitation, and the next sign-in asks for the account.
	const another = (
		<button
			type="button"
			disabled={busy}
			onClick={() =>
				void run(async () => {
					await endSession(person);
					signedOut();
				})
			}
		>
			Sign in with another account
		</button>
	);
	if (person.kind === "operator") {
		return (
			<>
				<Head title="Join an organization" />
				<Empty title="Operators are members of no organization." action={another}>
					Sign in with the work account of {invitedAs() ?? "the address that the invitation came to"}.
				</Empty>
			</>
		);
	}
	const accept = () =>
		run(async () => {
			const found = await call("POST /v1/invitations/accept", { body: { token: token.trim() }, organization: null });
			latest = found;
			setJoined(found);
			// The address keeps no token, and the console acts for the organization from now on.
			history.replaceState(null, "", location.pathname);
			actFor(found.organization_id);
			personChanged();
		});
	if (joined) {
		const organization = person.organizations.find(({ id }) => id === joined.organization_id);
		return (
			<>
				<Head title={`Welcome${organization ? ` to ${organization.name}` : ""}`} />
				<Done>You are a member now, as {ROLE_NAMES[joined.role].toLowerCase()}.</Done>
				<div class="buttons">
					<Link to="/" class="button primary">
						Begin
					</Link>
				</div>
			</>
		);
	}
	const ofAddress = error instanceof Refused ? WRONG_ADDRESS[error.reason ?? ""] : undefined;
	return (
		<>
			<Head title="Join an organization" about={`You are signed in as ${person.name}`} />
			<form
				class="panel"
				onSubmit={(event) => {
					event.preventDefault();
					void accept();
				}}
			>
				<Field label="Invitation" hint="From the mail. It is for the address that the mail came to, and valid for seven days.">
					{(ids) => (
						<input
							{...ids}
							required
							autocomplete="off"
							spellcheck={false}
							class="mono"
							value={token}
							onInput={({ currentTarget }) => setToken(currentTarget.value)}
						/>
					)}
				</Field>
				{ofAddress ? (
					<div class="notice is-failing" role="alert">
						<div>
							<strong>{ofAddress(invitedAs() ?? "another address")}</strong>
						</div>
						{another}
					</div>
				) : (
					error && <Problem error={error} />
				)}
				<div class="buttons">
					<button type="submit" class="primary" disabled={busy}>
						Accept the invitation
					</button>
				</div>
			</form>
		</>
	);
}
