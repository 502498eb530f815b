"""What of dumpasync2 for lldb needs no lldb: options, exit codes, and where the tool is."""

import os
import sys
import tempfile
import types
import unittest
from typing import List

sys.modules.setdefault("lldb", types.ModuleType("lldb"))

import async2_query
import dumpasync2
from async2_options import REFUSED, Refusal, parse
from async2_target import check_held, is_core, mapped_cores
from async2_tool import Answer, find_tool, run


def line(text: str) -> List[str]:
    return parse(text).command_line()


class Interpreter:
    """Of lldb's command interpreter what the script asks."""

    def __init__(self, *commands: str) -> None:
        self.commands = commands
        self.handled: List[str] = []

    def CommandExists(self, name: str) -> bool:
        # Of those that are built in: none of SOS's is.
        return False

    def UserCommandExists(self, name: str) -> bool:
        return name in self.commands

    def AliasExists(self, name: str) -> bool:
        return False

    def HandleCommand(self, line: str, result: object) -> None:
        self.handled.append(line)

    def GetCommandInterpreter(self) -> "Interpreter":
        return self


class OlderInterpreter(Interpreter):
    """Knows no question for commands of users, but has them among the others."""

    UserCommandExists = None  # type: ignore[assignment]

    def CommandExists(self, name: str) -> bool:
        return name in self.commands


class Plugin(unittest.TestCase):
    def test_the_plugin_of_sos_gets_what_is_typed(self) -> None:
        with_plugin = Interpreter("sos", "DumpAsync2", "dumpasync2")
        dumpasync2.DumpAsync2(with_plugin, {})(with_plugin, "--coalesce --limit 3", None, None)
        self.assertEqual(with_plugin.handled, ["DumpAsync2 --coalesce --limit 3"])

    def test_where_it_is_no_command_is_added(self) -> None:
        with_plugin = Interpreter("DumpAsync2")
        getattr(dumpasync2, "__lldb_init_module")(with_plugin, {})
        self.assertEqual(with_plugin.handled, [])

    def test_an_older_lldb_is_asked_what_it_knows(self) -> None:
        self.assertTrue(dumpasync2.plugin_is_there(OlderInterpreter("sos", "DumpAsync2")))
        self.assertFalse(dumpasync2.plugin_is_there(OlderInterpreter("sos")))

    def test_sos_alone_is_not_the_plugin(self) -> None:
        self.assertFalse(dumpasync2.plugin_is_there(Interpreter("sos", "dumpasync")))


class Options(unittest.TestCase):
    def test_each_stack_on_its_own_unless_coalesced(self) -> None:
        self.assertEqual(line(""), ["--all"])
        self.assertEqual(line("--coalesce"), [])
        self.assertEqual(line("--all"), ["--all"])

    def test_names_of_sos_are_the_tools(self) -> None:
        for text, expected in {
            "-addr 7f00": ["--address=7f00"],
            "--address=0x7f00": ["--address=0x7f00"],
            "--fields": ["--locals"],
            "-f": ["--locals"],
            "--json": ["--format=json"],
            "--waiting": ["--state=awaiting,blocked,deadlocked"],
            "--deadlocks": ["--state=deadlocked"],
            "--waiting --deadlocks --state scheduled": ["--state=awaiting,blocked,deadlocked,deadlocked,scheduled"],
            "--limit 3": ["--limit=3"],
            "--type Shop.Orders+Line": ["--type=Shop.Orders+Line"],
            "--methodtable 7f00": ["--methodtable=7f00"],
            "-mt 7f00": ["--methodtable=7f00"],
            "-t -c": ["--tasks", "--completed"],
        }.items():
            self.assertEqual(line(text + " --coalesce"), expected, text)

    def test_what_has_no_counterpart_says_so(self) -> None:
        for name in REFUSED:
            with self.assertRaisesRegex(Refusal, f"^{name}: "):
                parse(name + " 1")

    def test_every_option_that_chooses_stacks_takes_its_value(self) -> None:
        for name in async2_query.VALUES - {"--state"}:
            self.assertEqual(line(f"{name} -value --coalesce"), [f"{name}=-value"])
            self.assertIn(f"  {name}", dumpasync2.LONG_HELP)
        self.assertEqual(line("--state -value --coalesce"), ["--state=-value"])

    def test_the_tools_own_options_pass(self) -> None:
        self.assertEqual(line("--method 'a b' --with x --with y --leaf-first -v --group-by leaf --coalesce"),
                         ["--method=a b", "--with=x", "--with=y", "--leaf-first", "-v", "--group-by=leaf"])

    def test_unknown_options_pass_with_one_word_behind(self) -> None:
        self.assertEqual(line("--new value --newer=1 --coalesce"), ["--new", "value", "--newer=1"])
        with self.assertRaisesRegex(Refusal, "^unexpected 'second'"):
            parse("--new first second")

    def test_a_value_stays_a_value(self) -> None:
        for value in ("--all", "@file", "a=b", "$(id)", "-", "%s", "ps"):
            self.assertEqual(line(f"--method '{value}' --coalesce"), [f"--method={value}"])

    def test_paths_are_those_of_lldbs_folder(self) -> None:
        self.assertEqual(line("-o answer.txt --coalesce"), [f"-o={os.getcwd()}/answer.txt"])

    def test_wrong_words(self) -> None:
        for text, message in {
            "ps": "unexpected 'ps'",
            "-": "unexpected '-'",
            "'open": "no closing quotation",
            "--limit": "--limit needs a value",
            "--method ''": "--method needs a value",
            "--json=1": "--json takes no value",
            "--all=1": "--all takes no value",
        }.items():
            with self.assertRaisesRegex(Refusal, message):
                parse(text)


