# SPDX-License-Identifier: Apache-2.0
"""Each rule of the house is shown something broken and must say so, and something sound and must keep quiet."""
from __future__ import annotations

import tempfile
import unittest
from pathlib import Path
from subprocess import run

from rules import RULES
from symbols import check

HEAD = "// SPDX-License-Identifier: Apache-2.0\n// Says what it is for.\n"

# rule, path, broken text, sound text
CASES = [
    ("arrows", "src/base/a.hpp", '#include "state/state.hpp"', '#include "base/b.hpp"'),
    ("arrows", "src/dynamics/a.cpp", '#include "domain/domain.hpp"', '#include "state/state.hpp"'),
    ("arrows", "src/output/a.cpp", '#include "input/reader.hpp"', '#include <input.h>'),
    ("arrows", "kernels/portable/a.hpp", '#include "state/state.hpp"', '#include "potentials/pair_term.hpp"'),
    ("arrows", "src/state/a.cpp", '#include "../base/a.hpp"', '// #include "../base/a.hpp"'),
    ("arrows", "src/forces/a.cpp", '#include "neighbor/detail/grid.hpp"', '#include "forces/detail/grid.hpp"'),
    ("links", "src/state/CMakeLists.txt", "lockstep_folder(s LINKS base output)", "lockstep_folder(s LINKS base)"),
    ("links", "kernels/CMakeLists.txt", "lockstep_folder(kernels LINKS state)", "lockstep_folder(kernels LINKS base)"),
    ("library_math", "src/moves/a.cpp", "double a = std::exp(b);", "double a = math::exp(b);"),
    ("library_math", "src/moves/a.cpp", "double a = pow(b, 2);", "log.pow(1); // std::pow(1)"),
    ("library_math", "kernels/portable/a.hpp", "T a = Kokkos::erfc(b);", "T a = std::sqrt(b) + std::fma(a, b, c);"),
    ("library_math", "src/base/math.hpp", "return std::log(x);", "inline double log(double x) { return exp(x); }"),
    ("forbidden", "src/dynamics/a.cpp", "std::normal_distribution<double> d;", "philox.normal();"),
    ("forbidden", "src/dynamics/a.cpp", "long double x;", "long long x;"),
    ("forbidden", "src/observables/a.cpp", "std::accumulate(a, b, 0.0);", "exact_sum(a);"),
    ("forbidden", "src/base/a.cpp", "MPI_Allreduce(MPI_IN_PLACE, a,\n 3, MPI_DOUBLE, MPI_SUM, c);",
     "MPI_Allreduce(MPI_IN_PLACE, a, 3, MPI_DOUBLE, MPI_MAX, c); MPI_Allreduce(a, b, 1, MPI_INT64_T, MPI_SUM, c);"),
    ("forbidden", "src/base/a.cpp", "std::atomic<double> sum;", "std::atomic<std::int64_t> sum;"),
    ("forbidden", "src/base/a.cpp", "#pragma omp parallel for reduction(+ : s)", "#pragma omp parallel for"),
    ("forbidden", "src/forces/a.cpp", "Kokkos::parallel_reduce(n, KOKKOS_LAMBDA(int i, double& s) { s += x(i); }, e);",
     "Kokkos::parallel_reduce(n, KOKKOS_LAMBDA(int i, std::int64_t& s) { s += x(i); }, e);"),
    ("fast_math", "cmake/flags.cmake", "target_compile_options(a -ffast-math)", "target_compile_options(a -O3)"),
    ("fast_math", "src/a/CMakeLists.txt", "set(f -ffp-contract=fast)", "set(f -ffp-contract=off)"),
    ("fast_math", "src/base/a.cpp", '#pragma GCC optimize("Ofast")', 'say("built with -ffast-math");'),
    ("head", "src/base/a.hpp", "#pragma once", HEAD + "#pragma once"),
    ("head", "src/base/a.hpp", "// SPDX-License-Identifier: Apache-2.0\n#pragma once", HEAD),
    ("head", "tools/a", "#!/bin/sh\necho", "#!/bin/sh\n# SPDX-License-Identifier: Apache-2.0\n"),
    ("sizes", "src/base/a.hpp", "int a;\n" * 401, "int a;\n" * 400),
    ("sizes", "src/base/a.hpp", "a" * 111, "a" * 110),
    ("sizes", "src/base/a.cpp", "void f(int a) {\n" + "  g();\n" * 60 + "}\n",
     "void f(int a) {\n" + "  g();\n" * 59 + "}\n"),
    ("conditionals", "src/state/a.hpp", "#ifdef X\n#endif", "#pragma once"),
    ("registry", "src/moves/moves.def", "MOVE(swap, Swap)", "// MOVE(swap, Swap)"),
    ("words", "src/state/a.hpp", "int n_atoms;", "std::atomic<int> a; // atoms"),
    ("words", "src/state/a.hpp", "// TODO later", "// TODO(#12) later"),
    ("mentions", "docs/a.md", "see `src/base/none.hpp`", "see `docs/a.md`"),
    ("mentions", "docs/a.md", "[page](none.md)", "[page](a.md) [web](https://example.org)"),
]


class RulesOfTheHouse(unittest.TestCase):
    def test_every_rule_notices_what_is_broken_and_passes_what_is_sound(self) -> None:
        for rule, path, broken, sound in CASES:
            with self.subTest(rule=rule, path=path, broken=broken[:60]):
                self.assertTrue(list(RULES[rule]({path: broken})), "kept quiet about something broken")
                self.assertEqual(list(RULES[rule]({path: sound})), [])

    def test_every_rule_has_a_broken_example(self) -> None:
        self.assertEqual(set(RULES), {case[0] for case in CASES})

    def test_a_registered_header_must_declare_its_type(self) -> None:
        tree = {"src/moves/moves.def": "MOVE(swap, Swap)", "src/moves/swap.hpp": "struct Other {};"}
        self.assertTrue(list(RULES["registry"](tree)))
        tree["src/moves/swap.hpp"] = "struct Swap {};"
        self.assertEqual(list(RULES["registry"](tree)), [])

    def test_a_call_of_libm_in_an_object_is_noticed(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            objects = Path(folder) / "src" / "state"
            objects.mkdir(parents=True)
            for call, broken in (("sqrt", False), ("pow", True)):
                source = f"double {call}(double, ...); double f(double a) {{ return {call}(a, 2.0); }}"
                command = ["gcc", "-xc", "-w", "-fno-builtin", "-c", "-", "-o", objects / "a.o"]
                run(command, input=source, text=True, check=True)
                self.assertEqual(bool(check(Path(folder))), broken, call)


if __name__ == "__main__":
    unittest.main()
