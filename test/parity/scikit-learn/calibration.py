"""Writes calibration.json: sigmoid and isotonic fits of scikit-learn. Run with Debian's python3-sklearn: python3 calibration.py > calibration.json"""

import json
import random

import numpy as np
import sklearn
from sklearn.calibration import _SigmoidCalibration
from sklearn.isotonic import IsotonicRegression

random.seed(5)


def case(count, slope, noise, ties):
    scores = [random.gauss(0, 1) * noise for _ in range(count)]
    if ties:
        scores = [round(score, 1) for score in scores]
    labels = [1 if random.random() < 1 / (1 + np.exp(-slope * score)) else 0 for score in scores]
    labels[0], labels[1] = 0, 1
    sigmoid = _SigmoidCalibration().fit(np.array(scores), np.array(labels))
    isotonic = IsotonicRegression(out_of_bounds="clip").fit(scores, labels)
    at = [-100, -2, -0.55, -0.1, 0, 0.33, 1.2, 3, 50]
    return {
        "scores": scores,
        "labels": labels,
        "at": at,
        "sigmoid": sigmoid.predict(np.array(at, dtype=float)).tolist(),
        "isotonic": isotonic.predict(at).tolist(),
    }


print(
    json.dumps(
        {
            "version": sklearn.__version__,
            "cases": [case(30, 2, 1, False), case(200, 1, 2, True), case(500, 5, 0.5, False), case(1000, 0.5, 10, True)],
        }
    )
)
