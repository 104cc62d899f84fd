"""Interleaved timing, peak memory, and tables of ratios."""

from __future__ import annotations

import resource
import subprocess
import sys
import time
from pathlib import Path


class Race:
    """Contestants take turns; the best of several rounds counts, so that a busy machine hurts all alike."""

    def __init__(self, title, rounds=3):
        self.title = title
        self.rounds = rounds
        self.entries = {}

    def add(self, name, call, *, share=1.0):
        """Enter a contestant; `share` is the part of the whole work that one call does."""
        self.entries[name] = (call, share)
        return self

    def run(self):
        """Return the best seconds of each; `processor` then holds those of the process, on all its threads."""
        best = dict.fromkeys(self.entries, float("inf"))
        self.processor = dict(best)
        for _ in range(self.rounds):
            for name, (call, share) in self.entries.items():
                used, start = time.process_time(), time.perf_counter()
                out = call()
                best[name] = min(best[name], (time.perf_counter() - start) / share)
                self.processor[name] = min(self.processor[name], (time.process_time() - used) / share)
                del out
        return best


def row(title, best, ours, against, target=None):
    """One line of the report: how many times faster `ours` is than `against`."""
    ratio = best[against] / best[ours]
    return {
        "work": title,
        "peer": against,
        "peer_s": best[against],
        "ours": ours,
        "ours_s": best[ours],
        "ratio": ratio,
        "target": target,
    }


def markdown(rows):
    lines = ["| work | peer | peer, s | thresher, s | ratio | wanted |", "|---|---|---:|---:|---:|---:|"]
    for r in rows:
        wanted = "" if r["target"] is None else r["target"]
        lines.append(
            f"| {r['work']} | {r['peer']} | {r['peer_s']:.4g} | {r['ours_s']:.4g} | {r['ratio']:.3g} | {wanted} |"
        )
    return "\n".join(lines) + "\n"


def in_subprocess(code, env=None):
    """Run code in a fresh interpreter and return what it prints."""
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def peak_bytes():
    """Peak resident memory; from /proc where it is, because ru_maxrss starts at the parent's peak on Linux."""
    status = Path("/proc/self/status")
    if status.exists():
        line = next(line for line in status.read_text().splitlines() if line.startswith("VmHWM"))
        return int(line.split()[1]) * 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
