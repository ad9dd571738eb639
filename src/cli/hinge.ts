// The `hinge` command: words first; results on stdout, progress and complaints on stderr.
// Exit codes: 0 ok, 1 your input, 2 our bug, 3 not converged under --strict, 130 interrupted.

import { Command, CommanderError } from "commander";
import { HingeError } from "../base/errors.js";
import { nearest } from "../base/nearest.js";
import { version } from "../generated/version.js";
import { startPoolHere } from "../runtime/runtime.js";
import { tasks } from "../tasks.js";
import { commands } from "./commands.js";
import { type Console, flushed, type KeptCode, processConsole, watchStreams } from "./console.js";
import { dropIns } from "./drop-ins/drop-ins.js";
import { coreFrom, keepCore } from "./kept-core.js";
import { stepsFlags } from "./steps.js";

const OUR_BUG = 2;
const YOUR_INPUT = 1;

/** The whole program; or, where a command's name comes first, that command of it alone, or the options of all others would be listed for nothing. */
function program(console: Console, first: string | undefined): Command {
  const root = new Command("hinge")
    .description("Support vector machines with a proof of optimality beside every model.")
    .version(version, "--version", "print the version")
    .helpOption("-h, --help", "print this help")
    .helpCommand("help [command]", "print the help of a command")
    .addHelpText(
      "after",
      `\nhinge <command> --help explains a command. By their own flags, files and lines: hinge ${Object.keys(dropIns).join(", ")}.`,
    );
  for (const make of makersFor(first)) {
    root.addCommand(make(console).helpOption("-h, --help", "print this help"));
  }
  for (const command of [root, ...root.commands]) {
    // Errors become one message of ours, below; help and version are results and go to stdout.
    command
      .exitOverride()
      .configureOutput({ writeOut: console.out, writeErr: () => undefined })
      .showSuggestionAfterError(false);
  }
  return root;
}

function makersFor(first: string | undefined): readonly (typeof commands)[string][] {
  if (isDropIn(first)) return [];
  const asked = first !== undefined && Object.hasOwn(commands, first) ? commands[first] : undefined;
  return asked === undefined ? Object.values(commands) : [asked];
}

export async function main(args: readonly string[], console: Console): Promise<void> {
  const root = program(console, args[0]);
  if (args.length === 0) {
    root.configureOutput({ writeErr: console.err }).outputHelp({ error: true });
    console.exit(YOUR_INPUT);
    return;
  }
  const dropIn = isDropIn(args[0]) ? dropIns[args[0]] : undefined;
  try {
    // The parser's own help knows nothing of the originals' programs, and answers what it does not know with the whole help.
    if (args[0] === "help" && isDropIn(args[1])) return console.out(await usageOf(args[1]));
    if (args[0] === "help" && args[1] === "help") return root.outputHelp();
    if (args[0] === "help" && /^\w/.test(args[1] ?? "") && !root.commands.some((command) => command.name() === args[1]))
      return fail(console, YOUR_INPUT, `${unknownCommand(args[1] ?? "", root)}\nsee: hinge --help`);
    if (dropIn === undefined) await root.parseAsync(args, { from: "user" });
    else console.exit(await dropIn(args.slice(1), console));
  } catch (error) {
    if (error instanceof CommanderError) explain(error, args, root, console);
    else if (error instanceof HingeError && error.code !== "internal") {
      fail(console, error.code === "worker-failed" ? OUR_BUG : YOUR_INPUT, error.message);
    } else
      fail(
        console,
        OUR_BUG,
        `this is a bug in hinge; please report it\n${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
      );
  }
}

function isDropIn(name: string | undefined): name is keyof typeof dropIns {
  return name !== undefined && Object.hasOwn(dropIns, name);
}

async function usageOf(name: keyof typeof dropIns): Promise<string> {
  return `${(await import("./drop-ins/usages.js")).usages[name].join("\n")}\n`;
}

function fail(console: Console, code: number, message: string): void {
  console.err(`${message}\n`);
  console.exit(code);
}

/** The parser's complaints in our own words, with the nearest name and where to look. */
function explain(error: CommanderError, args: readonly string[], root: Command, console: Console): void {
  if (error.exitCode === 0) return; // help or version, already written
  const command = root.commands.find((candidate) => candidate.name() === args[0]);
  const place = `see: hinge ${command === undefined ? "" : `${command.name()} `}--help`;
  fail(console, YOUR_INPUT, `${complaint(error, command ?? root)}\n${place}`);
}

function complaint(error: CommanderError, command: Command): string {
  const text = error.message.replace(/^error: /, "");
  const got = /'([^']*)'/.exec(text)?.[1] ?? "";
  if (error.code === "commander.unknownOption") {
    return `unknown option ${got}${didYouMean(
      got,
      command.options.map((option) => option.long ?? ""),
    )}`;
  }
  return error.code === "commander.unknownCommand" ? unknownCommand(got, command) : text;
}

function unknownCommand(got: string, root: Command): string {
  const names = root.commands.map((child) => child.name());
  return `unknown command ${got}${didYouMean(got, names)}`;
}

function didYouMean(word: string, candidates: readonly string[]): string {
  const found = nearest(word, candidates);
  return found === undefined ? "" : `; did you mean ${found}?`;
}

// scripts/code-cache.js runs commands by main, in a pool like that of start, and with the flags of those that turn to steps, and writes the core's code down.
export { coreFrom, keepCore, startPoolHere, stepsFlags, tasks };

/** The whole command; `ended` is told when it has come to its end. */
export async function start(keptCode?: KeptCode, ended?: () => void): Promise<void> {
  watchStreams(YOUR_INPUT);
  startPoolHere({ tasks, workerCode: keptCode?.("worker.code"), keptCore: (core) => coreFrom(keptCode?.("core.code"), core) });
  // Not a copy: how wide the terminal is, is asked anew.
  await main(process.argv.slice(2), Object.assign(Object.create(processConsole), { keptCode }));
  await flushed();
  ended?.();
  // At once: giving all memory back first, which nobody needs any more, takes milliseconds.
  process.exit();
}
