// The console's start: another tab's session, or the sign-in.

import "./tokens.css";
import "./console.css";

import { type ComponentType, render } from "preact";
import { useEffect, useState } from "preact/hooks";
import { call, Refused } from "./api.ts";
import { readClock } from "./clock.ts";
import { invitation } from "./invitation.ts";
import { ofSandbox, ofService } from "./renewal.ts";
import { followLinks, go, placeNow } from "./router.ts";
import { joinOtherTab, onSession, type Renewal, renewBy, type Session } from "./session.ts";

type Loaded = { readonly Shell: ComponentType } | { readonly SignInPage: ComponentType };

function Console() {
	const [view, show] = useState<Loaded>();
	useEffect(() => {
		let shown: "in" | "out" = "out";
		// The page of the latest state is shown, in every order of arriving files.
		const toShell = (): void => void import("./shell.tsx").then((page) => shown === "in" && show(page));
		const toSignIn = (): void => void import("./sign-in.tsx").then((page) => shown === "out" && show(page));
		const stop = onSession((state) => {
			// While another sign-in is asked for, the shell stays, with what was typed.
			if (state === "ended" || state === "weak") return;
			const before = shown;
			shown = state;
			// The next person begins at the start, and not where this one was; an invitation waits for its own.
			if (state === "out" && before === "in" && !invitation()) go("/", { replace: true });
			if (state === "out") toSignIn();
			else if (before === "out") toShell();
		});
		void joinOtherTab().then((joined) => joined || toSignIn());
		return stop;
	}, []);
	if (!view) return null;
	return "Shell" in view ? <view.Shell /> : <view.SignInPage />;
}

/** How a session continues when its token ends; undefined: it is over. */
async function renewSession(renewal: Renewal): Promise<Session | undefined> {
	try {
		switch (renewal.by) {
			case "refresh":
				return ofService(await call("POST /v1/auth/token/refresh", { body: { refresh_token: renewal.token } }));
			case "sandbox":
				return await ofSandbox(renewal);
			case "issuer":
				return await (await import("./issuers.ts")).renewAtIssuer(renewal);
		}
	} catch (error) {
		if (error instanceof Refused && error.status < 429) return undefined;
		throw error;
	}
}

async function start(): Promise<void> {
	const { path, query } = placeNow();
	const app = document.getElementById("app");
	if (!app) return;
	if (path.startsWith("/signed-in/") && (query.has("code") || query.has("error"))) {
		(await import("./issuers.ts")).handOver(query);
		render(<p class="alone">{query.has("code") ? "You are signed in." : "You are not signed in."} This window can be closed.</p>, app);
		return;
	}
	renewBy(renewSession);
	followLinks();
	void readClock();
	render(<Console />, app);
}

void start();
