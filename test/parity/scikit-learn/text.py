"""Writes text.json: what scikit-learn's vectorisers make of these texts. Run with Debian's python3-sklearn: python3 text.py > text.json"""

import json

import sklearn
from sklearn.feature_extraction.text import HashingVectorizer, TfidfVectorizer

TEXTS = [
    "The quick brown fox jumps over the lazy dog.",
    "the Quick brown DOG sleeps; the fox, it jumps  over   it!",
    "A a b I x yz 42 7 007 3.14 snake_case e-mail don't",
    "",
    "Zürich und Genève: naïve Œuvre, ΑΒΓ ΣΑΣ, привет Привет, Ünïcödé",
    "tabs\tand\nlines\r\n and   many    spaces ",
    "x² 10½ ⅷ 𝒳𝒴 emoji 😀😀 smile 😀",
    "the the the the dog dog fox",
    "Istanbul straße STRASSE ﬁne",
]

SETTINGS = [
    {},
    {"lowercase": False},
    {"ngram_range": [1, 2]},
    {"ngram_range": [2, 3], "min_df": 1},
    {"min_df": 2},
    {"max_df": 0.4, "min_df": 0.2},
    {"max_df": 2},
    {"sublinear_tf": True},
    {"binary": True},
    {"use_idf": False, "norm": "l1"},
    {"norm": None},
    {"stop_words": ["the", "it", "and"], "ngram_range": [1, 2]},
    {"analyzer": "char", "ngram_range": [1, 2]},
    {"analyzer": "char", "ngram_range": [3, 4], "sublinear_tf": True},
    {"analyzer": "char_wb", "ngram_range": [2, 4]},
    {"analyzer": "char_wb", "ngram_range": [5, 7]},
]

HASHING = [
    {"n_features": 64},
    {"n_features": 1048576},
    {"n_features": 50, "alternate_sign": False, "norm": "l1"},
    {"n_features": 128, "norm": None, "ngram_range": [1, 2]},
    {"n_features": 128, "binary": True, "analyzer": "char_wb", "ngram_range": [3, 3]},
]


def options(setting):
    return {key: tuple(value) if key == "ngram_range" else value for key, value in setting.items()}


def rows(matrix):
    matrix = matrix.tocsr()
    matrix.sort_indices()
    return [
        [matrix.indices[a:b].tolist(), matrix.data[a:b].tolist()]
        for a, b in zip(matrix.indptr[:-1], matrix.indptr[1:])
    ]


def tfidf(setting):
    vectorizer = TfidfVectorizer(**options(setting))
    matrix = vectorizer.fit_transform(TEXTS)
    idf = vectorizer.idf_.tolist() if setting.get("use_idf", True) else None
    return {"setting": setting, "terms": vectorizer.get_feature_names_out().tolist(), "idf": idf, "rows": rows(matrix)}


def hashing(setting):
    return {"setting": setting, "rows": rows(HashingVectorizer(**options(setting)).transform(TEXTS))}


print(
    json.dumps(
        {
            "version": sklearn.__version__,
            "texts": TEXTS,
            "tfidf": [tfidf(setting) for setting in SETTINGS],
            "hashing": [hashing(setting) for setting in HASHING],
        },
        ensure_ascii=False,
    )
)
