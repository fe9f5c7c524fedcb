// Users' profiles, which name the organizations that they belong to: their own, and those of users whom operators admit or give a home.

import * as z from "zod";
import type { Write } from "../../db/database";
import { first } from "../../db/reads";
import { raise } from "../../events/raise";
import { alone, apiKey, held, oneOf, operator, userOnWaitingList } from "../../http/callers/access";
import { forgetAccountState } from "../../http/callers/account-states";
import { homeOfCaller, operation } from "../../http/operation";
import type { Services } from "../../runtime/services";
import { ApiError, badInput } from "../../shared/errors";
import { SCOPES } from "../../shared/permissions";
import { toTimestamp } from "../../shared/time";
import { joinOrganization } from "../current-accounts/accounts/store";
import { notifyUser } from "../messages/notices.plan";
import { renewProfile } from "../organizations/members/profile.plan";
import { findMembershipsOf } from "../organizations/members/store";
import { findByReference } from "../organizations/store";
import type { OrganizationRow } from "../organizations/table";
import { lendingWorker } from "./model/callers";
import { userAdmitted } from "./model/events";
import { joinHome } from "./model/plan";
import { admit, chooseLocale, findUser } from "./model/store";
import { PlatformUser, toPlatformUser } from "./model/wire";
import { findApplied, findKey, findProfile, findProfileWithin, hasNotApplied } from "./profile.store";
import { Me, ProfilePatch, toUser, User } from "./profile.wire";

export const getMe = operation({
	id: "getMe",
	method: "GET",
	path: "/v1/me",
	summary: "Get the caller: a user, an API key or an operator",
	access: oneOf(userOnWaitingList, apiKey(...SCOPES), operator),
	home: ({ caller }) => homeOfCaller(caller),
	request: {},
	response: Me,
	async handle({ caller }, { db }) {
		if (caller.kind === "operator") {
			const end = caller.operatorId.indexOf("#");
			return { kind: "OPERATOR" as const, issuer: caller.operatorId.slice(0, end), subject: caller.operatorId.slice(end + 1) };
		}
		if (caller.kind === "key") {
			const key = await db.read(first(findKey(db.orm, caller.keyId)));
			if (!key) throw new ApiError("UNAUTHORISED");
			const { id, name, organizationId, slug, organizationName } = key;
			const scopes = SCOPES.filter((scope) => key.scopes.includes(scope));
			return { kind: "API_KEY" as const, id, name, scopes, organization: { id: organizationId, slug, name: organizationName } };
		}
		const user = await db.read(first(findProfile(caller.userId)));
		if (!user) throw new ApiError("UNAUTHORISED");
		return toUser(user);
	},
});

export const updateMe = operation({
	id: "updateMe",
	method: "PATCH",
	path: "/v1/me",
	summary: "Change the signed-in user's name or language, or give them a home organization",
	access: userOnWaitingList,
	request: { body: ProfilePatch },
	response: User,
	errors: ["INVALID_STATE"],
	async handle({ caller, body: { display_name, locale, organization } }, services) {
		const { db } = services;
		const { userId } = caller;
		const { user, named, applied, memberships } = await db.read({
			user: first(findProfile(userId)),
			named: first(findByReference(db.orm, organization ?? "")),
			applied: first(findApplied(db.orm, userId)),
			memberships: findMembershipsOf(db.orm, userId),
		});
		if (!user) throw new ApiError("UNAUTHORISED");
		if (organization !== undefined && !named) throw badInput("organization", "is the slug of no organization", "NOT_ALLOWED");
		const change = display_name === undefined || display_name === user.displayName ? {} : { displayName: display_name };
		const renewed = renewProfile(services, user, change, memberships);
		const joined = organization !== undefined && named ? planHome(services, user, named, applied !== undefined) : [];
		const home = joined.length > 0 && named ? { homeOrganizationId: named.id, homeSlug: named.slug } : {};
		const spoken = locale === undefined || locale === user.locale ? [] : [chooseLocale(db.orm, userId, locale)];
		const after = { ...user, ...change, ...home, ...(locale !== undefined && { locale }) };
		const answer = await services.commit([...renewed.writes, ...spoken, ...joined], toUser(after));
		if (spoken.length > 0) forgetAccountState(userId);
		await renewed.carry(services);
		return answer;
	},
});

export const updateUser = operation({
	id: "updateUser",
	method: "PATCH",
	path: "/v1/platform/users/{userId}",
	summary: "Give a user without a home organization one",
	description: "Once, and before their first application for a loan.",
	access: held(operator),
	home: ({ path }) => path.userId,
	request: {
		path: z.object({ userId: z.uuid().toLowerCase() }),
		body: z.strictObject({ home_organization_id: z.uuid().toLowerCase() }),
	},
	response: PlatformUser,
	errors: ["NOT_FOUND", "INVALID_STATE"],
	async handle({ path: { userId }, body: { home_organization_id } }, services) {
		const { db } = services;
		const { user, organization, applied } = await db.read({
			user: first(findUser(db.orm, userId)),
			organization: first(findByReference(db.orm, home_organization_id)),
			applied: first(findApplied(db.orm, userId)),
		});
		if (!user) throw new ApiError("NOT_FOUND");
		if (!organization) throw badInput("home_organization_id", "is the id of no organization", "NOT_ALLOWED");
		const joined = planHome(services, user, organization, applied !== undefined);
		return services.commit(joined, toPlatformUser({ ...user, homeOrganizationId: organization.id }));
	},
});

export const admitUser = operation({
	id: "admitUser",
	method: "POST",
	path: "/v1/platform/users/{userId}/admit",
	summary: "Admit a user from the waiting list",
	access: alone(lendingWorker),
	home: ({ path }) => path.userId,
	request: { path: z.object({ userId: z.uuid().toLowerCase() }) },
	response: User,
	errors: ["NOT_FOUND"],
	async handle({ path, caller }, services) {
		const { db, now } = services;
		const user = await db.read(first(findProfileWithin(path.userId, caller)));
		if (!user) throw new ApiError("NOT_FOUND");
		if (user.status === "ACTIVE") return toUser(user);
		return services.commit(
			[
				admit(db.orm, user, now),
				raise(services, userAdmitted, {
					organizationId: user.homeOrganizationId,
					entityId: user.id,
					data: { user_id: user.id, admitted_at: toTimestamp(now) },
				}),
				...(await notifyUser(services, user.id, "ACCOUNT", { key: "ADMITTED", values: {} })),
			],
			toUser({ ...user, status: "ACTIVE" }),
		);
	},
});

type Homeless = { readonly id: string; readonly homeOrganizationId: string | null };

/**
 * The writes that give a user who has no home organization one, once: before their first application, which goes by their home's products.
 * None if it is their home already. `applied`: whether they have applied for a loan.
 */
function planHome(services: Services, user: Homeless, organization: OrganizationRow, applied: boolean): Write[] {
	if (user.homeOrganizationId === organization.id) return [];
	const refuse = (description: string) => new ApiError("INVALID_STATE", { description });
	if (user.homeOrganizationId !== null) throw refuse("The user has another home organization, which never changes");
	if (applied) throw refuse("The user has applied for a loan: a home is set before the first application");
	// Their events must be in the organization's home, and their rows cannot move there.
	if (services.at(organization.id).db !== services.db) throw refuse("The user's data is in another database than the organization's");
	return [
		...joinHome(services, user.id, organization.id, hasNotApplied(user.id)),
		joinOrganization(services.db.orm, user.id, organization.id),
	];
}
