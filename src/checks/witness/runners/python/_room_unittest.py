# Hears unittest: the tests that the outermost runner of this process tells its result about.
import functools
import sys

import _room_hooks


def listen(main_module):
    import unittest.loader
    import unittest.result
    import unittest.runner

    program, runner, result = main_module.TestProgram, unittest.runner.TextTestRunner, unittest.result.TestResult
    witness = Witness(program, unittest.loader._FailedTest)
    around(program, "__init__", witness.program_made)
    around(program, "runTests", witness.program_runs)
    around(runner, "run", witness.runner_runs)
    before(result, "startTest", witness.test_starts)
    before(result, "stopTest", witness.test_stops)
    before(result, "addSkip", witness.test_is_skipped)
    before(result, "addExpectedFailure", witness.test_is_skipped)
    for name in ("addFailure", "addError", "addUnexpectedSuccess"):
        before(result, name, witness.test_fails)
    before(result, "addSubTest", witness.part_is_done)


def around(owner, name, wrapped):
    original = getattr(owner, name)

    @functools.wraps(original)
    def method(self, *args, **named):
        return wrapped(self, lambda: original(self, *args, **named))

    setattr(owner, name, method)


def before(owner, name, hear):
    original = getattr(owner, name)

    @functools.wraps(original)
    def method(self, *args, **named):
        try:
            hear(self, *args)
        except Exception:
            pass
        return original(self, *args, **named)

    setattr(owner, name, method)


class Witness(object):
    def __init__(self, program, unloaded):
        self.program = program
        self.unloaded = unloaded
        self.report = None
        self.failures = 0
        self.depth = 0
        # The result of the outermost runner; tests that try out a runner have others.
        self.result = None
        self.state = "passed"

    def program_made(self, program, make):
        # A program of its own making may never come to the end that is heard here.
        asks = any(word in _room_hooks.ASKING for word in sys.argv)
        if type(program).runTests is self.program.runTests and not asks:
            self.begin()
        make()

    def program_runs(self, program, run):
        self.begin()
        self.depth += 1
        try:
            run()
        finally:
            self.depth -= 1
            self.end(getattr(program, "result", None))

    def runner_runs(self, runner, run):
        self.begin()
        if self.depth <= 1:
            self.result = None
        self.depth += 1
        try:
            result = run()
        finally:
            self.depth -= 1
        self.end(result)
        return result

    def begin(self):
        if self.depth > 0:
            return
        self.report = _room_hooks.report("unittest")
        if self.report is not None:
            self.report.begin()

    # What failed outside of a test gives another exit code than 0; if it does not, somebody forged that.
    def end(self, result):
        if self.depth > 0 or self.report is None or result is None:
            return
        if result.wasSuccessful() or self.failures > 0:
            self.report.end()

    def test_starts(self, result, test):
        if self.result is None and self.depth > 0:
            self.result = result
        if result is self.result:
            self.state = "passed"

    # Not a part of a test: the others of its parts run.
    def test_is_skipped(self, result, test, *_):
        if result is self.result and not hasattr(test, "test_case"):
            self.state = "skipped"

    def test_fails(self, result, *_):
        if result is self.result:
            self.state = "failed"

    def part_is_done(self, result, test, part, error):
        if error is not None:
            self.test_fails(result)

    def test_stops(self, result, test):
        if self.report is None or result is not self.result or isinstance(test, self.unloaded):
            return
        self.failures += 1 if self.state == "failed" else 0
        self.report.test(group_of(test), test.id(), self.state)


def group_of(test):
    """The file of the test's class, or the text that a doctest lies in."""
    doctest = getattr(test, "_dt_test", None)
    if doctest is not None and doctest.filename:
        return doctest.filename
    module = type(test).__module__
    return getattr(sys.modules.get(module), "__file__", None) or module
