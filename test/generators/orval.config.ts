export default {
	api: {
		input: "out/openapi.json",
		output: { target: "out/orval/api.ts", schemas: "out/orval/model", client: "fetch", mode: "tags-split" },
	},
};
