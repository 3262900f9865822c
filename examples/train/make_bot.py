"""Pack the trained net as a bot that can be uploaded.

python -m examples.train.make_bot var/train var/train/student.zip
"""

from __future__ import annotations

import argparse
import io
import zipfile
from pathlib import Path
from typing import Final

import numpy as np

from bots.uploads.limits import UPLOAD_BYTES
from examples.train.net import Net

HERE: Final = Path(__file__).parent
MANIFEST: Final = 'name = "student"\nprotocol = 1\nplays = ["hawaii"]\n'


def weights_of(net: Net) -> bytes:
    """Return all weights as one .npy file. Half precision: the choice does not depend on the last digits."""
    file = io.BytesIO()
    np.save(file, np.concatenate([each.ravel() for each in net.layers]).astype(np.float16))
    return file.getvalue()


def files_of(net: Net) -> dict[str, bytes]:
    """Return what is uploaded, by name."""
    sources = {name: (HERE / name).read_bytes() for name in ("bot.py", "features.py")}
    return {**sources, "hanami.toml": MANIFEST.encode(), "weights.npy": weights_of(net)}


def make_bot(folder: Path, path: Path) -> int:
    """Write the archive; return its size in bytes. Raises ValueError if it is larger than an upload may be."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files_of(Net.load(folder / "net.npz")).items():
            archive.writestr(name, content)
    size = path.stat().st_size
    if size > UPLOAD_BYTES:
        raise ValueError(f"{path} has {size} bytes, an upload at most {UPLOAD_BYTES}")
    return size


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="where `train` has left net.npz")
    parser.add_argument("archive", type=Path)
    options = parser.parse_args()
    print(f"{options.archive}: {make_bot(options.folder, options.archive)} bytes")


if __name__ == "__main__":
    main()
