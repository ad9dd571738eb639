"""Times train() of Debian's liblinear on a problem read once. For bench/contenders/liblinear-library.ts.

usage: liblinear_library.py FOLDER
FOLDER holds nodes.bin ({int32 index, int32 padding, double value}, every row ended by index -1), offsets.bin (uint64, the
first node of each row) and labels.bin (double). For every line "SOLVER C TOLERANCE LIMIT [FILE]" on standard input it trains once
and prints the milliseconds of train(), or "inf" if it was not done after LIMIT seconds; the model goes to FILE if one is named.
"""
import ctypes as c
import os
import signal
import sys
import time


class Node(c.Structure):
    _fields_ = [("index", c.c_int), ("value", c.c_double)]


class Problem(c.Structure):
    _fields_ = [
        ("l", c.c_int),
        ("n", c.c_int),
        ("y", c.POINTER(c.c_double)),
        ("x", c.POINTER(c.POINTER(Node))),
        ("bias", c.c_double),
    ]


class Parameter(c.Structure):
    _fields_ = [
        ("solver_type", c.c_int),
        ("eps", c.c_double),
        ("C", c.c_double),
        ("nr_weight", c.c_int),
        ("weight_label", c.POINTER(c.c_int)),
        ("weight", c.POINTER(c.c_double)),
        ("p", c.c_double),
        ("init_sol", c.POINTER(c.c_double)),
    ]


def read(folder, name, kind):
    with open(os.path.join(folder, name), "rb") as file:
        data = file.read()
    return (kind * (len(data) // c.sizeof(kind))).from_buffer_copy(data)


folder = sys.argv[1]
lib = c.CDLL("liblinear.so.4")
print_function = c.CFUNCTYPE(None, c.c_char_p)
silence = print_function(lambda text: None)
lib.set_print_string_function(silence)
lib.train.restype = c.c_void_p

nodes = read(folder, "nodes.bin", Node)
offsets = read(folder, "offsets.bin", c.c_uint64)
labels = read(folder, "labels.bin", c.c_double)
base, size = c.addressof(nodes), c.sizeof(Node)
rows = (c.c_void_p * len(offsets))(*[base + size * offset for offset in offsets])
features = max(c.cast(nodes, c.POINTER(c.c_int))[0 : 4 * len(nodes) : 4])
problem = Problem(len(labels), features, labels, c.cast(rows, c.POINTER(c.POINTER(Node))), -1)
print("ready", flush=True)


def train(solver, C, tolerance, file):
    parameter = Parameter(int(solver), float(tolerance), float(C), 0, None, None, 0.1, None)
    started = time.perf_counter()
    model = c.c_void_p(lib.train(c.byref(problem), c.byref(parameter)))
    milliseconds = (time.perf_counter() - started) * 1e3
    if file:
        lib.save_model(file[0].encode(), model)
    print(milliseconds, flush=True)


for line in sys.stdin:
    solver, C, tolerance, limit, *file = line.split()
    # A child of its own for each run: train() cannot be told to stop, but a child can be killed. It shares the problem's pages.
    child = os.fork()
    if child == 0:
        train(solver, C, tolerance, file)
        os._exit(0)
    deadline = time.monotonic() + float(limit)
    while os.waitpid(child, os.WNOHANG)[0] == 0:
        if time.monotonic() > deadline:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            print("inf", flush=True)
            break
        time.sleep(0.002)
