"""Times fit and predict of scikit-learn's SVC and SVR on dense rows read once. For bench/contenders/scikit-kernel.ts.

usage: scikit_kernel.py TRAIN FEATURES [TEST]
TRAIN and TEST are svmlight files. For every line on standard input it prints the milliseconds of what the line asks for:
  fit C GAMMA TOLERANCE TUBE MODEL     fits, a regression if TUBE is not "-"; the model goes to the file MODEL, as LIBSVM writes it, unless that is "-"
  predict LABELS                       predicts the rows of TEST with the last model; the labels go to the file LABELS
"""
import sys
import time

import numpy as np
from sklearn.datasets import load_svmlight_file
from sklearn.svm import SVC, SVR


def read(path, features):
    x, y = load_svmlight_file(path, n_features=features)
    return np.ascontiguousarray(x.toarray()), y


def write(model, x, gamma, path):
    coefficients = np.atleast_2d(model.dual_coef_)
    lines = ["svm_type %s" % ("c_svc" if isinstance(model, SVC) else "epsilon_svr"), "kernel_type rbf", "gamma %r" % gamma]
    lines += ["nr_class %d" % (len(model.classes_) if isinstance(model, SVC) else 2), "total_sv %d" % len(model.support_)]
    lines += ["rho " + " ".join("%.17g" % -b for b in np.ravel(model.intercept_))]
    if isinstance(model, SVC):
        # Of two classes scikit-learn has the sign turned round: above 0 is the second.
        order = slice(None, None, -1) if len(model.classes_) == 2 else slice(None)
        lines += ["label " + " ".join("%d" % c for c in model.classes_[order])]
        lines += ["nr_sv " + " ".join("%d" % n for n in model.n_support_[order])]
    with open(path, "w") as file:
        file.write("\n".join(lines + ["SV", ""]))
        for k, row in enumerate(model.support_):
            places = np.flatnonzero(x[row])
            own = " ".join("%.17g" % c for c in coefficients[:, k])
            file.write(own + " " + " ".join("%d:%.9g" % (j + 1, x[row, j]) for j in places) + " \n")


features = int(sys.argv[2])
x, y = read(sys.argv[1], features)
test = read(sys.argv[3], features)[0] if len(sys.argv) > 3 else None
model = None
print("ready", flush=True)

for line in sys.stdin:
    what, *rest = line.split()
    if what == "fit":
        C, gamma, tolerance, tube, path = rest
        common = {"C": float(C), "gamma": float(gamma), "tol": float(tolerance), "cache_size": 1000}
        machine = SVC(**common) if tube == "-" else SVR(epsilon=float(tube), **common)
        started = time.perf_counter()
        model = machine.fit(x, y)
        milliseconds = (time.perf_counter() - started) * 1e3
        if path != "-":
            write(model, x, float(gamma), path)
    else:
        started = time.perf_counter()
        labels = model.predict(test)
        milliseconds = (time.perf_counter() - started) * 1e3
        np.savetxt(rest[0], labels, fmt="%g")
    print(milliseconds, flush=True)
