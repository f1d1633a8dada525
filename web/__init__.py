"""`bsp-sat serve`: a page for the browser, and the API behind it (docs/page.md).

application.py      the routes
request_fields.py   the fields of requests: a board, the moves made on it, options
position.py         a position as the page shows it; move_text.py puts moves in words
errors.py           errors in one sentence, and their status of HTTP
answers/            a module for each kind of question
http/               listening.py         the socket, and a browser to open it
                    server.py            time limits of clients, and an orderly end
                    guard.py             who may ask, how much, and the headers of every answer
                    origins.py           which pages may ask
                    bodies.py            the bodies of requests: type, length, time
                    memory.py            the memory of bodies and answers together
                    streams.py           answers as events, or the last event alone
                    error_middleware.py  answers to requests that hit a bug
work/               work_queue.py        a fixed number of searches at a time, and a queue before them
                    service.py           what all answers share
                    worker_pool.py       the warm processes they run in
                    requests.py          reading requests in such a process
                    calls.py             calling functions in such a process
page/               the page itself: HTML, style, modules
"""
