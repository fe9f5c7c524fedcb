// The Worker that the service is measured against: the least that Hono and D1 can do, in the same process.

import { Hono } from "hono";

const app = new Hono<{ Bindings: { BARE: D1Database } }>();

app.get("/route", (c) => c.json({ status: "ok" }));

app.get("/one-row", async (c) => c.json(await c.env.BARE.prepare("select * from items where id = ?").bind(1).first()));

app.get("/twenty-rows", async (c) => c.json((await c.env.BARE.prepare("select * from items order by id limit 20").all()).results));

/** One batch that reads and a second batch that writes `?rows=` rows. */
app.post("/two-batches", async (c) => {
	const { BARE } = c.env;
	await BARE.batch([BARE.prepare("select * from items where id = ?").bind(1)]);
	const insert = BARE.prepare("insert into items (id, name, state, amount, at, note) values (null, ?, ?, ?, ?, ?)");
	const rows = Array.from({ length: Number(c.req.query("rows")) }, () => insert.bind("an item", "ACTIVE", 1_000, Date.now(), null));
	await BARE.batch(rows);
	return c.json({ status: "ok" }, 201);
});

app.post("/tables", async (c) => {
	const { BARE } = c.env;
	await BARE.exec("create table items (id integer primary key, name text, state text, amount integer, at integer, note text)");
	await BARE.batch(
		Array.from({ length: 20 }, () => BARE.prepare("insert into items (name, state, amount, at) values ('an item', 'ACTIVE', 1, 2)")),
	);
	return c.json({ status: "ok" }, 201);
});

// biome-ignore lint/style/noDefaultExport: the entry point of a Worker
export default app;
