"""Slow, literal twins of the generators whose concepts move, and of their relatives."""

from __future__ import annotations

import math

from naive.generators import JavaRandom, Rows


class Clouds:
    """The centres and their drift, drawn by two generators with one seed."""

    def __init__(self, options: dict[str, float]) -> None:
        centroids, m = int(options["centroids"]), int(options["attributes"])
        random = JavaRandom(int(options["model_seed"]))
        self.centroids = []
        for _ in range(centroids):
            centre = [random.next_double() for _ in range(m)]
            label = random.next_int(int(options["classes"]))
            deviation, weight = random.next_double(), random.next_double()
            self.centroids.append((centre, label, deviation, weight))
        random = JavaRandom(int(options["model_seed"]))
        self.directions = []
        for _ in range(int(options.get("drifting", 0))):
            direction = [random.next_double() for _ in range(m)]
            square = 0.0
            for value in direction:
                square += value * value
            self.directions.append([value / math.sqrt(square) for value in direction])

    def move(self, speed: float) -> None:
        for (centre, *_), direction in zip(self.centroids, self.directions, strict=False):
            for j in range(len(centre)):
                centre[j] += direction[j] * speed
                if centre[j] > 1:
                    centre[j], direction[j] = 1.0, -direction[j]
                elif centre[j] < 0:
                    centre[j], direction[j] = 0.0, -direction[j]

    def draw(self, random: JavaRandom) -> tuple[list[float], int]:
        total = 0.0
        for *_, weight in self.centroids:
            total += weight
        place = random.next_double() * total
        index, passed = 0, 0.0
        while passed <= place and index < len(self.centroids):
            passed += self.centroids[index][3]
            index += 1
        centre, label, deviation, _ = self.centroids[index - 1]
        direction = [random.next_double() * 2 - 1 for _ in centre]
        square = 0.0
        for value in direction:
            square += value * value
        scale = random.next_gaussian() * deviation / math.sqrt(square)
        return [c + d * scale for c, d in zip(centre, direction, strict=True)], label


def random_rbf(n: int, options: dict[str, float]) -> Rows:
    """The clouds, which move if there is a speed."""
    clouds, random = Clouds(options), JavaRandom(int(options["seed"]))
    X, y = [], []
    for _ in range(n):
        clouds.move(options.get("speed", 0.0))
        row, label = clouds.draw(random)
        X.append(row)
        y.append(label)
    return X, y


def fresh_rbf(times: list[int], fresh_seed: int, options: dict[str, float]) -> Rows:
    """New instances of the clouds; for each time the clouds are moved there from the start."""
    random = JavaRandom(fresh_seed)
    X, y = [], []
    for time in times:
        clouds = Clouds(options)
        for _ in range(time + 1):
            clouds.move(options["speed"])
        row, label = clouds.draw(random)
        X.append(row)
        y.append(label)
    return X, y


class Hyperplane:
    """The weights, and how they turn."""

    def __init__(self, options: dict[str, float]) -> None:
        self.options = options
        self.random = JavaRandom(int(options["seed"]))
        self.weights = [self.random.next_double() for _ in range(int(options["attributes"]))]
        self.signs = [1] * int(options["drifting"])

    def label(self, row: list[float]) -> int:
        score = total = 0.0
        for weight, value in zip(self.weights, row, strict=True):
            score += weight * value
            total += weight
        return 1 if score >= total * 0.5 else 0

    def draw(self, random: JavaRandom) -> tuple[list[float], int]:
        row = [random.next_double() for _ in self.weights]
        label = self.label(row)
        if 1 + random.next_int(100) <= self.options["noise"]:
            label = {0: 1, 1: 0}[label]
        return row, label

    def turn(self) -> None:
        for j, sign in enumerate(self.signs):
            self.weights[j] += sign * self.options["magnitude"]
            if 1 + self.random.next_int(100) <= self.options["reversal"]:
                self.signs[j] = -sign

    def next(self) -> tuple[list[float], int]:
        row, label = self.draw(self.random)
        self.turn()
        return row, label


def hyperplane(n: int, options: dict[str, float]) -> Rows:
    plane = Hyperplane(options)
    rows = [plane.next() for _ in range(n)]
    return [row for row, _ in rows], [label for _, label in rows]


def hyperplane_at(time: int, options: dict[str, float]) -> Hyperplane:
    """The hyperplane that an instance of this row is judged by."""
    plane = Hyperplane(options)
    for _ in range(time):
        plane.next()
    return plane


def fresh_hyperplane(times: list[int], fresh_seed: int, options: dict[str, float]) -> Rows:
    random = JavaRandom(fresh_seed)
    rows = [hyperplane_at(time, options).draw(random) for time in times]
    return [row for row, _ in rows], [label for _, label in rows]


#: Upper segment, then upper left, upper right, middle, lower left, lower right, lower.
DISPLAY = {
    0: "_|| ||_", 1: "  |  | ", 2: "_ |_| _", 3: "_ |_ |_", 4: " ||_ | ",
    5: "_| _ |_", 6: "_| _||_", 7: "_ |  | ", 8: "_||_||_", 9: "_||_ |_",
}  # fmt: skip


def led(n: int, seed: int, noise: int, irrelevant: int = 17, drifting: int = 0) -> Rows:
    random = JavaRandom(seed)
    X, y = [], []
    for _ in range(n):
        digit = random.next_int(10)
        row = []
        for segment in DISPLAY[digit]:
            lit = segment != " "
            if 1 + random.next_int(100) <= noise:
                lit = not lit
            row.append(float(lit))
        row += [float(random.next_int(2)) for _ in range(irrelevant)]
        for j in range(drifting):
            row[j], row[7 + j] = row[7 + j], row[j]
        X.append(row)
        y.append(digit)
    return X, y


