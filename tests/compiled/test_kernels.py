"""Kernels contain their parts, which are compiled no further than it takes to link them."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys

import numpy as np
import pytest

from streameval.base.settings import ROOT
from streameval.compiled import kernels

pytestmark = pytest.mark.compiled


@kernels.subkernel
def add_one(values):
    for i in range(values.shape[0]):
        values[i] += 1.0


@kernels.inlined
def add_two(values):
    add_one(values)
    add_one(values)


@kernels.kernel
def add_three(values):
    add_two(values)
    add_one(values)


@pytest.fixture(scope="module")
def compiled():
    """The subkernels as compiled for a kernel that is not in the cache."""
    fresh = kernels.njit(nogil=True)(add_three.py_func)
    fresh(np.zeros(3))
    return [next(iter(subkernel.overloads.values())) for subkernel in (add_one, add_two)]


def test_no_kernel_calls_itself():
    """Numba compiles one that does, and crashes when another process reads it from the disk."""
    names = {"kernel", "subkernel", "inlined", "inlined_kernel", "allocating_kernel"}
    compiled_functions, recursive = 0, []
    texts = [path.read_text(encoding="utf-8") for path in (ROOT / "src").rglob("*.py")]
    for text in texts:
        for function in ast.walk(ast.parse(text if "compiled.kernels import" in text else "")):
            if isinstance(function, ast.FunctionDef) and names & {
                getattr(each, "id", "") for each in function.decorator_list
            }:
                compiled_functions += 1
                called = {getattr(each, "id", "") for each in ast.walk(function)}
                recursive += [function.name] * (function.name in called)
    assert compiled_functions > 100
    assert not recursive


def test_subkernels_have_no_machine_code(compiled):
    for result in compiled:
        assert result.library.get_pointer_to_function(result.fndesc.llvm_func_name) == 0


def test_what_an_inlined_function_calls_need_not_be_inlined(compiled):
    each, two = ("alwaysinline" in _head(result) for result in compiled)
    assert two
    assert not each


def _head(compiled):
    """The line that begins a function, and the attributes that it refers to."""
    text, name = compiled.library.get_llvm_str(), compiled.fndesc.llvm_func_name
    head = next(line for line in text.splitlines() if line.startswith("define") and name in line)
    groups = [f"attributes {word}" for word in head.split() if word.startswith("#")]
    return head + "".join(
        line for line in text.splitlines() if any(line.startswith(group) for group in groups)
    )


KEPT = """
import numpy as np
from kept_part import scale
from streameval.compiled.kernels import allocating_kernel, kernel

@kernel
def scaled(x):
    return scale(x)

@allocating_kernel
def counted(n):
    return np.arange(n)
"""
PART = """
from streameval.compiled.kernels import subkernel

@subkernel
def scale(x):
    return {0} * x
"""
LOADED = """
import json
from numba import njit
from numba.core.runtime import rtsys
from kept import counted, scaled

values = [scaled(1.5)]
alone = rtsys._init
values.append(njit(lambda x: scaled(scaled(x)))(1.5))  # links its code
values.append(int(counted(4).sum()))
hits = [sum(one.stats.cache_hits.values()) for one in (scaled, counted)]
print(json.dumps([values, hits, alone]))
"""


def test_a_users_kernel_is_loaded_whole_and_compiled_anew_after_an_edit_of_its_part(tmp_path):
    """It can be linked, and has the memory of arrays if it needs it."""
    (tmp_path / "kept.py").write_text(KEPT, encoding="utf-8")
    paths = os.pathsep.join([str(tmp_path), *sys.path])
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path), "PYTHONPATH": paths}
    # Bytecode is taken for current if size and second of a file are the same after an edit.
    command = [sys.executable, "-B", "-c", LOADED]
    for factor, hits in ((2, [0, 0]), (2, [1, 1]), (3, [0, 0])):
        (tmp_path / "kept_part.py").write_text(PART.format(factor), encoding="utf-8")
        out = subprocess.check_output(command, env=environment, text=True)
        values = [1.5 * factor, 1.5 * factor**2, 6]
        assert json.loads(out) == [values, hits, hits == [0, 0]]
