"""Compiles functions with numba and llvmlite. All that knows these two is in here, to be read when they change.

1. `compiled` marks a function in the subset of Python that numba compiles. It is a part of the functions that call it.
2. `reader` makes a compiled function that reads a named tuple of arrays, as `bsp_sat.backends.kernel.native.layout`
   lays it out. So nothing of numba is needed to call compiled code.
3. `object_code` has numba compile each entry point with all its parts. numba writes LLVM's intermediate code, for no
   processor in particular, and has it optimised. llvmlite, which has all of LLVM's targets, makes an object file of it
   for a platform.

Of what numba doesn't document, the options ``_nrt`` and ``no_…_wrapper`` are used, and the two methods that
`_make_no_machine_code` replaces. So `build_backend.py` asks for versions of numba that have them. Before you let in a
new one, run ``pytest --slow tests/kernel/test_library.py`` with it, which makes object files for all platforms, then
build the library with it, run ``tests/kernel``, and compare the speed (``benchmarks/kernel.py``).
"""

import os
from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any, TypeVar, cast, get_type_hints

# Read when numba is imported: code for any processor of the kind.
os.environ.update(NUMBA_CPU_NAME="generic", NUMBA_CPU_FEATURES="", NUMBA_OPT="3")

import llvmlite.binding as llvm
import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from bsp_sat.backends.kernel.native.layout import Layout, fields, places

ENTRY: dict[str, Any] = {"error_model": "numpy", "_nrt": False}
"""For numba: no exceptions of Python's, and no reference counts, which are for arrays that compiled code makes. The
arrays here all belong to the caller."""

PART: dict[str, Any] = {**ENTRY, "forceinline": True}
"""For a function that is part of its callers, or each call would pass dozens of arrays by value. Without either option
the search takes four to eight times as long."""

NUMBER = types.int64
F = TypeVar("F", bound=Callable[..., Any])


# -- what compiled modules use -------------------------------------------------------------------------------


def compiled(function: F) -> F:
    """Has numba compile a function, as a part of the functions that call it."""
    return cast(F, numba.njit(**PART)(function))


def reader(kind: type, first: int = 0) -> Any:
    """A compiled function that reads a named tuple, from the address of its numbers or from an array of them.

    Args:
        kind: the class of named tuples.
        first: the place of the first number.
    """

    @intrinsic
    def read(context: Any, source: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            if isinstance(source, types.Array):
                numbers = cgutils.create_struct_proxy(source)(context, builder, arguments[0]).data
            else:
                numbers = builder.inttoptr(arguments[0], ir.IntType(64).as_pointer())
            return _read(context, builder, numbers, kind, places(kind, first)[0])

        return _type_of(kind)(source), generate

    return read


def _type_of(field: type | Layout) -> Any:
    """Numba's type of a field of a named tuple."""
    if isinstance(field, Layout):
        return types.Array(numba.from_dtype(np.dtype(field.item)), field.dimensions, "C")
    if field in (int, bool):
        return types.boolean if field is bool else NUMBER
    return types.NamedTuple([_type_of(inner) for _, inner in fields(field)], field)


def _read(context: Any, builder: Any, numbers: Any, field: type | Layout, at: Any) -> Any:
    """LLVM's value of a field that stands at a place, or of a named tuple whose fields do.

    For arrays numba has ``carray``, which asks for reference counts.
    """

    def number(place: int) -> Any:
        return builder.load(builder.gep(numbers, [ir.Constant(ir.IntType(64), place)]))

    if isinstance(field, Layout):
        kind = _type_of(field)
        array = cgutils.create_struct_proxy(kind)(context, builder)
        lengths = [number(at + 1 + dimension) for dimension in range(field.dimensions)]
        size = ir.Constant(ir.IntType(64), np.dtype(field.item).itemsize)
        strides = [size] if field.dimensions == 1 else [builder.mul(lengths[1], size), size]
        array.data = builder.inttoptr(number(at), array.data.type)
        array.shape, array.strides = cgutils.pack_array(builder, lengths), cgutils.pack_array(builder, strides)
        array.itemsize = size
        array.nitems = lengths[0] if field.dimensions == 1 else builder.mul(lengths[0], lengths[1])
        return array._getvalue()
    if field in (int, bool):
        return builder.icmp_signed("!=", number(at), ir.Constant(ir.IntType(64), 0)) if field is bool else number(at)
    inner = zip((kind for _, kind in fields(field)), at, strict=True)
    return context.make_tuple(builder, _type_of(field), [_read(context, builder, numbers, *each) for each in inner])


# -- what the build uses -------------------------------------------------------------------------------------


def object_code(modules: dict[str, str], triple: str, processor: str, features: str) -> bytes:
    """The object file of entry points.

    Args:
        modules: the module of each, by the name of the compiled function, which is its name in the library too.
        triple: the platform, by LLVM's name.
        processor: the least that it runs on, by LLVM's name.
        features: what it may use beyond that, by LLVM's names.
    """
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    target = llvm.Target.from_triple(triple)
    machine = target.create_target_machine(cpu=processor, features=features, opt=3, reloc="pic")
    library = llvm.parse_assembly(_MEMSET)
    parts = [llvm.parse_assembly(_intermediate_code(module, name)) for name, module in modules.items()]
    for part in (library, *parts):
        part.triple, part.data_layout = triple, str(machine.target_data)
    for part in parts:
        library.link_in(part)
    return bytes(machine.emit_object(library))


@cache
def _intermediate_code(module: str, name: str) -> str:
    """LLVM's code of an entry point and of what it calls, optimised, under the name that the library gives it."""
    _make_no_machine_code()
    entry = _entry(getattr(import_module(module), name))
    code = llvm.parse_assembly(entry.inspect_llvm())
    for part in (*code.functions, *code.global_variables):
        if part.name == entry.native_name:
            part.name = name
        elif not part.is_declaration:
            part.linkage = "internal"
    # What only numba's own callers would need goes.
    passes = llvm.create_new_module_pass_manager()
    passes.add_global_dead_code_eliminate_pass()
    machine = llvm.Target.from_default_triple().create_target_machine()
    passes.run(code, llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(speed_level=0)))
    return str(code)


