// The texts of messages to a lender's customers: the service's, and the lender's own in their place, as they read with made-up values.

import { useEffect, useState } from "preact/hooks";
import { call, Refused } from "../../api.ts";
import type { PageProps } from "../../route.ts";
import { setQuery } from "../../router.ts";
import type { BodyOf } from "../../typed.ts";
import { useDoing } from "../../ui/dialog.tsx";
import { Empty, Loaded } from "../../ui/loaded.tsx";
import { Field, Head } from "../../ui/page.tsx";
import { Problem } from "../../ui/problem.tsx";
import { useWatch } from "../../watch.ts";

const PUT = "PUT /v1/organizations/{organizationId}/texts";
type Texts = BodyOf<typeof PUT>;
type Locale = Texts["locale"];
type Message = Texts["texts"][number]["message"];
type Own = Readonly<Partial<Record<Message, string>>>;

const LANGUAGES: Readonly<Record<Locale, string>> = { en: "English", sw: "Swahili", fr: "French", pt: "Portuguese", am: "Amharic" };

/** When the service sends each. */
const OCCASIONS: Readonly<Record<Message, string>> = {
	ACCOUNT_NOT_CLOSED: "A current account was not closed",
	ACCOUNT_NOT_OPENED: "A current account was not opened",
	ACCOUNT_USABLE_AGAIN: "A frozen account can be used again",
	ADMITTED: "Off the waiting list",
	CODE: "A one-time password",
	CREDIT_BUREAU_NOTICE: "A report to a credit bureau will follow",
	IDENTITY_LINKED: "Another way to sign in was added",
	LIMIT_CHANGED: "The credit limit was changed",
	LOAN_IMPORTED: "A loan was brought over",
	LOAN_NOT_ACCEPTED: "An application was turned down",
	LOAN_PAID_OUT: "A loan was paid out",
	MONEY_ARRIVED: "Money has arrived",
	NUMBER_ADDED: "A mobile number was added",
	NUMBER_CHANGED: "The mobile number was changed",
	OVERPAYMENT_PAID_BACK: "An overpayment was paid back",
	PAYMENT_DUE: "A payment is overdue",
	PAYMENT_RECEIVED: "A payment was received",
	PAYMENT_RECEIVED_IN_FULL: "The last payment was received",
	RECOVERY_CANCELLED: "A recovery was cancelled",
	RECOVERY_FAILED: "A recovery failed",
	RECOVERY_ORDERED: "A recovery was ordered",
	SIGNED_IN: "Somebody has signed in",
	TRANSFER_LEAVES: "A transfer leaves",
	TRANSFER_TO_NEW_PAYEE: "A transfer to a new payee leaves",
};

/** Typing pauses so long before the preview is asked for. */
const PAUSE_MS = 600;

export function Page({ query, person }: PageProps) {
	const organizationId = person.acting?.id ?? "";
	const chosen = query.get("locale") as Locale | null;
	const read = useWatch(
		"GET /v1/organizations/{organizationId}/texts",
		organizationId ? { path: { organizationId }, query: chosen ? { locale: chosen } : {} } : undefined,
	);
	if (!organizationId) return <Empty title="No organization yet" children="Make one first, under Organizations." />;
	return (
		<>
			<Head title="Texts" about="The messages to your customers, in each language. Your own text takes the place of the standard one." />
			<Loaded of={read} skeleton={6}>
				{(texts) => <Form key={texts.locale} organizationId={organizationId} texts={texts} />}
			</Loaded>
		</>
	);
}

const ownOf = ({ texts }: Texts): Own => Object.fromEntries(texts.flatMap(({ message, own }) => (own === null ? [] : [[message, own]])));

/** `standard`: where the field does not show it. */
function hintOf(placeholders: readonly string[], standard: string | undefined): string {
	const must = placeholders.flatMap((name) => (name === "lender" ? [] : [`{${name}}`]));
	const may = must.length > 0 ? `Must have ${must.join(", ")}, and may have {lender}` : "May have {lender}";
	return standard === undefined ? may : `${may}. Standard: ${standard}`;
}

