"""Reader studies."""

from __future__ import annotations

import numpy as np
import pandas as pd

import thresher as th
from support.mistakes.made_up import Mistake

FRAME = th.datasets.load_reader_study().to_frame("pandas")
STUDY = th.readers(FRAME)
FOUND = STUDY.measure()
SINGLE = FRAME[FRAME.reader == "reader 1"]
SITES = pd.concat([FRAME.assign(site="north"), FRAME.assign(site="south", reader="reader 7", truth=1 - FRAME.truth)])
SITES = SITES.drop_duplicates(["reader", "case", "modality"])

MISTAKES = [
    Mistake(
        "readers in another column",
        lambda: th.readers(FRAME, reader="rater"),
        "`reader` must name a column",
        "'rater'",
        "the columns are 'reader', 'case', 'modality', 'truth', 'rating'",
        lambda: th.readers(FRAME, reader="reader"),
    ),
    Mistake(
        "truths in words",
        lambda: th.readers(FRAME.assign(truth=np.where(FRAME.truth == 1, "cancer", "none"))),
        "`truth` must hold the labels 0 and 1",
        "'cancer', 'none'",
        "say which label is positive, `pos_label='cancer'` or `pos_label='none'`",
        lambda: th.readers(FRAME.assign(truth=np.where(FRAME.truth == 1, "cancer", "none")), pos_label="cancer"),
    ),
    Mistake(
        "case numbers begin anew at each site",
        lambda: th.readers(SITES),
        "Each case must have one truth",
        "case '1' is positive in",
        "if case numbers begin anew for each reader, modality or site, join these to the number",
        lambda: th.readers(SITES.assign(case=SITES.site + SITES.case.astype(str))),
    ),
    Mistake(
        "no column of modalities named",
        lambda: th.readers(FRAME, modality=None),
        "Each reader must rate a case once in a modality",
        "reader 'reader 1' has several ratings of case '1'",
        "name the column that tells them apart as the modality",
        lambda: th.readers(FRAME, modality="modality"),
    ),
    Mistake(
        "one random reader",
        lambda: th.readers(SINGLE).measure(),
        "Random readers must be at least 2 in each modality",
        "'assisted' has 1",
        "readers='fixed' draws conclusions about these readers",
        lambda: th.readers(SINGLE).measure(readers="fixed"),
    ),
    Mistake(
        "nothing random",
        lambda: STUDY.measure(readers="fixed", cases="fixed"),
        "`readers` or `cases` must be 'random'",
        "'fixed' for both",
        "then nothing varies",
        lambda: STUDY.measure(readers="fixed"),
    ),
    Mistake(
        "unbiased covariance of average precision",
        lambda: STUDY.measure("average_precision", covariance="unbiased"),
        "`covariance` must not be 'unbiased'",
        "'average_precision'",
        "leave it out",
        lambda: STUDY.measure("average_precision"),
    ),
    Mistake(
        "influence of a distance",
        lambda: STUDY.measure("kolmogorov_smirnov", covariance="influence"),
        "`covariance` must not be 'influence'",
        "'kolmogorov_smirnov'",
        "pass 'bootstrap'",
        lambda: STUDY.measure("recall_at_fpr", fpr=0.3, covariance="bootstrap", n_resamples=50),
    ),
    Mistake(
        "non-inferiority of nobody",
        lambda: FOUND.noninferiority("ai", margin=0.05),
        "`new` must be a modality",
        "'ai'",
        "they are 'assisted', 'unassisted'",
        lambda: FOUND.noninferiority("assisted", margin=0.05),
    ),
]
