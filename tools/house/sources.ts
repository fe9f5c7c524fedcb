// The sources as a graph of their top-level names: which name's code uses which others as values. Names are resolved by the compiler, so
// that a local variable of the same name counts as none.

import path from "node:path";
import ts from "typescript-5";

/** Texts by the paths of their files. */
export type Sources = Readonly<Record<string, string>>;

export type Name = {
	readonly file: string;
	readonly name: string;
	readonly exported: boolean;
	/** The names of our own that its code uses. */
	readonly uses: ReadonlySet<Name>;
};

export type Parsed = {
	readonly names: readonly Name[];
	readonly files: ReadonlyMap<string, ts.SourceFile>;
	/** The files whose values or types each file imports. */
	readonly imports: ReadonlyMap<string, ReadonlySet<string>>;
};

const OPTIONS: ts.CompilerOptions = {
	noLib: true,
	noEmit: true,
	allowJs: false,
	types: [],
	jsx: ts.JsxEmit.Preserve,
	target: ts.ScriptTarget.ES2022,
};

/** The file of ours that a specifier means, if it means one. */
function resolve(sources: Sources, from: string, specifier: string): string | undefined {
	if (!specifier.startsWith(".")) return undefined;
	const joined = path.posix.join(path.posix.dirname(from), specifier);
	return [joined, `${joined}.ts`, `${joined}.tsx`, `${joined}/index.ts`].find((file) => file in sources);
}

function programOf(sources: Sources): ts.Program {
	const host: ts.CompilerHost = {
		getSourceFile: (file, version) => {
			const text = sources[file];
			return text === undefined ? undefined : ts.createSourceFile(file, text, version, true);
		},
		getDefaultLibFileName: () => "lib.d.ts",
		writeFile: () => undefined,
		getCurrentDirectory: () => "",
		getCanonicalFileName: (file) => file,
		useCaseSensitiveFileNames: () => true,
		getNewLine: () => "\n",
		fileExists: (file) => file in sources,
		readFile: (file) => sources[file],
		resolveModuleNameLiterals: (literals, from) =>
			literals.map(({ text }) => {
				const file = resolve(sources, from, text);
				const extension = file?.endsWith(".tsx") ? ts.Extension.Tsx : ts.Extension.Ts;
				return { resolvedModule: file === undefined ? undefined : { resolvedFileName: file, extension } };
			}),
	};
	return ts.createProgram({ rootNames: Object.keys(sources), options: OPTIONS, host });
}

/** The names that a statement at the top of a file declares as values, each with the code that makes it. */
function declaredBy(statement: ts.Statement): [ts.Identifier, ts.Node][] {
	if ((ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement) || ts.isEnumDeclaration(statement)) && statement.name)
		return [[statement.name, statement]];
	if (!ts.isVariableStatement(statement)) return [];
	const bound = (name: ts.BindingName): ts.Identifier[] =>
		ts.isIdentifier(name) ? [name] : name.elements.flatMap((element) => (ts.isOmittedExpression(element) ? [] : bound(element.name)));
	return statement.declarationList.declarations.flatMap((declaration) =>
		bound(declaration.name).map((name): [ts.Identifier, ts.Node] => [name, declaration]),
	);
}

/** Whether an identifier stands for a value, and is neither a member's name nor in a type. */
function isValue(node: ts.Identifier): boolean {
	const { parent } = node;
	if (ts.isPropertyAccessExpression(parent) && parent.name === node) return false;
	if (ts.isPropertyAssignment(parent) && parent.name === node) return false;
	return !ts.isPartOfTypeNode(node);
}

export function parse(sources: Sources): Parsed {
	const program = programOf(sources);
	const checker = program.getTypeChecker();
	const files = new Map(program.getSourceFiles().map((file) => [file.fileName, file]));
	const bySymbol = new Map<ts.Symbol, Name & { uses: Set<Name> }>();
	const code: [Name & { uses: Set<Name> }, ts.Node][] = [];
	for (const [file, source] of files) {
		const module = checker.getSymbolAtLocation(source);
		const exported = new Set(module ? checker.getExportsOfModule(module).map((one) => one.name) : []);
		for (const [identifier, node] of source.statements.flatMap(declaredBy)) {
			const symbol = checker.getSymbolAtLocation(identifier);
			if (!symbol) continue;
			const name = { file, name: identifier.text, exported: exported.has(identifier.text), uses: new Set<Name>() };
			bySymbol.set(symbol, name);
			code.push([name, node]);
		}
	}
	const meantBy = (identifier: ts.Identifier): Name | undefined => {
		const symbol = ts.isShorthandPropertyAssignment(identifier.parent)
			? checker.getShorthandAssignmentValueSymbol(identifier.parent)
			: checker.getSymbolAtLocation(identifier);
		const real = symbol && symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
		return real && bySymbol.get(real);
	};
	for (const [name, node] of code) {
		const visit = (inner: ts.Node): void => {
			if (ts.isTypeNode(inner)) return;
			if (ts.isIdentifier(inner) && isValue(inner)) {
				const used = meantBy(inner);
				if (used && used !== name) name.uses.add(used);
			}
			ts.forEachChild(inner, visit);
		};
		ts.forEachChild(node, visit);
	}
	return { names: code.map(([name]) => name), files, imports: importsOf(sources, files) };
}

function importsOf(sources: Sources, files: ReadonlyMap<string, ts.SourceFile>): Map<string, Set<string>> {
	return new Map(
		Array.from(files, ([file, source]) => {
			const found = new Set<string>();
			const visit = (node: ts.Node): void => {
				const specifier =
					ts.isImportDeclaration(node) || ts.isExportDeclaration(node)
						? node.moduleSpecifier
						: ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword
							? node.arguments[0]
							: undefined;
				const target = specifier && ts.isStringLiteral(specifier) && resolve(sources, file, specifier.text);
				if (target) found.add(target);
				ts.forEachChild(node, visit);
			};
			visit(source);
			return [file, found];
		}),
	);
}
