// The settings for the apps of all lenders: which versions are served, maintenance, support.

import { ask, call } from "../../api.ts";
import { exact } from "../../format.ts";
import type { PageProps } from "../../route.ts";
import type { AppSettings, AppSettingsChange } from "../../typed.ts";
import { Loaded } from "../../ui/loaded.tsx";
import { Facts, Head } from "../../ui/page.tsx";
import { useWatch } from "../../watch.ts";
import { FormDialog, useDialogs } from "../form.tsx";

export function Page(_: PageProps) {
	const read = useWatch("GET /v1/app/settings", {});
	const { shown, show, close, say } = useDialogs();
	const change = async () => {
		// With the tag of what the form begins with: a change by somebody else meanwhile is not overwritten.
		const { body, headers } = await ask("GET /v1/app/settings", {});
		if (body) show(<Change of={body} etag={headers.get("etag")} onClose={close} onDone={say} />);
	};
	return (
		<>
			<Head
				title="App settings"
				from={["/service", "Service"]}
				about="Every app reads them when it starts, before anybody has signed in."
				actions={
					<button type="button" class="primary" onClick={() => void change()}>
						Change
					</button>
				}
			/>
			{shown}
			<Loaded of={read} skeleton={6}>
				{(of) => <Facts of={factsOf(of)} />}
			</Loaded>
		</>
	);
}

const yesNo = (features: AppSettings["features"]): string =>
	Object.entries(features)
		.map(([name, value]) => `${name}: ${value === true ? "on" : value === false ? "off" : String(value)}`)
		.join(", ");

const factsOf = (of: AppSettings): [string, preact.ComponentChildren][] => [
	[
		"Oldest version served",
		`${of.minimum_supported_version}${of.grace_until ? `; older ones until ${exact(Date.parse(of.grace_until))}` : ""}`,
	],
	["Latest version", of.latest_version],
	["Maintenance", of.maintenance.active ? (of.maintenance.message ?? "Now") : "None"],
	["Support", [of.support.mobile_number, of.support.email].filter(Boolean).join(", ") || "None named"],
	["Currency", of.default_currency ?? "None named"],
	[
		"Countries",
		of.supported_countries.map(({ country_code, calling_code }) => `${country_code} (${calling_code})`).join(", ") || "None named",
	],
	["Features", yesNo(of.features) || "None named"],
];

interface ChangeProps {
	readonly of: AppSettings;
	readonly etag: string | null;
	readonly onClose: () => void;
	readonly onDone: (sentence: string) => void;
}

function Change({ of, etag, onClose, onDone }: ChangeProps) {
	const { platforms, supported_countries, features, grace_until } = of;
	return (
		<FormDialog
			title="Change the app settings"
			verb="Save"
			dangerous
			entries={{
				minimum_supported_version: { label: "Oldest version served", from: of.minimum_supported_version, hint: "Older apps must update" },
				latest_version: { label: "Latest version", from: of.latest_version },
				active: { label: "Maintenance now", is: "yes", from: of.maintenance.active ? "yes" : "" },
				message: { label: "Message of the apps then", optional: true, from: of.maintenance.message ?? "" },
				mobile_number: { label: "Support's number", optional: true, from: of.support.mobile_number ?? "" },
				email: { label: "Support's address", optional: true, from: of.support.email ?? "" },
				default_currency: { label: "Currency", optional: true, from: of.default_currency ?? "" },
				features: {
					label: "Features that are on",
					is: "lines",
					optional: true,
					from: Object.keys(features)
						.filter((name) => features[name] === true)
						.join("\n"),
					hint: "One a line",
				},
			}}
			onClose={onClose}
			onSend={async ({ active, message, mobile_number, email, features: on = [], default_currency, ...versions }) => {
				const others = Object.fromEntries(Object.entries(features).map(([name, value]) => [name, value === true ? false : value]));
				const body: AppSettingsChange = {
					...versions,
					platforms,
					supported_countries,
					grace_until,
					maintenance: { ...of.maintenance, active, message: message ?? null },
					support: { mobile_number: mobile_number ?? null, email: email ?? null },
					default_currency: default_currency?.toUpperCase() ?? null,
					features: { ...others, ...Object.fromEntries(on.map((name) => [name, true])) },
				};
				await call("PUT /v1/platform/app/settings", { body, ...(etag && { ifMatch: etag }) });
				onDone("Apps read them from now on.");
			}}
		>
			<p>Every app reads it: a version that is too high locks its users out until they update.</p>
		</FormDialog>
	);
}
