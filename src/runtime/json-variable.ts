// A variable that is JSON.

import * as z from "zod";
import { HostileJson, parseJson } from "../shared/json";

export const json = <S extends z.core.SomeType>(schema: S) =>
	z.preprocess((text, ctx) => {
		if (typeof text !== "string") return text;
		try {
			return parseJson(text);
		} catch (error) {
			if (!(error instanceof HostileJson)) throw error;
			ctx.addIssue({ code: "custom", message: "is not valid JSON" });
			return z.NEVER;
		}
	}, schema);
