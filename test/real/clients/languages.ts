// The clients that are tried, by the language and the generator.

/** A program with its options. `FILE` is the document, `JAR` openapi-generator. */
export type Command = readonly [program: string, ...options: string[]];

export type Language = {
	/** The programs that it needs. */
	readonly tools: readonly string[];
	/** In the folder; the options are those of docs/guides/clients.md. */
	readonly generate: readonly Command[];
	/** What counts as a file of the client, and as a model of it. */
	readonly files: string;
	readonly models: string;
	/** In the folder, where the files next to this one are put around the client. */
	readonly compile?: readonly Command[];
	/** Plays a journey against the service, at whose end are a large amount and a value of later versions. */
	readonly journey?: Command;
	/** The app of the guide "An app in one evening", over a network that loses the first answer to each of its calls. */
	readonly evening?: Command;
	/** Reads these two alone. */
	readonly values?: Command;
	/** Without a compiler: the files in which the amount and the value have types that hold them, and those types. */
	readonly read?: readonly (readonly [file: string, type: RegExp])[];
};

const JAVA = ["java", "mvn"];
const GENERATED = "client";
const openapiGenerator = (generator: string, ...options: readonly string[]): readonly Command[] => [
	["java", "-jar", "JAR", "generate", "-i", "FILE", "-o", GENERATED, "-g", generator, ...options],
];

const PACKAGES = ["--api-package", "fas.api", "--model-package", "fas.model", "--invoker-package", "fas"];
const MAVEN: Command = [
	...(["mvn", "-q", "-B", "compile"] as const),
	"org.apache.maven.plugins:maven-dependency-plugin:3.11.0:build-classpath",
	"-Dmdep.outputFile=classpath",
];
const onJvm = (main: string): Command => ["sh", "-c", `java -cp target/classes:$(cat classpath) ${main}`];

const KOTLIN = { files: "client/src/main/kotlin/**/*.kt", models: "client/src/main/kotlin/fas/models/*.kt", compile: [MAVEN] };
const PYTHON: readonly Command[] = [
	["python3", "-m", "venv", "venv"],
	["venv/bin/pip", "install", "-q", "-r", "requirements.txt"],
];

/** Its packages are those of `npm run generators`. */
const packaged = (program: string) => `../../../../generators/node_modules/${program}`;
const typescript = (generate: Command): Language => ({
	tools: ["node"],
	generate: [generate],
	files: "client/**/*.ts",
	models: "client/{model,models}/**/*.ts",
	compile: [["node", packaged("typescript/bin/tsc"), "-p", "tsconfig.json"]],
	values: ["node", "values.ts"],
});

export const LANGUAGES: Readonly<Record<string, Language>> = {
	java: {
		tools: JAVA,
		generate: openapiGenerator(
			"java",
			"--library",
			"native",
			...PACKAGES,
			"--additional-properties",
			"containerDefaultToNull=true,useSingleRequestParameter=true",
		),
		files: "client/src/main/java/**/*.java",
		models: "client/src/main/java/fas/model/*.java",
		compile: [MAVEN],
		journey: onJvm("Journey"),
	},
	kotlin: {
		...KOTLIN,
		tools: JAVA,
		generate: openapiGenerator(
			"kotlin",
			...["--library", "jvm-okhttp4", "--package-name", "fas"],
			...["--additional-properties", "serializationLibrary=kotlinx_serialization,generateOneOfAnyOfWrappers=true"],
			...["--type-mappings", "object=JsonElement,AnyType=JsonElement"],
			...["--import-mappings", "JsonElement=kotlinx.serialization.json.JsonElement"],
		),
		journey: onJvm("JourneyKt"),
		evening: onJvm("evening.EveningKt"),
	},
	"kotlin-moshi": {
		...KOTLIN,
		tools: JAVA,
		generate: openapiGenerator("kotlin", "--library", "jvm-okhttp4", "--package-name", "fas"),
		values: onJvm("ValuesKt"),
	},
	go: {
		tools: [...JAVA, "go"],
		generate: openapiGenerator("go", "--package-name", "fas", "--git-user-id", "example.com", "--git-repo-id", "fas"),
		files: "client/*.go",
		models: "client/model_*.go",
		compile: [["go", "vet", "."]],
		journey: ["go", "run", "."],
	},
	"oapi-codegen": {
		tools: ["go"],
		generate: [
			["mkdir", "-p", GENERATED],
			[
				...(["go", "run", "github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2"] as const),
				...["-generate", "types,client,skip-prune", "-package", "fas", "-o", "client/fas.go", "FILE"],
			],
		],
		files: "client/*.go",
		models: "client/model_*.go",
		compile: [["go", "vet", "."]],
		values: ["go", "run", "."],
	},
	python: {
		tools: [...JAVA, "python3"],
		generate: openapiGenerator("python", "--package-name", "fas"),
		files: "client/fas/**/*.py",
		models: "client/fas/models/*.py",
		compile: [...PYTHON, ["venv/bin/python", "-c", "import sys; sys.path.insert(0, 'client'); import fas, fas.models, fas.api"]],
		journey: ["venv/bin/python", "journey.py"],
	},
	"openapi-python-client": {
		tools: ["python3"],
		generate: [
			...PYTHON,
			["venv/bin/openapi-python-client", "generate", "--path", "FILE", "--output-path", GENERATED, "--meta", "none", "--overwrite"],
		],
		files: "client/**/*.py",
		models: "client/models/*.py",
		compile: [["venv/bin/python", "everything.py"]],
		values: ["venv/bin/python", "values.py"],
	},
	rust: {
		tools: [...JAVA, "cargo"],
		generate: openapiGenerator("rust", "--package-name", "fas"),
		files: "client/src/**/*.rs",
		models: "client/src/models/*.rs",
		compile: [["cargo", "build", "-q"]],
		values: ["cargo", "run", "-q"],
	},
	"openapi-typescript": typescript([
		...(["node", packaged("openapi-typescript/bin/cli.js"), "FILE"] as const),
		...["--default-non-nullable=false", "-o", "client/schema.ts"],
	]),
	"hey-api": typescript(["node", packaged("@hey-api/openapi-ts/bin/run.js"), "-i", "FILE", "-o", GENERATED]),
	orval: typescript(["node", packaged("orval/dist/bin/orval.mjs"), "--config", "orval.config.ts"]),
	csharp: {
		tools: JAVA,
		generate: openapiGenerator("csharp"),
		files: "client/src/Org.OpenAPITools/**/*.cs",
		models: "client/src/Org.OpenAPITools/Model/*.cs",
		read: [
			["client/src/Org.OpenAPITools/Model/ApplyForLoanRequest.cs", /public long LoanAmount/],
			["client/src/Org.OpenAPITools/Model/Tenure.cs", /public string Unit/],
		],
	},
	dart: {
		tools: JAVA,
		generate: openapiGenerator("dart-dio"),
		files: "client/lib/**/*.dart",
		models: "client/lib/src/model/*.dart",
		read: [
			["client/lib/src/model/apply_for_loan_request.dart", /int get loanAmount/],
			["client/lib/src/model/tenure.dart", /String get unit/],
		],
	},
	swift: {
		tools: JAVA,
		generate: openapiGenerator("swift6"),
		files: "client/Sources/**/*.swift",
		models: "client/Sources/**/Models/*.swift",
		read: [
			["client/Sources/OpenAPIClient/Models/ApplyForLoanRequest.swift", /loanAmount: Int64/],
			["client/Sources/OpenAPIClient/Models/Tenure.swift", /unit: String/],
		],
	},
};
