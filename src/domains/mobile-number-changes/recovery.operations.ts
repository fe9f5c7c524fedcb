// Recoveries of lost numbers, from their approval on. The sweep carries one out after a wait; until then any operator cancels it.

import * as z from "zod";
import { DIRECTORY_HOME } from "../../db/places";
import { first } from "../../db/reads";
import { alone, operator } from "../../http/callers/access";
import { operation } from "../../http/operation";
import { afterCommit } from "../../runtime/outbox";
import { ApiError } from "../../shared/errors";
import { noticesTo } from "../messages/notices.plan";
import { statusAfter, statusAt } from "../users/model/number-change.lifecycle";
import { removeName } from "../users/model/phone-name.store";
import { findUser, phoneName } from "../users/model/store";
import { instructSoon } from "./job";
import { abandon } from "./plan";
import { findRecovery } from "./store";
import { NumberRecovery, toRecovery } from "./wire";

const path = z.object({ userId: z.uuid().toLowerCase(), id: z.uuid().toLowerCase() });

export const getRecovery = operation({
	id: "getRecovery",
	method: "GET",
	path: "/v1/platform/users/{userId}/recoveries/{id}",
	summary: "The recovery of a lost number, from its approval on",
	access: operator,
	home: ({ path }) => path.userId,
	request: { path },
	response: NumberRecovery,
	errors: ["NOT_FOUND"],
	async handle({ path }, services) {
		const recovery = await services.db.read(first(findRecovery(services.db.orm, path.id, path.userId)));
		if (!recovery) throw new ApiError("NOT_FOUND");
		return toRecovery(recovery, services);
	},
});

export const cancelRecovery = operation({
	id: "cancelRecovery",
	method: "POST",
	path: "/v1/platform/users/{userId}/recoveries/{id}/cancel",
	summary: "Cancel a recovery that is not completed yet",
	description: "The account stays frozen: release it once you know its owner.",
	access: alone(operator),
	home: ({ path }) => path.userId,
	request: { path },
	response: NumberRecovery,
	errors: ["NOT_FOUND", "INVALID_STATE"],
	async handle({ path }, services) {
		const { db, now } = services;
		const { seen, owner } = await db.read({
			seen: first(findRecovery(db.orm, path.id, path.userId)),
			owner: first(findUser(db.orm, path.userId)),
		});
		if (!seen || !owner) throw new ApiError("NOT_FOUND");
		const present = statusAt(seen, now);
		if (!statusAfter(present, "cancel")) throw new ApiError("INVALID_STATE", { description: `The recovery is ${present}` });
		const { row, writes, instruction } = abandon(services, seen, "cancel");
		const told = await noticesTo(services, owner, { key: "RECOVERY_CANCELLED", values: {} });
		const reserved = { id: row.userId, reservedFor: row.id };
		const value = await phoneName(services, row.newNumber);
		const freed = afterCommit(services, (job) => {
			const directory = job.at(DIRECTORY_HOME);
			return directory.commit([removeName(directory.db.orm, value, reserved)]);
		});
		return services.commit([...writes, ...told, ...instructSoon(services, instruction), freed], toRecovery(row, services));
	},
});
