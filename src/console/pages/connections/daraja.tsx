// The lender's M-Pesa shortcode.

import { call } from "../../api.ts";
import { money, words } from "../../format.ts";
import type { DarajaConnection } from "../../typed.ts";
import { useDoing } from "../../ui/dialog.tsx";
import { Time } from "../../ui/time.tsx";
import { useWatch } from "../../watch.ts";
import { FormDialog } from "../form.tsx";
import { type ConnectionProps, Frame, type StepOf } from "./connection.tsx";

type Check = NonNullable<DarajaConnection["last_check"]>;

const OUTCOMES: Readonly<Record<string, readonly [StepOf["shape"], string]>> = {
	WAITING: ["waiting", "Safaricom is asked. Its answer comes within two minutes"],
	SUCCEEDED: ["good", "Works"],
	CREDENTIALS_REFUSED: ["failing", "Consumer key or secret is refused: enter those of the app in the portal"],
	PRODUCT_NOT_ALLOWED: ["failing", "The app may not do this: add the product to it in the portal"],
	FAILED: ["failing", "Refused: compare the initiator's name, its password and its roles"],
	NO_ANSWER: ["retrying", "No answer came: check again"],
};
const told = (outcome: string) => OUTCOMES[outcome] ?? (["idle", outcome] as const);

function checked(check: Check | null): Pick<StepOf, "about" | "shape"> {
	if (!check) return { shape: "idle", about: "Asks for the balance and about a transaction, with these credentials. No money moves." };
	const parts = [
		["Credentials", check],
		["Balance", check.balance],
		["Verification of payments", check.transaction_status],
	] as const;
	const found = parts.flatMap(([name, part]) => (part ? [[name, ...told(part.outcome), part.result_code] as const] : []));
	const shape = found.map(([, of]) => of).find((of) => of !== "good") ?? "good";
	return {
		shape,
		about: (
			<>
				{found.map(([name, , word, code]) => (
					<small key={name}>
						{name}: {word}
						{code && ` (${code})`}
					</small>
				))}
				<small>
					Checked <Time at={check.at} />
				</small>
			</>
		),
	};
}

const REGISTERED: Readonly<Record<string, string>> = {
	REGISTERED: "Safaricom confirms payments to the service from now on.",
	REFUSED: "Safaricom refuses: it may have other addresses of this shortcode. Ask it to remove them, and register again.",
	UNKNOWN: "Safaricom did not answer clearly. Register again.",
};

export function Daraja({ organizationId, dialogs }: ConnectionProps) {
	const path = { organizationId };
	const line = "GET /v1/organizations/{organizationId}/connections/daraja";
	const first = useWatch(line, { path });
	const waits = [first.value?.last_check, first.value?.last_check?.balance].some((check) => check?.outcome === "WAITING");
	const read = useWatch(line, { path }, waits ? 12 : 0);
	const [busy, run, error] = useDoing();
	const edit = (of?: DarajaConnection) => dialogs.show(<Edit of={of} path={path} onClose={dialogs.close} onDone={dialogs.say} />);
	const check = () => run(() => call("POST /v1/organizations/{organizationId}/connections/daraja/check", { path }));
	const register = (renew: boolean) =>
		run(async () => {
			const { outcome } = await call("POST /v1/organizations/{organizationId}/connections/daraja/confirmation-urls", {
				path,
				body: { renew },
			});
			dialogs.say(REGISTERED[outcome] ?? words(outcome));
		});
	const steps = (of?: DarajaConnection): readonly StepOf[] => [
		{
			name: "Enter what the portal shows",
			about: of
				? `Shortcode ${of.short_code}, ${of.environment}`
				: "Make an app in Safaricom's portal, with the products of the shortcode: C2B, B2C, and Express for requests to pay.",
			shape: of ? "good" : "waiting",
			action: (
				<button type="button" class={of ? "" : "primary"} onClick={() => edit(of)}>
					{of ? "Change M-Pesa" : "Connect M-Pesa"}
				</button>
			),
		},
		{
			name: "Check it",
			...checked(of?.last_check ?? null),
			action: of && (
				<button type="button" class={of.last_check ? "" : "primary"} disabled={busy} onClick={() => void check()}>
					Check M-Pesa
				</button>
			),
		},
		{
			name: "Have payments confirmed",
			about: "Registers the service's addresses at Safaricom. In production it takes them once.",
			shape: "idle",
			action: of && (
				<>
					<button type="button" disabled={busy} onClick={() => void register(false)}>
						Register
					</button>
					<button type="button" disabled={busy} onClick={() => void register(true)}>
						Register new addresses
					</button>
				</>
			),
		},
	];
	return (
		<Frame
			name="M-Pesa"
			note="The lender's own shortcode, by Safaricom's Daraja."
			read={read}
			steps={steps}
			facts={factsOf}
			ends="Nothing is paid out by it or asked of borrowers any more, and payments to it are not confirmed."
			error={error}
			dialogs={dialogs}
			onActivate={(account) =>
				call("POST /v1/organizations/{organizationId}/connections/daraja/replacement/activate", { path, body: { account } })
			}
			onDiscard={() => call("DELETE /v1/organizations/{organizationId}/connections/daraja/replacement", { path })}
			onResume={() => call("POST /v1/organizations/{organizationId}/connections/daraja/resume", { path })}
			onRemove={() => call("DELETE /v1/organizations/{organizationId}/connections/daraja", { path })}
		/>
	);
}

