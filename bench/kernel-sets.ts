// The problems of the cases "kernel" and "predict": data, constants of the rbf kernel machine, and what is asked of the ratio to svm-train.

export interface KernelSet {
  /** As bench/data.ts knows it. */
  readonly data: string;
  readonly C: number;
  readonly gamma: number;
  /** epsilon of a regression; classes are fitted without it. */
  readonly tube?: number;
  /** The whole command of svm-train over ours, 2 threads: at least this is asked; of all sets together, 12. */
  readonly floor?: number;
  /** Where the climb of LIBSVM's -e begins: about where smaller parts of the set reach the gap. Only the number of runs depends on it. */
  readonly peerStart: number;
  /** Rows to predict. */
  readonly test?: string;
  /** Only whole commands: scikit-learn would climb its ladder for hours. */
  readonly commandsOnly?: boolean;
}

/** "1/d" of sets whose features are all used. */
const perFeature = { satimage: 1 / 36, pendigits: 1 / 16, dna: 1 / 180, splice: 1 / 287 } as const;

/** covtype is covtype93k-bin: a sample of it, two classes. */
export const kernelSets: readonly KernelSet[] = [
  { data: "a9a.train", C: 1, gamma: 0.01, floor: 15, peerStart: 0.03, test: "a9a.test" },
  { data: "mnist.train-first-10000", C: 10, gamma: 0.02, floor: 15, peerStart: 1e-4, test: "mnist.test" },
  { data: "w8a.train", C: 8, gamma: 0.05, floor: 12, peerStart: 3e-3 },
  { data: "usps.train", C: 10, gamma: 0.01, floor: 10, peerStart: 1e-4, test: "usps.test" },
  { data: "connect-4.train-first-20000", C: 1, gamma: 0.05, floor: 12, peerStart: 3e-3, test: "connect-4.test" },
  { data: "covtype93k-bin.train-first-20000", C: 10, gamma: 1, floor: 8, peerStart: 1e-3, test: "covtype93k-bin.test" },
  { data: "kin40k.train-first-10000", C: 10, gamma: 0.5, tube: 0.05, floor: 8, peerStart: 3e-4, test: "kin40k.test" },
  { data: "letter.train", C: 16, gamma: 0.25, peerStart: 1e-3, test: "letter.test" },
  { data: "shuttle.train", C: 100, gamma: 1, peerStart: 1e-3, test: "shuttle.test" },
  { data: "satimage.train", C: 10, gamma: perFeature.satimage, peerStart: 1e-3, test: "satimage.test" },
  { data: "pendigits.train", C: 10, gamma: perFeature.pendigits, peerStart: 1e-3, test: "pendigits.test" },
  { data: "dna.train", C: 10, gamma: perFeature.dna, peerStart: 1e-3, test: "dna.test" },
  { data: "splice.train", C: 10, gamma: perFeature.splice, peerStart: 1e-3, test: "splice.test" },
  { data: "mnist.train", C: 10, gamma: 0.02, floor: 10, peerStart: 1e-4, test: "mnist.test", commandsOnly: true },
];

/** In words, for tables. */
export function problemText({ C, gamma, tube }: KernelSet): string {
  return `${tube === undefined ? "SVC" : "SVR"}, C ${C}, gamma ${Number(gamma.toPrecision(4))}${tube === undefined ? "" : `, epsilon ${tube}`}`;
}
