// Bindings of the Worker that a local service has or lacks as it is started.

export interface ChosenBindings {
	/** Backs the databases up into a bucket next to them. */
	readonly backup?: boolean;
	/** Sweeps at once whenever it is asked to: without the objects that sweep at most twice a minute. */
	readonly sweptWhenAsked?: boolean;
}

/** The bucket of `backup`. */
export const BACKUP_BUCKET = "backup";

type Bound = Readonly<Record<string, unknown>>;

export function chosenBindings(worker: { r2Buckets?: unknown; durableObjects?: unknown }, { backup, sweptWhenAsked }: ChosenBindings) {
	const { SWEEPS: _, ...unswept } = { SWEEPS: undefined, ...(worker.durableObjects as Bound | undefined) };
	return {
		r2Buckets: { ...(worker.r2Buckets as Bound | undefined), ...(backup && { BACKUP: BACKUP_BUCKET }) },
		durableObjects: sweptWhenAsked ? unswept : worker.durableObjects,
	};
}
