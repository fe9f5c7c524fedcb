export default {
	api: {
		input: "../openapi.json",
		output: { target: "client/api.ts", schemas: "client/model", client: "fetch", mode: "tags-split" },
	},
};
