"""ORTO, slow and literal: trees with option nodes, and recursion."""

from __future__ import annotations

import math

from naive.regression import FimtDD, Leaf, Split


class Option(Split):
    """A node whose children are all passed."""


class Orto(FimtDD):
    def __init__(
        self,
        kinds: list[int],
        seed: int = 1,
        max_trees: int = 10,
        max_level: int = 10,
        option_decay: float = 0.9,
        **options,
    ) -> None:
        super().__init__(kinds, seed, **options)
        self.max_trees, self.max_level, self.option_decay = max_trees, max_level, option_decay
        self.n_trees = 1

    def value(self, node: Leaf | Split, x: list[float]) -> float:
        waiting, total = [(node, 1.0)], 0.0
        while waiting:
            node, weight = waiting.pop()
            while isinstance(node, Split) and not isinstance(node, Option):
                node = node.child(x)
            if isinstance(node, Leaf):
                total += weight * super().value(node, x)
            elif self.corrected:
                waiting += [(child, weight / len(node.children)) for child in node.children]
        return total

    def learn(self, x: list[float], y: float, w: float) -> None:
        if w <= 0:
            return
        if self.root is None:
            self.root = Leaf(None, None)
        self.add_to_sums(x, y, w)
        prediction = self.value(self.root, x)
        error = abs(self.standardised(y) - self.standardised(prediction))
        if isinstance(self.root, Option) and not self.corrected:
            self.pass_options(self.root, x, y, w, prediction, error, True, False)
        else:
            self.process(self.root, x, y, w, prediction, error, True, False)

    def process(self, node, x, y, w, prediction, error, grow: bool, in_alternate: bool) -> None:
        while isinstance(node, Split):
            node.n += w
            node.errors += w * error
            if not in_alternate and node.alternate is not None:
                reached = self.compare(node, x, y, w, prediction, grow)
                if reached is not node:
                    is_split = isinstance(reached, Split) and not isinstance(reached, Option)
                    node = reached.child(x) if is_split else reached
                    continue
                if node.alternate is not None:
                    grow = False
                    self.process(node.alternate, x, y, w, prediction, error, True, True)
            if node.watched and not in_alternate:
                self.watch(node, error - node.errors / node.n - self.tolerance)
            if isinstance(node, Option):
                self.pass_options(node, x, y, w, prediction, error, grow, in_alternate)
                return
            node = node.child(x)
        self.learn_in_leaf(node, x, y, w, grow)

    def pass_options(
        self, node, x, y, w, prediction, error, grow: bool, in_alternate: bool
    ) -> None:
        if not self.corrected and node.watched:
            off = abs(prediction - y)
            node.errors += off
            mean = node.errors / node.n if node.n else math.inf
            self.watch(node, off - mean + self.tolerance)
        may_grow = grow and node.alternate is None
        for child in list(node.children):
            self.process(child, x, y, w, self.value(child, x), error, may_grow, in_alternate)

    def watch(self, node: Split, rise: float) -> None:
        node.rise += rise
        node.least = min(node.least, node.rise)
        if node.rise - node.least > self.threshold:
            node.alternate = Leaf(None, node)
            node.since = node.compared = node.loss = node.loss_of_alternate = 0.0
            node.switch(False)

    def replace(self, node: Split, other: Leaf | Split, grow: bool) -> None:
        super().replace(node, other, grow)
        other.original = None

    def level(self, node) -> int:
        level = 0
        while True:
            above = node.parent
            if above is None:
                above = getattr(node, "original", None)
                if above is None:
                    return level
            elif not isinstance(node, Option):
                level += 1
            node = above

    def trees(self) -> int:
        """How many trees there are, those in alternate trees included."""
        if not self.corrected:
            return self.n_trees

        def options(node) -> int:
            if not isinstance(node, Split):
                return 0
            count = len(node.children) - 1 if isinstance(node, Option) else 0
            return count + sum(map(options, [*node.children, node.alternate]))

        return 1 + options(self.root)

    def attempt(self, leaf: Leaf) -> None:
        candidates = [
            (*leaf.search_trees[j].best(leaf.sums, self.corrected), j)
            for j in sorted(leaf.search_trees)
        ]
        candidates.sort(key=lambda proposal: proposal[0])
        if not candidates:
            return
        best = candidates[-1][0]
        if self.corrected and best <= 1e-12 * leaf.sums[2] / leaf.sums[0]:
            return
        accepted = [candidates[-1]]
        if len(candidates) > 1:
            bound = math.sqrt(self.confidence / (2 * leaf.sums[0]))

            def relative(merit: float) -> float:
                # 0 / 0 compares with nothing
                return merit / best if best else math.nan if not merit else -math.inf

            if not relative(candidates[-2][0]) < 1 - bound:
                if self.trees() < self.max_trees and self.level(leaf) <= self.max_level:
                    accepted = [each for each in candidates if relative(each[0]) >= 1 - bound]
                elif bound < self.tie_threshold:
                    accepted = [candidates[-1] if self.corrected else candidates[0]]
                else:
                    return
        if not accepted:
            return
        if self.corrected:
            accepted.reverse()
        limit = len(accepted) * self.option_decay ** self.level(leaf)
        if len(accepted) == 1 or limit < 2 or self.max_trees - self.trees() <= 1:
            self.put(leaf, self.new_split(leaf, accepted[0]))
        else:
            self.make_options(leaf, accepted, limit)

    def new_split(self, leaf: Leaf, proposal) -> Split:
        _, cut, attribute = proposal
        split = Split(leaf, attribute, cut)
        for _ in range(2):
            child = Leaf(split, None)
            if self.corrected:
                child.watched = leaf.watched
                child.weights = None if leaf.weights is None else list(leaf.weights)
            split.children.append(child)
        if not self.corrected:
            self.forget(split)
        return split

    def forget(self, split: Split) -> None:
        split.n = split.errors = 0.0
        split.watched = True

    def make_options(self, leaf: Leaf, accepted, limit: float) -> None:
        option = Option(leaf, -1, math.nan)
        if not self.corrected:
            self.forget(option)
        trees = self.trees()
        for i, proposal in enumerate(accepted):
            if i > limit or self.max_trees - trees <= 0:
                break
            child = self.new_split(leaf, proposal)
            child.parent = option
            option.children.append(child)
            self.n_trees += 1
            trees += not self.corrected or i > 0
        self.put(leaf, option)

    def put(self, leaf: Leaf, node: Split) -> None:
        """Put a node at the place of a leaf."""
        if leaf.parent is not None:
            leaf.parent.children[leaf.parent.children.index(leaf)] = node
            node.parent = leaf.parent
        elif self.corrected and leaf.original is not None:
            leaf.original.alternate = node
            node.original = leaf.original
        else:
            self.root = node
