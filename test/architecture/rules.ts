// The import rules of docs/architecture.md as a table, and the checker that reads them off source text.

import ts from "typescript";

/** Room → rooms that it may import. `src/index.ts`, `src/tasks.ts` and `src/worker.ts` count as rooms. */
export const mayImport: Readonly<Record<string, readonly string[]>> = {
  base: [],
  data: ["base"],
  metrics: ["base"],
  text: ["base"],
  calibration: ["base", "model"],
  model: ["base"],
  runtime: ["base", "data", "generated"],
  formats: ["base", "data", "model", "runtime"],
  solve: ["base", "data", "model", "runtime"],
  certify: ["base", "data", "model", "runtime"],
  estimators: ["base", "data", "text", "calibration", "metrics", "model", "runtime", "formats", "solve", "certify"],
  select: ["base", "data", "calibration", "metrics", "model", "runtime", "formats", "solve", "certify", "estimators"],
  report: ["base", "data", "metrics", "model", "select"],
  cli: [
    "index",
    "base",
    "data",
    "calibration",
    "metrics",
    "model",
    "formats",
    "estimators",
    "report",
    "select",
    "runtime",
    "tasks",
    "generated",
    "embedded",
  ],
  tasks: ["base", "data", "text", "model", "runtime", "formats", "solve", "certify"],
  worker: ["runtime", "tasks"],
  index: ["base", "data", "metrics", "model", "runtime", "formats", "solve", "certify", "estimators", "select"],
  generated: [],
  core: ["core"],
  reference: [],
  embedded: [],
};

/** Packages that a room may import, besides Node's own modules. */
const packages: Readonly<Record<string, readonly string[]>> = {
  base: ["valibot"],
  model: ["valibot"],
  cli: ["commander", "fzstd", "seek-bzip", "xz-decompress"],
  report: ["d3-scale", "d3-shape"],
};

/** Files that may import Node's own modules. */
const mayUseNode = /^src\/(runtime\/node\.ts|cli\/)/;
/** Rooms that may touch what only some hosts have. */
const mayUseHost = /^src\/(runtime|cli)\//;

const HOST_GLOBALS = ["process", "window", "document", "self", "globalThis", "navigator", "performance", "Buffer", "require", "fetch"];
const TIMERS = ["setTimeout", "setInterval", "setImmediate", "queueMicrotask", "Date"];
const HOST_MATH = ["exp", "expm1", "log", "log1p", "log2", "log10", "pow", "tanh", "sinh", "cosh", "sin", "cos", "tan", "cbrt", "hypot"];

/** The room of a file by its path from the project's root. */
export function roomOf(path: string): string {
  const [top, second = ""] = path.split("/");
  if (top === "src") return second.replace(/\.ts$/, "");
  return top === "data" ? "embedded" : String(top);
}

/** What is wrong with the file, one sentence each. */
export function violations(path: string, text: string): string[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    const specifier = importedFrom(node);
    if (specifier !== undefined) found.push(...importViolations(path, specifier));
    found.push(...globalViolations(path, node));
    ts.forEachChild(node, visit);
  };
  visit(source);
  return [...new Set(found)];
}

function importedFrom(node: ts.Node): string | undefined {
  if ((ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) && node.moduleSpecifier && ts.isStringLiteral(node.moduleSpecifier)) {
    return node.moduleSpecifier.text;
  }
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
    const [argument] = node.arguments;
    return argument && ts.isStringLiteral(argument) ? argument.text : "(computed)";
  }
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument) && ts.isStringLiteral(node.argument.literal)) {
    return node.argument.literal.text;
  }
  return undefined;
}

function importViolations(path: string, specifier: string): string[] {
  const room = roomOf(path);
  if (specifier.startsWith("node:")) return mayUseNode.test(path) ? [] : [`${path}: only runtime/node.ts and cli import ${specifier}`];
  if (specifier === "#platform") return room === "runtime" ? [] : [`${path}: only runtime imports #platform`];
  if (!specifier.startsWith(".")) {
    return (packages[room] ?? []).includes(specifier) ? [] : [`${path}: ${room} may not import the package ${specifier}`];
  }
  const target = roomOf(resolvePath(path, specifier));
  if (target === room && room !== "reference") return [];
  return (mayImport[room] ?? []).includes(target) ? [] : [`${path}: ${room} may not import ${target} (${specifier})`];
}

function resolvePath(from: string, specifier: string): string {
  const parts = from.split("/").slice(0, -1);
  for (const part of specifier.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== ".") parts.push(part);
  }
  return parts.join("/").replace(/\.js$/, ".ts");
}

function globalViolations(path: string, node: ts.Node): string[] {
  if (ts.isPropertyAccessExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === "Math") {
    const name = node.name.text;
    if (name === "random") return [`${path}: Math.random is never used; src/base/random.ts is seeded`];
    if (HOST_MATH.includes(name) && !path.startsWith("reference/"))
      return [`${path}: Math.${name} differs between hosts; src/base/math.ts does not`];
  }
  if (!ts.isIdentifier(node) || isName(node)) return [];
  if (node.text === "console" && !path.startsWith("src/cli/")) return [`${path}: only cli prints`];
  if (path.startsWith("src/") && !mayUseHost.test(path) && [...HOST_GLOBALS, ...TIMERS].includes(node.text)) {
    return [`${path}: only runtime and cli touch the host's ${node.text}`];
  }
  return [];
}

/** Whether an identifier names a property, parameter or declaration of the file's own instead of a global. */
function isName(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return parent.name === node;
  return (ts.isPropertyAssignment(parent) || ts.isPropertySignature(parent) || ts.isMethodDeclaration(parent)) && parent.name === node;
}
