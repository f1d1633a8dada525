"""`bsp-sat serve`: a page for the browser, and the API behind it (docs/page.md).

server.py        listening, ending, opening a browser
application.py   the routes
guard.py         who may ask, how much, and the headers of every answer
asked.py         what a request asks: a board, the moves made on it, options
position.py      where a game stands; telling.py puts moves in words
streams.py       answers that come event by event
jobs.py          a fixed number of searches at a time, in warm processes
chores.py        what these do that isn't solving
page/            the page itself: HTML, style, modules
"""
