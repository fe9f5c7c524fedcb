// Stands in for providers of messages, for tests: Africa's Talking, Twilio and Resend, each by its host. It keeps what it has taken, and
// answers the way the real ones do, or as its plan says.

export type StandInProvider = "africastalking" | "twilio" | "resend";

/** LOST: it is taken, and no answer comes. DOWN: 503. Otherwise a status with the body of a refusal. */
export type StandInAnswer = "LOST" | "DOWN" | { readonly status: number; readonly body: unknown };

type Taken = {
	readonly provider: StandInProvider;
	readonly to: string;
	readonly text: string;
	readonly reference: string;
	/** Where Twilio is to report. */
	readonly reportsTo: string | null;
};

/** Gives the answer that departs from the usual one. */
type Plan = (provider: StandInProvider, to: string) => StandInAnswer | undefined;

const HOSTS: Readonly<Record<string, StandInProvider>> = {
	"api.africastalking.com": "africastalking",
	"api.sandbox.africastalking.com": "africastalking",
	"api.twilio.com": "twilio",
	"api.resend.com": "resend",
};

export class MessagesStandIn {
	/** What it has sent, in order. */
	readonly sent: Taken[] = [];
	/** Whom it was asked, in order. */
	readonly asked: StandInProvider[] = [];
	readonly #plan: Plan;
	readonly #byKey = new Map<string, string>();
	#serial = 0;

	constructor(plan: Plan = () => undefined) {
		this.#plan = plan;
	}

	/** Rejects where no answer comes. */
	async handle(request: Request): Promise<Response> {
		const provider = HOSTS[new URL(request.url).hostname];
		if (!provider) throw new Error(`nobody answers at ${request.url}`);
		this.asked.push(provider);
		const text = await request.text();
		const form = provider === "resend" ? undefined : new URLSearchParams(text);
		const mail = form ? undefined : (JSON.parse(text) as { to: [string]; text: string });
		const to = mail?.to[0] ?? form?.get("to") ?? form?.get("To") ?? "";
		const planned = this.#plan(provider, to);
		if (planned === "DOWN") return new Response("busy", { status: 503 });
		if (planned && planned !== "LOST") return Response.json(planned.body, { status: planned.status });
		const reference = this.#take(provider, to, form, mail?.text, request.headers.get("idempotency-key"));
		if (planned === "LOST") throw new TypeError("the connection was lost");
		return answer(provider, to, reference);
	}

	#take(provider: StandInProvider, to: string, form: URLSearchParams | undefined, mail: string | undefined, key: string | null): string {
		const known = key === null ? undefined : this.#byKey.get(key);
		if (known !== undefined) return known;
		this.#serial++;
		const number = this.#serial.toString(16).padStart(32, "0");
		const reference = { africastalking: `ATXid_${number}`, twilio: `SM${number}`, resend: number }[provider];
		if (key !== null) this.#byKey.set(key, reference);
		const text = mail ?? form?.get("message") ?? form?.get("Body") ?? "";
		this.sent.push({ provider, to, text, reference, reportsTo: form?.get("StatusCallback") ?? null });
		return reference;
	}
}

function answer(provider: StandInProvider, to: string, reference: string): Response {
	if (provider === "twilio") return Response.json({ sid: reference, status: "accepted", price: null, price_unit: "USD" }, { status: 201 });
	if (provider === "resend") return Response.json({ id: reference });
	const recipient = { statusCode: 101, number: to, status: "Success", cost: "KES 0.8000", messageId: reference };
	return Response.json({ SMSMessageData: { Message: "Sent to 1/1 Total Cost: KES 0.8000", Recipients: [recipient] } }, { status: 201 });
}
