// A request that an operation takes: what the contract tests call it with.

export type ValidRequest = {
	path?: Record<string, string>;
	query?: string;
	body?: object;
	/** Members of the body with which an API key names the user. */
	borrower?: { user_id: string };
	/** The caller, where it is not the caller that the operation's access names. */
	as?: string;
	/** Variables that the service must have for it. */
	vars?: { readonly [name: string]: string };
};
