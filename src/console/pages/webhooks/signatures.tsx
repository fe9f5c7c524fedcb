// Why a receiver refuses a signature: the rule that is broken, and the code that mends it.

import { useState } from "preact/hooks";
import { call } from "../../api.ts";
import type { BodyOf } from "../../typed.ts";
import { CopyButton } from "../../ui/copy.tsx";
import { useDoing } from "../../ui/dialog.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { Field, Head, Section } from "../../ui/page.tsx";
import { Problem } from "../../ui/problem.tsx";
import { Mark } from "../../ui/state.tsx";
import { useWatch } from "../../watch.ts";
import { NoEndpoint } from "./endpoints.tsx";
import { remedyOf } from "./remedies.ts";

type Verdict = BodyOf<"POST /v1/webhooks/{webhook_id}/verify">;

export function Page() {
	const endpoints = useWatch("GET /v1/webhooks", {});
	const [chosen, choose] = useState<string>();
	const [header, setHeader] = useState("");
	const [body, setBody] = useState("");
	const [verdict, setVerdict] = useState<Verdict>();
	const [busy, run, error] = useDoing();
	return (
		<>
			<Head title="Signature debugger" about="Find out why your receiver refuses a delivery" />
			<Loaded of={endpoints} skeleton={5}>
				{(all) => {
					const webhook_id = chosen ?? all[0]?.id;
					if (!webhook_id) return <NoEndpoint />;
					return (
						<div class="columns">
							<form
								onSubmit={(event) => {
									event.preventDefault();
									void run(async () => {
										setVerdict(undefined);
										setVerdict(await call("POST /v1/webhooks/{webhook_id}/verify", { path: { webhook_id }, body: { header, body } }));
									});
								}}
							>
								<Field label="Endpoint">
									{(ids) => (
										<select {...ids} value={webhook_id} onChange={({ currentTarget }) => choose(currentTarget.value)}>
											{all.map(({ id, name }) => (
												<option key={id} value={id}>
													{name}
												</option>
											))}
										</select>
									)}
								</Field>
								<Field label="X-Service-Signature" hint="The header as it arrived">
									{(ids) => (
										<textarea
											{...ids}
											class="mono"
											rows={3}
											value={header}
											placeholder="t=1772443800,v1=5257a869…"
											onInput={({ currentTarget }) => setHeader(currentTarget.value)}
											spellcheck={false}
											maxLength={4096}
										/>
									)}
								</Field>
								<Field label="Body" hint="The bytes that your check gets: raw, before anything parses them">
									{(ids) => (
										<textarea
											{...ids}
											class="mono"
											rows={10}
											value={body}
											onInput={({ currentTarget }) => setBody(currentTarget.value)}
											spellcheck={false}
											maxLength={65_536}
										/>
									)}
								</Field>
								<button type="submit" class="primary" disabled={busy}>
									Explain
								</button>
							</form>
							<div aria-live="polite">
								{error && <Problem error={error} />}
								{verdict ? <Explained of={verdict} /> : <Rule />}
							</div>
						</div>
					);
				}}
			</Loaded>
		</>
	);
}

function Explained({ of: { valid, reason, message } }: { readonly of: Verdict }) {
	const remedy = remedyOf(reason);
	return (
		<>
			<div class={`notice ${valid ? "is-good" : "is-ended"}`}>
				<Mark of={valid ? "good" : "ended"} />
				<div>
					<strong>{valid ? "The signature is right." : "The signature does not match."}</strong> {message}
				</div>
			</div>
			{remedy && (
				<Section title="How to repair it" action={<CopyButton text={remedy} />}>
					<Code text={remedy} />
				</Section>
			)}
		</>
	);
}

const Rule = () => (
	<Section title="The rule">
		<div class="prose">
			<p>
				The header has the seconds <code>t</code> and one signature <code>v1</code> for each active key. A signature is the HMAC-SHA256 of{" "}
				<code>t</code>, a full stop and the raw body, in lower-case hexadecimal digits.
			</p>
			<p>The key is the secret as text, with its prefix. Accept it if one signature matches and the time is within five minutes.</p>
		</div>
	</Section>
);

const Code = ({ text }: { readonly text: string }) => (
	<section class="json" aria-label="Code">
		{/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
		<pre tabIndex={0}>{text}</pre>
	</section>
);
