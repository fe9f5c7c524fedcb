// The name and the document by which a credit bureau knows a borrower, as the lender states them.

import { call } from "../../api.ts";
import { Problem } from "../../ui/problem.tsx";
import { useWatch } from "../../watch.ts";
import { FormDialog } from "../form.tsx";

const LINE = "GET /v1/credit-bureau/borrowers/{userId}";
const DOCUMENTS = [
	["NATIONAL_ID", "National identity card"],
	["PASSPORT", "Passport"],
	["ALIEN_ID", "Alien identity card"],
	["SERVICE_ID", "Service identity card"],
	["BIRTH_CERTIFICATE", "Birth certificate"],
] as const;

/** Begins with what is stated now. */
export function StateIdentity({ userId, onClose }: { readonly userId: string; readonly onClose: () => void }) {
	const path = { userId };
	const { value: stated, error } = useWatch(LINE, { path });
	const isUnstated = error !== undefined && "status" in error && error.status === 404;
	if (error && !isUnstated) return <Problem error={error} />;
	if (!stated && !isUnstated) return null;
	const now = stated?.document_type;
	return (
		<FormDialog
			title="State the borrower's document?"
			verb="State"
			entries={{
				name: { label: "Name", hint: "As the document has it", most: 200, ...(stated && { from: stated.name }) },
				document_type: { label: "Document", of: DOCUMENTS, ...(now && { from: now }) },
				document_number: { label: "Number", hint: stated ? `Now ${stated.masked_number}` : "Only files show all of it", most: 32 },
				document_country: { label: "Country", hint: "Such as KE", most: 2, from: stated?.document_country ?? "KE" },
			}}
			onClose={onClose}
			onSend={(body) => call("PUT /v1/credit-bureau/borrowers/{userId}", { path, body })}
		/>
	);
}
