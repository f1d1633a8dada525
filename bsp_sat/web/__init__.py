"""`bsp-sat serve`: a page for the browser, and the API behind it (docs/page.md).

application.py      the routes
request_fields.py   the fields of requests: a board, the moves made on it, options
position.py         a position as the page shows it; move_text.py describes moves
errors.py           errors as one sentence, and their HTTP status
answers/            a module for each kind of question
http/               listening.py         the socket, and opening a browser
                    server.py            time limits for clients, and shutdown
                    guard.py             which requests are accepted; headers of every answer
                    origins.py           origins of pages
                    secret.py           a secret in the address, for a phone
                    bodies.py            the bodies of requests: type, length, time
                    memory.py            a limit on the memory of all bodies and answers
                    streams.py           answers as events, or the last event alone
                    error_middleware.py  the answer to a request that hits a bug
work/               work_queue.py        a fixed number of searches at a time, and a queue
                    service.py           the queues and limits that all answers share
                    worker_pool.py       warm processes for searches
                    requests.py          parsing requests in such a process
                    calls.py             calling functions in such a process
data/               levels, by benchmarks/levels.py
page/               the page itself: HTML, style, modules
"""
