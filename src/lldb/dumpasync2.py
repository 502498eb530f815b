"""dumpasync2 for lldb: the logical async stacks of the .NET process or core dump that lldb has open.

    (lldb) command script import PATH/dumpasync2.py
    (lldb) dumpasync2 --coalesce

It runs the tool dotnet-async2 on the same core or process. It only reads: no code runs in the
process, and it stays stopped in lldb. Needs neither SOS nor a plugin; Python 3.9 or later, lldb 14 or later.
"""

import os
import re
import sys
import tempfile
from dataclasses import dataclass
from typing import Any, Callable, List, Optional, Sequence

import lldb
from async2_options import Refusal, Request, parse
from async2_query import QUERY_HELP, SOS_HELP
from async2_target import opened, registers_of
from async2_tool import Answer, find_tool, run

COMMAND = "dumpasync2"
# The second name of SOS's plugin, which is never that of this script. As long as lldb has a script's command of the first name, it
# takes that for the plugin's, even behind "sos".
OF_PLUGIN = "DumpAsync2"
# What the tool exits with when it has read the target, but its answer misses something.
PARTIAL = 4

INTERRUPTED = "interrupted: this is what was found until then"

SHORT_HELP = "Show what every async method of a .NET process or core dump waits for."
LONG_HELP = f"""dumpasync2 [options]

Reads the selected target: a core, or a stopped process. Values with
spaces or quotes are quoted as in a shell.

Which stacks, and how many:
{QUERY_HELP}
Options as in SOS:
  --coalesce             Show equal stacks once, with a count
{SOS_HELP}  --help, -h             This text
SOS's --stats is not supported.

Options of dotnet-async2, with the same meaning as there:
  --locals               --include-framework   --leaf-first
  --format FORMAT        --output, -o FILE     --symbols DIR
  --dac FILE             --layout FILE         --ascii
  --verbose, -v

  --core FILE            The open core, if this lldb cannot tell

Examples:
  dumpasync2 --coalesce
  dumpasync2 --method 'Orders.*PayAsync' --fields
  dumpasync2 --deadlocks
"""


@dataclass
class Host:
    """What lldb is asked while the command runs."""

    width: Optional[int]
    interrupted: Callable[[], bool]


@dataclass
class Outcome:
    """What the command has to say."""

    output: str = ""
    warning: str = ""
    error: str = ""


def execute(text: str, process: Callable[[], Any], host: Host) -> Outcome:
    """Runs the command."""
    try:
        request = parse(text)
        if request.help:
            return Outcome(SHORT_HELP + "\n\nSyntax: " + LONG_HELP)
        return look(request, process(), host)
    except Refusal as refusal:
        return Outcome(error=str(refusal))
    except KeyboardInterrupt:
        return Outcome(error="interrupted")


def look(request: Request, process: Any, host: Host) -> Outcome:
    tool = find_tool(__file__, dict(os.environ))
    target = opened(process, request.core)
    own = own_options(request, host.width)
    with tempfile.NamedTemporaryFile("w", encoding="ascii", prefix=COMMAND + "-") as registers:
        if target.pid:
            registers.write(registers_of(process))
            registers.flush()
            own += [f"--registers={registers.name}"] + ([] if request.has("--freeze") else ["--freeze=none"])
        command = [*tool, "analyze", target.core or str(target.pid), *request.command_line(), *own]
        return judge(run(command, host.interrupted), tool, own)


def own_options(request: Request, width: Optional[int]) -> List[str]:
    """What the user does not say, because lldb knows it."""
    return [] if width is None or request.has("--output") or request.has("-o") else [f"--width={width}"]


def judge(answer: Answer, tool: Sequence[str], own: Sequence[str]) -> Outcome:
    """What the exit code of the tool means in lldb."""
    errors = re.sub(r"^error: ", "", answer.errors.strip())
    if answer.interrupted:
        return Outcome(answer.output, INTERRUPTED) if answer.output else Outcome(error="interrupted")
    if answer.exit_code == 0:
        return Outcome(answer.output)
    if answer.exit_code == PARTIAL and answer.output:
        return Outcome(answer.output, "the answer is incomplete: its last lines say why")
    if answer.exit_code == 2 and any(option.split("=")[0] in errors for option in own):
        return Outcome(error=f"'{tool[-1]}' is too old for this script: update it with 'dotnet tool update --global dotnet-async2'")
    if answer.exit_code == 2:
        return Outcome(error=re.sub(r"\.?\nfix: type dotnet-async2[^\n]* --help$", f". See 'help {COMMAND}'", errors))
    return Outcome(answer.output, error=errors or f"'{tool[-1]}' ended with exit code {answer.exit_code} and said nothing")


class DumpAsync2:
    """The command, as lldb wants it."""

    def __init__(self, debugger: Any, internal_dict: Any) -> None:
        del debugger, internal_dict

    def __call__(self, debugger: Any, command: str, context: Any, result: Any) -> None:
        if plugin_is_there(debugger):
            debugger.GetCommandInterpreter().HandleCommand(f"{OF_PLUGIN} {command}", result)
            return
        outcome = execute(command, lambda: process_of(debugger, context), host_of(debugger))
        if outcome.output and outcome.warning == INTERRUPTED:
            # After Ctrl-C lldb prints the first line of a result and leaves out the others.
            print(outcome.output, end="", flush=True)
        elif outcome.output:
            result.AppendMessage(outcome.output.rstrip("\n"))
        if outcome.warning:
            result.AppendWarning(outcome.warning)
        if outcome.error:
            result.SetError(outcome.error)
        else:
            result.SetStatus(lldb.eReturnStatusSuccessFinishResult)

    def get_short_help(self) -> str:
        return SHORT_HELP

    def get_long_help(self) -> str:
        return LONG_HELP


def plugin_is_there(debugger: Any) -> bool:
    """Whether SOS runs with the plugin: then the command is the plugin's, whichever of the two came first."""
    interpreter = debugger.GetCommandInterpreter()
    # SOS adds its commands as a user does; lldb has a question of its own for those (since 13).
    asked = [interpreter.CommandExists, interpreter.AliasExists, getattr(interpreter, "UserCommandExists", None)]
    return any(exists(OF_PLUGIN) for exists in asked if exists)


def process_of(debugger: Any, context: Any) -> Any:
    target = context.GetTarget()
    if not target or not target.IsValid():
        target = debugger.GetSelectedTarget()
    if not target or not target.IsValid():
        raise Refusal("there is no target: open a core with 'target create --core FILE', or attach with 'process attach --pid PID'")
    return target.GetProcess()


def host_of(debugger: Any) -> Host:
    # Of a pipe lldb says 80.
    width = debugger.GetTerminalWidth() if os.isatty(1) else None
    return Host(width or None, debugger.GetCommandInterpreter().WasInterrupted)


def __lldb_init_module(debugger: Any, internal_dict: Any) -> None:
    del internal_dict
    if plugin_is_there(debugger):
        return
    made = lldb.SBCommandReturnObject()
    interpreter = debugger.GetCommandInterpreter()
    add_command = f"command script add {{}} -c {__name__}.DumpAsync2 {COMMAND}"
    # Imported again it replaces itself; older ones do so without being told.
    interpreter.HandleCommand(add_command.format("--overwrite"), made)
    if not made.Succeeded():
        made.Clear()
        interpreter.HandleCommand(add_command.format(""), made)
    if not made.Succeeded():
        print(f"error: {COMMAND} could not be added: {made.GetError()}", file=sys.stderr)
