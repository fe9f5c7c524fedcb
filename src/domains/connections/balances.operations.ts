// Checks the credentials of an organization's shortcode, and hears its balance.

import * as z from "zod";
import { first } from "../../db/reads";
import { alone, memberOfPath, organizationPath } from "../../http/callers/access";
import { atCodedAddress, codedPath, noSuchAddress } from "../../http/callers/coded-address";
import { operation } from "../../http/operation";
import { balancesIn, isRefusedToInitiator, pauseAfterQuestion, resultIn } from "../../providers/daraja/answers";
import { isCodeOf } from "../../providers/daraja/callback-address";
import { ACCEPTED, Accepted } from "../../providers/daraja/callbacks";
import { sendAfter } from "../../runtime/outbox";
import { paidLastDayBy, waitingBy } from "../disbursements/model/float.store";
import { checks } from "./balances.procedure";
import { beginCheck, checkBegun, endCheck, failCheck, findChecked, findNeed } from "./model/checks.store";
import { DARAJA, DarajaConnection } from "./model/daraja.wire";
import { noConnection } from "./model/lifecycle";
import { cannotVerify, canVerify, hearBalances, pause } from "./model/plan";
import { findConnection } from "./model/store";

const { provider } = DARAJA;

export const checkDarajaConnection = operation({
	id: "checkDarajaConnection",
	method: "POST",
	path: "/v1/organizations/{organizationId}/connections/daraja/check",
	summary: "Check the credentials of the organization's M-Pesa shortcode, and ask for its balance and about a transaction",
	description:
		"Within a minute or two the results are in `last_check` and `balances` of the connection. The check also runs while the connection is paused, and does not resume it. The initiator needs the roles Balance Query and Transaction Status query: without the second no payment is verified.",
	access: alone(memberOfPath("org:connections:write")),
	request: { path: organizationPath },
	response: DarajaConnection,
	status: 202,
	errors: ["NOT_FOUND"],
	async handle({ caller: { organizationId } }, services) {
		const { db, now } = services;
		const seen = await db.read(first(findConnection(db.orm, { organizationId, provider })));
		if (!seen) throw noConnection(provider);
		const id = services.newId();
		const begun = DARAJA.toWire({ ...seen, ...checkBegun(id, now) }, now);
		const asked = sendAfter(services, checks, { id, organizationId, provider });
		return services.commit([beginCheck(db.orm, seen, id, now), asked], begun);
	},
});

export const reportDarajaBalance = operation({
	id: "reportDarajaBalance",
	method: "POST",
	path: "/v1/integrations/mobile-money/daraja/balances/{id}/{code}",
	summary: "Say what a lender's account holds: Daraja, at the address that it was given",
	description: "The code is good for one question. An answer to an earlier question than the last is accepted and changes nothing.",
	...atCodedAddress,
	home: ({ path }) => path.id,
	request: {
		path: codedPath,
		body: z.looseObject({}).meta({ id: "DarajaBalance", examples: [{ Result: { ResultType: 0, ResultCode: 0 } }] }),
	},
	response: Accepted,
	async handle({ path: { id, code }, body }, services) {
		const { db, now, config } = services;
		if (!(await isCodeOf(config.keyring, "balance", id, code))) throw noSuchAddress();
		const { seen, need } = await db.read({
			seen: first(findChecked(db.orm, id)),
			need: first(findNeed(db.orm, id, { waiting: waitingBy, paidLastDay: paidLastDayBy(now) })),
		});
		const result = resultIn(body);
		if (!seen || !need || result?.isPartial) return ACCEPTED;
		// A notice that the question waited too long.
		if (!result) return services.commit([endCheck(db.orm, id, "NO_ANSWER")], ACCEPTED);
		const balances = balancesIn(result);
		if (balances) return services.commit(hearBalances(services, { ...seen, checkId: id }, balances, need), ACCEPTED);
		const reason = pauseAfterQuestion(result);
		return services.commit([failCheck(db.orm, id, result.code.slice(0, 32)), ...(reason ? pause(services, seen, reason) : [])], ACCEPTED);
	},
});

export const reportDarajaStatus = operation({
	id: "reportDarajaStatus",
	method: "POST",
	path: "/v1/integrations/mobile-money/daraja/checks/{id}/{code}",
	summary: "Say whether a lender's initiator may ask about transactions: Daraja, at the address that it was given",
	description:
		"The code is good for the question of one check, which is about a transaction that nobody knows. Any result but a refusal of the initiator shows that it may ask.",
	...atCodedAddress,
	home: ({ path }) => path.id,
	request: {
		path: codedPath,
		body: z.looseObject({}).meta({ id: "DarajaStatus", examples: [{ Result: { ResultType: 0, ResultCode: 21 } }] }),
	},
	response: Accepted,
	async handle({ path: { id, code }, body }, services) {
		if (!(await isCodeOf(services.config.keyring, "status", id, code))) throw noSuchAddress();
		const seen = await services.db.read(first(findChecked(services.db.orm, id)));
		const result = resultIn(body);
		if (!seen || !result || result.isPartial) return ACCEPTED;
		const reason = pauseAfterQuestion(result);
		const learnt = isRefusedToInitiator(result) ? cannotVerify(services, seen, result.code) : [canVerify(services, seen)];
		return services.commit([...learnt, ...(reason ? pause(services, seen, reason) : [])], ACCEPTED);
	},
});
