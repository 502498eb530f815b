"""The options of dumpasync2, and the tool's options for them."""

import os
import shlex
from dataclasses import dataclass, field
from typing import Callable, Dict, Iterator, List, Optional

import async2_query

class Refusal(Exception):
    """An error message for the user."""


# Other options of the tool, by whether they take a value. Unknown options are passed on unchanged:
# the tool may be newer.
VALUES = async2_query.VALUES | {"--format", "--output", "-o", "--symbols", "--dac", "--layout", "--freeze", "--core"}
FLAGS = frozenset({"--all", "--completed", "--tasks", "--deep", "--no-deep", "--leaf-first", "--locals", "--include-framework", "--ascii", "--no-color", "--quiet", "-q", "--verbose", "-v"})

# SOS's names for what the tool calls otherwise.
ALIASES = {**async2_query.ALIASES, "--fields": "--locals", "-f": "--locals", "-t": "--tasks", "-c": "--completed"}

# What SOS's dumpasync has and the tool does not.
REFUSED = {
    "--stats": "there are no statistics of types: --coalesce --group-by method counts stacks by method",
}


@dataclass
class Request:
    """The parsed command: options for the tool, and options for this script."""

    arguments: List[str] = field(default_factory=list)
    states: List[str] = field(default_factory=list)
    names: List[str] = field(default_factory=list)
    coalesce: bool = False
    help: bool = False
    core: Optional[str] = None

    def has(self, name: str) -> bool:
        """Whether the user gave an option of the tool explicitly."""
        return name in self.names

    def command_line(self) -> List[str]:
        """Options for the tool."""
        line = list(self.arguments)
        if self.states:
            line.append("--state=" + ",".join(self.states))
        if not self.coalesce and not self.has("--all"):
            line.append("--all")
        return line


def parse(text: str) -> Request:
    """Parses the text after the command's name."""
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise Refusal(f"the options cannot be read: {str(error).lower()}") from error
    request = Request()
    rest = iter(words)
    after_unknown = False
    for word in rest:
        if not word.startswith("-") or word == "-":
            # It may be the value of an option that this script has not heard of.
            if not after_unknown:
                raise Refusal(f"unexpected '{word}': the target is the one that lldb has open. See 'help dumpasync2'")
            request.arguments.append(word)
            after_unknown = False
            continue
        name, equals, value = word.partition("=")
        after_unknown = take(request, ALIASES.get(name, name), value if equals else None, rest)
    return request


def take(request: Request, name: str, value: Optional[str], rest: Iterator[str]) -> bool:
    """Takes one option, with its value if it has one; true for an unknown option."""
    if name in REFUSED:
        raise Refusal(f"{name}: {REFUSED[name]}")
    if name in VALUES:
        take_value(request, name, next(rest, None) if value is None else value)
        return False
    if value is not None and (name in FLAGS or name in SWITCHES):
        raise Refusal(f"{name} takes no value")
    if name in SWITCHES:
        SWITCHES[name](request)
        return False
    request.names.append(name)
    request.arguments.append(name if value is None else f"{name}={value}")
    return name not in FLAGS


SWITCHES: Dict[str, Callable[[Request], None]] = {
    "--coalesce": lambda request: setattr(request, "coalesce", True),
    "--help": lambda request: setattr(request, "help", True),
    "-h": lambda request: setattr(request, "help", True),
    "--waiting": lambda request: request.states.append("awaiting,blocked,deadlocked"),
    "--deadlocks": lambda request: request.states.append("deadlocked"),
    "--json": lambda request: take_value(request, "--format", "json"),
}


def take_value(request: Request, name: str, value: Optional[str]) -> None:
    """Takes an option with its value."""
    if value is None or value == "":
        raise Refusal(f"{name} needs a value")
    if name == "--core":
        request.core = value
    elif name == "--state":
        request.states.append(value)
    elif name in ("--output", "-o", "--dac", "--symbols", "--layout"):
        add(request, name, os.path.abspath(os.path.expanduser(value)))
    else:
        add(request, name, value)


def add(request: Request, name: str, value: str) -> None:
    # As one word: a value that begins with a hyphen or an at sign stays a value.
    request.names.append(name)
    request.arguments.append(f"{name}={value}")

