// What connections to different providers have in common: their state, the steps that lead there, and another account that waits.

import type { ComponentChildren } from "preact";
import { Refused } from "../../api.ts";
import { words } from "../../format.ts";
import { useDoing } from "../../ui/dialog.tsx";
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

export const isMissing = ({ error }: Watched<unknown>): boolean => error instanceof Refused && error.status === 404;

interface Pausable {
	readonly status: string;
	readonly paused_reason: string | null;
	readonly paused_until: string | null;
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

export function ConnectionState({ of: { status, paused_reason, paused_until } }: { readonly of: Pausable }) {
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
export const Steps = ({ of }: { readonly of: readonly StepOf[] }) => (
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

interface ReplacementProps {
	readonly of: { readonly account: string; readonly acts_at: string; readonly environment: string };
	readonly onActivate: () => Promise<unknown>;
	readonly onDiscard: () => Promise<unknown>;
}

/** Another account that is to take the place of the connected one, which a second person must agree to. */
export function Replacement({ of: { account, acts_at, environment }, onActivate, onDiscard }: ReplacementProps) {
	const [busy, run, error] = useDoing();
	return (
		<>
			<div class="notice is-waiting">
				<Mark of="waiting" />
				<div>
					<strong>{account}</strong> ({environment}) takes the place of the connected account <Time at={acts_at} />, or as soon as another
					member agrees.
				</div>
				<button type="button" disabled={busy} onClick={() => void run(onActivate)}>
					Agree
				</button>
				<button type="button" class="danger" disabled={busy} onClick={() => void run(onDiscard)}>
					Discard
				</button>
			</div>
			{error && <Problem error={error} />}
		</>
	);
}