function Form({ organizationId, texts }: { readonly organizationId: string; readonly texts: Texts }) {
	const { locale, reviewed } = texts;
	const [own, setOwn] = useState<Own>(() => ownOf(texts));
	const [standard, setStandard] = useState(texts.default_locale);
	const [shown, show] = useState(texts);
	const [faults, setFaults] = useState<Readonly<Record<string, string>>>({});
	const [isChanged, setChanged] = useState(false);
	const [done, setDone] = useState(false);
	const [busy, run, error] = useDoing();

	/** Each fault stands next to its text. */
	const put = async (preview_only: boolean): Promise<void> => {
		const body = { locale, default_locale: standard, texts: own, preview_only };
		try {
			show(await call(PUT, { path: { organizationId }, body }));
			setFaults({});
		} catch (refused) {
			const reasons = refused instanceof Refused ? refused.reasons : [];
			setFaults(Object.fromEntries(reasons.map(({ path, reason }) => [path.replace("texts.", ""), reason])));
			throw refused;
		}
	};
	useEffect(() => {
		if (!isChanged) return;
		const timer = setTimeout(() => void put(true).catch(() => {}), PAUSE_MS);
		return () => clearTimeout(timer);
	}, [own]);

	const change = (message: Message, text: string) => {
		const { [message]: _, ...others } = own;
		setOwn(text.trim() === "" ? others : { ...others, [message]: text });
		setChanged(true);
		setDone(false);
	};
	const save = async () => {
		await put(false);
		setChanged(false);
		setDone(true);
	};
	return (
		<form
			class="texts"
			onSubmit={(event) => {
				event.preventDefault();
				void run(save);
			}}
		>
			<div class="fields">
				<Field
					label="Language"
					hint={isChanged ? "Save first" : reviewed ? undefined : "No speaker has read the standard texts of this language yet"}
				>
					{(ids) => (
						<select
							{...ids}
							value={locale}
							disabled={isChanged}
							onChange={({ currentTarget }) => setQuery({ locale: currentTarget.value })}
						>
							{Object.entries(LANGUAGES).map(([value, name]) => (
								<option key={value} value={value}>
									{name}
								</option>
							))}
						</select>
					)}
				</Field>
				<Field label="If a customer's language is not known" hint="Customers choose theirs in your app">
					{(ids) => (
						<select
							{...ids}
							value={standard ?? ""}
							onChange={({ currentTarget }) => {
								setStandard((currentTarget.value || null) as Locale | null);
								setDone(false);
							}}
						>
							<option value="">English, as standard</option>
							{Object.entries(LANGUAGES).map(([value, name]) => (
								<option key={value} value={value}>
									{name}
								</option>
							))}
						</select>
					)}
				</Field>
			</div>
			{shown.texts.map(({ message, standard: text, placeholders, preview }) => (
				<div key={message} class="text">
					<Field
						label={OCCASIONS[message]}
						error={faults[message]}
						hint={hintOf(placeholders, own[message] === undefined ? undefined : text)}
					>
						{(ids) => (
							<textarea
								{...ids}
								rows={3}
								maxLength={500}
								lang={locale}
								placeholder={text}
								value={own[message] ?? ""}
								onInput={({ currentTarget }) => change(message, currentTarget.value)}
							/>
						)}
					</Field>
					<figure>
						<figcaption>A customer reads</figcaption>
						<p lang={locale}>{preview}</p>
					</figure>
				</div>
			))}
			{error && <Problem error={error} />}
			<div class="buttons beneath">
				<button type="submit" class="primary" disabled={busy}>
					Save
				</button>
				<span role="status">{done && "Saved. Messages that wait get the new texts."}</span>
			</div>
		</form>
	);
}
