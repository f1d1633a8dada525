# The page of `bsp-sat serve`, with the search compiled: docs/page.md, "Behind a reverse proxy".
FROM python:3.11-slim

COPY . /src
# Everything comes as wheels: no compiler is needed.
RUN pip install --no-cache-dir '/src[web,pictures]' && rm -rf /src

# As somebody who may write nowhere but in a cache of their own, where the compiled code is kept.
RUN useradd --create-home player
USER player
RUN bsp-sat compile

EXPOSE 8020
# Reached from outside the container, which publishes the port where it is told to.
CMD ["bsp-sat", "serve", "--host", "0.0.0.0", "--no-open"]
