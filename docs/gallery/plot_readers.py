"""
A reader study
==============

Six readers rated 120 cases, without and with help. Each thin line is the ROC curve of a reader, each thick one the
mean of a modality, whose area is the mean of the readers' areas. The test allows for the variation of readers and of
cases.
"""

import thresher as th

study = th.readers(th.datasets.load_reader_study().to_frame())
th.plotting.ReadersDisplay.from_readers(study)

# %%
# The difference, for readers and cases like these:

found = study.measure("roc_auc")
print(found)

# %%
# Is help at least no worse, by a margin of 0.02?

print(found.noninferiority("assisted", margin=0.02))
