"""The wheels of `hanafuda` and `hanami-kit`: what `make dist` makes.

usage: python -m scripts.distributions [--into FOLDER] [--pure]

--into: the folder for the wheels, dist/ if omitted; a service offers those in HANAMI_KIT_DIR at /kit/.
--pure: no compiled wheel. Without a C compiler or mypyc there is none either, and this says so.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from scripts.distributions.rewriting import CannotRewrite
from scripts.distributions.rooms import DISTRIBUTIONS, ROOT
from scripts.distributions.staging import version
from scripts.distributions.wheels import CannotBuild, compiled_wheel, pure_wheels, reason_against_compiled
from scripts.progress import Step, print_line


def main() -> int:
    """Build the wheels; 0, or 1 if that failed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--into", type=Path, default=ROOT / "dist")
    parser.add_argument("--pure", action="store_true")
    options = parser.parse_args()
    reason = "not asked for" if options.pure else reason_against_compiled()
    try:
        with Step("Building the wheels"):
            built = pure_wheels(options.into)
        if reason is None:
            with Step("Building the compiled wheel"):
                built.append(compiled_wheel(options.into))
    except (CannotBuild, CannotRewrite) as problem:
        print_line(str(problem))
        return 1
    remove_others(options.into, built)
    for wheel in built:
        print_line(f"  {wheel.stat().st_size:>9,}  {wheel}")
    if reason and not options.pure:
        print_line(f"  No compiled wheel: {reason}.")
    return 0


def remove_others(folder: Path, built: list[Path]) -> None:
    """Remove wheels of this version that were built before and not now: they hold other sources than these."""
    for distribution in DISTRIBUTIONS:
        for wheel in folder.glob(f"{distribution.name.replace('-', '_')}-{version()}-*.whl"):
            if wheel not in built:
                wheel.unlink()


if __name__ == "__main__":
    sys.exit(main())
