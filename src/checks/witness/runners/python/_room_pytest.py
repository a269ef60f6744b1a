# Hears pytest: every report that its controller gets, also from xdist's workers.
import os

import _room_hooks


def listen(config_module):
    prepare = config_module._prepareconfig
    heard = []

    def prepared(args=None, plugins=None, **further):
        # Tests of a pytest plugin start pytest in this process again, and those sessions are not the check's.
        report = None if heard else begin(args)
        heard.append(True)
        if report is not None:
            plugins = list(plugins or []) + [Witness(report)]
        return prepare(args, plugins, **further)

    config_module._prepareconfig = prepared


def begin(args):
    words = args if isinstance(args, list) else _room_hooks.command_line()
    return None if any(word in _room_hooks.ASKING for word in words) else _room_hooks.report("pytest")


class Witness(object):
    def __init__(self, report):
        self.report = report
        self.root = ""
        self.failing = set()
        self.broken = False

    def pytest_sessionstart(self, session):
        self.root = str(session.config.rootdir)

    # Innermost: what happened in the test, before any other plugin can say otherwise.
    def pytest_runtest_call(self, item):
        self.failing.discard(item.nodeid)
        outcome = yield
        if outcome.excinfo is not None:
            self.failing.add(item.nodeid)

    def pytest_runtest_logreport(self, report):
        if report.when == "call" or (report.when == "setup" and not report.passed):
            group = os.path.normpath(os.path.join(self.root, report.location[0]))
            self.report.test(group, report.nodeid, self.state_of(report))
        else:
            self.broken = self.broken or report.failed

    def state_of(self, report):
        if report.skipped or hasattr(report, "wasxfail"):
            return "skipped"
        passed_after_all = report.when == "call" and report.passed and report.nodeid in self.failing
        return "failed" if report.failed or passed_after_all else "passed"

    def pytest_collectreport(self, report):
        self.broken = self.broken or report.failed

    # Also the way of pytest.exit(), which can ask for exit code 0 in the middle.
    def pytest_keyboard_interrupt(self, excinfo):
        self.broken = True

    # What broke outside of a test gives another exit code than 0; if it does not, somebody forged that.
    def pytest_sessionfinish(self, session, exitstatus):
        if not self.broken:
            self.report.end()


Witness.pytest_runtest_call.pytest_impl = {"hookwrapper": True, "trylast": True}
Witness.pytest_sessionfinish.pytest_impl = {"tryfirst": True}
