// Who belongs to the organization, and who is invited.

import { useState } from "preact/hooks";
import { call } from "../../api.ts";
import { ROLE_NAMES } from "../../person.ts";
import type { PageProps } from "../../route.ts";
import { stateInWords } from "../../states.ts";
import type { Member, MemberInvitation } from "../../typed.ts";
import { Confirm, useDoing } from "../../ui/dialog.tsx";
import { Empty } from "../../ui/loaded.tsx";
import { Done, Field, Head, Section } from "../../ui/page.tsx";
import { Problem } from "../../ui/problem.tsx";
import { State } from "../../ui/state.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { useWatch } from "../../watch.ts";
import type { Person, Role } from "../../who.ts";
import { List, pageOf } from "../list.tsx";
import { mayManage } from "../may.ts";

type Doing =
	| { readonly is: "invite" }
	| { readonly is: "role" | "remove"; readonly member: Member }
	| { readonly is: "revoke"; readonly invitation: MemberInvitation };

const nameOf = ({ display_name, email, tag, user_id }: Member): string => display_name ?? email ?? tag ?? user_id.slice(-8);

/** What a role may do, for the person who gives it. */
const ABOUT: Readonly<Record<Role, string>> = {
	"organization-owner": "Everything, owners included",
	"organization-admin": "Everything but owners",
	"organization-financing-admin": "Invoices, and decides about them",
	"organization-financing-viewer": "Looks at invoices",
	"organization-lending-admin": "Borrowers, loans and payments, and decides about them",
	"organization-lending-viewer": "Looks at borrowers, loans and payments",
	"organization-developer": "Webhooks and API keys",
	"organization-viewer": "Looks at members and agents",
};

export function Page({ query, person }: PageProps) {
	const organizationId = person.acting?.id ?? "";
	const path = { organizationId };
	const members = useWatch(
		"GET /v1/organizations/{organizationId}/members",
		organizationId ? { path, query: { size: 50, ...pageOf(query) } } : undefined,
		1,
	);
	const invitations = useWatch(
		"GET /v1/organizations/{organizationId}/members/invitations",
		organizationId ? { path, query: { size: 50 } } : undefined,
		1,
	);
	const [doing, act] = useState<Doing>();
	const [busy, run, error] = useDoing();
	const manages = mayManage(person);
	const [done, say] = useState<string>();
	const resend = ({ id, email }: MemberInvitation) =>
		run(async () => {
			await call("POST /v1/organizations/{organizationId}/members/invitations/{id}/resend", { path: { organizationId, id } });
			say(`The invitation was sent to ${email} again. It is valid for seven days from now on.`);
		});
	if (!organizationId) return <Empty title="No organization yet" children="Make one first, under Organizations." />;
	const open = invitations.value?.data.filter(({ status }) => status !== "ACCEPTED");
	return (
		<>
			<Head
				title="Members"
				about={`Who acts for ${person.acting?.name}`}
				actions={
					manages && (
						<button type="button" class="primary" onClick={() => act({ is: "invite" })}>
							Invite
						</button>
					)
				}
			/>
			{error && <Problem error={error} />}
			{done && <Done>{done}</Done>}
			<List of={members} empty={["Nobody belongs to it yet", "Invite the first by their mail address."]}>
				{(rows) => <Table label="Members" rows={rows} columns={membersFor(person, manages, act)} keyOf={({ id }) => id} />}
			</List>
			{invitations.error ? <Problem error={invitations.error} /> : null}
			{/* After the list above it, which would move it. */}
			{(members.value || members.error) && open && open.length > 0 && (
				<Section title="Invitations" note="Valid for seven days.">
					<Table label="Invitations" rows={open} columns={invitationsFor(manages, busy, resend, act)} keyOf={({ id }) => id} />
				</Section>
			)}
			{doing && <Act doing={doing} organizationId={organizationId} onClose={() => act(undefined)} onDone={say} />}
		</>
	);
}

function membersFor(person: Person, manages: boolean, act: (doing: Doing) => void): readonly Column<Member>[] {
	return [
		{
			head: "Member",
			cell: (member) => (
				<>
					<strong>{nameOf(member)}</strong>
					<small class="narrow">{ROLE_NAMES[member.role]}</small>
					<small>
						{[member.display_name && member.email, member.tag, member.user_id === person.id && "you"].filter(Boolean).join(" · ")}
					</small>
				</>
			),
		},
		{
			head: "Role",
			wide: true,
			cell: ({ role }) => (
				<>
					{ROLE_NAMES[role]}
					<small>{ABOUT[role]}</small>
				</>
			),
		},
		{ head: "Since", right: true, wide: true, cell: ({ created_at }) => <Time at={created_at} /> },
		...(manages
			? [
					{
						head: "",
						right: true,
						cell: (member: Member) => (
							<span class="buttons end-of-row">
								<button type="button" onClick={() => act({ is: "role", member })} aria-label={`Role of ${nameOf(member)}`}>
									Role
								</button>
								<button type="button" class="danger" onClick={() => act({ is: "remove", member })} aria-label={`Remove ${nameOf(member)}`}>
									Remove
								</button>
							</span>
						),
					},
				]
			: []),
	];
}

