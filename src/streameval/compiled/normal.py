"""The standard normal distribution function, bit for bit as in MOA.

MOA and SciPy use Moshier's Cephes library; MOA calls Java's exponential function in it. A formula
with `math.erf` differs in the last bits, which decide ties between splits and so change trees.
"""

from __future__ import annotations

from streameval.compiled.java_exp import java_exp
from streameval.compiled.kernels import subkernel

# Coefficients of rational approximations, the highest power first.
# Source: Moshier, Methods and Programs for Mathematical Functions (1989), ndtr.
# erfc on [1, 8) is exp(-x²) P(x)/Q(x):
_P = (
    2.46196981473530512524e-10,
    5.64189564831068821977e-1,
    7.46321056442269912687e0,
    4.86371970985681366614e1,
    1.96520832956077098242e2,
    5.26445194995477358631e2,
    9.34528527171957607540e2,
    1.02755188689515710272e3,
    5.57535335369399327526e2,
)
_Q = (
    1.0,
    1.32281951154744992508e1,
    8.67072140885989742329e1,
    3.54937778887819891062e2,
    9.75708501743205489753e2,
    1.82390916687909736289e3,
    2.24633760818710981792e3,
    1.65666309194161350182e3,
    5.57535340817727675546e2,
)
# erfc on [8, inf) is exp(-x²) R(x)/S(x):
_R = (
    5.64189583547755073984e-1,
    1.27536670759978104416e0,
    5.01905042251180477414e0,
    6.16021097993053585195e0,
    7.40974269950448939160e0,
    2.97886665372100240670e0,
)
_S = (
    1.0,
    2.26052863220117276590e0,
    9.39603524938001434673e0,
    1.20489539808096656605e1,
    1.70814450747565897222e1,
    9.60896809063285878198e0,
    3.36907645100081516050e0,
)
# erf on [0, 1] is x T(x²)/U(x²):
_T = (
    9.60497373987051638749e0,
    9.00260197203842689217e1,
    2.23200534594684319226e3,
    7.00332514112805075473e3,
    5.55923013010394962768e4,
)
_U = (
    1.0,
    3.35617141647503099647e1,
    5.21357949780152679795e2,
    4.59432382970980127987e3,
    2.26290000613890934246e4,
    4.92673942608635921086e4,
)
#: sqrt(1/2).
_ROOT_OF_HALF = 7.07106781186547524401e-1
#: Logarithm of the largest float64.
_LARGEST_EXPONENT = 7.09782712893383996843e2


@subkernel
def normal_cdf(a: float) -> float:
    """Probability that a standard normal variable is at most `a`."""
    if a != a:  # NaN
        return a
    x = a * _ROOT_OF_HALF
    z = abs(x)
    if z < _ROOT_OF_HALF:
        return 0.5 + 0.5 * _erf(x)
    tail = 0.5 * _erfc(z)
    return 1.0 - tail if x > 0 else tail


@subkernel
def _erf(x: float) -> float:
    """Error function on [-1, 1]."""
    z = x * x
    return x * _polynomial(z, _T) / _polynomial(z, _U)


@subkernel
def _erfc(x: float) -> float:
    """Complementary error function at x >= 0."""
    if x < 1.0:
        return 1.0 - _erf(x)
    if -x * x < -_LARGEST_EXPONENT:
        return 0.0
    scale = java_exp(-x * x)
    if x < 8.0:
        return scale * _polynomial(x, _P) / _polynomial(x, _Q)
    return scale * _polynomial(x, _R) / _polynomial(x, _S)


@subkernel
def _polynomial(x: float, coefficients: tuple[float, ...]) -> float:
    """Polynomial with these coefficients, the highest power first."""
    value = 0.0
    for coefficient in coefficients:
        value = value * x + coefficient
    return value
