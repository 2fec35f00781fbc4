# SPDX-License-Identifier: Apache-2.0
"""The rules of the house. Each takes the tree (path -> text) and yields one message per violation."""
from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

from sources import CPP, cpp_files, line_of

Tree = dict[str, str]

# What each folder may include. Arrows go down the floors only; `input` is known to `app` alone; `kernels` gets plain
# views and never sees the state; folders of one floor do not see each other.
ARROWS = {
    "base": set(),
    "potentials": {"base"},
    "state": {"base"},
    "input": {"base"},
    "kernels": {"base", "potentials"},
    "dynamics": {"base", "state"},
    "domain": {"base", "state"},
    "output": {"base", "state"},
    "neighbor": {"base", "state", "kernels", "domain"},
    "forces": {"base", "state", "potentials", "kernels", "domain", "neighbor"},
    "observables": {"base", "state", "potentials", "kernels", "neighbor"},
    "moves": {"base", "state", "potentials", "kernels", "neighbor", "forces"},
    "drivers": {"base", "state", "potentials", "dynamics", "domain", "output", "neighbor", "forces", "observables",
                "moves"},
    "app": {"base", "state", "potentials", "dynamics", "domain", "output", "neighbor", "forces", "observables", "moves",
            "drivers", "input", "kernels"},
}

# Preprocessor conditions live in base; these files have one more, each for its reason.
CONDITIONAL = {
    r"kernels/simd/.*": "Highway compiles a unit once per instruction set by including it again",
    r"kernels/cuda/.*": "device code",
    r"kernels/portable/pair_kernel\.hpp": "rows are a launch on the device and a loop on the host",
    r"src/app/main\.cpp": "hands over to lockstep-cuda",
    r"src/app/build_info\.cpp": "names the compiler and the processor",
}

INEXACT = ("exp exp2 expm1 log log2 log10 log1p pow sin cos tan sincos asin acos atan atan2 sinh cosh tanh asinh acosh "
           "atanh erf erfc cbrt tgamma lgamma hypot rsqrt j0 j1 jn y0 y1 yn").split()
# Files that may name these functions: Lockstep's own exp, log, sin ... are defined and used there.
OWN_MATH = re.compile(r"src/base/math[\w/]*\.(hpp|cpp)")

FORBIDDEN = {
    r"std::\w+_distribution\b|std::mt19937|std::random_device|\bs?rand\s*\(": "draws come from base/philox.hpp",
    r"\blong\s+double\b": "long double has another width on other machines",
    r"std::(accumulate|reduce|transform_reduce|inner_product)\b":
        "sums over particles are integers or exact_sum; write the loop for anything else",
    r"std::(execution|async)\b": "threads come from Kokkos",
    r"std::atomic(_ref)?<\s*(float|double)|\batomic_(fetch_)?(add|sub)\s*(<\s*(float|double))":
        "floating-point atomics depend on order; add fixed-point integers",
    r"MPI_I?([Aa]ll)?([Rr]educe\w*|[Ss]can|[Ee]xscan)\s*\([^;]*MPI_(DOUBLE|FLOAT)\b[^;]*MPI_(SUM|PROD)":
        "floating-point reductions depend on the layout; use exact_sum",
    r"reduction\s*\(\s*[+*]": "an OpenMP reduction depends on the number of threads",
    r"parallel_(reduce|scan)\s*\((?:(?!Kokkos::M(?:ax|in))[^;])*?\b(double|float)\s*&\s*\w+\s*\)\s*(const)?\s*\{":
        "a floating-point reduction depends on the number of threads; reduce integers, or use Kokkos::Max or Min",
    r"\bNearestInt\s*\(": "differs between instruction sets; use round_i32 of base",
}


def arrows(tree: Tree) -> Iterator[str]:
    """An include from one folder to another must be in the table."""
    for path, text in cpp_files(tree, "src/", "kernels/").items():
        folder = "kernels" if path.startswith("kernels/") else path.split("/")[1]
        for include in re.finditer(r'^\s*#\s*include\s*"([^"]+)"', text, re.MULTILINE):
            target = include[1].split("/")[0]
            place = f"{path}:{line_of(text, include.start())}"
            if "../" in include[1]:
                yield f'{place}: includes "{include[1]}"; write the path from src/'
            elif target in ARROWS and target != folder and target not in ARROWS[folder]:
                yield f"{place}: {folder} includes {target}; it may include {sorted(ARROWS[folder]) or 'nothing'}"
            elif target != folder and "/detail/" in include[1]:
                yield f'{place}: "{include[1]}" is private to {target}'


