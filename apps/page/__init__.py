"""`bsp-sat serve`: a page for the browser, and the API behind it (docs/page.md, README.md).

`application` has the routes, `questions` what may be asked there and in a tab; `answers` has a module for each kind of
question, and `answering` what they share. `http` decides which requests are accepted, and sends what is answered.
"""

from bsp_sat.on_demand import OnDemand

__getattr__ = OnDemand(__name__, modules=("application",))

COMMANDS = {
    "page": ("Make", "Make the page as files that need no server."),
    "serve": ("Look", "Open the page in a browser."),
}
