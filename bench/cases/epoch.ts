// One full epoch of dual coordinate descent on a problem in memory, one thread: ours against LIBLINEAR's, both from zero.
// Theirs is train() with a tolerance so large that it stops after one epoch; ours lays its state out and runs one epoch.

import { readSvmlight } from "../../src/index.ts";
import { liblinearLibrary, liblinearLibraryVersion } from "../contenders/liblinear-library.ts";
import { hingeVersion } from "../contenders/ours.ts";
import { solverOf } from "../in-memory.ts";
import { alternate, ratioOf } from "../protocol.ts";
import type { Case, Row } from "./case.ts";

export const epochCase: Case = {
  name: "epoch",
  title: "One epoch of dual coordinate descent",
  sets: ["news20b.train", "kdd99.train", "a9a.train"],
  async run(files, { runs, say }) {
    const rows: Row[] = [];
    for (const file of files) {
      for (const loss of ["hinge", "squared_hinge"] as const) {
        say(`epoch ${file.name} ${loss}`);
        const data = await readSvmlight(file.path);
        const ours = solverOf(data, { loss, C: 1, tolerance: 1e-300, maxIterations: 1 });
        await ours(); // compiled on the way
        const peer = liblinearLibraryVersion === undefined ? undefined : await liblinearLibrary(data);
        const times = await alternate<string>(
          { hinge: ours, ...(peer && { liblinear: () => peer.train(loss === "hinge" ? 3 : 1, 1, 1e9) }) },
          runs,
        );
        peer?.end();
        const common = { data: file.name, loss, nonZeros: data.x.valueCount, measure: "epoch" };
        const ratio = times.liblinear && times.hinge && ratioOf(times.liblinear, times.hinge);
        const flags = `loss ${loss}, C 1, one epoch, no bias`;
        rows.push({ ...common, contender: "hinge", version: hingeVersion, flags, threads: 1, ...times.hinge, ratio });
        if (peer !== undefined) {
          const [version, solver] = [liblinearLibraryVersion, loss === "hinge" ? 3 : 1];
          rows.push({ ...common, contender: "liblinear", version, flags: `-s ${solver} -c 1 -e 1e9`, threads: 1, ...times.liblinear });
        }
      }
    }
    return rows;
  },
};
