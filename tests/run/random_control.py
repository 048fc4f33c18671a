#!/usr/bin/env python3
"""Random kernels of nothing but control: branches, loops, ways out of them, functions with returns anywhere, short circuits.

random_control.py PHOBOS [SEED [COUNT [DEVICE]]]

What each thread should compute is found by running the same program here, thread by thread. On the simulator the kinds are
checked as well. A kernel that fails is printed; the same seed makes it again.
"""
import os
import random
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(HERE, "..", "..", "examples"))
from npy import save  # noqa: E402

THREADS = 64
MOST_STEPS = 4000  # of one thread; a kernel that takes more is not used


def wrap(x):
    return ((x + (1 << 31)) & 0xffffffff) - (1 << 31)


ARITHMETIC = {"+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b, "&": lambda a, b: a & b}
COMPARISONS = {"<": lambda a, b: a < b, "<=": lambda a, b: a <= b, ">": lambda a, b: a > b, "==": lambda a, b: a == b,
               "!=": lambda a, b: a != b}


class Generator:
    """Statements and expressions are tuples, the first element naming them. Names given as `read` cannot be assigned."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.functions = []  # (name, body), of two parameters a and b
        self.names = 0
        self.in_function = True

    def program(self):
        for i in range(self.random.randrange(3)):
            body = self.block(["q"], ["a", "b"], 3, False)
            self.functions.append(("f%d" % i, [("var", "q", ("name", "a"))] + body + [("return", ("name", "q"))]))
        self.in_function = False
        return self.block(["y", "z"], ["t", "w", "n"], 4, False)

    def fresh(self, letter):
        self.names += 1
        return letter + str(self.names)

    def value(self, names, depth):
        choice = self.random.randrange(8) if depth else 0
        if choice < 3:
            return ("name", self.random.choice(names)) if self.random.random() < 0.7 else ("number", self.random.randrange(9))
        if choice == 3 and not self.in_function:
            return ("load", self.value(names, depth - 1))
        if choice == 4 and not self.in_function and self.functions:
            name = self.random.choice(self.functions)[0]
            return ("call", name, self.value(names, depth - 1), self.value(names, depth - 1))
        op = self.random.choice(list(ARITHMETIC))
        return ("arithmetic", op, self.value(names, depth - 1), self.value(names, depth - 1))

    def condition(self, names, depth=1):
        if depth and self.random.random() < 0.3:
            return ("logical", self.random.choice(["&&", "||"]), self.condition(names, 0), self.condition(names, 0))
        return ("compare", self.random.choice(list(COMPARISONS)), self.value(names, 1), self.value(names, 1))

    def block(self, written, read, depth, in_loop):
        written, statements = list(written), []
        for _ in range(self.random.randrange(1, 4)):
            statement = self.statement(written, read, depth, in_loop)
            statements.append(statement)
            if statement[0] in ("break", "continue", "return"):
                break
        return statements

    def statement(self, written, read, depth, in_loop):
        names, choice = written + read, self.random.randrange(12)
        if choice == 0 and in_loop:
            return (self.random.choice(["break", "continue"]),)
        if choice == 1 and self.random.random() < 0.4:
            return ("return", self.value(names, 1) if self.in_function else None)
        if choice == 2:
            declared = ("var", self.fresh("v"), self.value(names, 2))
            written.append(declared[1])
            return declared
        if choice in (3, 4, 5) and depth:
            other = self.block(written, read, depth - 1, in_loop) if self.random.random() < 0.6 else []
            return ("if", self.condition(names), self.block(written, read, depth - 1, in_loop), other)
        if choice in (6, 7) and depth:
            variable, end = self.fresh("i"), ("arithmetic", "&", self.value(names, 1), ("number", 7))
            body = self.block(written, read + [variable], depth - 1, True)
            return ("for", variable, self.value(names, 0), end, self.random.randrange(1, 4), body)
        if choice == 8 and depth:
            counter = self.fresh("k")
            return ("while", counter, self.condition(names), self.block(written, read + [counter], depth - 1, True))
        return ("assign", self.random.choice(written), self.value(names, 2))


# --- as text -------------------------------------------------------------------------------------------------------------

def text_of(expr):
    kind = expr[0]
    if kind == "name":
        return expr[1]
    if kind == "number":
        return "i32(%d)" % expr[1]
    if kind == "load":
        return "X[%s & 63]" % text_of(expr[1])
    if kind == "call":
        return "%s(%s, %s)" % (expr[1], text_of(expr[2]), text_of(expr[3]))
    return "(%s %s %s)" % (text_of(expr[2]), expr[1], text_of(expr[3]))


def lines_of(block, indent, in_function):
    lines = []
    for statement in block:
        kind, inner = statement[0], indent + "  "
        if kind == "assign":
            lines.append("%s%s = %s" % (indent, statement[1], text_of(statement[2])))
        elif kind == "var":
            lines.append("%svar %s = %s" % (indent, statement[1], text_of(statement[2])))
        elif kind == "if":
            lines += ["%sif %s {" % (indent, text_of(statement[1]))] + lines_of(statement[2], inner, in_function)
            if statement[3]:
                lines += [indent + "} else {"] + lines_of(statement[3], inner, in_function)
            lines.append(indent + "}")
        elif kind == "for":
            head = "%sfor %s in range(%s, %s, %d) {" % (indent, statement[1], text_of(statement[2]), text_of(statement[3]), statement[4])
            lines += [head] + lines_of(statement[5], inner, in_function) + [indent + "}"]
        elif kind == "while":
            counter = statement[1]
            lines += ["%svar %s: i32 = 0" % (indent, counter), "%swhile %s < 6 && %s {" % (indent, counter, text_of(statement[2])),
                      "%s%s += 1" % (inner, counter)] + lines_of(statement[3], inner, in_function) + [indent + "}"]
        elif kind == "return" and in_function:
            lines.append("%sreturn %s" % (indent, text_of(statement[1])))
        elif kind == "return":
            lines += [indent + "Y[0, ctx.thread] = y", indent + "Y[1, ctx.thread] = z", indent + "return"]
        else:
            lines.append(indent + kind)
    return lines


def source_of(generator, body, name):
    lines = []
    for function, statements in generator.functions:
        lines += ["fn %s(a: i32, b: i32) -> i32 {" % function] + lines_of(statements, "  ", True) + ["}", ""]
    lines += ["//# run X=%s.X.npy n=5 --grid 1 expect Y=%s.Y.npy rtol=0" % (name, name), "@launch(%d)" % THREADS,
              "kernel k(X: tensor<i32>[64], Y: tensor<i32>[2, %d], n: i32) {" % THREADS, "  let t = i32(ctx.thread)",
              "  let w = i32(ctx.warp)", "  var y: i32 = 1", "  var z: i32 = 0"]
    return "\n".join(lines + lines_of(body, "  ", False) + lines_of([("return", None)], "  ", False)[:2] + ["}", ""])


# --- as one thread runs it -----------------------------------------------------------------------------------------------

class TooLong(Exception):
    pass


class Thread:
    def __init__(self, functions, x):
        self.functions, self.x, self.steps = dict(functions), x, 0

    def value(self, expr, names):
        kind = expr[0]
        if kind == "name":
            return names[expr[1]]
        if kind == "number":
            return expr[1]
        if kind == "load":
            return self.x[self.value(expr[1], names) & 63]
        if kind == "call":
            inner = {"a": self.value(expr[2], names), "b": self.value(expr[3], names)}
            return self.run(self.functions[expr[1]], inner)[1]
        left = self.value(expr[2], names)
        if kind == "logical":
            return self.value(expr[3], names) if left == (expr[1] == "&&") else left
        right = self.value(expr[3], names)
        return wrap(ARITHMETIC[expr[1]](left, right)) if kind == "arithmetic" else COMPARISONS[expr[1]](left, right)

    def run(self, block, names):
        """What ended the block: None, or ("break",), ("continue",), ("return", value)."""
        for statement in block:
            self.steps += 1
            if self.steps > MOST_STEPS:
                raise TooLong
            kind, left = statement[0], None
            if kind in ("assign", "var"):
                names[statement[1]] = self.value(statement[2], names)
            elif kind == "if":
                left = self.run(statement[2] if self.value(statement[1], names) else statement[3], names)
            elif kind == "for":
                for i in range(self.value(statement[2], names), self.value(statement[3], names), statement[4]):
                    names[statement[1]] = i
                    left = self.run(statement[5], names)
                    if left and left[0] != "continue":
                        break
            elif kind == "while":
                names[statement[1]] = 0
                while names[statement[1]] < 6 and self.value(statement[2], names):
                    names[statement[1]] += 1
                    left = self.run(statement[3], names)
                    if left and left[0] != "continue":
                        break
            elif kind == "return":
                return ("return", self.value(statement[1], names) if statement[1] else None)
            else:
                return statement
            if left and (kind == "if" or left[0] == "return"):
                return left
        return None


def make(seed, folder):
    """Writes the kernel of a seed; None where it runs too long."""
    generator = Generator(seed)
    body = generator.program()
    x = [generator.random.randrange(-20, 60) for _ in range(64)]
    y = [[], []]
    for t in range(THREADS):
        names = {"t": t, "w": t // 32, "n": 5, "y": 1, "z": 0}
        try:
            Thread(generator.functions, x).run(body, names)
        except TooLong:
            return None
        y[0].append(names["y"])
        y[1].append(names["z"])
    name = "seed%d" % seed
    save(os.path.join(folder, name + ".X.npy"), "i4", x)
    save(os.path.join(folder, name + ".Y.npy"), "i4", y)
    path = os.path.join(folder, name + ".ph")
    with open(path, "w") as file:
        file.write(source_of(generator, body, name))
    return path


def main(phobos, seed=1, count=200, device="sim"):
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        while len(paths) < count:
            path = make(seed, folder)
            paths += [path] if path else []
            seed += 1
        command = [phobos, "test", "-q", "--device", device] + (["--check-kinds"] if device == "sim" else [])
        status = 0
        for at in range(0, count, 50):
            result = subprocess.run(command + paths[at:at + 50], stdout=subprocess.PIPE, universal_newlines=True)
            status = status or result.returncode
            for path in paths[at:at + 50]:
                if path in result.stdout:
                    print(open(path).read())
            print(result.stdout, end="")
    print(f"{count} kernels on {device}: " + ("all agree" if status == 0 else "not all agree"))
    return status


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1], *map(int, sys.argv[2:4]), *sys.argv[4:5]))
