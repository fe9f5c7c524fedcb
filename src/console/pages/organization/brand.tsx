// The brand: a form, a light and a dark phone, and whether its colours can be read.

import { useEffect, useRef, useState } from "preact/hooks";
import { call, Refused } from "../../api.ts";
import { useClock } from "../../clock.ts";
import { day } from "../../format.ts";
import type { PageProps } from "../../route.ts";
import type { Brand } from "../../typed.ts";
import { useDoing } from "../../ui/dialog.tsx";
import { Empty, Rows } from "../../ui/loaded.tsx";
import { Field, Head } from "../../ui/page.tsx";
import { Problem } from "../../ui/problem.tsx";
import { Mark } from "../../ui/state.tsx";
import { useWatch } from "../../watch.ts";
import { isColour, pairsOf, textOn } from "./contrast.ts";

type Draft = Readonly<
	Record<"primary" | "secondary" | "font" | "logo" | "icon" | "name" | "email" | "phone" | "terms" | "privacy", string>
>;

const FIRST: Draft = {
	...{ primary: "#0b6b63", secondary: "", font: "", logo: "", icon: "" },
	...{ name: "", email: "", phone: "", terms: "", privacy: "" },
};
/** `own`: the organization's name, which its brand has until another is chosen. */
const draftOf = (brand: Brand, own: string): Draft => ({
	primary: brand.primary_color,
	secondary: brand.secondary_color ?? "",
	font: brand.font_family ?? "",
	logo: brand.logo_url ?? "",
	icon: brand.icon_url ?? "",
	name: brand.name === own ? "" : brand.name,
	email: brand.support_email ?? "",
	phone: brand.support_phone ?? "",
	terms: brand.terms_url ?? "",
	privacy: brand.privacy_url ?? "",
});
/** The members of text, with what an input of them is. */
const CONTACTS = [
	["email", "Support by mail", "email"],
	["phone", "Support by phone, as +254…", "tel"],
	["terms", "Terms, HTTPS address", "url"],
	["privacy", "Privacy, HTTPS address", "url"],
] as const;

export function Page({ person }: PageProps) {
	const organizationId = person.acting?.id ?? "";
	const read = useWatch("GET /v1/branding/{organizationId}", organizationId ? { path: { organizationId } } : undefined);
	const none = read.error instanceof Refused && read.error.status === 404;
	const about = "The look of your app before people sign in. Served from the edge; a change shows within a minute.";
	return (
		<>
			<Head title="Brand" about={about} />
			{!organizationId && <Empty title="No organization yet" children="Make one first, under Organizations." />}
			{read.error && !none && <Problem error={read.error} again={read.again} />}
			{read.value || none ? (
				<Form key={organizationId} organizationId={organizationId} name={person.acting?.name ?? ""} saved={read.value} />
			) : (
				!read.error && organizationId && <Rows of={6} />
			)}
		</>
	);
}

interface FormProps {
	readonly organizationId: string;
	readonly name: string;
	/** Absent before the first. */
	readonly saved: Brand | undefined;
}

function Form({ organizationId, name, saved }: FormProps) {
	const [draft, set] = useState<Draft>(saved ? draftOf(saved, name) : FIRST);
	const [done, setDone] = useState(false);
	const [busy, run, error] = useDoing();
	const change = (part: Partial<Draft>) => {
		set({ ...draft, ...part });
		setDone(false);
	};
	const { primary, secondary, font, logo, icon } = draft;
	const sound = isColour(primary) && (secondary === "" || isColour(secondary));
	const publish = async () => {
		const body = {
			primary_color: primary,
			secondary_color: secondary || null,
			font_family: font.trim() || null,
			font_weight: saved?.font_weight ?? null,
			logo_url: logo.trim() || null,
			icon_url: icon.trim() || null,
			name: draft.name.trim() || null,
			support_email: draft.email.trim() || null,
			support_phone: draft.phone.trim() || null,
			terms_url: draft.terms.trim() || null,
			privacy_url: draft.privacy.trim() || null,
		};
		await call("PUT /v1/branding/{organizationId}", { path: { organizationId }, body });
		setDone(true);
	};
	return (
		<div class="brand">
			<form
				onSubmit={(event) => {
					event.preventDefault();
					void run(publish);
				}}
			>
				<Field label="Name that users see">
					{(ids) => (
						<input
							{...ids}
							maxLength={80}
							placeholder={name}
							value={draft.name}
							onInput={({ currentTarget }) => change({ name: currentTarget.value })}
						/>
					)}
				</Field>
				<Colour label="Primary colour" value={primary} onChange={(value) => change({ primary: value })} />
				<Colour label="Secondary colour" value={secondary} optional onChange={(value) => change({ secondary: value })} />
				<Field label="Font family" hint="Shown here only if this machine has it">
					{(ids) => <input {...ids} maxLength={100} value={font} onInput={({ currentTarget }) => change({ font: currentTarget.value })} />}
				</Field>
				<Field label="Logo, HTTPS address" hint="Not loaded here: the console asks no other site for anything">
					{(ids) => (
						<input
							{...ids}
							type="url"
							placeholder="https://"
							value={logo}
							onInput={({ currentTarget }) => change({ logo: currentTarget.value })}
						/>
					)}
				</Field>
				<Field label="Icon, HTTPS address">
					{(ids) => (
						<input
							{...ids}
							type="url"
							placeholder="https://"
							value={icon}
							onInput={({ currentTarget }) => change({ icon: currentTarget.value })}
						/>
					)}
				</Field>
				{CONTACTS.map(([part, label, type]) => (
					<Field key={part} label={label}>
						{(ids) => (
							<input {...ids} type={type} value={draft[part]} onInput={({ currentTarget }) => change({ [part]: currentTarget.value })} />
						)}
					</Field>
				))}
				<Contrast primary={sound ? primary : FIRST.primary} secondary={sound && secondary ? secondary : null} />
				{error && <Problem error={error} />}
				<div class="buttons beneath">
					<button type="submit" class="primary" disabled={busy || !sound}>
						Publish
					</button>
					<span role="status">{done && "Published. It shows within a minute."}</span>
				</div>
			</form>
			<div class="phones" aria-hidden="true">
				<Phone name={draft.name.trim() || name} draft={sound ? draft : FIRST} dark={false} />
				<Phone name={draft.name.trim() || name} draft={sound ? draft : FIRST} dark />
			</div>
		</div>
	);
}

