// Operators' acts for a user other than blocks and limits: another number for a lost one, another sign-in, a home organization.

import { useState } from "preact/hooks";
import { call } from "../../api.ts";
import { countryCodeOf } from "../../format.ts";
import { stateInWords } from "../../states.ts";
import type { PlatformUser } from "../../typed.ts";
import { Answer, Confirm, Dialog, useDoing } from "../../ui/dialog.tsx";
import { Field, Link } from "../../ui/page.tsx";
import { Problem } from "../../ui/problem.tsx";
import { State } from "../../ui/state.tsx";
import { Time } from "../../ui/time.tsx";
import { useWatch } from "../../watch.ts";
import type { Person } from "../../who.ts";
import { FormDialog } from "../form.tsx";
import { nameOf } from "../people.tsx";

export type UserStep = "recover" | "link" | "home";

interface Props {
	readonly step: UserStep;
	readonly user: PlatformUser;
	readonly person: Person;
	readonly onClose: () => void;
	readonly onDone: (sentence: preact.ComponentChildren) => void;
}

export function OnUserStep({ step, user, person, onClose, onDone }: Props) {
	const { id: userId } = user;
	const path = { userId };
	if (step === "recover") return <Recover user={user} onClose={onClose} onDone={onDone} />;
	if (step === "link") {
		return (
			<FormDialog
				title={`Link ${nameOf(user)} to an identity`}
				verb="Link"
				dangerous
				entries={{
					issuer: { label: "Issuer", hint: "A trusted issuer, by the `iss` of its tokens" },
					subject: { label: "Subject", hint: "The user's own id there" },
				}}
				onClose={onClose}
				onSend={async (body) => {
					await call("POST /v1/platform/users/{userId}/identities", { path, body, organization: null });
					onDone("They sign in there from now on.");
				}}
			>
				<p>Who signs in there with this identity is this user. A second operator must approve it.</p>
			</FormDialog>
		);
	}
	return (
		<FormDialog
			title={`Whose customer is ${nameOf(user)}?`}
			verb="Set it"
			dangerous
			entries={{ home_organization_id: { label: "Organization", of: person.organizations.map(({ id, name }) => [id, name] as const) } }}
			onClose={onClose}
			onSend={async (body) => {
				await call("PATCH /v1/platform/users/{userId}", { path, body, organization: null });
				onDone("They are its customer from now on.");
			}}
		>
			<p>It cannot be changed afterwards. A second operator must approve it.</p>
		</FormDialog>
	);
}

interface CancelProps extends Pick<Props, "onClose" | "onDone"> {
	readonly id: string;
}

export function CancelApplication({ id, onClose, onDone }: CancelProps) {
	return (
		<Confirm
			title="Withdraw the application?"
			verb="Withdraw"
			dangerous
			onClose={onClose}
			onConfirm={async () => {
				await call("POST /v1/accounts/loan/applications/{application_id}/cancel", { path: { application_id: id }, organization: null });
				onDone("The application is withdrawn.");
			}}
		>
			<p>Its offer ends. A second operator must approve it.</p>
		</Confirm>
	);
}

/** The new number is proven by its code first; then another operator decides. */
function Recover({ user, onClose, onDone }: Omit<Props, "step" | "person">) {
	const [number, setNumber] = useState("");
	const [code, setCode] = useState("");
	const [reason, setReason] = useState("");
	const [asked, setAsked] = useState<string>();
	const [busy, run, error] = useDoing();
	const start = async () => setAsked((await call("POST /v1/auth/public/phone/verifications", { body: countryCodeOf(number) })).id);
	const finish = async (id: string) => {
		const { phone_verification_token } = await call("POST /v1/auth/public/phone/verifications/{id}/confirm", {
			path: { id },
			body: { otp_code: code.trim() },
		});
		const body = { phone_verification_token, reason };
		await call("POST /v1/platform/users/{userId}/recoveries", { path: { userId: user.id }, body, organization: null });
		onDone(
			<>
				Asked. It waits among the <Link to="/approvals">approvals</Link> until another operator decides.
			</>,
		);
		onClose();
	};
	const enter = (set: (text: string) => void) => (event: { readonly currentTarget: { readonly value: string } }) =>
		set(event.currentTarget.value);
	return (
		<Dialog title={`Give ${nameOf(user)} another number`} onClose={onClose}>
			<form
				onSubmit={(event) => {
					event.preventDefault();
					void run(() => (asked ? finish(asked) : start()));
				}}
			>
				<div class="prose">
					<p>
						For a user who has lost their number. Once another operator approves, the current account is frozen, sessions end, and a message
						goes to the old number and address each day. After the waiting time the user has the new number.
					</p>
				</div>
				<Field label="New number" hint="Such as +254712345678. It gets a code">
					{(ids) => <input {...ids} required type="tel" disabled={asked !== undefined} value={number} onInput={enter(setNumber)} />}
				</Field>
				{asked && (
					<>
						<Field label="Code" hint="That they read from the new phone">
							{(ids) => <input {...ids} required inputMode="numeric" autocomplete="off" value={code} onInput={enter(setCode)} />}
						</Field>
						<Field label="Reason" hint="How you know that it is them. Kept in the audit trail">
							{(ids) => <input {...ids} required maxLength={255} value={reason} onInput={enter(setReason)} />}
						</Field>
					</>
				)}
				<Answer verb={asked ? "Ask for approval" : "Send the code"} disabled={busy} error={error} onClose={onClose} />
			</form>
		</Dialog>
	);
}

/** A recovery of their number that was approved: how far it is, and its end. */
export function Recoveries({ userId }: { readonly userId: string }) {
	const query = { entity_id: userId, size: 20 };
	const { value } = useWatch("GET /v1/approvals", { query, organization: null });
	const found = value?.data.find(({ approval_type, status }) => approval_type === "NUMBER_RECOVERY" && status === "APPROVED");
	return found ? <Recovery userId={userId} id={found.id} /> : null;
}

function Recovery({ userId, id }: { readonly userId: string; readonly id: string }) {
	const path = { userId, id };
	const { value } = useWatch("GET /v1/platform/users/{userId}/recoveries/{id}", { path, organization: null });
	const [busy, run, error] = useDoing();
	if (!value) return null;
	const [of, word, note] = stateInWords("NumberRecovery.status", value.status);
	const isOpen = value.status === "INITIALIZING" || value.status === "AUTHORIZED";
	return (
		<>
			<div class="notice is-waiting">
				<div>
					<State of={of} word={`Recovery of their number: ${word.toLowerCase()}`} note={value.failure_reason ?? note} />
					{isOpen && (
						<small>
							They get the new number <Time at={value.not_before} />.
						</small>
					)}
				</div>
				{isOpen && (
					<button
						type="button"
						class="danger"
						disabled={busy}
						onClick={() => void run(() => call("POST /v1/platform/users/{userId}/recoveries/{id}/cancel", { path, organization: null }))}
					>
						Cancel the recovery
					</button>
				)}
			</div>
			{error && <Problem error={error} />}
		</>
	);
}
