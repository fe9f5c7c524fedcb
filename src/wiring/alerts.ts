// Asks each minute what would be an alert, and notifies its receiver once when it begins, when its level changes and when it ends. The
// notices are in the database: a sweep that dies between sending and noting sends a second time, with the same id.

import { eq, sql } from "drizzle-orm";
import { alerts } from "../db/alerts.table";
import { placesOf } from "../db/places";
import type { Pager } from "../runtime/ports";
import type { JobServices } from "../runtime/services";
import { percentOf } from "../shared/storage-levels";
import { toTimestamp } from "../shared/time";
import { ALERTS, type Alert, type AlertLevel, type Finding } from "./alerts.policy";

type Known = typeof alerts.$inferSelect;

const ofDatabase = ALERTS.filter(({ from }) => from === "DATABASE");
const ofMetrics = ALERTS.filter(({ from }) => from === "METRICS");

export async function sendAlerts(services: JobServices): Promise<boolean> {
	const { db, databases, config, env, log, providers } = services;
	const { pager } = providers;
	if (!pager) return false;
	const { known, rows } = await db.read({
		known: db.orm.select().from(alerts),
		rows: ofDatabase.map(({ query }) => (query === undefined ? undefined : db.orm.all<Record<string, unknown>>(sql.raw(query)))),
	});
	const context = {
		databases: placesOf(env).all.map(({ name }) => name),
		storagePercent: percentOf(db.bytes, config.DATABASE_BYTES),
		unmatchedMost: config.ALERT_UNMATCHED_ABOVE,
	};
	const findings = ofDatabase.map((alert, index): [Alert, Finding] => [
		alert,
		alert.judge((rows[index] ?? []) as Record<string, unknown>[], context),
	]);
	const isFirst = db === databases.directory;
	for (const alert of isFirst ? ofMetrics : []) {
		// While nothing answers, nothing is known: an alert stays as it is.
		const points =
			alert.query && (await pager.measured(alert.query).catch((error: unknown) => log.error("the metrics do not answer", error)));
		if (points) findings.push([alert, alert.judge(points, context)]);
	}
	for (const [alert, finding] of findings) {
		const before = known.find(({ name }) => name === alert.name);
		if (finding.level !== (before?.told ?? "NONE") || before?.level !== before?.told)
			await notify(services, pager, { alert, finding, before });
	}
	if (isFirst) await pager.beat().catch((error: unknown) => log.error("the heartbeat was not taken", error));
	return false;
}

type Change = { readonly alert: Alert; readonly finding: Finding; readonly before: Known | undefined };

async function notify(
	{ db, databases, home, config, log, realNow }: JobServices,
	pager: Pager,
	{ alert, finding, before }: Change,
): Promise<void> {
	const { orm } = db;
	const { name } = alert;
	const { level } = finding;
	const told = before?.told ?? "NONE";
	const ofThis = eq(alerts.name, name);
	if (level === told)
		return void (await db.commit([level === "NONE" ? orm.delete(alerts).where(ofThis) : orm.update(alerts).set({ level }).where(ofThis)]));
	// Since when it has this level also distinguishes the same notice from another, and so is noted before it is sent.
	const noted = before?.level === level ? before : { name, level, since: realNow, found: finding.found || (before?.found ?? ""), told };
	if (noted !== before) await db.commit([orm.insert(alerts).values(noted).onConflictDoUpdate({ target: alerts.name, set: noted })]);
	const database = databases.nameOf(home);
	const state = stateOf(told, level);
	const at = toTimestamp(noted.since);
	log.error("alert", undefined, { alert: name, database, state, level, found: noted.found });
	try {
		await pager.send({
			id: `${database} ${name} ${level} ${at}`,
			...{ alert: name, database, environment: config.ENVIRONMENT, state, level, found: noted.found, at },
			text: `${config.ENVIRONMENT} ${database}: ${name} ${state === "ENDED" ? "has ended" : `(${level})`}: ${noted.found}`,
		});
	} catch (error) {
		log.error("an alert could not be told, and will be in the next minute", error, { alert: name });
		return;
	}
	await db.commit([level === "NONE" ? orm.delete(alerts).where(ofThis) : orm.update(alerts).set({ told: level }).where(ofThis)]);
}

const stateOf = (told: AlertLevel, level: AlertLevel) => (level === "NONE" ? "ENDED" : told === "NONE" ? "BEGAN" : "CHANGED");
