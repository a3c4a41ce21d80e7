# The program alone:
#     docker build --tag tablero .
#     docker run --rm --interactive --tty tablero play dots-and-boxes:3x3
FROM rust:1.95-slim AS build
RUN apt-get update && apt-get install --yes --no-install-recommends gcc libc6-dev
WORKDIR /tablero
COPY . .
RUN cargo build --locked --release && strip target/release/tablero

FROM debian:stable-slim
COPY --from=build /tablero/target/release/tablero /usr/local/bin/
COPY --from=build /tablero/LICENSE-APACHE /tablero/LICENSE-MIT /usr/share/doc/tablero/
# Runs and policies: mount a folder here.
WORKDIR /work
ENTRYPOINT ["tablero"]
