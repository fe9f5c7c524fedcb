// The text of a product's terms: what it says, and a new version of it.

import { call } from "../../api.ts";
import type { LoanProduct } from "../../typed.ts";
import { Close, Confirm, Dialog } from "../../ui/dialog.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { Facts } from "../../ui/page.tsx";
import { Time } from "../../ui/time.tsx";
import { useWatch } from "../../watch.ts";
import { FormDialog, useDialogs } from "../form.tsx";

const TEXT = { text: { label: "Text", is: "long", hint: "Everything that a borrower agrees to with a loan" } } as const;

export function TermsText({ of, mayPublish }: { readonly of: LoanProduct; readonly mayPublish: boolean }) {
	const dialogs = useDialogs();
	const { id, name, terms_version } = of;
	const publish = () =>
		dialogs.show(
			<FormDialog
				title={`Publish the terms of ${name}`}
				entries={TEXT}
				verb="Publish"
				onSend={async ({ text }) => {
					const { version } = await call("POST /v1/platform/loan-products/{id}/terms", { path: { id }, body: { text } });
					dialogs.say(`Offers from now on name version ${version}.`);
				}}
				onClose={dialogs.close}
			>
				<p>
					Offers from then on are accepted with this text, and only by apps that send <code>accepted_terms</code>. Open offers and running
					loans keep the text that they were made with.
				</p>
			</FormDialog>,
		);
	const withdraw = () =>
		dialogs.show(
			<Confirm
				title={`Make offers of ${name} without terms?`}
				verb="Offer without terms"
				onClose={dialogs.close}
				onConfirm={() => call("PATCH /v1/platform/loan-products/{id}", { path: { id }, body: { terms_version: null } })}
			>
				<p>Open offers and running loans keep the text that they were made with.</p>
			</Confirm>,
		);
	return (
		<>
			{dialogs.shown}
			<div class="buttons beneath">
				{terms_version !== null && (
					<button type="button" onClick={() => dialogs.show(<Read id={id} name={name} onClose={dialogs.close} />)}>
						Read the terms, version {terms_version}
					</button>
				)}
				{mayPublish && (
					<button type="button" onClick={publish}>
						{terms_version === null ? "Publish terms" : "Publish a new text"}
					</button>
				)}
				{mayPublish && terms_version !== null && (
					<button type="button" onClick={withdraw}>
						Offer without terms
					</button>
				)}
			</div>
		</>
	);
}

function Read({ id, name, onClose }: { readonly id: string; readonly name: string; readonly onClose: () => void }) {
	const found = useWatch("GET /v1/loan/products/{id}/terms", { path: { id } });
	return (
		<Dialog title={`Terms of ${name}`} onClose={onClose} class="broad">
			<Loaded of={found} skeleton={4}>
				{({ version, sha256, text, published_at }) => (
					<>
						<Facts
							of={[
								["Version", String(version)],
								["Published", <Time key="published" at={published_at} />],
								["SHA-256", <code key="sha256">{sha256}</code>],
							]}
						/>
						<div class="prose">
							{text.split("\n").map((line, index) => (
								<p key={`${index}:${line}`}>{line}</p>
							))}
						</div>
					</>
				)}
			</Loaded>
			<Close onClose={onClose} />
		</Dialog>
	);
}
