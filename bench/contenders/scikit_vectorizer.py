"""Times scikit-learn's TfidfVectorizer on texts read once. For bench/vectorizer-race.ts.

usage: scikit_vectorizer.py FOLDER
FOLDER has a folder a class. Every line on standard input, a JSON object of options, is one fit_transform, of which the milliseconds are printed. Where it
has "out", a folder, the terms (terms.txt, a line each) and the matrix (starts, indices as int64, values as float64) go there.
"""
import json
import os
import sys
import time

import numpy as np
from sklearn.datasets import load_files
from sklearn.feature_extraction.text import TfidfVectorizer

texts = load_files(sys.argv[1], encoding="latin1", shuffle=False).data
print("ready", flush=True)
for line in sys.stdin:
    options = json.loads(line)
    out = options.pop("out", None)
    if "ngram_range" in options:
        options["ngram_range"] = tuple(options["ngram_range"])
    vectorizer = TfidfVectorizer(**options)
    started = time.perf_counter()
    rows = vectorizer.fit_transform(texts)
    milliseconds = (time.perf_counter() - started) * 1e3
    if out is not None:
        rows.sort_indices()
        rows.indptr.astype(np.int64).tofile(os.path.join(out, "starts"))
        rows.indices.astype(np.int64).tofile(os.path.join(out, "indices"))
        rows.data.astype(np.float64).tofile(os.path.join(out, "values"))
        with open(os.path.join(out, "terms.txt"), "w", encoding="utf-8") as file:
            file.write("\n".join(vectorizer.get_feature_names_out()))
    print(milliseconds, flush=True)
