// Invitations for tests, and the tokens in their mails.

import { listMessages } from "../../src/domains/messages/operations";
import { createInvitation } from "../../src/domains/organizations/invitations/operations";
import type { Role } from "../../src/shared/permissions";
import { call, expectOk } from "./client";
import { operatorToken } from "./factories";

/** The token in the latest mail to the address. */
export async function mailedToken(email: string): Promise<string> {
	const [mail] = expectOk(await call(listMessages, { as: await operatorToken(), query: { recipient: email } })).data;
	if (!mail?.token) throw new Error(`expected a mail to ${email} with a token`);
	return mail.token;
}

export async function givenInvitation(
	as: string,
	organizationId: string,
	{ email = `${crypto.randomUUID()}@example.com`, role = "organization-viewer" as Role } = {},
) {
	const invitation = expectOk(await call(createInvitation, { as, path: { organizationId }, body: { email, role } }));
	return { ...invitation, token: await mailedToken(email) };
}
