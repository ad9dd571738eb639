"""scikit_text.py TRAIN TEST: texts to labels as a user of scikit-learn writes it, from folders of files to the accuracy on the test part."""
import sys

from sklearn.datasets import load_files
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.pipeline import make_pipeline
from sklearn.svm import LinearSVC

train, test = (load_files(folder, encoding="latin1") for folder in sys.argv[1:])
model = make_pipeline(TfidfVectorizer(), LinearSVC()).fit(train.data, train.target)
print(model.score(test.data, test.target))
