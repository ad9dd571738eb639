// What the built command says about wrong arguments and wrong files: the whole of stderr, stdout and the exit code.

import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { folder, hinge, tiny } from "./command.ts";

describe.concurrent("a mistake is answered on stderr, and with exit code 1:", () => {
  const files = {
    ...{ "tiny.svm": tiny, "one.svm": "1 1:1\n1 1:2\n" },
    ...{ "program.svm": Uint8Array.of(0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0), "text.json": "not a model" },
    ...{ "half.json": "{", "damaged.model": "solver_type L2R_LR\nnr_class two\nw\n", "halves.svm": "0.5 1:1\n1.5 1:2\n" },
    "three.svm": "1 1:1\n2 1:2\n3 1:3\n",
  };
  const notModel = 'not a model file: it must begin with "{" (hinge), "solver_type" (LIBLINEAR) or "svm_type" (LIBSVM), got';
  const cases: readonly [args: string, stderr: string][] = [
    ["trian tiny.svm", "unknown command trian; did you mean train?\nsee: hinge --help"],
    ["--strict", "unknown option --strict\nsee: hinge --help"],
    ["train tiny.svm --tolerence 1e-4", "unknown option --tolerence; did you mean --tolerance?\nsee: hinge train --help"],
    ["train tiny.svm -c 1", "unknown option -c; did you mean --c?\nsee: hinge train --help"],
    ["predict tiny.svm m.json --gamma 1", "unknown option --gamma\nsee: hinge predict --help"],
    ["train", "missing required argument 'data'\nsee: hinge train --help"],
    ["train tiny.svm --c", "option '--c <value>' argument missing\nsee: hinge train --help"],
    ["train tiny.svm --c ten", '--c must be a finite number above 0, got "ten"'],
    ["train tiny.svm --c=", '--c must be a finite number above 0, got ""'],
    [
      "train tiny.svm --class-weight 1=-2",
      '--class-weight must be "balanced", or label=weight,label=weight with weights of at least 0, got "1=-2"',
    ],
    ["train tiny.svm --index-base 2", '--index-base must be 0 or 1, got "2"'],
    ["predict tiny.svm m.json --index-base one", '--index-base must be 0 or 1, got "one"'],
    [
      "train tiny.svm --estimator nu_svr",
      '--estimator must be linear-svc, logistic-regression, linear-svr, linear-one-class, svc, nu-svc, svr, nu-svr or one-class-svm, got "nu_svr"; did you mean "nu-svr"?',
    ],
    ["train tiny.svm --gamma 1", "--gamma is not for this estimator; --estimator says which one is trained"],
    ["train tiny.svm --estimator svc --gamma wide", '--gamma must be "scale", "auto", or a finite number of at least 0, got "wide"'],
    ["train tiny.svm --estimator one-class-svm --nu 2", "--nu must be a finite number above 0 and at most 1, got 2"],
    ["train halves.svm m.model --estimator svc", "LIBSVM's files hold only whole numbers as labels, got 0.5; save as .json"],
    [
      "train three.svm m.model --estimator svc --multi-class ovr",
      'LIBSVM\'s files hold one-vs-one models only, this is multiClass "ovr"; save as .json',
    ],
    ["predict tiny.svm m.json --threads none", '--threads must be a whole number from 1 to 256, got "none"'],
    [
      "train tiny.svm --estimator logistic-regression --loss hinge",
      "--loss is not for this estimator; --estimator says which one is trained",
    ],
    ["train tiny.svm --penalty l1 --loss hinge", 'penalty "l1" needs a smooth loss; use loss "squared_hinge"'],
    ["train missing.svm", "cannot read missing.svm: there is no such file or directory"],
    ["train folder", "cannot read folder: it is a directory"],
    ["train program.svm", 'program.svm:1:1: the label must be a decimal number, got "·ELF····"\n    1 | ·ELF····\n        ^'],
    ["train halves.svm m.model", "LIBLINEAR's format holds whole numbers as labels, got 0.5; save under a name that ends in .json"],
    [
      "train three.svm m.model --estimator logistic-regression",
      'LIBLINEAR\'s format cannot hold multiClass "multinomial"; save under a name that ends in .json',
    ],
    ["train three.svm m.model --multi-class ovo", 'LIBLINEAR\'s format cannot hold multiClass "ovo"; save under a name that ends in .json'],
    ["predict tiny.svm missing.json", "cannot read missing.json: there is no such file or directory"],
    ["predict tiny.svm text.json", `text.json: ${notModel} "not"`],
    ["predict tiny.svm half.json", "half.json: not a model file of hinge: it is not JSON"],
    ["predict tiny.svm damaged.model", 'damaged.model:2:10: nr_class must be a whole number from 1 to 2147483647, got "two"'],
  ];
  const here = folder(files);
  mkdirSync(join(here, "folder"));
  for (const [args, stderr] of cases) {
    test(`hinge ${args}`, async () => {
      expect(await hinge(here, args.split(" "))).toEqual({ code: 1, stdout: "", stderr: `${stderr}\n` });
    });
  }

  for (const [args, stderr] of [
    ["train one.svm", "y has one class only, 1; LinearSVC needs two"],
    ["train one.svm --estimator svc", "y has one class only, 1; SVC needs two"],
    ["train tiny.svm --class-weight 2=3", "classWeight names class 2, which no row has"],
  ] as const) {
    test(`hinge ${args}, seen once the file is read`, async () => {
      const ending = await hinge(here, args.split(" "));
      expect(ending).toEqual({ code: 1, stdout: expect.stringMatching(/^read [^\n]*\n$/), stderr: `${stderr}\n` });
    });
  }

  for (const [target, reason] of [
    ["nowhere/m.json", "there is no such file or directory"],
    ["tiny.svm/m.json", "a part of the path is not a directory"],
    ["folder.json", "it is a directory"],
  ] as const) {
    test(`a model that cannot be written to ${target}, with nothing left behind`, async () => {
      const there = folder();
      mkdirSync(join(there, "folder.json"));
      const { code, stderr } = await hinge(there, ["train", "tiny.svm", target]);
      expect([code, stderr]).toEqual([1, `cannot write ${target}: ${reason}\n`]);
      expect(readdirSync(there).sort()).toEqual(["folder.json", "tiny.svm"]);
    });
  }
});
