"""What compiled code is called with, read: named tuples of arrays from their addresses.

An entry takes one address, that of the 64-bit integers that `bsp_sat.backends.kernel.arrays` describes, so that nothing
of numba is needed to call it (`bsp_sat.backends.kernel.calls`). Which array has which place follows from the order of
the tuples' fields, and what it holds from their types.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple, get_type_hints

import numpy as np
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic
from numba.np.arrayobj import make_array, populate_array

from bsp_sat.backends.kernel.arrays import ARRAYS_AT, NUMBERS_OF_ARRAY, SHAPE_AT, Shape
from bsp_sat.backends.kernel.compiled.packing import compiled


@intrinsic
def array_at(context: Any, address: Any, item: Any, shape: Any) -> Any:
    """The array of items of a type at an address; numba's ``carray`` asks for reference counts."""
    kind = types.Array(item.dtype, shape.count, "C")

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array = make_array(kind)(context, builder)
        size = context.get_constant(types.intp, context.get_abi_sizeof(context.get_data_type(item.dtype)))
        lengths = cgutils.unpack_tuple(builder, arguments[2])
        strides = [size, *([] if shape.count == 1 else [builder.mul(lengths[1], size)])][::-1]
        data = builder.inttoptr(arguments[0], array.data.type)
        populate_array(array, data=data, shape=lengths, strides=strides, itemsize=size, meminfo=None)
        return array._getvalue()

    return kind(types.int64, item, shape), generate


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


def array_places(*kinds: type[NamedTuple]) -> list[Any]:
    """For each kind of named tuples one of the places of its arrays in an argument, in the order of `array_readers`."""
    places = []
    first = ARRAYS_AT
    for kind in kinds:
        behind = first + NUMBERS_OF_ARRAY * len(kind._fields)
        places.append(kind(*range(first, behind, NUMBERS_OF_ARRAY)))
        first = behind
    return places


def _arrays(kind: type[NamedTuple], first: int) -> Iterator[str]:
    """The expressions for the fields of a named tuple of arrays."""
    for number, hint in enumerate(get_type_hints(kind, include_extras=True).values()):
        (layout,) = hint.__metadata__
        item = np.dtype(layout.item).name
        at = first + NUMBERS_OF_ARRAY * number
        sizes = ", ".join(f"a[{at + 1 + dimension}]" for dimension in range(layout.dimensions))
        yield f"array_at(a[{at}], np.{item}, ({sizes},))"


def _reader(kind: type[NamedTuple], values: Iterator[str]) -> Any:
    """A compiled function of the argument, inlined where it is called, that makes a named tuple of expressions."""
    fields = (f"{name}={value}" for name, value in zip(kind._fields, values, strict=True))
    names: dict[str, Any] = {"kind": kind, "array_at": array_at, "np": np}
    exec(f"def read(a):\n    return kind({', '.join(fields)})", names)
    return compiled(names["read"])