def is_group_a(function: int, person: dict[str, float]) -> bool:
    """The ten functions, written out."""
    salary, age, elevel, loan = (person[k] for k in ("salary", "age", "elevel", "loan"))
    money = salary + person["commission"]
    thousand = 1000
    if function == 1:
        return age < 40 or age >= 60
    if function in (2, 6):
        income = salary if function == 2 else money
        if age < 40:
            return 50 * thousand <= income <= 100 * thousand
        if age < 60:
            return 75 * thousand <= income <= 125 * thousand
        return 25 * thousand <= income <= 75 * thousand
    if function == 3:
        return elevel in ((0, 1) if age < 40 else (1, 2, 3) if age < 60 else (2, 3, 4))
    if function == 4:
        if age < 40:
            low, high = (25, 75) if elevel in (0, 1) else (50, 100)
        elif age < 60:
            low, high = (50, 100) if elevel in (1, 2, 3) else (75, 125)
        else:
            low, high = (50, 100) if elevel in (2, 3, 4) else (25, 75)
        return low * thousand <= salary <= high * thousand
    if function == 5:
        if age < 40:
            low, high = (100, 300) if 50_000 <= salary <= 100_000 else (200, 400)
        elif age < 60:
            low, high = (200, 400) if 75_000 <= salary <= 125_000 else (300, 500)
        else:
            low, high = (300, 500) if 25_000 <= salary <= 75_000 else (100, 300)
        return low * thousand <= loan <= high * thousand
    if function == 7:
        return 2 * money / 3 - loan / 5 - 20_000 > 0
    if function == 8:
        return 2 * money / 3 - 5_000 * elevel - 20_000 > 0
    if function == 9:
        return 2 * money / 3 - 5_000 * elevel - loan / 5 - 10_000 > 0
    years = person["hyears"]
    equity = person["hvalue"] * (years - 20) / 10 if years >= 20 else 0.0
    return 2 * money / 3 - 5_000 * elevel + equity / 5 - 10_000 > 0


def agrawal(n: int, function: int, seed: int, perturbation: float, balance: bool) -> Rows:
    random = JavaRandom(seed)

    def person() -> dict[str, float]:
        p: dict[str, float] = {"salary": 20_000 + 130_000 * random.next_double()}
        p["commission"] = 0.0 if p["salary"] >= 75_000 else 10_000 + 65_000 * random.next_double()
        p["age"] = 20 + random.next_int(61)
        p["elevel"], p["car"], p["zipcode"] = (random.next_int(k) for k in (5, 20, 9))
        p["hvalue"] = (9 - p["zipcode"]) * 100_000 * (0.5 + random.next_double())
        p["hyears"] = 1 + random.next_int(30)
        p["loan"] = random.next_double() * 500_000
        return p

    def perturbed(value: float, low: float, high: float, spread: float) -> float:
        value += spread * (2 * (random.next_double() - 0.5)) * perturbation
        return low if value < low else high if value > high else value

    X, y = [], []
    next_is_zero = False
    for _ in range(n):
        while True:
            p = person()
            label = 0 if is_group_a(function, p) else 1
            if not balance:
                break
            if (label == 0) == next_is_zero:
                next_is_zero = not next_is_zero
                break
        if perturbation > 0:
            p["salary"] = perturbed(p["salary"], 20_000, 150_000, 130_000)
            if p["commission"] > 0:
                p["commission"] = perturbed(p["commission"], 10_000, 75_000, 65_000)
            p["age"] = math.floor(perturbed(p["age"], 20, 80, 60) + 0.5)
            spread = (9 - p["zipcode"]) * 100_000
            p["hvalue"] = perturbed(p["hvalue"], 0, 135_000, spread)
            p["hyears"] = math.floor(perturbed(p["hyears"], 1, 30, 29) + 0.5)
            p["loan"] = perturbed(p["loan"], 0, 500_000, 500_000)
        X.append(list(p.values()))
        y.append(label)
    return X, y


def probability_of_new(time: int, position: int, width: int) -> float:
    """Of the instance of this number, counted from one."""
    if width == 0:
        return 1.0 if time >= position else 0.0
    exponent = -4.0 * (time - position) / width
    return 1 / (1 + math.exp(exponent)) if exponent < 709 else 0.0


def concept_drift(n: int, before: Rows, after: Rows, position: int, width: int, seed: int) -> Rows:
    """Either stream is an iterator, and only that which is chosen goes on."""
    old, new = (zip(*rows, strict=True) for rows in (before, after))
    random = JavaRandom(seed)
    X, y = [], []
    for time in range(1, n + 1):
        is_new = random.next_double() <= probability_of_new(time, position, width)
        row, label = next(new if is_new else old)
        X.append(row)
        y.append(label)
    return X, y


def planes(n: int, seed: int, noise: float) -> Rows:
    """Two planes, one for each value of the first input."""
    random = JavaRandom(seed)
    X, y = [], []
    for _ in range(n):
        x = [(-1, 1)[random.next_int(2)], *((-1, 0, 1)[random.next_int(3)] for _ in range(9))]
        planes = {1: 3 * x[1] + 2 * x[2] + x[3] + 3, -1: 3 * x[4] + 2 * x[5] + x[6] - 3}
        X.append([float(value) for value in x])
        y.append(planes[x[0]] + noise * random.next_gaussian())
    return X, y
