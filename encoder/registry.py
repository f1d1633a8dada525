"""The encodings by name; the command line and the tests iterate this."""

from bsp_sat.encoder.encoding import Encoding
from bsp_sat.encoder.order import Order
from bsp_sat.encoder.sequential import Sequential

ENCODINGS: dict[str, Encoding] = {encoding.name: encoding for encoding in (Sequential(), Order())}

DEFAULT_ENCODING = "sequential"
