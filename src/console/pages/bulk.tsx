// What is done to all rows that are chosen: each by a call of its own, with its own outcome.

import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { count } from "../format.ts";
import { Dialog } from "../ui/dialog.tsx";
import { sentenceOf } from "../ui/problem.tsx";
import { readAllAgain } from "../watch.ts";

/** As many as one page of a list can show. */
export const MOST_CHOSEN = 100;

export interface BulkAction<Row> {
	/** `Admit` */
	readonly verb: string;
	/** `admitted` */
	readonly done: string;
	/** What will happen to each. */
	readonly about: string;
	readonly act: (row: Row) => Promise<unknown>;
}

let underWay = 0;
/** While its dialog is open, a list keeps what it shows: the rows that it is done to may be in it no longer. */
export const isUnderWay = (): boolean => underWay > 0;

interface BulkProps<Row> {
	readonly rows: readonly Row[];
	readonly keyOf: (row: Row) => string;
	readonly nameOf: (row: Row) => string | undefined;
	readonly chosen: ReadonlySet<string>;
	readonly onChange: (chosen: ReadonlySet<string>) => void;
	readonly actions: readonly BulkAction<Row>[];
}

export function Bulk<Row>({ rows, keyOf, nameOf, chosen, onChange, actions }: BulkProps<Row>) {
	const [doing, act] = useState<BulkAction<Row>>();
	const those = rows.filter((row) => chosen.has(keyOf(row))).slice(0, MOST_CHOSEN);
	if (those.length === 0 && !doing) return null;
	return (
		<>
			<div class="buttons chosen">
				<span role="status">{count(those.length)} selected</span>
				{actions.map((action) => (
					<button type="button" key={action.verb} onClick={() => act(action)}>
						{action.verb}
					</button>
				))}
				<button type="button" class="plain" onClick={() => onChange(new Set())}>
					Select none
				</button>
			</div>
			{doing && (
				<DoAll
					action={doing}
					rows={those}
					nameOf={(row) => nameOf(row) ?? keyOf(row)}
					onClose={(left) => {
						act(undefined);
						onChange(new Set(left.map(keyOf)));
					}}
				/>
			)}
		</>
	);
}

interface DoAllProps<Row> {
	readonly action: BulkAction<Row>;
	readonly rows: readonly Row[];
	readonly nameOf: (row: Row) => string;
	/** `left`: those that it was not done to. */
	readonly onClose: (left: readonly Row[]) => void;
}

interface Outcome<Row> {
	readonly row: Row;
	readonly error?: Error;
}

function DoAll<Row>({ action: { verb, done, about, act }, rows, nameOf, onClose }: DoAllProps<Row>) {
	// A choice while it runs, or a new read, does not change the chosen people.
	const [those] = useState(rows);
	const [outcomes, set] = useState<readonly Outcome<Row>[]>();
	const stopped = useRef(false);
	useLayoutEffect(() => {
		underWay++;
		return () => {
			underWay--;
			readAllAgain();
		};
	}, []);
	const failed = (outcomes ?? []).filter(({ error }) => error !== undefined);
	const succeeded = (outcomes ?? []).filter(({ error }) => error === undefined);
	const [isRunning, running] = useState(false);
	const run = async () => {
		running(true);
		stopped.current = false;
		const before = succeeded;
		const made: Outcome<Row>[] = [];
		for (const row of those.filter((one) => !before.some(({ row: other }) => other === one))) {
			if (stopped.current) break;
			made.push(
				await act(row).then(
					() => ({ row }),
					(error: Error) => ({ row, error }),
				),
			);
			set([...before, ...made]);
		}
		running(false);
	};
	const close = () => {
		stopped.current = true;
		onClose(those.filter((one) => !succeeded.some(({ row }) => row === one)));
	};
	const left = those.length - succeeded.length;
	return (
		<Dialog title={`${verb} ${count(those.length)}?`} {...(!isRunning && { onClose: close })}>
			<div class="prose">
				<p>{about} Each is done by itself: if one fails, the others are done all the same.</p>
				{outcomes && (
					<p role="status">
						{count(succeeded.length)} of {count(those.length)} {done}
						{failed.length > 0 && `, ${count(failed.length)} not`}.
					</p>
				)}
				{failed.length > 0 && (
					<ul class="outcomes">
						{failed.map(({ row, error }) => (
							<li key={nameOf(row)}>
								<strong>{nameOf(row)}</strong>: {error && sentenceOf(error)}
							</li>
						))}
					</ul>
				)}
			</div>
			<div class="buttons end">
				{isRunning ? (
					<button type="button" onClick={() => (stopped.current = true)}>
						Stop
					</button>
				) : (
					<button type="button" autofocus onClick={close}>
						{left === 0 ? "Close" : "Cancel"}
					</button>
				)}
				{left > 0 && (
					<button type="button" class="primary" disabled={isRunning} onClick={() => void run()}>
						{outcomes && !isRunning ? `${verb} the other ${count(left)}` : `${verb} ${count(left)}`}
					</button>
				)}
			</div>
		</Dialog>
	);
}
