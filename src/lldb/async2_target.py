"""The target that lldb has open: the path of a core, or the id and the registers of a process that it holds."""

import os
from dataclasses import dataclass
from typing import Any, List, Optional

import lldb
from async2_options import Refusal

GONE = "the process has ended or lldb has detached from it: there is nothing to read"
RUNNING = "the process is running: stop it first with 'process interrupt'"


@dataclass
class Opened:
    """A core by its path, or a live process by its id."""

    core: Optional[str] = None
    pid: int = 0


def opened(process: Any, told: Optional[str]) -> Opened:
    """The target for the tool."""
    if not process or not process.IsValid():
        raise Refusal("there is no process: open a core with 'target create --core FILE', or attach with 'process attach --pid PID'")
    if process.GetPluginName().endswith("core") or process.GetPluginName() == "minidump":
        return Opened(core=os.path.abspath(told or core_of(process)))
    if told:
        raise Refusal("--core is for cores: lldb has a process open")
    if process.GetState() in (lldb.eStateExited, lldb.eStateDetached, lldb.eStateUnloaded, lldb.eStateInvalid):
        raise Refusal(GONE)
    if process.GetState() not in (lldb.eStateStopped, lldb.eStateCrashed, lldb.eStateSuspended):
        raise Refusal(RUNNING)
    check_held(process.GetProcessID())
    return Opened(pid=process.GetProcessID())


def check_held(pid: int) -> None:
    """Asks the kernel: lldb's own state of a process can be outdated."""
    try:
        with open(f"/proc/{pid}/status", encoding="utf-8", errors="replace") as status:
            facts = dict(line.split(":", 1) for line in status if ":" in line)
    except OSError as error:
        raise Refusal(f"process {pid} is not on this machine: use this command where it runs, or write a dump there with 'dotnet-async2 dump collect PID'") from error
    if facts.get("TracerPid", "0").strip() == "0":
        raise Refusal(GONE)
    if not facts.get("State", "").strip().startswith("t"):
        raise Refusal(RUNNING)


def core_of(process: Any) -> str:
    """Path of the open core."""
    if hasattr(process, "GetCoreFile"):
        path = process.GetCoreFile().fullpath
        if path:
            return path
    cores = mapped_cores()
    if len(cores) == 1:
        return cores[0]
    raise Refusal("this lldb does not tell scripts which core is open: name it with --core FILE")


def mapped_cores() -> List[str]:
    """Cores mapped into lldb's own process, which is how it reads them (elf(5): e_type ET_CORE)."""
    try:
        with open("/proc/self/maps", encoding="utf-8", errors="surrogateescape") as maps:
            paths = {line.rstrip("\n").split(None, 5)[5] for line in maps if "/" in line}
    except OSError:
        return []
    return sorted(path for path in paths if is_core(path))


def is_core(path: str) -> bool:
    try:
        with open(path, "rb") as file:
            head = file.read(18)
    except OSError:
        return False
    return head[:4] == b"\x7fELF" and head[16:18] == b"\x04\x00"


def registers_of(process: Any) -> str:
    """The registers of all threads: lldb traces them, so no other process can read them."""
    lines = []
    for thread in process:
        groups = thread.GetFrameAtIndex(0).GetRegisters()
        general = groups.GetValueAtIndex(0) if groups.GetSize() > 0 else []
        words = [f"{register.GetName()}={register.GetValueAsUnsigned():x}" for register in general]
        if words:
            lines.append(" ".join([str(thread.GetThreadID()), *words]))
    return "\n".join(lines) + "\n"
