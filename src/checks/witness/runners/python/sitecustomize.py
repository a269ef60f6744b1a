# Python imports this before anything else. It hears pytest and unittest, and is gone where neither runs.
# It must load under every Python, and the user's own sitecustomize must still be found.
import os
import sys

here = os.path.dirname(os.path.abspath(__file__))


def leave_path():
    """Take our folder out again: nobody else is to import from it."""
    sys.path[:] = [entry for entry in sys.path if os.path.abspath(entry or ".") != here]


def load_users_own():
    ours = sys.modules.pop("sitecustomize", None)
    try:
        import sitecustomize  # noqa: F401
    except ImportError as error:
        if getattr(error, "name", "sitecustomize") != "sitecustomize":
            raise
    finally:
        # The import under way expects to find a module.
        sys.modules.setdefault("sitecustomize", ours)


leave_path()
if sys.version_info >= (3, 5) and os.environ.get("ROOM_WITNESS"):
    try:
        sys.path.insert(0, here)
        import _room_hooks

        _room_hooks.install()
    except Exception:
        pass
    finally:
        leave_path()
load_users_own()
