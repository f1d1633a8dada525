"""What compiled code is called with, read: named tuples of arrays from their addresses.

An entry takes one address, that of the 64-bit integers that `bsp_sat.backends.kernel.arrays` describes, so that nothing
of numba is needed to call it (`bsp_sat.backends.kernel.calls`). Which array has which place follows from the order of
the tuples' fields, and what it holds from their types.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple, get_type_hints

import llvmlite.binding as llvm
import numpy as np
from numba import carray, njit, types
from numba.extending import intrinsic

from bsp_sat.backends.kernel.arrays import ARRAYS_AT, NUMBERS_OF_ARRAY, SHAPE_AT, Shape

OPTIONS: dict[str, Any] = {"error_model": "numpy"}


@intrinsic
def pointer(context: Any, address: Any, item: Any) -> Any:
    """The pointer to items of a type at an address."""
    kind = types.CPointer(item.dtype)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.inttoptr(arguments[0], context.get_value_type(kind))

    return kind(types.int64, item), generate


def shape_reader() -> Any:
    """The compiled function that reads the `Shape`."""
    hints = get_type_hints(Shape)
    values = (f"a[{at}]{' != 0' * (hints[name] is bool)}" for at, name in enumerate(Shape._fields, SHAPE_AT))
    return _reader(Shape, values)


def array_readers(*kinds: type[NamedTuple]) -> list[Any]:
    """For each kind of named tuples the compiled function that reads one, in the order of the arrays."""
    readers = []
    first = ARRAYS_AT
    for kind in kinds:
        readers.append(_reader(kind, _arrays(kind, first)))
        first += NUMBERS_OF_ARRAY * len(kind._fields)
    return readers


def _arrays(kind: type[NamedTuple], first: int) -> Iterator[str]:
    """The expressions for the fields of a named tuple of arrays."""
    for number, hint in enumerate(get_type_hints(kind, include_extras=True).values()):
        (layout,) = hint.__metadata__
        item = np.dtype(layout.item).name
        at = first + NUMBERS_OF_ARRAY * number
        sizes = ", ".join(f"a[{at + 1 + dimension}]" for dimension in range(layout.dimensions))
        yield f"carray(pointer(a[{at}], np.{item}), ({sizes},))"


def _reader(kind: type[NamedTuple], values: Iterator[str]) -> Any:
    """A compiled function of the argument, inlined where it is called, that makes a named tuple of expressions."""
    fields = (f"{name}={value}" for name, value in zip(kind._fields, values, strict=True))
    names: dict[str, Any] = {"kind": kind, "carray": carray, "pointer": pointer, "np": np}
    exec(f"def read(a):\n    return kind({', '.join(fields)})", names)
    return njit(forceinline=True, **OPTIONS)(names["read"])


def object_code_of(entry: Any) -> tuple[str, bytes]:
    """The name of a compiled function and the object file that holds it, for this processor."""
    machine = llvm.Target.from_default_triple().create_target_machine(
        cpu=llvm.get_host_cpu_name(), features=llvm.get_host_cpu_features().flatten(), opt=3, jit=True
    )
    return entry.native_name, machine.emit_object(llvm.parse_assembly(entry.inspect_llvm()))
