// The events of users: admission, and blocks.

import * as z from "zod";
import { eventType } from "../../../shared/event-type";

const userId = "01920f8e-7b1c-7a52-9a4e-3c5d8f2b6e11";

export const userWaitlisted = eventType({
	type: "user.waitlisted",
	category: "USER",
	description: "A new user was put on the waiting list",
	data: z.object({
		user_id: z.uuid(),
		source: z.enum(["PHONE", "PARTNER", "INVITATION"]).meta({ description: "How the user came to the service" }),
	}),
	example: { user_id: userId, source: "PHONE" },
});

export const userAdmitted = eventType({
	type: "user.admitted",
	category: "USER",
	description: "A user was admitted, either at the first sign-in or from the waiting list",
	data: z.object({ user_id: z.uuid(), admitted_at: z.iso.datetime() }),
	example: { user_id: userId, admitted_at: "2026-03-02T09:30:00.000Z" },
});

export const userJoined = eventType({
	type: "user.joined",
	category: "USER",
	description: "A user without a home organization got this one, and is its customer from now on",
	data: z.object({ user_id: z.uuid(), organization_id: z.uuid() }),
	example: { user_id: userId, organization_id: "01920f8e-7b1c-7a52-9a4e-3c5d8f2b6e12" },
});

export const userMobileNumberSet = eventType({
	type: "user.mobile_number_set",
	category: "USER",
	description: "A user who had no mobile number got one",
	data: z.object({ user_id: z.uuid() }),
	example: { user_id: userId },
});

const blockChange = z.object({ user_id: z.uuid(), approval_request_id: z.uuid() });
const blockExample = { user_id: userId, approval_request_id: "01920f8e-7b1c-7a52-9a4e-3c5d8f2b6e10" };

export const userBlocked = eventType({
	type: "user.blocked",
	category: "USER",
	description: "A user was blocked, and their sessions ended",
	data: blockChange,
	example: blockExample,
});

export const userUnblocked = eventType({
	type: "user.unblocked",
	category: "USER",
	description: "The block of a user was lifted",
	data: blockChange,
	example: blockExample,
});
