// All installments of an account: the first page is watched, and the others follow it.

import { useEffect, useState } from "preact/hooks";
import { call } from "../../api.ts";
import type { Installment } from "../../typed.ts";
import { useWatch, type Watched } from "../../watch.ts";

const PAGE = 100;

export function useInstallments(accountId: string, reach: { readonly organization?: null }): Watched<readonly Installment[]> {
	const first = useWatch("GET /v1/accounts/{accountId}/installments", { path: { accountId }, query: { size: PAGE }, ...reach });
	const [all, setAll] = useState<readonly Installment[]>();
	const [error, setError] = useState<Error>();
	const { value } = first;
	useEffect(() => {
		if (!value) return;
		const abort = new AbortController();
		const follow = async () => {
			let rows: readonly Installment[] = value.data;
			for (let after = value.links.next; after !== null && !abort.signal.aborted; ) {
				const query = { size: PAGE, after };
				const page = await call("GET /v1/accounts/{accountId}/installments", { path: { accountId }, query, ...reach });
				rows = [...rows, ...page.data];
				after = page.links.next;
			}
			if (!abort.signal.aborted) setAll(rows);
		};
		setError(undefined);
		follow().catch(setError);
		return () => abort.abort();
	}, [value, accountId]);
	return { value: all, error: first.error ?? error, again: first.again };
}
