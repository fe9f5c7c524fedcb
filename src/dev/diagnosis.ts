// Why a connection to a webhook's receiver fails. The runtime tells the Worker only that it does, so this connects once more and
// says the reason in words.

import { once } from "node:events";
import { isIP } from "node:net";
import { connect, rootCertificates } from "node:tls";

const waitMs = 2_000;

const reasons: Readonly<Record<string, string>> = {
	ECONNREFUSED: "nothing listens there",
	ECONNRESET: "the receiver closed the connection",
	ENOTFOUND: "the host name is unknown",
	EAI_AGAIN: "the host name could not be resolved",
	ETIMEDOUT: "the receiver did not answer",
	EPROTO: "the receiver does not speak TLS",
	CERT_HAS_EXPIRED: "the receiver's certificate has expired",
	ERR_TLS_CERT_ALTNAME_INVALID: "the receiver's certificate is for another host",
};

/** @param authority PEM of the local certificate authority, which is trusted beside the public ones */
export async function whyUnreachable(url: string, authority: string): Promise<string> {
	const { hostname, port } = new URL(url);
	const host = hostname.replace(/^\[(.*)\]$/, "$1");
	const socket = connect({
		host,
		port: Number(port || 443),
		ca: [...rootCertificates, authority],
		// The protocol has no server names that are addresses.
		...(isIP(host) === 0 && { servername: host }),
	});
	try {
		await once(socket, "secureConnect", { signal: AbortSignal.timeout(waitMs) });
		return "the receiver broke off the connection";
	} catch (error) {
		return reasonOf(error);
	} finally {
		socket.destroy();
	}
}

function reasonOf(error: unknown): string {
	const { code, name } = error as NodeJS.ErrnoException;
	if (name === "AbortError" || name === "TimeoutError") return "the receiver did not answer";
	if (code?.startsWith("ERR_SSL")) return "the receiver does not speak TLS";
	if (code !== undefined && /SELF_SIGNED|UNABLE_TO|UNTRUSTED/.test(code)) {
		return "the receiver's certificate is not trusted; npm run receiver shows one that is";
	}
	return (code !== undefined ? reasons[code] : undefined) ?? `the connection broke off (${code ?? name})`;
}
