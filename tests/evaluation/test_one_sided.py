"""Words on differences that all point one way, by their signs."""

import itertools

import pytest

from streameval.evaluation.one_sided import one_sided_predicate, one_sided_reason
from streameval.significance.stream_mean import Signs

#: Signs, the predicate about another learner, and the clause before the reason.
WORDS = {
    Signs(0, 0, 1200): (
        "is better than B in all 1,200 instances",
        "the first is better in all 1,200 instances: ",
    ),
    Signs(0, 1197, 3): (
        "is better than B in 3 of 1,200 instances and worse in none",
        "the first is better in 3 of 1,200 instances and worse in none: ",
    ),
    Signs(0, 1200, 0): (
        "is as good as B in each of 1,200 instances",
        "neither is better in any of 1,200 instances: ",
    ),
    Signs(1, 1198, 1): ("", ""),
    None: ("", ""),
}


@pytest.mark.parametrize(("signs", "words"), WORDS.items())
def test_words_follow_from_signs(signs, words):
    predicate, clause = words
    assert one_sided_predicate(signs, "B") == predicate
    several = one_sided_predicate(signs, "B", plural=True)
    assert several == predicate.replace("is ", "are ", 1)
    assert one_sided_reason(signs, "why: so") == f"{clause}why: so"


@pytest.mark.parametrize("counts", [*itertools.product((0, 1, 5), repeat=3)])
def test_exchanged_learners_exchange_better_and_worse(counts):
    signs = Signs(*counts)
    swap = {"better": "worse", "worse": "better"}
    words = one_sided_predicate(signs, "B").split(" ")
    assert one_sided_predicate(signs.with_learners_exchanged, "B").split(" ") == [
        swap.get(word, word) for word in words
    ]
    assert signs.with_learners_exchanged.with_learners_exchanged == signs


def test_the_name_of_a_learner_can_hold_any_words():
    other = "in all 3 instances: worse than B"
    assert one_sided_predicate(Signs(0, 2, 1), other) == (
        f"is better than {other} in 1 of 3 instances and worse in none"
    )