function invitationsFor(
	manages: boolean,
	busy: boolean,
	resend: (invitation: MemberInvitation) => unknown,
	act: (doing: Doing) => void,
): readonly Column<MemberInvitation>[] {
	return [
		{
			head: "Invited",
			cell: ({ email, role }) => (
				<>
					{email}
					<small>{ROLE_NAMES[role]}</small>
				</>
			),
		},
		{
			head: "State",
			cell: ({ status }) => {
				const [of, word] = stateInWords("MemberInvitation.status", status);
				return <State of={of} word={word} />;
			},
		},
		{ head: "Ends", right: true, wide: true, cell: ({ expires_at }) => <Time at={expires_at} /> },
		...(manages
			? [
					{
						head: "",
						right: true,
						cell: (invitation: MemberInvitation) =>
							invitation.status !== "REVOKED" && (
								<span class="buttons end-of-row">
									<button
										type="button"
										disabled={busy}
										onClick={() => void resend(invitation)}
										aria-label={`Send again to ${invitation.email}`}
									>
										Send again
									</button>
									{invitation.status === "PENDING" && (
										<button
											type="button"
											class="danger"
											onClick={() => act({ is: "revoke", invitation })}
											aria-label={`Revoke the invitation of ${invitation.email}`}
										>
											Revoke
										</button>
									)}
								</span>
							),
					},
				]
			: []),
	];
}

interface ActProps {
	readonly doing: Doing;
	readonly organizationId: string;
	readonly onClose: () => void;
	readonly onDone: (sentence: string) => void;
}

function Act({ doing, organizationId, onClose, onDone }: ActProps) {
	const [email, setEmail] = useState("");
	const [role, setRole] = useState<Role>(doing.is === "role" ? doing.member.role : "organization-viewer");
	const roles = (
		<Field label="Role" hint={ABOUT[role]}>
			{(ids) => (
				<select {...ids} value={role} onChange={({ currentTarget }) => setRole(currentTarget.value as Role)}>
					{(Object.keys(ROLE_NAMES) as Role[]).map((one) => (
						<option key={one} value={one}>
							{ROLE_NAMES[one]}
						</option>
					))}
				</select>
			)}
		</Field>
	);
	switch (doing.is) {
		case "invite":
			return (
				<Confirm
					title="Invite somebody"
					verb="Invite"
					onClose={onClose}
					onConfirm={async () => {
						const body = { email: email.trim(), role };
						await call("POST /v1/organizations/{organizationId}/members/invitations", { path: { organizationId }, body });
						onDone(`The invitation was sent to ${body.email}, as ${ROLE_NAMES[role].toLowerCase()}. The mail has the link to join.`);
					}}
				>
					<p>They get a mail with an invitation that is valid for seven days, and for their address only.</p>
					<Field label="Mail address">
						{(ids) => (
							<input
								{...ids}
								type="email"
								required
								autocomplete="off"
								value={email}
								onInput={({ currentTarget }) => setEmail(currentTarget.value)}
							/>
						)}
					</Field>
					{roles}
				</Confirm>
			);
		case "role":
			return (
				<Confirm
					title={`Change the role of ${nameOf(doing.member)}?`}
					verb="Change the role"
					onClose={onClose}
					onConfirm={() =>
						call("PATCH /v1/organizations/{organizationId}/members/{userId}", {
							path: { organizationId, userId: doing.member.user_id },
							body: { role },
						})
					}
				>
					<p>It holds from their next click on. Their API keys lose what the role may not.</p>
					{roles}
				</Confirm>
			);
		case "remove":
			return (
				<Confirm
					title={`Remove ${nameOf(doing.member)}?`}
					verb="Remove"
					dangerous
					onClose={onClose}
					onConfirm={() =>
						call("DELETE /v1/organizations/{organizationId}/members/{userId}", { path: { organizationId, userId: doing.member.user_id } })
					}
				>
					<p>They can do nothing for the organization any more, and their API keys stop working. They stay a user.</p>
				</Confirm>
			);
		case "revoke":
			return (
				<Confirm
					title={`Revoke the invitation of ${doing.invitation.email}?`}
					verb="Revoke"
					dangerous
					onClose={onClose}
					onConfirm={() =>
						call("POST /v1/organizations/{organizationId}/members/invitations/{id}/revoke", {
							path: { organizationId, id: doing.invitation.id },
						})
					}
				>
					<p>The mail that they got is valid no longer.</p>
				</Confirm>
			);
	}
}
