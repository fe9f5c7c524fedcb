// What the sources import of `cloudflare:workers`, for Node: nothing here makes a Durable Object or an entry point.

export class DurableObject {}
export class RpcTarget {}
export class WorkerEntrypoint {}
