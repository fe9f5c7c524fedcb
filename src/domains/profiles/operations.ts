// Users' profiles, which name the organizations of which they are members: their own, and those of users whom operators admit.

import * as z from "zod";
import { raise } from "../../events/raise";
import { alone, userOnWaitingList } from "../../http/callers/access";
import { operation } from "../../http/operation";
import { ApiError } from "../../shared/errors";
import { toTimestamp } from "../../shared/time";
import { lendingWorker } from "../reach/callers";
import { userAdmitted } from "../users/events";
import { admit } from "../users/store";
import { findProfile, findProfileWithin } from "./store";
import { toUser, User } from "./wire";

export const getMe = operation({
	id: "getMe",
	method: "GET",
	path: "/v1/me",
	summary: "The signed-in user",
	access: userOnWaitingList,
	request: {},
	response: User,
	async handle({ caller }, { db }) {
		const [[user]] = await db.read(findProfile(caller.userId));
		if (!user) throw new ApiError("UNAUTHORISED");
		return toUser(user);
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
		const [[user]] = await db.read(findProfileWithin(path.userId, caller));
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
			],
			toUser({ ...user, status: "ACTIVE" }),
		);
	},
});
