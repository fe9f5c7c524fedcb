export default {
	api: {
		input: "../../docs/openapi.json",
		output: { target: "out/orval/api.ts", schemas: "out/orval/model", client: "fetch", mode: "tags-split" },
	},
};
