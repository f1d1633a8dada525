"""Values that are imported when they are first asked for: most runs of the program need only one of many."""

from collections import UserDict
from collections.abc import Mapping
from typing import TypeVar, cast

from bsp_sat.instances.text.words import did_you_mean
from bsp_sat.on_demand import imported

T = TypeVar("T")


class Lazy(UserDict[str, T]):
    """A dictionary of values that are imported on demand, each from a place ``module:name``. Others can be added."""

    def __init__(self, places: Mapping[str, str]) -> None:
        super().__init__()
        self._places = dict(places)
        self.data = dict.fromkeys(places, cast(T, None))  # None until it is imported

    def __repr__(self) -> str:
        """The names: most values aren't imported."""
        return f"<{', '.join(self.data)}>"

    def __getitem__(self, name: str) -> T:
        if name not in self.data:
            expected = f"expected one of {', '.join(self.data)}{did_you_mean(str(name), self.data)}"
            raise KeyError(f"unknown name {name!r}, {expected}")
        if self.data[name] is None:
            self.data[name] = cast(T, imported(self._places[name]))
        return self.data[name]
