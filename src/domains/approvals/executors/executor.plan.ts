// The contract of executors: how the target of an approval is found, and which writes execute it.

import type * as z from "zod";
import type { Orm, Write } from "../../../db/database";
import type { Answer, Named } from "../../../db/reads";
import type { CommitOptions, Elsewhere, Services } from "../../../runtime/services";
import type { Decider, EntityType } from "../table";

/** The writes that execute the change, or why it cannot be executed. */
export type Plan =
	| { readonly accepted: true; readonly writes: readonly Write[]; readonly options?: CommitOptions }
	| { readonly accepted: false; readonly reason: string; readonly description?: string };

/** The entity that a request is about, as it was read. */
export type Target = {
	/** The organization that it belongs to; null for none. */
	readonly organizationId: string | null;
	readonly decider: Decider;
	/** Another text whenever the facts change on which a decision is based. */
	readonly version: string;
	/** May read who has a name now. */
	plan(by: Approved): Plan | Promise<Plan>;
};

export type Approved = {
	readonly approvalId: string;
	/** Who asked. */
	readonly asker: string;
	/** Who decides. */
	readonly person: string;
	readonly reason: string | null;
};

type Declared<P, R extends Named> = {
	readonly entity: EntityType;
	readonly payload: z.core.$ZodType<P>;
	/** An id in the target's home; undefined for the directory. */
	home(entityId: string): string | undefined;
	/** Rejects with `InvalidInput` or an `ApiError` for a payload that can never be executed. */
	check?(services: Services, entityId: string, payload: P): Promise<void>;
	find(orm: Orm, entityId: string, payload: P, now: number): R;
	/** Undefined if there is no such entity. */
	target(services: Elsewhere, rows: Answer<R>, entityId: string, payload: P): Target | undefined;
};

export type Executor = Declared<unknown, Named>;

/** Checks that an executor's payload and rows fit together, then erases their types, so that all executors have one type. */
export const executor = <P, R extends Named>(declared: Declared<P, R>): Executor => declared as unknown as Executor;
