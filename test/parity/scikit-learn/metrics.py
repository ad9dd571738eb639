"""Writes metrics.json: small cases and what scikit-learn's metrics say of them. Run with Debian's python3-sklearn: /usr/bin/python3 test/parity/scikit-learn/metrics.py"""

import json
import pathlib
import random

import numpy as np
import sklearn
from sklearn import metrics as m
from sklearn.calibration import calibration_curve

random.seed(11)


def round_list(values):
    return [float(v) for v in values]


def classes_case(name, labels, count, right, weighted):
    y = [random.choice(labels) for _ in range(count)]
    predicted = [label if random.random() < right else random.choice(labels) for label in y]
    weight = [random.choice([0, 0.5, 1, 2, 3.25]) for _ in y] if weighted else None
    known = sorted(set(y) | set(predicted))
    per = m.precision_recall_fscore_support(y, predicted, labels=known, sample_weight=weight, zero_division=0)
    averages = {}
    for average in ("macro", "micro", "weighted"):
        p, r, f, _ = m.precision_recall_fscore_support(y, predicted, average=average, sample_weight=weight, zero_division=0)
        averages[average] = {"precision": p, "recall": r, "f1": f}
    return {
        "name": name, "y": y, "predicted": predicted, "weight": weight, "classes": known,
        "accuracy": m.accuracy_score(y, predicted, sample_weight=weight),
        "balancedAccuracy": m.balanced_accuracy_score(y, predicted, sample_weight=weight),
        "confusion": m.confusion_matrix(y, predicted, labels=known, sample_weight=weight).astype(float).tolist(),
        "precision": round_list(per[0]), "recall": round_list(per[1]), "f1": round_list(per[2]), "support": round_list(per[3]),
        "averages": averages,
    }


def scores_case(name, labels, positive, count, ties, weighted):
    y = [labels[i % len(labels)] if i < len(labels) else random.choice(labels) for i in range(count)]
    score = [round(random.gauss(1 if label == positive else 0, 1), 1 if ties else 6) for label in y]
    probability = [1 / (1 + 2.0 ** -s) for s in score]
    weight = [random.choice([0.5, 1, 2, 3.25]) for _ in y] if weighted else None
    hit = [1 if label == positive else 0 for label in y]
    fpr, tpr, thresholds = m.roc_curve(hit, score, sample_weight=weight, drop_intermediate=False)
    precision, recall, cuts = m.precision_recall_curve(hit, score, sample_weight=weight)
    case = {
        "name": name, "y": y, "positive": positive, "score": score, "probability": probability, "weight": weight,
        "fpr": round_list(fpr), "tpr": round_list(tpr), "thresholds": round_list(thresholds[1:]),
        "rocArea": m.roc_auc_score(hit, score, sample_weight=weight),
        "precision": round_list(precision), "recall": round_list(recall), "cuts": round_list(cuts),
        "averagePrecision": m.average_precision_score(hit, score, sample_weight=weight),
        "prArea": m.auc(recall, precision),
        "brier": m.brier_score_loss(hit, probability, sample_weight=weight),
        "logLoss": m.log_loss(hit, probability, sample_weight=weight),
    }
    if not weighted:
        for strategy in ("uniform", "quantile"):
            for bins in (5, 10):
                observed, predicted = calibration_curve(hit, probability, n_bins=bins, strategy=strategy)
                case[f"{strategy}{bins}"] = {"observed": round_list(observed), "predicted": round_list(predicted)}
    return case


def many_log_loss(weighted):
    labels = ["ash", "beech", "cedar"]
    y = labels + [random.choice(labels) for _ in range(40)]
    rows = []
    for label in y:
        raw = [random.random() + (1.5 if label == own else 0) for own in labels]
        rows.append([v / sum(raw) for v in raw])
    rows[5] = [1.0, 0.0, 0.0]
    weight = [random.choice([0.5, 1, 2]) for _ in y] if weighted else None
    return {"y": y, "probabilities": sum(rows, []), "weight": weight, "logLoss": m.log_loss(y, rows, sample_weight=weight)}


def numbers_case(name, offset, weighted):
    y = [offset + random.gauss(0, 3) for _ in range(60)]
    predicted = [v + random.gauss(0.2, 1) for v in y]
    weight = [random.choice([0, 0.5, 1, 2]) for _ in y] if weighted else None
    w = np.array(weight if weighted else [1.0] * len(y))
    cov = np.cov(np.array([y, predicted]) - offset, aweights=w)
    return {
        "name": name, "y": y, "predicted": predicted, "weight": weight,
        "meanSquaredError": m.mean_squared_error(y, predicted, sample_weight=weight),
        "meanAbsoluteError": m.mean_absolute_error(y, predicted, sample_weight=weight),
        "r2": m.r2_score(y, predicted, sample_weight=weight),
        "squaredCorrelation": cov[0, 1] ** 2 / (cov[0, 0] * cov[1, 1]),
    }


recorded = {
    "madeBy": f"test/parity/scikit-learn/metrics.py, scikit-learn {sklearn.__version__}, numpy {np.__version__}",
    "classes": [
        classes_case("two numbers", [-1, 1], 50, 0.7, False),
        classes_case("two numbers, weighted", [-1, 1], 50, 0.7, True),
        classes_case("four names", ["a", "b", "c", "d"], 80, 0.6, False),
        classes_case("four names, weighted", ["a", "b", "c", "d"], 80, 0.6, True),
        {**classes_case("a class that is never predicted", ["x", "y"], 5, 1.0, False)},
    ],
    "scores": [
        scores_case("two classes", [0, 1], 1, 60, False, False),
        scores_case("two classes, ties", [0, 1], 1, 60, True, False),
        scores_case("two classes, ties, weighted", [0, 1], 1, 60, True, True),
        scores_case("one of three", ["p", "q", "r"], "q", 60, True, False),
    ],
    "logLoss": [many_log_loss(False), many_log_loss(True)],
    "numbers": [numbers_case("plain", 0, False), numbers_case("far from 0", 1e6, False), numbers_case("weighted", 5, True)],
}
target = pathlib.Path(__file__).with_name("metrics.json")
target.write_text(json.dumps(recorded) + "\n")
