"""The encodings by name; the command line and the tests iterate this."""

from bsp_sat.encoder.encoding import Encoding
from bsp_sat.encoder.layered import Layered
from bsp_sat.encoder.sequential import Sequential

ENCODINGS: dict[str, Encoding] = {encoding.name: encoding for encoding in (Sequential(), Layered())}

DEFAULT_ENCODING = "sequential"
