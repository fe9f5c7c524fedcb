// The rotation of a signing key in four steps, without losing a delivery: while two keys sign, a receiver that knows either is content.

import { useState } from "preact/hooks";
import { call } from "../../api.ts";
import type { SigningKey, WebhookEndpoint } from "../../typed.ts";
import { CopyButton } from "../../ui/copy.tsx";
import { Dialog, useDoing } from "../../ui/dialog.tsx";
import { Problem } from "../../ui/problem.tsx";
import { useSecret } from "../../ui/secret.tsx";
import { Mark } from "../../ui/state.tsx";
import { Time } from "../../ui/time.tsx";
import { useWatch } from "../../watch.ts";

export function Rotate({ of, onClose }: { readonly of: WebhookEndpoint; readonly onClose: () => void }) {
	const path = { webhook_id: of.id };
	const [made, setMade] = useState<SigningKey>();
	const [placed, setPlaced] = useState(false);
	const [ended, setEnded] = useState(false);
	const [busy, run, error] = useDoing();
	const [newest, oldest] = [of.signing_keys[0], of.signing_keys.at(-1)];
	const isTwo = of.signing_keys.length > 1;
	const accepted = useAccepted(of.id, isTwo && (placed || !made) ? newest?.created_at : undefined);
	// A person who comes back in the middle cannot see the secret again, and continues with the third step.
	const step = ended ? 5 : !isTwo && !made ? 1 : made && !placed ? 2 : accepted ? 4 : 3;
	const { close, onCopied, asks, leaves } = useSecret(step === 2 ? made?.secret : undefined, onClose);
	const make = () => run(async () => setMade(await call("POST /v1/webhooks/{webhook_id}/secrets", { path, body: {} })));
	const test = () => run(() => call("POST /v1/webhooks/{webhook_id}/test", { path, body: {} }));
	const end = () =>
		run(async () => {
			if (!oldest) return;
			await call("DELETE /v1/webhooks/{webhook_id}/secrets/{signing_key_id}", { path: { ...path, signing_key_id: oldest.id } });
			setEnded(true);
		});
	return (
		<Dialog title={`Rotate the key of ${of.name}`} class="broad" onClose={close}>
			<ol class="steps">
				<Step at={1} now={step} title="Make a new key">
					<p>From then on each delivery has two signatures. A receiver that knows either key accepts it.</p>
					<button type="button" class="primary" disabled={busy} onClick={() => void make()}>
						Make a key
					</button>
				</Step>
				<Step at={2} now={step} title="Put it into the receiver">
					<p>It is shown only now. Keep the old key as well.</p>
					<div class="secret">
						<code>{made?.secret}</code>
						<CopyButton text={made?.secret ?? ""} onCopied={onCopied} />
					</div>
					<button type="button" class="primary" onClick={() => setPlaced(true)}>
						The receiver has it
					</button>
				</Step>
				<Step at={3} now={step} title="Wait until a delivery with both is accepted">
					<p>Wait until a delivery with both signatures gets a 2xx. A test delivery counts.</p>
					<button type="button" disabled={busy || of.status === "SUSPENDED"} onClick={() => void test()}>
						Send test
					</button>
				</Step>
				<Step at={4} now={step} title="End the old key">
					<p>
						A delivery was accepted {accepted && <Time at={accepted} />}. <code>{oldest?.masked_secret}</code> signs no more when you end
						it.
					</p>
					<button type="button" class="danger" disabled={busy} onClick={() => void end()}>
						End {oldest?.masked_secret}
					</button>
				</Step>
			</ol>
			{ended && (
				<p class="notice is-good" role="status">
					<Mark of="good" />
					<span>The key is rotated. The old one can be taken out of the receiver.</span>
				</p>
			)}
			{error && <Problem error={error} />}
			{step === 2 && asks}
			<div class="buttons end">
				<button type="button" onClick={close}>
					{ended ? "Done" : step === 2 && leaves ? "Close without a copy" : "Close"}
				</button>
			</div>
		</Dialog>
	);
}

function Step(props: { readonly at: number; readonly now: number; readonly title: string; readonly children: preact.ComponentChildren }) {
	const { at, now, title, children } = props;
	return (
		<li class={at < now ? "done" : at === now ? "now" : undefined} aria-current={at === now ? "step" : undefined}>
			<strong>
				{title}
				{at < now && <span class="hidden"> (done)</span>}
			</strong>
			{at === now && <div class="prose">{children}</div>}
		</li>
	);
}

/** When the first delivery was accepted that was made after then; asked only while somebody waits for it. */
function useAccepted(webhook_id: string, after: string | undefined): string | undefined {
	const { value } = useWatch(
		"GET /v1/webhooks/deliveries",
		after === undefined ? undefined : { query: { webhook_id, status: "DELIVERED", size: 5 } },
		30,
	);
	const found = after && value?.data.find(({ created_at, delivered_at }) => delivered_at !== null && created_at > after);
	return found ? (found.delivered_at ?? undefined) : undefined;
}
