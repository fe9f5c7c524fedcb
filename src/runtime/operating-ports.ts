// The ports to what keeps the service alive: backups and alerts. Part of `ports`.

/** Keeps files outside of the databases and, if the operator wishes, of their account, from which databases can be made again. */
export interface Backup {
	write(name: string, bytes: Uint8Array<ArrayBuffer>): Promise<void>;
}

/** An alert that begins, changes its level or ends. */
export type Notice = {
	/** The same when it is sent again. */
	readonly id: string;
	readonly alert: string;
	readonly database: string;
	readonly environment: string;
	readonly state: "BEGAN" | "CHANGED" | "ENDED";
	readonly level: "NONE" | "LOOK" | "WAKE";
	readonly found: string;
	readonly at: string;
	/** For people, as chats show it. */
	readonly text: string;
};

/** Wakes people up. All of it rejects where nothing answers. */
export interface Pager {
	send(notice: Notice): Promise<void>;
	/** Says that the sweep is alive. */
	beat(): Promise<void>;
	/** The rows of a query over the metrics; undefined where they cannot be asked. */
	measured(query: string): Promise<readonly Readonly<Record<string, unknown>>[] | undefined>;
}
