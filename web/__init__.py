"""`bsp-sat serve`: a page for the browser, and the API behind it (docs/page.md).

application.py   the routes
asked.py         what a request asks: a board, the moves made on it, options
position.py      where a game stands; telling.py puts moves in words
errors.py        what is said of requests that can't be answered
answers/         a module for each kind of question
http/            listening.py     the socket, and a browser to open it
                 server.py        patience with those who ask, and an end in order
                 guard.py         who may ask, and the headers of every answer; origins.py reads names of pages
                 bodies.py        the bodies of requests: type, length, time
                 memory.py        what all bodies and answers hold together, and answers piece by piece
                 streams.py       answers of jobs, event by event or the last word alone
                 plainly.py       what is said of bugs
work/            jobs.py          a fixed number of searches at a time; service.py is what all answers share
                 stock.py         the warm processes they run in
                 requests.py      what is asked, read in such a process
                 chores.py        what these do that isn't solving
page/            the page itself: HTML, style, modules
"""
