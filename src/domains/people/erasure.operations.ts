// Erases a person: their names, numbers, mail addresses, payees, messages, identities and sessions. What a law demands to be kept is kept
// so long, and refuses the erasure meanwhile.

import * as z from "zod";
import { first } from "../../db/reads";
import { held, operator } from "../../http/callers/access";
import { operation } from "../../http/operation";
import { owe } from "../../runtime/home-messages";
import type { Services } from "../../runtime/services";
import { ApiError, invalidState } from "../../shared/errors";
import { findUser } from "../users/model/store";
import { erasureCopy, erasureOf, nobody } from "./copies.plan";
import { obstaclesTo } from "./retention.policy";
import { findErasure, findMarks, findTies, readTies } from "./store";
import { Erasure, toErasure } from "./wire";

const PATH = "/v1/platform/users/{userId}/erasure";
const ofUser = z.object({ userId: z.uuid().toLowerCase() });

/** The user, if nothing stands in the way of their erasure. */
async function erasable({ db, config, now }: Services, userId: string) {
	const { owner, erasure, ties, ...known } = await db.read({
		owner: first(findUser(db.orm, userId)),
		erasure: first(findErasure(db.orm, userId)),
		ties: findTies(userId),
		...findMarks(db.orm, userId),
	});
	if (!owner || !ties) throw new ApiError("NOT_FOUND", { description: "There is no such user" });
	const obstacles = erasure ? [] : obstaclesTo(readTies(ties.ties), config.RETENTION_PERIODS, now);
	const [obstacle] = obstacles;
	if (obstacle)
		throw invalidState(`The user cannot be erased yet: ${obstacles.map(({ description }) => description).join("; ")}`, {
			reason: obstacle.reason,
		});
	return { owner, erasure, known };
}

export const eraseUser = operation({
	id: "eraseUser",
	method: "POST",
	path: PATH,
	summary: "Erase a user",
	description:
		"Their sessions end at once. Within minutes, of a large database within hours, names, numbers, mail addresses, payees, messages and identities are gone everywhere; the ledger and the audit trail keep ids. It cannot be undone. Refused while money is open or a retention period runs.",
	access: held(operator),
	home: ({ path }) => path.userId,
	request: { path: ofUser },
	response: Erasure,
	errors: ["NOT_FOUND", "INVALID_STATE"],
	reasons: ["MONEY_OPEN", "IN_USE", "RETENTION"],
	async judge({ path }, services) {
		await erasable(services, path.userId);
	},
	async handle({ path }, services) {
		const { owner, erasure, known } = await erasable(services, path.userId);
		if (erasure) return toErasure(erasure);
		const row = await erasureOf(services, owner, known);
		const owed = owe(services, erasureCopy, "everywhere", row);
		const committed = await services.commit([...owed.writes, ...nobody(services, owner.id)], toErasure(row));
		await owed.carry(services);
		return committed;
	},
});

export const getErasure = operation({
	id: "getErasure",
	method: "GET",
	path: PATH,
	summary: "How far the erasure of a user has come",
	access: operator,
	home: ({ path }) => path.userId,
	request: { path: ofUser },
	response: Erasure,
	errors: ["NOT_FOUND"],
	async handle({ path }, { db }) {
		const row = await db.read(first(findErasure(db.orm, path.userId)));
		if (!row) throw new ApiError("NOT_FOUND", { description: "Nobody has asked for the erasure of such a user" });
		return toErasure(row);
	},
});
