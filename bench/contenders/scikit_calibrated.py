"""Probabilities of scikit-learn's CalibratedClassifierCV(LinearSVC, ensemble=False) with given folds. For bench/calibration-race.ts.

usage: scikit_calibrated.py TRAIN TEST FEATURES FOLDS METHOD OUT
TRAIN and TEST are svmlight files, FOLDS has the fold of each row of TRAIN (uint32). Writes the probabilities of TEST (float64, a row a row, classes in
rising order) to OUT.
"""
import sys
import warnings

import numpy as np
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import load_svmlight_file
from sklearn.svm import LinearSVC

# A fit that stops at its limit says so; here that is the peer's result like any other.
warnings.simplefilter("ignore")
train, test, features, folds, method, out = sys.argv[1:]
x, y = load_svmlight_file(train, n_features=int(features))
fold = np.fromfile(folds, dtype=np.uint32)
cv = [(np.flatnonzero(fold != k), np.flatnonzero(fold == k)) for k in range(fold.max() + 1)]
# As its documentation advises; the dual does not converge within its limit on some of these.
model = CalibratedClassifierCV(LinearSVC(dual=x.shape[0] < x.shape[1]), method=method, cv=cv, ensemble=False)
probabilities = model.fit(x, y).predict_proba(load_svmlight_file(test, n_features=int(features))[0])
probabilities.astype(np.float64).tofile(out)
