"""Finds and runs the tool dotnet-async2."""

import os
import shutil
import signal
import subprocess
import tempfile
from dataclasses import dataclass
from typing import IO, Callable, Dict, List, Optional, Sequence

from async2_options import Refusal

GRACE_SECONDS = 5

INSTALL = ("install it with 'dotnet tool install --global dotnet-async2', "
           "or set the environment variable DOTNET_ASYNC2 to its path before lldb starts")


def find_tool(script: str, environment: Dict[str, str]) -> List[str]:
    """The command line of the tool: from DOTNET_ASYNC2, beside this script, on the path, or where "dotnet tool" installs it."""
    told = environment.get("DOTNET_ASYNC2")
    if told:
        if not os.path.isfile(told):
            raise Refusal(f"there is no file '{told}' (environment variable DOTNET_ASYNC2)")
        return start_of(told, environment)
    for candidate in candidates(os.path.dirname(os.path.realpath(script)), environment):
        if candidate and os.path.isfile(candidate):
            return start_of(candidate, environment)
    raise Refusal(f"dotnet-async2 was not found: {INSTALL}")


def candidates(folder: str, environment: Dict[str, str]) -> List[Optional[str]]:
    """Possible paths of the tool, best first."""
    build = os.path.join(folder, "..", "Async2.Dump", "bin")
    return [
        os.path.join(folder, "..", "dotnet-async2.dll"),
        # A native build has no library beside it.
        os.path.join(folder, "..", "dotnet-async2"),
        *(os.path.join(build, kind, "net10.0", "dotnet-async2.dll") for kind in ("Release", "Debug")),
        shutil.which("dotnet-async2", path=environment.get("PATH")),
        os.path.join(environment.get("HOME", ""), ".dotnet", "tools", "dotnet-async2"),
    ]


def start_of(path: str, environment: Dict[str, str]) -> List[str]:
    path = os.path.abspath(path)
    if not path.endswith(".dll"):
        return [path]
    root = environment.get("DOTNET_ROOT")
    host = os.path.join(root, "dotnet") if root else None
    if not host or not os.path.isfile(host):
        host = shutil.which("dotnet", path=environment.get("PATH"))
    if not host:
        raise Refusal("the program 'dotnet' was not found: put it on the PATH or set DOTNET_ROOT before lldb starts")
    return [host, path]


@dataclass
class Answer:
    """Output of the tool."""

    exit_code: int
    output: str
    errors: str
    interrupted: bool = False


def run(command: Sequence[str], interrupted: Callable[[], bool]) -> Answer:
    """Runs the tool. After Ctrl-C it prints what it has; a second Ctrl-C, or five seconds, kill it."""
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        try:
            # A process group of its own: this script passes the terminal's signals on, once.
            child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output, stderr=errors, start_new_session=True)
        except (OSError, ValueError) as error:
            raise Refusal(f"'{command[0]}' could not be started: {error}") from error
        was_interrupted = wait(child, interrupted)
        return Answer(child.returncode, text_of(output), text_of(errors), was_interrupted)


def wait(child: "subprocess.Popen[bytes]", interrupted: Callable[[], bool]) -> bool:
    """Waits for the end of the child; true if the user interrupted."""
    was_interrupted = False
    try:
        while not ended(child, 0.02):
            if interrupted():
                was_interrupted = True
                break
        if was_interrupted:
            stop(child)
    except KeyboardInterrupt:
        # lldb raises it in Python that runs when Ctrl-C comes.
        was_interrupted = True
        stop(child)
    return was_interrupted


def stop(child: "subprocess.Popen[bytes]") -> None:
    """Asks for the results so far, and does not wait long."""
    try:
        signal_group(child, signal.SIGINT)
        ended(child, GRACE_SECONDS)
    except KeyboardInterrupt:
        pass
    finally:
        signal_group(child, signal.SIGKILL)
        child.wait()


def ended(child: "subprocess.Popen[bytes]", seconds: float) -> bool:
    try:
        child.wait(seconds)
        return True
    except subprocess.TimeoutExpired:
        return False


def signal_group(child: "subprocess.Popen[bytes]", number: int) -> None:
    try:
        os.killpg(child.pid, number)
    except ProcessLookupError:
        pass


def text_of(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read().decode("utf-8", "replace")