def _entry(function: Any) -> Any:
    """The C function that calls a compiled one, with an address in the place of its first argument, a named tuple."""
    kind, *numbers = [hint for name, hint in get_type_hints(function.py_func).items() if name != "return"]
    read = reader(kind)

    calls: list[Callable[..., Any]] = [  # numba takes no C function with ``*numbers``
        lambda address: function(read(address)),
        lambda address, a: function(read(address), a),
        lambda address, a, b: function(read(address), a, b),
        lambda address, a, b, c: function(read(address), a, b, c),
    ]
    return numba.cfunc(NUMBER(NUMBER, *(NUMBER for _ in numbers)), **ENTRY)(calls[len(numbers)])


@cache
def _make_no_machine_code() -> None:
    """Has numba make no machine code of what it compiles, which takes half of the time and isn't sound.

    To make machine code of a function LLVM prepares its intermediate code for the processor, and numba would have that
    optimised again in each caller: a test of a sign was lost in that way. So nothing is made of parts, and of an entry
    point, which numba asks for its address, only of a copy. numba has no setting for it. Nor does anything call parts
    from Python, unlike in some tests.
    """
    PART.update(no_cpython_wrapper=True, no_cfunc_wrapper=True)  # before the modules are imported
    from numba.core.codegen import JITCPUCodegen

    add_module = JITCPUCodegen._add_module

    def add_copy(codegen: Any, module: Any) -> None:
        if any(part.name.startswith("cfunc.") for part in module.functions):
            add_module(codegen, module.clone())

    JITCPUCodegen._add_module = add_copy  # type: ignore[method-assign]  # numba has no setting for it
    JITCPUCodegen.set_env = lambda *_: None  # type: ignore[method-assign]  # it would look into the machine code


# LLVM calls it for loops that fill arrays. Without builtins, or it would make of this loop a call of itself.
_MEMSET = """
define hidden ptr @memset(ptr returned %array, i32 %value, i64 %size) "no-builtins" nounwind {
start:
  %byte = trunc i32 %value to i8
  %empty = icmp eq i64 %size, 0
  br i1 %empty, label %end, label %fill
fill:
  %place = phi i64 [ 0, %start ], [ %next, %fill ]
  %address = getelementptr i8, ptr %array, i64 %place
  store i8 %byte, ptr %address
  %next = add i64 %place, 1
  %full = icmp eq i64 %next, %size
  br i1 %full, label %end, label %fill
end:
  ret ptr %array
}
"""