const factsOf = (of: DarajaConnection): [string, preact.ComponentChildren][] => [
	["Pays out", of.payouts ? (of.has.initiator ? "Loans, draws and refunds" : "Nothing: it has no initiator") : "Nothing"],
	["Requests to pay", of.has.passkey ? "Sent to borrowers' phones" : "None: it has no passkey"],
	["Unknown account numbers", of.reject_unknown_accounts ? "Refused, where Safaricom asks" : "Taken, and matched by hand"],
	...(of.balances ?? []).map(
		({ account, available, currency }) => [account, `${money(available, currency)} ${currency}`] as [string, preact.ComponentChildren],
	),
];

interface EditProps {
	readonly of: DarajaConnection | undefined;
	readonly path: { readonly organizationId: string };
	readonly onClose: () => void;
	readonly onDone: (sentence: string) => void;
}

function Edit({ of, path, onClose, onDone }: EditProps) {
	const kept = of
		? ({ optional: true, hint: "Empty: stays as it is. Another shortcode needs it again" } as const)
		: ({} as { optional?: true });
	const stays = of ? ". Empty: stays as it is" : "";
	return (
		<FormDialog
			title={of ? `Change the connection of ${of.short_code}` : "Connect M-Pesa"}
			verb={of ? "Save" : "Connect"}
			entries={{
				environment: {
					label: "Environment",
					of: [
						["production", "Production"],
						["sandbox", "Sandbox"],
					],
					from: of?.environment ?? "production",
				},
				short_code: { label: "Shortcode", from: of?.short_code ?? "", hint: "Five to nine digits" },
				consumer_key: { label: "Consumer key", is: "secret", ...kept },
				consumer_secret: { label: "Consumer secret", is: "secret", ...kept },
				passkey: { label: "Passkey", is: "secret", optional: true, hint: `Of Express: for requests to pay${stays}` },
				initiator_name: { label: "Initiator's name", optional: true, hint: `For payouts, returns and the check${stays}` },
				security_credential: {
					label: "Security credential",
					is: "secret",
					optional: true,
					hint: `The initiator's password, as the portal encrypts it${stays}`,
				},
				nominated_number: {
					label: "Nominated number",
					optional: true,
					from: of?.nominated_number ?? "",
					hint: "Such as +254712345678, where Safaricom has enabled Pull Transactions",
				},
				payouts: { label: "Pay out loans, draws and refunds by it", is: "yes", from: of?.payouts === false ? "" : "yes" },
				reject_unknown_accounts: {
					label: "Refuse payments to account numbers that nobody has",
					is: "yes",
					from: of?.reject_unknown_accounts ? "yes" : "",
				},
			}}
			onClose={onClose}
			onSend={async (body) => {
				const { replacement } = await call("PUT /v1/organizations/{organizationId}/connections/daraja", { path, body });
				onDone(
					replacement
						? `${replacement.account} waits until another member agrees, or for a day.`
						: "It is connected. Check it now: nothing is moved by that.",
				);
			}}
		>
			<p>The service informs the owners of each change. Another shortcode or environment waits until another member agrees.</p>
		</FormDialog>
	);
}
