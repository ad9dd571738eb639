// Search over a grid by 5-fold cross-validation, whole commands. Kernel: 11 values of C by 11 of gamma against LIBSVM's svm-grid, which runs a svm-train -v 5 for each
// point, two at a time. Linear: 11 values of C against as many runs of liblinear-train -v 5. Each draws its own folds, so accuracies agree up to that.

import { type CommandRun, debianVersion, hasProgram, runCommand } from "../command.ts";
import { type DataFile, firstRows } from "../data.ts";
import { alternate, ratioOf } from "../protocol.ts";
import type { Case, Row } from "./case.ts";

const THREADS = 2;
const linearSets = ["20news.train"];
/** With --quick: enough to see that everything works. */
const QUICK_ROWS = 200;

interface Found {
  readonly C: number;
  readonly gamma?: number;
  /** Of the best point. */
  readonly accuracy: number;
}

interface Searcher {
  readonly id: string;
  readonly version: string | undefined;
  readonly flags: string;
  run(): Promise<CommandRun & { found: Found }>;
}

export const searchCase: Case = {
  name: "search",
  title: "Search over a grid by 5-fold cross-validation",
  sets: ["splice.train", "satimage.train", "letter.train-first-5000", ...linearSets],
  async run(files, { runs, quick, say, used }) {
    const rows: Row[] = [];
    for (const whole of files) {
      const file = quick ? firstRows(whole, QUICK_ROWS) : whole;
      if (file !== whole) used(file);
      const isLinear = linearSets.includes(file.name);
      const searchers = [ours(file, isLinear), isLinear ? liblinear(file) : svmGrid(file)].filter(({ version }) => version !== undefined);
      const found = new Map<string, Found>();
      const timed = (one: Searcher) => async (): Promise<number> => {
        say(`search ${file.name} ${one.id}`);
        const run = await one.run();
        found.set(one.id, run.found);
        return run.milliseconds;
      };
      // A search is hundreds of fits: nobody needs a warm-up, and a peer's takes minutes.
      const known = Object.fromEntries(searchers.map(({ id }, k) => [id, k === 0 ? 0 : Infinity]));
      const spreads = await alternate(Object.fromEntries(searchers.map((one) => [one.id, timed(one)])), runs, known);
      const measure = isLinear
        ? "whole command: 11 values of C from 2^-5 to 2^5, squared hinge loss, no bias"
        : "whole command: 11 values of C from 2^-5 to 2^15 by 11 of gamma from 2^-17 to 2^3, rbf";
      for (const { id, version, flags } of searchers) {
        const spread = spreads[id] as NonNullable<(typeof spreads)[string]>;
        rows.push({
          ...{ data: file.name, contender: id, measure, version, flags, threads: THREADS },
          ...found.get(id),
          ...spread,
          ...(id === searchers[0]?.id ? {} : { timesOurs: ratioOf(spread, spreads[searchers[0]?.id as string] as typeof spread) }),
        });
      }
    }
    return rows;
  },
};

function ours(file: DataFile, isLinear: boolean): Searcher {
  const args = ["bench/search-ours.js", isLinear ? "linear" : "kernel", file.path, String(THREADS)];
  return {
    id: "hinge",
    version: "this tree",
    flags: `node bench/search-ours.js ${isLinear ? "linear" : "kernel"}`,
    async run() {
      const run = await runCommand(process.execPath, args);
      const { point, accuracy } = JSON.parse(run.stdout) as { point: { C: number; gamma?: number }; accuracy: number };
      return { ...run, found: { ...point, accuracy } };
    },
  };
}

/** LIBSVM's script asks for the number of its processes in its own text. */
const startGrid = `import sys
path = "/usr/bin/svm-grid"
text = open(path).read()
assert "nr_local_worker = 1" in text
sys.argv[0] = path
exec(compile(text.replace("nr_local_worker = 1", "nr_local_worker = ${THREADS}"), path, "exec"), {"__name__": "__main__", "__file__": path})`;

function svmGrid({ path }: DataFile): Searcher {
  const flags = [
    "-log2c",
    "-5,15,2",
    "-log2g",
    "3,-17,-2",
    "-v",
    "5",
    "-svmtrain",
    "/usr/bin/svm-train",
    "-gnuplot",
    "null",
    "-out",
    "null",
  ];
  return {
    id: "svm-grid",
    version: hasProgram("svm-grid") ? debianVersion("libsvm-tools") : undefined,
    flags: `svm-grid ${flags.join(" ")}, ${THREADS} processes`,
    async run() {
      const run = await runCommand("python3", ["-c", startGrid, ...flags, path]);
      const [C = 0, gamma = 0, rate = 0] = (run.stdout.trim().split("\n").at(-1) ?? "").split(" ").map(Number);
      return { ...run, found: { C, gamma, accuracy: rate / 100 } };
    },
  };
}

function liblinear({ path }: DataFile): Searcher {
  return {
    id: "liblinear-train",
    version: hasProgram("liblinear-train") ? debianVersion("liblinear-tools") : undefined,
    flags: "liblinear-train -s 1 -v 5 -c …, eleven times",
    async run() {
      const started = performance.now();
      let best: Found = { C: 0, accuracy: 0 };
      let peakBytes = 0;
      for (let k = -5; k <= 5; k++) {
        const run = await runCommand("liblinear-train", ["-s", "1", "-v", "5", "-c", String(2 ** k), "-q", path]);
        const accuracy = Number(/Accuracy = ([\d.]+)%/.exec(run.stdout)?.[1]) / 100;
        if (accuracy > best.accuracy) best = { C: 2 ** k, accuracy };
        peakBytes = Math.max(peakBytes, run.peakBytes);
      }
      return { milliseconds: performance.now() - started, stdout: "", peakBytes, found: best };
    },
  };
}
