// What -s says: the type that the model file names, the problem, the method that it asks for, and the figures that go with it in LIBLINEAR.

import type { LiblinearSolverType } from "../../model/liblinear-file.js";

interface MethodFacts {
  readonly type: LiblinearSolverType;
  /** -e where it is not given. */
  readonly epsilon: number;
  /** Passes, or steps of l1 methods, after which it gives up; undefined: as many as our own fits make. */
  readonly limit?: number;
}

export interface BinaryMethod extends MethodFacts {
  readonly task: "binary";
  readonly loss: "logistic" | "squared_hinge" | "hinge";
  readonly form: "primal" | "dual" | "l1";
  readonly heir?: Heir;
}

export interface RegressionMethod extends MethodFacts {
  readonly task: "regression";
  readonly loss: "squared_epsilon_insensitive" | "epsilon_insensitive";
  readonly form: "primal" | "dual";
  readonly heir?: Heir;
}

/** Crammer and Singer's problem. */
export interface JointMethod extends MethodFacts {
  readonly task: "joint";
}

export interface OneClassMethod extends MethodFacts {
  readonly task: "one class";
}

/** The primal method that is named where a dual one has reached its limit. */
export interface Heir {
  readonly flag: number;
  /** It takes over, with -e times this. undefined: it is only recommended, since it would solve another problem. */
  readonly share?: number;
}

export type Method = BinaryMethod | RegressionMethod | JointMethod | OneClassMethod;

const DUAL_LIMIT = 300;

export const methods: Readonly<Record<number, Method>> = {
  0: { type: "L2R_LR", task: "binary", loss: "logistic", form: "primal", epsilon: 0.01 },
  1: {
    ...{ type: "L2R_L2LOSS_SVC_DUAL", task: "binary", loss: "squared_hinge", form: "dual" },
    ...{ epsilon: 0.1, limit: DUAL_LIMIT, heir: { flag: 2, share: 0.1 } },
  },
  2: { type: "L2R_L2LOSS_SVC", task: "binary", loss: "squared_hinge", form: "primal", epsilon: 0.01 },
  3: { type: "L2R_L1LOSS_SVC_DUAL", task: "binary", loss: "hinge", form: "dual", epsilon: 0.1, limit: DUAL_LIMIT, heir: { flag: 2 } },
  4: { type: "MCSVM_CS", task: "joint", epsilon: 0.1, limit: 100_000 },
  5: { type: "L1R_L2LOSS_SVC", task: "binary", loss: "squared_hinge", form: "l1", epsilon: 0.01, limit: 1000 },
  6: { type: "L1R_LR", task: "binary", loss: "logistic", form: "l1", epsilon: 0.01, limit: 1000 },
  7: {
    ...{ type: "L2R_LR_DUAL", task: "binary", loss: "logistic", form: "dual" },
    ...{ epsilon: 0.1, limit: DUAL_LIMIT, heir: { flag: 0, share: 0.1 } },
  },
  11: { type: "L2R_L2LOSS_SVR", task: "regression", loss: "squared_epsilon_insensitive", form: "primal", epsilon: 1e-4 },
  12: {
    ...{ type: "L2R_L2LOSS_SVR_DUAL", task: "regression", loss: "squared_epsilon_insensitive", form: "dual" },
    ...{ epsilon: 0.1, limit: DUAL_LIMIT, heir: { flag: 11, share: 0.001 } },
  },
  13: {
    ...{ type: "L2R_L1LOSS_SVR_DUAL", task: "regression", loss: "epsilon_insensitive", form: "dual" },
    ...{ epsilon: 0.1, limit: DUAL_LIMIT, heir: { flag: 11 } },
  },
  21: { type: "ONECLASS_SVM", task: "one class", epsilon: 0.01, limit: 1000 },
};
