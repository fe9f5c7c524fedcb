// What an approval executes: how its target is found, and the writes that change it.

import type * as z from "zod";
import type { Orm, Statement, Write } from "../../../db/database";
import type { CommitOptions, Services } from "../../../runtime/services";
import type { Decider, EntityType } from "../table";

/** How to execute, or why that is impossible. */
export type Plan =
	| { readonly accepted: true; readonly writes: readonly Write[]; readonly options?: CommitOptions }
	| { readonly accepted: false; readonly reason: string };

/** What a request is about, as it was read. */
export type Target = {
	/** Whose it is; null: no organization's. */
	readonly organizationId: string | null;
	readonly decider: Decider;
	/** Changes with whatever a decision is based on. */
	readonly version: string;
	plan(by: Approved): Plan;
};

export type Approved = { readonly approvalId: string; readonly person: string; readonly reason: string | null };

type Rows<S extends readonly Statement[]> = { readonly [I in keyof S]: S[I]["_"]["result"] };

type Declared<P, S extends readonly Statement[]> = {
	readonly entity: EntityType;
	readonly payload: z.ZodType<P>;
	/** An id in the target's home; undefined for the directory. */
	home(entityId: string): string | undefined;
	/** Throws `InvalidInput` or an `ApiError` for a payload that can never be executed. */
	check?(services: Services, entityId: string, payload: P): void;
	find(orm: Orm, entityId: string, payload: P): S;
	/** undefined: there is no such thing. */
	target(services: Services, rows: Rows<S>, entityId: string, payload: P): Target | undefined;
};

export type Executor = Declared<unknown, readonly Statement[]>;

/** Erases the types of payload and rows, which fit each other within one executor. */
export const executor = <P, const S extends readonly Statement[]>(declared: Declared<P, S>): Executor => declared as unknown as Executor;