interface ColourProps {
	readonly label: string;
	readonly value: string;
	readonly optional?: boolean;
	readonly onChange: (value: string) => void;
}

function Colour({ label, value, optional = false, onChange }: ColourProps) {
	const wrong = !isColour(value) && !(optional && value === "");
	return (
		<Field label={label} error={wrong ? "Six digits after a #, such as #0f5132" : undefined}>
			{(ids) => (
				<div class="joined">
					<input
						type="color"
						aria-label={`${label}, picked`}
						value={isColour(value) ? value : "#888888"}
						onInput={({ currentTarget }) => onChange(currentTarget.value)}
					/>
					<input
						{...ids}
						class="mono"
						maxLength={7}
						spellcheck={false}
						placeholder={optional ? "none" : "#0f5132"}
						value={value}
						onInput={({ currentTarget }) => onChange(currentTarget.value.trim())}
					/>
				</div>
			)}
		</Field>
	);
}

const VERDICTS = { good: "good", "large text only": "retrying", "too little": "failing" } as const;

function Contrast({ primary, secondary }: { readonly primary: string; readonly secondary: string | null }) {
	return (
		<section aria-labelledby="contrast" class="contrast">
			<h2 id="contrast">Contrast</h2>
			<ul>
				{pairsOf(primary, secondary).map(({ name, ratio, verdict }) => (
					<li key={name}>
						<Mark of={name.endsWith("black") && verdict !== "good" ? "retrying" : VERDICTS[verdict]} />
						<span>{name}</span>
						<strong>{ratio.toFixed(1)}</strong>
						<small>{name.endsWith("black") && verdict !== "good" ? "apps lighten it" : verdict}</small>
					</li>
				))}
			</ul>
		</section>
	);
}

/** Its colours go through the style object: the page's policy allows no style in the markup. */
function Phone({
	name,
	draft: { primary, secondary, font },
	dark,
}: {
	readonly name: string;
	readonly draft: Draft;
	readonly dark: boolean;
}) {
	const phone = useRef<HTMLDivElement>(null);
	const today = useClock();
	useEffect(() => {
		const style = phone.current?.style;
		style?.setProperty("--brand", primary);
		style?.setProperty("--on-brand", textOn(primary));
		style?.setProperty("--mark", secondary || textOn(primary));
		style?.setProperty("--on-mark", textOn(secondary || textOn(primary)));
		style?.setProperty("font-family", font ? `"${font.replaceAll(/["\\]/g, "")}", var(--sans)` : "");
	}, [primary, secondary, font]);
	const dayIn = (days: number) => day(new Date(today + days * 86_400_000).toISOString()).slice(0, -5);
	return (
		<figure>
			<div ref={phone} class={dark ? "phone dark" : "phone"}>
				<div class="phone-head">
					<i>{name.charAt(0)}</i>
					<span>{name}</span>
					<strong>71,007.25</strong>
					<span>owed on {dayIn(0)}</span>
				</div>
				<div class="phone-body">
					<p>
						<span>Next installment</span> <b>21,786.00</b>
					</p>
					<p>
						<span>Due</span> <b>{dayIn(16)}</b>
					</p>
					<em>Payments by mobile money arrive within a minute.</em>
					<span class="phone-button">Pay now</span>
					<span class="phone-link">See the schedule</span>
				</div>
			</div>
			<figcaption>{dark ? "Dark" : "Light"}</figcaption>
		</figure>
	);
}
