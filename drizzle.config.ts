import { defineConfig } from "drizzle-kit";

export default defineConfig({
	dialect: "sqlite",
	driver: "d1-http",
	schema: "./src/**/*table.ts",
	out: "./migrations",
	casing: "snake_case",
});