def links(tree: Tree) -> Iterator[str]:
    """What a folder links in its CMakeLists.txt must be in the same table."""
    for path, text in tree.items():
        match = re.fullmatch(r"(?:src/(\w+)|(kernels)(?:/\w+)?)/CMakeLists\.txt", path)
        if not match or (match[1] or match[2]) not in ARROWS:
            continue
        folder = match[1] or match[2]
        for clause in re.findall(r"\bLINKS\b([^)A-Z]*)", text):
            for name in sorted(set(re.findall(r"\w+", clause)) & set(ARROWS) - ARROWS[folder] - {folder}):
                yield f"{path}: {folder} links {name}; it may link {sorted(ARROWS[folder]) or 'nothing'}"


def library_math(tree: Tree) -> Iterator[str]:
    """Contract rule 10: no libm function whose last digit depends on the library or the processor."""
    names = "|".join(INEXACT)
    qualified = re.compile(rf"(?:std|Kokkos)\s*::\s*({names})[fl]?\s*\(|(?<![\w.:>])(?:::\s*)?({names})[fl]?\s*\((?!\s*\))")
    definition = re.compile(rf"\b(?:T|auto|double|float|Pack<\w+>|void)\s+({names})\s*\(")
    for path, text in cpp_files(tree, "src/", "kernels/").items():
        if OWN_MATH.fullmatch(path):
            text = re.sub(rf"(?<!std::)(?<!Kokkos::)\b({names})\s*\(", "own(", text)
        own = {m.start(1) for m in definition.finditer(text)}
        for call in qualified.finditer(text):
            if call.start(2) not in own:
                yield f"{path}:{line_of(text, call.start())}: {call[1] or call[2]}() of the library; use base/math.hpp"


def forbidden(tree: Tree) -> Iterator[str]:
    """Constructs whose result depends on the layout, the machine or the library."""
    for path, text in cpp_files(tree, "src/", "kernels/").items():
        for pattern, reason in FORBIDDEN.items():
            for hit in re.finditer(pattern, text):
                yield f"{path}:{line_of(text, hit.start())}: {hit.group()[:60]!r}: {reason}"


def fast_math(tree: Tree) -> Iterator[str]:
    """No flag that lets the compiler change arithmetic, in any build file or source."""
    flags = re.compile(r"-ffast-math|-Ofast|-funsafe-math|-fassociative-math|-freciprocal-math|-ffinite-math|"
                       r"use_fast_math|-mrecip|fmad=true|ffp-contract=(fast|on)|GCC\s+optimize")
    build_files = {p: t for p, t in tree.items() if p.endswith((".cmake", ".json", "CMakeLists.txt"))}
    for path, text in (build_files | cpp_files(tree, "src/", "kernels/")).items():
        for hit in flags.finditer(text):
            yield f"{path}:{line_of(text, hit.start())}: {hit.group()} changes results"


def head(tree: Tree) -> Iterator[str]:
    """The licence line, then a sentence that says what the file is for."""
    for path, text in tree.items():
        name = path.split("/")[-1]
        script = text.startswith("#!")
        if not (script or name.endswith(CPP + ("CMakeLists.txt", ".cmake", ".py", ".sh", ".def", ".ini", ".yml"))):
            continue
        lines = text.split("\n")[1 if script else 0 :][:8]
        if not any("SPDX-License-Identifier: Apache-2.0" in line for line in lines[:3]):
            yield f"{path}: no 'SPDX-License-Identifier: Apache-2.0' in the first lines"
        elif name.endswith(CPP) and not path.startswith("tests/") and not re.match(r"//+ \w.*", lines[1] if len(lines) > 1 else ""):
            yield f"{path}:2: no sentence that says what the file is for"


