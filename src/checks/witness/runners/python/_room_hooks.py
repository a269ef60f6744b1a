# Waits for a test runner to be imported, then lets its witness listen.
import os
import sys

here = os.path.dirname(os.path.abspath(__file__))


def install():
    sys.meta_path.insert(0, Finder())
    # A folder named like the runner would be run in its place and hear nothing, so its name alone is a beginning.
    runner = runner_of(command_line())
    if runner is not None:
        report(runner)


class Finder(object):
    """Finds nothing itself: what others find is listened to once it is loaded."""

    def find_spec(self, name, path=None, target=None):
        if name not in LISTENERS:
            return None
        try:
            return listened(name, path)
        except Exception:
            return None

    def invalidate_caches(self):
        pass


LISTENERS = {"_pytest.config": "_room_pytest", "unittest.main": "_room_unittest"}


def listened(name, path):
    from importlib.machinery import PathFinder

    spec = PathFinder.find_spec(name, path)
    if spec is None or spec.loader is None:
        return None
    load = spec.loader.exec_module

    def exec_module(module):
        load(module)
        try:
            load_ours(LISTENERS[name]).listen(module)
        except Exception:
            pass

    spec.loader.exec_module = exec_module
    return spec


def load_ours(name):
    from importlib.util import module_from_spec, spec_from_file_location

    spec = spec_from_file_location(name, os.path.join(here, name + ".py"))
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def command_line():
    if hasattr(sys, "orig_argv"):
        return sys.orig_argv
    with open("/proc/self/cmdline", "rb") as file:
        return os.fsdecode(file.read()).split("\0")[:-1]


# Asked for these, a runner runs no test and is not meant to.
ASKING = ["-h", "--help", "-V", "--version", "--co", "--collect-only", "--fixtures", "--fixtures-per-test"]
ASKING += ["--markers", "--setup-plan", "--setup-only", "--cache-show"]


def runner_of(words):
    """The runner a command line names: `python -m pytest`, `pytest`, `python -m unittest`, `python test_it.py`."""
    if any(asked in words for asked in ASKING):
        return None
    for index, word in enumerate(words[1:], 1):
        if word == "-m":
            module = words[index + 1] if index + 1 < len(words) else ""
            return module if module in ("pytest", "unittest") else runner_in(module.replace(".", "/") + ".py")
        if not word.startswith("-"):
            return "pytest" if os.path.basename(word) in ("pytest", "py.test") else runner_in(word)
    return None


def runner_in(script):
    """The runner that a file of tests calls at its end, which it does not reach where an import ends the process."""
    name = os.path.basename(script)
    if not name.endswith(".py") or not (name.startswith("test") or name.endswith("_test.py")):
        return None
    with open(script, "rb") as file:
        text = file.read(1000000)
    return "unittest" if b"unittest.main(" in text else "pytest" if b"pytest.main(" in text else None


class Report(object):
    """The lines of one runner; without effect in children that were forked from it."""

    def __init__(self, runner):
        self.runner = runner
        self.pid = os.getpid()
        self.open = False
        folder = os.environ.pop("ROOM_WITNESS")
        hide_from_children()
        name = os.path.join(folder, os.urandom(12).hex() + ".jsonl")
        self.fd = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND, 0o600)
        self.begin()

    def begin(self):
        if not self.open:
            self.write({"begun": True})
        self.open = True

    def test(self, group, name, state):
        """One test: passed, failed or skipped."""
        line = {"group": group, "name": name[:500], "state": "skipped" if state == "skipped" else "run"}
        self.write(dict(line, failed=True) if state == "failed" else line)

    def end(self):
        if self.open:
            self.write({"ended": True})
        self.open = False

    def write(self, line):
        import json

        if os.getpid() != self.pid:
            return
        try:
            os.write(self.fd, (json.dumps(dict(line, runner=self.runner)) + "\n").encode())
        except OSError:
            pass


def hide_from_children():
    in_front = os.path.join(os.path.dirname(here), "in-front", "")
    without("PYTHONPATH", lambda entry: entry == here)
    without("PATH", lambda entry: entry.startswith(in_front))


def without(name, is_ours):
    entries = [entry for entry in os.environ.get(name, "").split(os.pathsep) if not is_ours(entry)]
    if entries in ([], [""]):
        os.environ.pop(name, None)
    else:
        os.environ[name] = os.pathsep.join(entries)


reports = []


def report(runner):
    """The report of this process, or None where another runner has it."""
    if not reports and os.environ.get("ROOM_WITNESS"):
        reports.append(Report(runner))
    return reports[0] if reports and reports[0].runner == runner else None
