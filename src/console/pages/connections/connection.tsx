// What connections to different providers have in common: their state, the steps that lead there, another account that waits, and their end.

import type { ComponentChildren } from "preact";
import { Refused } from "../../api.ts";
import { words } from "../../format.ts";
import { Confirm, useDoing } from "../../ui/dialog.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { Facts, Section } from "../../ui/page.tsx";
import { Problem } from "../../ui/problem.tsx";
import { Mark, type Shape, State } from "../../ui/state.tsx";
import { Time } from "../../ui/time.tsx";
import type { Watched } from "../../watch.ts";
import type { Person } from "../../who.ts";
import type { Dialogs } from "../form.tsx";

export interface ConnectionProps {
	readonly organizationId: string;
	readonly person: Person;
	readonly dialogs: Dialogs;
}

const isMissing = ({ error }: Watched<unknown>): boolean => error instanceof Refused && error.status === 404;

interface Pausable {
	readonly status: string;
	readonly paused_reason: string | null;
	readonly paused_until: string | null;
	readonly updated_at: string;
}

const PAUSES: Readonly<Record<string, string>> = {
	CREDENTIALS_REFUSED: "The provider refuses the credentials. Enter those of its portal again",
	INSUFFICIENT_FUNDS: "The account has too little money",
	ADDRESS_NOT_ALLOWED: "The provider does not know the service's address. Have it allowed in the portal",
};
const REFUSES_INITIATOR = /^RESULT_(?:18|20|2001|8006)$/;

const pausedBy = (reason: string): string =>
	REFUSES_INITIATOR.test(reason)
		? "The provider refuses the initiator's name or password. Mend it in the portal, and enter it again"
		: (PAUSES[reason] ?? words(reason));

function ConnectionState({ of: { status, paused_reason, paused_until } }: { readonly of: Pausable }) {
	if (status === "ACTIVE") return <State of="good" word="Connected" />;
	return (
		<>
			<State of="suspended" word="Paused" note={paused_reason ? pausedBy(paused_reason) : undefined} />
			{paused_until && (
				<small>
					until <Time at={paused_until} />
				</small>
			)}
		</>
	);
}

export interface StepOf {
	readonly name: string;
	readonly about: ComponentChildren;
	readonly shape: Shape;
	readonly action?: ComponentChildren;
}

/** What is to be done, one after the other. */
const Steps = ({ of }: { readonly of: readonly StepOf[] }) => (
	<ol class="cards">
		{of.map(({ name, about, shape, action }, index) => (
			<li class="card" key={name}>
				<div class="card-head">
					<div>
						<h3>
							<Mark of={shape} /> {index + 1}. {name}
						</h3>
						<p>{about}</p>
					</div>
					{action && <div class="buttons">{action}</div>}
				</div>
			</li>
		))}
	</ol>
);

interface Connected extends Pausable {
	readonly replacement: { readonly account: string; readonly acts_at: string; readonly environment: string } | null;
}

interface FrameProps<Of extends Connected> {
	/** The provider's. */
	readonly name: string;
	readonly note: string;
	readonly read: Watched<Of>;
	readonly steps: (of?: Of) => readonly StepOf[];
	readonly facts: (of: Of) => readonly (readonly [name: string, value: ComponentChildren])[];
	/** What ends with the connection. */
	readonly ends: string;
	/** A refusal of a step. */
	readonly error: Error | undefined;
	readonly dialogs: Dialogs;
	readonly onActivate: (account: string) => Promise<unknown>;
	readonly onDiscard: () => Promise<unknown>;
	readonly onResume: () => Promise<unknown>;
	readonly onRemove: () => Promise<unknown>;
}

/** The connection to one provider: what waits to take its place, its facts and steps, and its end. */
export function Frame<Of extends Connected>(props: FrameProps<Of>) {
	const { name, read, steps, facts, ends, dialogs } = props;
	const [busy, run, failed] = useDoing();
	const error = props.error ?? failed;
	const remove = () =>
		dialogs.show(
			<Confirm title={`Disconnect ${name}?`} verb="Disconnect" dangerous onClose={dialogs.close} onConfirm={props.onRemove}>
				<p>{ends}</p>
			</Confirm>,
		);
	return (
		<Section title={name} note={props.note}>
			{error && <Problem error={error} />}
			{isMissing(read) ? (
				<Steps of={steps()} />
			) : (
				<Loaded of={read} skeleton={4}>
					{(of) => (
						<>
							{of.replacement && (
								<Replacement
									of={of.replacement}
									busy={busy}
									onActivate={(account) => run(() => props.onActivate(account))}
									onDiscard={() => run(props.onDiscard)}
								/>
							)}
							<Facts
								of={[
									["State", <ConnectionState key="state" of={of} />],
									...facts(of),
									["Changed", <Time key="changed" at={of.updated_at} />],
								]}
							/>
							<Steps of={steps(of)} />
							<div class="buttons beneath">
								{of.status === "PAUSED" && (
									<button type="button" class="primary" disabled={busy} onClick={() => void run(props.onResume)}>
										Resume {name}
									</button>
								)}
								<button type="button" class="danger" onClick={remove}>
									Disconnect {name}
								</button>
							</div>
						</>
					)}
				</Loaded>
			)}
		</Section>
	);
}

interface ReplacementProps {
	readonly of: NonNullable<Connected["replacement"]>;
	readonly busy: boolean;
	readonly onActivate: (account: string) => void;
	readonly onDiscard: () => void;
}

/** Another account that is to take the place of the connected one, which a second person must agree to. */
const Replacement = ({ of: { account, acts_at, environment }, busy, onActivate, onDiscard }: ReplacementProps) => (
	<div class="notice is-waiting">
		<Mark of="waiting" />
		<div>
			<strong>{account}</strong> ({environment}) takes the place of the connected account <Time at={acts_at} />, or as soon as another
			member agrees.
		</div>
		<button type="button" disabled={busy} onClick={() => onActivate(account)}>
			Agree
		</button>
		<button type="button" class="danger" disabled={busy} onClick={onDiscard}>
			Discard
		</button>
	</div>
);
