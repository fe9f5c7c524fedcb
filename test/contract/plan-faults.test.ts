// What the judgement of query plans finds. The statements have been sent by this service, and read all rows of an organization or of a state.

import { describe, expect, it } from "vitest";
import { planFaults } from "../support/statements";

const faultsOf = async (statement: string) => {
	const params = Array.from(statement.matchAll(/\?/g), () => "[]");
	return (await planFaults(new Map([[statement, params]]))).map(({ step }) => step);
};

const given = "(select value ->> 'id' as id from json_each(?)) w";

describe("a plan is a fault", () => {
	it("when a list is read again for each row of a search", async () => {
		expect(await faultsOf(`select u.tag from users u join ${given} on u.id = w.id where u.status = 'ACTIVE'`)).toEqual([
			"SEARCH u USING INDEX users_by_status (status=?) (few values)",
			"SCAN json_each VIRTUAL TABLE INDEX 1:",
		]);
		expect(await faultsOf(`select u.tag from ${given} cross join users u where u.id = w.id and u.status = 'ACTIVE'`)).toEqual([]);
		expect(await faultsOf(`select w.id from users u cross join ${given} where u.id = ? and w.id > u.tag`)).toEqual([]);
	});

	it("when the rows of a state are read past to find a named row", async () => {
		const named = `u.id in (
			select a.user_id from credit_accounts a where a.account_number = ?
			union all select c.user_id from current_accounts c where c.account_number = ?)`;
		expect(await faultsOf(`select * from users u where ${named} and u.home_organization_id = ?`)).toEqual([
			"SEARCH u USING INDEX users_of_by_status (home_organization_id=?) (not by the primary key)",
		]);
		expect(await faultsOf(`select * from users u where ${named} and u.status = ?`)).toEqual([
			"SEARCH u USING INDEX users_by_status (status=?) (few values)",
		]);
		expect(await faultsOf(`select * from users u where ${named} and +u.status = ? and +u.home_organization_id = ?`)).toEqual([]);
	});

	it("when an index that all rows of an organization share is taken, and another has what is given", async () => {
		const events = `from json_each(?) j cross join agent_events e`;
		const on = "on e.organization_id = ? and e.reference_id = j.value where e.event_type = 'PENALTY'";
		expect(await faultsOf(`select e.amount ${events} ${on}`)).toEqual([
			"SEARCH e USING PRIMARY KEY (organization_id=?) (not by agent_events_penalties)",
		]);
		expect(await faultsOf(`select e.amount ${events} indexed by agent_events_penalties ${on}`)).toEqual([]);
		const supervisors = `from above join agent_supervisions s on s.organization_id = ? and s.agent_user_id = above.id
			where s.supervisor_user_id is not null`;
		expect(await faultsOf(`with above(id) as (select ?) select s.supervisor_user_id ${supervisors}`)).toHaveLength(1);
		const feed =
			"from webhook_events e where e.organization_id = ? and e.event_type = ? order by e.created_at desc, e.sequence desc limit 21";
		expect(await faultsOf(`select * ${feed}`)).toEqual(["SEARCH e USING PRIMARY KEY (organization_id=?) (not by webhook_events_by_type)"]);
	});

	it("when rows are read past that share an organization, a kind and an endpoint, with a limit too", async () => {
		const log = "from webhook_receipts r where r.webhook_id = ? and r.event_type = ? order by r.id desc limit 21";
		expect(await faultsOf(`select r.id ${log}`)).toEqual(["SEARCH r USING INDEX webhook_receipts_of (webhook_id=?) (past event_type)"]);
		const approvals =
			"from approvals indexed by approvals_of_by_status where approvals.organization_id = ? and approvals.status = 'PENDING'";
		expect(await faultsOf(`select id ${approvals} and approvals.approval_type = ? order by created_at desc limit 21`)).toHaveLength(1);
		expect(await faultsOf(`select id ${approvals} order by created_at desc limit 21`)).toEqual([]);
	});

	it("when a table is scanned or its rows are sorted, with any text before its name", async () => {
		expect(await faultsOf("select t.note from (select ? as a) s, transfers t")).toEqual(["SCAN t"]);
		expect(await faultsOf('select "id" from "transfers" order by "note"')).toEqual(["SCAN transfers", "USE TEMP B-TREE FOR ORDER BY"]);
	});
});
