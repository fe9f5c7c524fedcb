// Why a connection to a webhook's receiver fails. The Worker learns from the runtime only that it does, so this connects once more
// and reports the class of the failure, and the reason in words.

import { once } from "node:events";
import { connect as connectPlainly, isIP } from "node:net";
import { connect, rootCertificates } from "node:tls";

const waitMs = 2_000;

/** `kind` is one of the service's classes of connection errors. */
export type Diagnosis = { readonly kind: "DNS" | "TLS" | "REFUSED" | "RESET" | "TIMEOUT"; readonly reason: string };

const diagnoses: Readonly<Record<string, Diagnosis>> = {
	ECONNREFUSED: { kind: "REFUSED", reason: "nothing listens there" },
	ECONNRESET: { kind: "RESET", reason: "the receiver closed the connection" },
	ENOTFOUND: { kind: "DNS", reason: "the host name is unknown" },
	EAI_AGAIN: { kind: "DNS", reason: "the resolver did not answer" },
	ETIMEDOUT: { kind: "TIMEOUT", reason: "the receiver did not answer" },
	EPROTO: { kind: "TLS", reason: "the receiver does not speak TLS" },
	CERT_HAS_EXPIRED: { kind: "TLS", reason: "the receiver's certificate has expired" },
	ERR_TLS_CERT_ALTNAME_INVALID: { kind: "TLS", reason: "the receiver's certificate is for another host" },
};

/** @param trusted PEM of the certificate that is trusted in addition to the public authorities' */
export async function whyUnreachable(url: string, trusted: string): Promise<Diagnosis> {
	const { protocol, hostname, port } = new URL(url);
	const host = hostname.replace(/^\[(.*)\]$/, "$1");
	const plain = protocol === "http:";
	const socket = plain
		? connectPlainly({ host, port: Number(port || 80) })
		: connect({
				host,
				port: Number(port || 443),
				ca: [...rootCertificates, trusted],
				// TLS allows no address as a server name.
				...(isIP(host) === 0 && { servername: host }),
			});
	try {
		await once(socket, plain ? "connect" : "secureConnect", { signal: AbortSignal.timeout(waitMs) });
		return { kind: "RESET", reason: "the receiver broke off the connection" };
	} catch (error) {
		return diagnosisOf(error);
	} finally {
		socket.destroy();
	}
}

function diagnosisOf(error: unknown): Diagnosis {
	const { code, name } = error as NodeJS.ErrnoException;
	if (name === "AbortError" || name === "TimeoutError") return { kind: "TIMEOUT", reason: "the receiver did not answer" };
	if (code?.startsWith("ERR_SSL")) return { kind: "TLS", reason: "the receiver does not speak TLS" };
	if (code !== undefined && /SELF_SIGNED|UNABLE_TO|UNTRUSTED/.test(code)) {
		return {
			kind: "TLS",
			reason: "the receiver's certificate is not trusted; one on this machine needs none when it is registered with http:",
		};
	}
	return (code !== undefined ? diagnoses[code] : undefined) ?? { kind: "RESET", reason: `the connection broke off (${code ?? name})` };
}