def sizes(tree: Tree) -> Iterator[str]:
    """Files of at most 400 lines, C++ of 110 columns, functions of at most 60 lines."""
    for path, text in tree.items():
        if not path.endswith(CPP + (".cmake", "CMakeLists.txt", ".py")) and not text.startswith("#!"):
            continue
        lines, width = text.split("\n"), 110 if path.endswith(CPP) else 140
        if len(lines) > 401:
            yield f"{path}: {len(lines) - 1} lines; at most 400, one idea per file"
        for number, line in enumerate(lines, 1):
            limit = 120 if line.lstrip().startswith("//") else width
            if len(line) > limit and "http" not in line:
                yield f"{path}:{number}: {len(line)} columns; at most {limit}"
    for path, text in cpp_files(tree, "src/", "kernels/").items():
        start = None
        for number, line in enumerate(text.split("\n"), 1):
            opens = re.match(r"( {2}){0,2}[\w:].*\).*\{$", line)
            if opens and not re.match(r"\s*(namespace|for|if|while|switch)\b", line):
                start, indent = number, len(line) - len(line.lstrip())
            elif start and re.match(rf" {{{indent}}}\}}", line):
                if number - start > 60:
                    yield f"{path}:{start}: a function of {number - start} lines; at most 60"
                start = None


def conditionals(tree: Tree) -> Iterator[str]:
    """Preprocessor conditions only in base and where the table says why."""
    for path, text in cpp_files(tree, "src/", "kernels/").items():
        if path.startswith("src/base/") or any(re.fullmatch(p, path) for p in CONDITIONAL):
            continue
        for hit in re.finditer(r"^\s*#\s*(if|ifdef|ifndef)\b.*", text, re.MULTILINE):
            yield f"{path}:{line_of(text, hit.start())}: {hit.group().strip()} outside base"


def registry(tree: Tree) -> Iterator[str]:
    """A line NAME(key, Type) of a .def file has its header key.hpp beside it, which declares Type."""
    for path, text in tree.items():
        if not path.endswith(".def"):
            continue
        for key, kind in re.findall(r"^[A-Z_]+\((\w+),\s*(\w+)", text, re.MULTILINE):
            header = f"{path.rsplit('/', 1)[0]}/{key}.hpp"
            if header not in tree:
                yield f"{path}: {key} has no {header}"
            elif not re.search(rf"\b(struct|class)\s+{kind}\b", tree[header]):
                yield f"{path}: {header} declares no {kind}"


def words(tree: Tree) -> Iterator[str]:
    """The glossary: a particle is a particle; work that is left has the number of its issue."""
    for path, text in cpp_files(tree, "src/", "kernels/").items():
        if path.startswith(("src/input/lammps", "src/app/structure.")):  # speak of a format that has atoms
            continue
        for hit in re.finditer(r"\b(n_|num_)?(atoms?|beads?)\b|\bAtoms?\b", text):
            yield f"{path}:{line_of(text, hit.start())}: {hit.group()}: say particle"
    for path, text in tree.items():
        if path.endswith(CPP):
            for hit in re.finditer(r"\b(TODO|FIXME|XXX)\b(?!\(#\d+\))", text):
                yield f"{path}:{line_of(text, hit.start())}: {hit.group()} without an issue number"


def mentions(tree: Tree) -> Iterator[str]:
    """A file or folder of this repository that a page names is there."""
    folders = {path.rsplit("/", depth)[0] for path in tree for depth in range(1, path.count("/") + 1)}
    for path, text in tree.items():
        if not path.endswith(".md"):
            continue
        names = re.finditer(r"`((?:src|kernels|tests|docs|tools|cmake|inputs|\.ci)/[a-z0-9_./-]*[a-z0-9_])`", text)
        for hit in names:
            if hit[1] not in tree and hit[1] not in folders and not re.search(r"/out\d*(/|$)", hit[1]):
                yield f"{path}:{line_of(text, hit.start())}: there is no {hit[1]}"
        for hit in re.finditer(r"\]\(([^)#:]+)(?:#[^)]*)?\)", text):
            target = posixpath.normpath(posixpath.join(posixpath.dirname(path), hit[1]))
            if target not in tree and target not in folders:
                yield f"{path}:{line_of(text, hit.start())}: the link {hit[1]} leads nowhere"


RULES = {rule.__name__: rule for rule in (arrows, links, library_math, forbidden, fast_math, head, sizes, conditionals,
                                          registry, words, mentions)}
