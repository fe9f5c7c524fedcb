// What the sources import of `cloudflare:sockets`, for Node: nothing connects.

export function connect(): never {
	throw new Error("nothing connects from here");
}
