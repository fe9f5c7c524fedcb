// What wrangler's and miniflare's declarations import of the Workers types, which are global here. Their own copies of these types are
// 37,000 lines, which `skipLibCheck` does not skip.

export import AbortSignal = globalThis.AbortSignal;
export import Blob = globalThis.Blob;
export import CacheStorage = globalThis.CacheStorage;
export import D1Database = globalThis.D1Database;
export import DurableObjectNamespace = globalThis.DurableObjectNamespace;
export import ExportedHandler = globalThis.ExportedHandler;
export import File = globalThis.File;
export import Flagship = globalThis.Flagship;
export import Headers = globalThis.Headers;
export import ImagesBinding = globalThis.ImagesBinding;
export import IncomingRequestCfProperties = globalThis.IncomingRequestCfProperties;
export import KVNamespace = globalThis.KVNamespace;
export import KVNamespaceListKey = globalThis.KVNamespaceListKey;
export import Queue = globalThis.Queue;
export import R2Bucket = globalThis.R2Bucket;
export import ReadableStream = globalThis.ReadableStream;
export import Request = globalThis.Request;
export import RequestInit = globalThis.RequestInit;
export import RequestInitCfProperties = globalThis.RequestInitCfProperties;
export import Response = globalThis.Response;
export import Rpc = globalThis.Rpc;
export import Service = globalThis.Service;
export import ServiceWorkerGlobalScope = globalThis.ServiceWorkerGlobalScope;
export import SqlStorage = globalThis.SqlStorage;
export import SqlStorageValue = globalThis.SqlStorageValue;
export import StreamBinding = globalThis.StreamBinding;
export import Workflow = globalThis.Workflow;

export interface FetcherScheduledOptions {
	scheduledTime?: Date;
	cron?: string;
}
export interface FetcherScheduledResult {
	outcome: string;
	noRetry: boolean;
}
export type Fetcher = globalThis.Fetcher & { scheduled(options?: FetcherScheduledOptions): Promise<FetcherScheduledResult> };
