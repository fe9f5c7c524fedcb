import { SIGNATURE_HEADER, verifyWebhook } from "../../src/webhook-verify/verify";

export default {
	async fetch(request: Request, env: { SECRET: string }): Promise<Response> {
		const body = await request.text();
		const verdict = await verifyWebhook(request.headers.get(SIGNATURE_HEADER), body, [env.SECRET], Date.now() / 1000);
		return verdict.valid ? new Response() : new Response(verdict.reason, { status: 401 });
	},
};
