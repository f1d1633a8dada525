# The page of `bsp-sat serve`: docs/page.md, "Behind a reverse proxy".
FROM python:3.11-slim

COPY . /src
# The engine is built here by a compiler that pip fetches and that doesn't stay.
RUN pip install --no-cache-dir '/src[pictures,web]' && rm -rf /src

RUN useradd --create-home player
USER player

EXPOSE 8020
# Reached from outside the container, which publishes the port where it is told to.
CMD ["bsp-sat", "serve", "--host", "0.0.0.0", "--no-open"]
