"""The publications of a page: those that its text cites, and every one that a method rests on."""

from __future__ import annotations

from thresher._report.methods_text import _REFERENCES, METHOD_SOURCES, references_of
from thresher.measures import PrAuc, RocAuc


def test_only_what_is_cited_in_order():
    found = references_of(["Pairs (DeLong et al. 1988).", "Areas (Bamber 1975) and more (DeLong et al. 1988)."])
    assert [reference.key for reference in found] == ["Bamber 1975", "DeLong et al. 1988"]
    assert found[1].url == "https://doi.org/10.2307/2531595"
    assert references_of(["Nothing."]) == []


def test_every_source_of_a_method_can_be_listed():
    assert {key for key in METHOD_SOURCES.values() if key not in _REFERENCES} == set()


def test_every_source_belongs_to_a_method_that_there_is():
    methods = {*RocAuc.intervals, *PrAuc.intervals}
    assert {name for name in METHOD_SOURCES if name.removesuffix("-t") not in methods} == set()


def test_a_key_is_the_name_and_the_year_of_its_publication():
    references = references_of(list(_REFERENCES))
    assert len(references) == len(_REFERENCES)
    for reference in references:
        name, _, year = reference.key.rpartition(" ")
        assert f"({year})" in reference.text
        assert name.split()[0] in reference.text
        assert "https" not in reference.text
        assert reference.url is None or reference.url.startswith("https://doi.org/10.")
