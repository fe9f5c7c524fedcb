// The lender's MTN MoMo wallet.

import { call } from "../../api.ts";
import { words } from "../../format.ts";
import type { MomoConnection } from "../../typed.ts";
import { useWatch } from "../../watch.ts";
import { FormDialog } from "../form.tsx";
import { type ConnectionProps, Frame, type StepOf } from "./connection.tsx";

const MARKETS = [
	["mtnuganda", "Uganda"],
	["mtnrwanda", "Rwanda"],
	["mtnghana", "Ghana"],
	["mtnzambia", "Zambia"],
	["mtncameroon", "Cameroon"],
	["mtnivorycoast", "Ivory Coast"],
	["mtnbenin", "Benin"],
	["mtncongo", "Congo"],
	["mtnguineaconakry", "Guinea"],
	["mtnliberia", "Liberia"],
	["mtnsouthafrica", "South Africa"],
	["mtnswaziland", "Eswatini"],
	["sandbox", "The sandbox, in EUR"],
] as const;
const marketOf = (of: string): string => MARKETS.find(([market]) => market === of)?.[1] ?? words(of);

export function Momo({ organizationId, dialogs }: ConnectionProps) {
	const path = { organizationId };
	const read = useWatch("GET /v1/organizations/{organizationId}/connections/momo", { path });
	const edit = (of?: MomoConnection) => dialogs.show(<Edit of={of} path={path} onClose={dialogs.close} onDone={dialogs.say} />);
	const steps = (of?: MomoConnection): readonly StepOf[] => [
		{
			name: "Enter what the portal shows",
			about: of
				? `${marketOf(of.target_environment)}, API user ${of.api_user}`
				: "Subscribe to Disbursements in MTN's portal, and make an API user.",
			shape: of ? "good" : "waiting",
			action: (
				<button type="button" class={of ? "" : "primary"} onClick={() => edit(of)}>
					{of ? "Change MTN MoMo" : "Connect MTN MoMo"}
				</button>
			),
		},
	];
	return (
		<Frame
			name="MTN MoMo"
			note="The lender's own wallet, for payouts."
			read={read}
			steps={steps}
			facts={(of) => [["Pays out", of.payouts ? "Loans, draws and refunds" : "Nothing"]]}
			ends="Nothing is paid out by it any more."
			error={undefined}
			dialogs={dialogs}
			onActivate={(account) =>
				call("POST /v1/organizations/{organizationId}/connections/momo/replacement/activate", { path, body: { account } })
			}
			onDiscard={() => call("DELETE /v1/organizations/{organizationId}/connections/momo/replacement", { path })}
			onResume={() => call("POST /v1/organizations/{organizationId}/connections/momo/resume", { path })}
			onRemove={() => call("DELETE /v1/organizations/{organizationId}/connections/momo", { path })}
		/>
	);
}

interface EditProps {
	readonly of: MomoConnection | undefined;
	readonly path: { readonly organizationId: string };
	readonly onClose: () => void;
	readonly onDone: (sentence: string) => void;
}

function Edit({ of, path, onClose, onDone }: EditProps) {
	const kept = of
		? ({ optional: true, hint: "Empty: stays as it is. Another API user needs it again" } as const)
		: ({} as { optional?: true });
	return (
		<FormDialog
			title={of ? "Change the connection of MTN MoMo" : "Connect MTN MoMo"}
			verb={of ? "Save" : "Connect"}
			entries={{
				target_environment: { label: "Market", of: MARKETS, from: of?.target_environment ?? "mtnuganda" },
				api_user: { label: "API user", from: of?.api_user ?? "", hint: "Its id, from the portal" },
				api_key: { label: "API key", is: "secret", ...kept },
				subscription_key: { label: "Subscription key", is: "secret", ...kept },
				payouts: { label: "Pay out loans, draws and refunds by it", is: "yes", from: of?.payouts === false ? "" : "yes" },
			}}
			onClose={onClose}
			onSend={async (entered) => {
				const environment = entered.target_environment === "sandbox" ? ("sandbox" as const) : ("production" as const);
				const body = { ...entered, environment };
				const { replacement } = await call("PUT /v1/organizations/{organizationId}/connections/momo", { path, body });
				onDone(
					replacement
						? "It waits until another member agrees, or for a day."
						: "It is connected. The first payout shows whether MTN takes it.",
				);
			}}
		>
			<p>The service informs the owners of each change. Another market or API user waits until another member agrees.</p>
		</FormDialog>
	);
}