class ExitCodes(unittest.TestCase):
    own = ["--width=80", "--registers=/r", "--freeze=none"]

    def judge(self, code: int, output: str, errors: str, interrupted: bool = False) -> dumpasync2.Outcome:
        return dumpasync2.judge(Answer(code, output, errors, interrupted), ["dotnet", "tool.dll"], self.own)

    def test_they_mean_in_lldb(self) -> None:
        outcome = dumpasync2.Outcome
        self.assertEqual(self.judge(0, "out", ""), outcome("out"))
        self.assertEqual(self.judge(4, "out", ""), outcome("out", "the answer is incomplete: its last lines say why"))
        self.assertEqual(self.judge(3, "", "error: a\nfix: b\n"), outcome(error="a\nfix: b"))
        self.assertEqual(self.judge(130, "out", "", True), outcome("out", "interrupted: this is what was found until then"))
        self.assertEqual(self.judge(2, "", "error: Bad.\nfix: type dotnet-async2 analyze --help\n"), outcome(error="Bad. See 'help dumpasync2'"))
        self.assertEqual(self.judge(2, "", "error: Bad 'x'\nfix: type dotnet-async2 analyze --help\n"), outcome(error="Bad 'x'. See 'help dumpasync2'"))
        self.assertEqual(self.judge(7, "", ""), outcome(error="'tool.dll' ended with exit code 7 and said nothing"))

    def test_a_tool_that_does_not_know_our_options_is_too_old(self) -> None:
        for option in ("--width", "--registers", "--freeze"):
            error = self.judge(2, "", f"error: Unrecognized command or argument '{option}=x'.\n").error
            self.assertRegex(error, "^'tool.dll' is too old for this script: update it with")


class Tools(unittest.TestCase):
    def test_the_order(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            folder = os.path.realpath(folder)
            script = os.path.join(folder, "lldb", "dumpasync2.py")
            home = os.path.join(folder, ".dotnet", "tools")
            path = os.path.join(folder, "bin")
            for made in (home, path, os.path.dirname(script)):
                os.makedirs(made)
            environment = {"HOME": folder, "PATH": path}
            with self.assertRaisesRegex(Refusal, "was not found: install it"):
                find_tool(script, environment)
            for file in (os.path.join(home, "dotnet-async2"), os.path.join(path, "dotnet-async2"), os.path.join(path, "dotnet")):
                with open(file, "w", encoding="ascii") as text:
                    text.write("#!/bin/sh\n")
                os.chmod(file, 0o700)
                if not file.endswith("dotnet"):
                    self.assertEqual(find_tool(script, environment), [file])
            beside = os.path.join(folder, "dotnet-async2.dll")
            open(beside, "w", encoding="ascii").close()
            self.assertEqual(find_tool(script, environment), [os.path.join(path, "dotnet"), beside])
            self.assertEqual(find_tool(script, {**environment, "DOTNET_ASYNC2": "/bin/sh"}), ["/bin/sh"])
            with self.assertRaisesRegex(Refusal, "the program 'dotnet' was not found"):
                find_tool(script, {"HOME": folder, "PATH": "/nowhere"})

    def test_a_tool_that_cannot_be_started_is_reported(self) -> None:
        for command in (["/nowhere/tool"], ["/bin/sh", "a\0b"]):
            with self.assertRaisesRegex(Refusal, "could not be started"):
                run(command, lambda: False)

    def test_bytes_that_are_no_text_are_no_reason_to_fail(self) -> None:
        answer = run(["/bin/sh", "-c", "printf 'a\\377b'; exit 4"], lambda: False)
        self.assertEqual((answer.exit_code, answer.output), (4, "a\ufffdb"))


class Targets(unittest.TestCase):
    def test_a_process_that_nobody_holds_is_refused(self) -> None:
        with self.assertRaisesRegex(Refusal, "lldb has detached from it"):
            check_held(os.getpid())
        with self.assertRaisesRegex(Refusal, "not on this machine"):
            check_held(2 ** 30)

    def test_cores_are_recognized_by_their_header(self) -> None:
        self.assertFalse(is_core("/bin/sh"))
        self.assertFalse(is_core("/nowhere"))
        self.assertEqual(mapped_cores(), [])
        with tempfile.NamedTemporaryFile() as core:
            core.write(b"\x7fELF" + bytes(12) + b"\x04\x00")
            core.flush()
            self.assertTrue(is_core(core.name))


if __name__ == "__main__":
    unittest.main()
